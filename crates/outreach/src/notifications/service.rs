//! Personal notifications and read marks.

use super::NotificationError;
use super::model::{NewNotification, NoticeText, Personal};
use super::store::{self, Reader};
use crate::Outreach;
use crate::push::{self, PushError};
use atalaya_db::{DbResult, Tx};
use atalaya_kernel::live::{Audience, names};
use atalaya_kernel::{Language, NotificationId, UserId};
use atalaya_rest::Caller;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The notifications written; [`Outreach::announce`] notifies the screens once the transaction has committed.
#[must_use = "open screens hear of it through `Outreach::announce`, after the commit"]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Told(Vec<(UserId, NotificationId)>);

impl Told {
    /// No notification.
    pub fn none() -> Self {
        Self::default()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Both together.
    pub fn and(mut self, other: Told) -> Self {
        self.0.extend(other.0);
        self
    }
}

/// A user's notifications, for the file of his own data.
pub(crate) async fn records_of(d: &Outreach, user: UserId) -> DbResult<Vec<Value>> {
    store::records_of(d.db.read(), user).await
}

impl Outreach {
    /// Writes a personal notification for each of these users in the caller's transaction, once per user (NOTICE-5). Its
    /// push is queued in the same transaction; a push without its text is logged and the notification stands.
    pub async fn notify(&self, tx: &Tx, to: &[UserId], new: &NewNotification) -> DbResult<Told> {
        let now = self.sources.now();
        let (text_id, text) = match &new.text {
            NoticeText::Known(id) => (Some((*id).to_owned()), self.notice(Language::default(), id)),
            NoticeText::Written(text) => (None, text.clone()),
        };
        let target = new.action.target();
        let one = |user: &UserId| Personal {
            id: self.sources.id(),
            user: *user,
            conference: new.about,
            request: new.about_request,
            text_id: text_id.clone(),
            text: text.clone(),
            expedient: new.expedient.clone(),
            target: target.clone(),
            kind: new.action.kind(),
            created_at: now,
            is_read: false,
        };
        let all: Vec<_> = to.iter().collect::<BTreeSet<_>>().into_iter().map(one).collect();
        let told = all.iter().map(|of| (of.user, of.id)).collect();
        store::insert_personal(tx, &all).await?;
        if let Some(message) = &new.push {
            match push::service::queue(self, tx, to, message).await {
                Ok(_) => {}
                Err(PushError::Db(error)) => return Err(error),
                Err(error) => tracing::error!(%error, "a push could not be written"),
            }
        }
        Ok(Told(told))
    }

    /// Notifies the open screens of the recipients and wakes their pushes; call it after the commit.
    pub fn announce(&self, told: Told) {
        if !told.is_empty() {
            self.jobs.wake();
        }
        for (user, id) in told.0 {
            self.announcer.tell(Audience::User(user), names::new_personal_notification(user), json!({"_id": id}));
        }
    }

    /// A known text in a language; its id when the text is missing, which a test rules out for ours.
    pub(super) fn notice(&self, language: Language, id: &str) -> String {
        let text = self.identity.templates.render(language, &format!("notice.{id}"), &json!({}));
        text.unwrap_or_else(|_| id.to_owned())
    }

    pub(super) fn reader(&self, caller: &Caller) -> Reader {
        Reader { user: caller.user, role: caller.role, now: self.sources.now() }
    }
}

/// The notification to mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    General(NotificationId, bool),
    Personal(NotificationId, bool),
    All,
}

/// Marks as read (`true`) or unread; answers how many are unread then. Idempotent (NOTICE-4).
///
/// Errors: [`NotificationError::NotFound`] for another's, and for a general one that is not in force for the caller.
pub(super) async fn mark(d: &Outreach, caller: &Caller, mark: Mark) -> Result<u64, NotificationError> {
    let reader = d.reader(caller);
    let tx = d.db.write().await?;
    let found = match mark {
        Mark::All => {
            store::mark_all(&tx, reader).await?;
            true
        }
        Mark::Personal(id, seen) => store::set_read(&tx, reader, id, seen).await?,
        Mark::General(id, seen) => {
            let found = store::is_in_force(&*tx, reader, id).await?;
            match seen {
                _ if !found => {}
                true => store::mark_read(&tx, reader, &[id.0]).await?,
                false => store::mark_unread(&tx, reader, id).await?,
            }
            found
        }
    };
    if !found {
        return Err(NotificationError::NotFound);
    }
    let unread = store::count_unread(&*tx, reader).await?;
    tx.commit().await?;
    Ok(unread)
}
