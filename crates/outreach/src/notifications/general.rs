//! General notifications: writing, announcing at the start, withdrawing, cleaning up.

use super::NotificationError;
use super::model::{NewGeneral, RoleGroup};
use super::store;
use crate::Outreach;
use async_trait::async_trait;
use atalaya_identity::audit::{Action, Entry, service as audit};
use atalaya_identity::auth::service::Origin;
use atalaya_jobs::{Handler, Job, JobFailure, JobResult, NewJob};
use atalaya_kernel::NotificationId;
use atalaya_kernel::live::{Audience, names};
use atalaya_rest::Caller;
use chrono::TimeDelta;
use serde_json::json;

/// How long a read personal notification is kept (NOTICE-13).
const KEEP_READ: TimeDelta = TimeDelta::days(180);
/// How long an unread one is kept.
const KEEP_UNREAD: TimeDelta = TimeDelta::days(365);

/// Writes a general notification. Screens of its audience are notified at its start: at once when that is now, else by a
/// job (NOTICE-8).
pub async fn create(
    d: &Outreach,
    caller: &Caller,
    origin: &Origin,
    new: &NewGeneral,
) -> Result<NotificationId, NotificationError> {
    let id: NotificationId = d.sources.id();
    let now = d.sources.now();
    let tx = d.db.write().await?;
    store::insert_general(&tx, id, caller.user, new, now).await?;
    d.jobs.enqueue(&tx, NewJob::new(AnnounceGeneral::KIND, json!({"id": id})).at(new.start_at)).await?;
    let entry = Entry::company(Action::GeneralNotificationCreated, caller.company).by(caller).from(origin.address);
    let detail = json!({"notificationId": id, "roleGroup": new.group.number()});
    audit::record(&d.identity, &tx, entry.detail(detail)).await?;
    tx.commit().await?;
    d.jobs.wake();
    tracing::info!(notification.id = %id, role_group = new.group.number(), "general notification written");
    // It is stored: an error would only make the administrator write it twice, and the job announces it anyway.
    if let Err(error) = announce(d, id).await {
        tracing::warn!(notification.id = %id, %error, "general notification could not be told at once");
    }
    Ok(id)
}

/// Withdraws a general notification: nobody sees it any more.
///
/// Errors: `NOTIFICATION_NOT_FOUND`, `NOTIFICATION_OVER` when it was withdrawn before or has expired.
pub(super) async fn withdraw(
    d: &Outreach,
    caller: &Caller,
    origin: &Origin,
    id: NotificationId,
) -> Result<(), NotificationError> {
    let tx = d.db.write().await?;
    if !store::withdraw(&tx, id, d.sources.now()).await? {
        let known = store::find_general(&*tx, id).await?.is_some();
        return Err(if known { NotificationError::Over } else { NotificationError::NotFound });
    }
    let entry = Entry::company(Action::GeneralNotificationWithdrawn, caller.company).by(caller).from(origin.address);
    audit::record(&d.identity, &tx, entry.detail(json!({"notificationId": id}))).await?;
    Ok(tx.commit().await?)
}

/// Notifies the screens of its audience once, if it is in force.
async fn announce(d: &Outreach, id: NotificationId) -> Result<(), NotificationError> {
    let tx = d.db.write().await?;
    if !store::claim_announcement(&tx, id, d.sources.now()).await? {
        return Ok(());
    }
    let found = store::find_general(&*tx, id).await?.ok_or(NotificationError::NotFound)?;
    tx.commit().await?;
    let audience = match found.group {
        RoleGroup::Role(role) => Audience::Roles(vec![role]),
        RoleGroup::Everybody => Audience::Everybody,
    };
    d.announcer.tell(audience, names::NEW_GENERAL_NOTIFICATION, json!({"_id": id}));
    Ok(())
}

/// The job that announces a general notification at its start.
pub struct AnnounceGeneral(pub Outreach);

impl AnnounceGeneral {
    pub const KIND: &'static str = "announce_general_notification";
}

#[async_trait]
impl Handler for AnnounceGeneral {
    async fn run(&self, job: &Job) -> JobResult {
        let id = job.payload["id"].as_str().and_then(|id| id.parse().ok());
        let id = id.ok_or_else(|| JobFailure::GiveUp("the job names no notification".into()))?;
        announce(&self.0, id).await.map_err(|error| JobFailure::Retry(error.to_string()))
    }
}

/// The hourly job that deletes old personal notifications.
pub struct TidyNotifications(pub Outreach);

impl TidyNotifications {
    pub const KIND: &'static str = "tidy_notifications";

    /// Answers how many were deleted.
    pub async fn tidy(d: &Outreach) -> Result<u64, NotificationError> {
        let tx = d.db.write().await?;
        let now = d.sources.now();
        let gone = store::delete_old(&tx, now - KEEP_READ, now - KEEP_UNREAD).await?;
        tx.commit().await?;
        Ok(gone)
    }
}

#[async_trait]
impl Handler for TidyNotifications {
    async fn run(&self, _: &Job) -> JobResult {
        Self::tidy(&self.0).await.map(drop).map_err(|error| JobFailure::Retry(error.to_string()))
    }
}
