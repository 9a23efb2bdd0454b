//! The notice that an account was created or a company activated (INVITE-8).

use super::messages;
use crate::audit::{self, Action};
use crate::directory::{self, get_company};
use crate::invitations::error::InvitationError;
use crate::invitations::model::NOTICE_MINUTES;
use crate::{Identity, IdentityError, IdentityResult, links};
use atalaya_checks::contact;
use atalaya_content::languages::format;
use atalaya_kernel::{CompanyId, Language, OutboxId, Status, UserId};
use atalaya_messaging::{Channel, Message, MessageState, NewMessage, OutboxFilter};
use chrono::{DateTime, TimeDelta, Utc};
use serde_json::json;
use std::time::Duration;

/// How long the first attempt is waited for (INVITE-8).
const PATIENCE: Duration = Duration::from_secs(2);
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// What became of an address lately.
enum Event {
    Registered(UserId),
    Activated(CompanyId),
}

/// Sends the notice to an address that was activated within the last 15 minutes, once, and waits for the first attempt
/// so that its failure can be reported.
///
/// Errors: 422 on `email`; 503 `ACTIVATION_EMAIL_FAILED`, also for an address without an activation.
pub async fn send(d: &Identity, email: &str) -> IdentityResult<()> {
    let email = email.trim().to_lowercase();
    if !contact::is_email(&email) {
        return Err(IdentityError::invalid("email", "EMAIL_INVALID"));
    }
    let since = d.sources.now() - TimeDelta::minutes(NOTICE_MINUTES);
    let activated = audit::companies_since(&d.db, Action::CompanyActivated.name(), since).await?;
    let event = match directory::company_with_email(d.db.read(), &email, activated).await? {
        Some(company) => Event::Activated(company),
        None => {
            let created = directory::user_with_email(d.db.read(), &email, links::users_created_since(since)).await?;
            Event::Registered(created.ok_or(InvitationError::NoticeFailed)?)
        }
    };
    let message = write(d, &event, &email).await?;
    let sent = match sent_before(d, &message, since).await? {
        Some(id) => id,
        None => {
            let tx = d.db.write().await?;
            let id = d.outbox.enqueue(&tx, message).await?.id;
            tx.commit().await?;
            d.outbox.wake();
            id
        }
    };
    if was_tried_well(d, sent).await? { Ok(()) } else { Err(InvitationError::NoticeFailed.into()) }
}

/// The same notice written since then: asking again sends no second one.
async fn sent_before(d: &Identity, new: &NewMessage, since: DateTime<Utc>) -> IdentityResult<Option<OutboxId>> {
    let filter = OutboxFilter { channel: Some(Channel::Email), to: Some(new.to.clone()), limit: 20, ..Default::default() };
    let before = d.outbox.list(d.db.read(), filter).await?;
    Ok(before.into_iter().find(|old| old.purpose == new.purpose && old.created_at > since).map(|old| old.id))
}

async fn write(d: &Identity, event: &Event, email: &str) -> IdentityResult<NewMessage> {
    let link = format!("{}/login", d.settings.public_url);
    match event {
        Event::Registered(user) => {
            let user = directory::find_user(d.db.read(), *user).await?.ok_or(IdentityError::UserNotFound)?;
            let company = get_company(d, user.parent).await?;
            let pending = company.status == Status::PendingValidation && user.role.is_principal();
            let firm = if pending { company.name.as_str() } else { "" };
            let values = json!({"name": user.name, "company": firm, "link": link});
            Ok(messages::email(d, "registered", email, user.language, &values)?.link(link))
        }
        Event::Activated(company) => {
            let company = get_company(d, *company).await?;
            let start = company.billing.pay_start_at.unwrap_or(d.sources.now());
            let date = day(start, company.language);
            let values = json!({"name": company.contact_name, "company": company.name, "date": date, "link": link});
            Ok(messages::email(d, "activationOk", email, company.language, &values)?.link(link))
        }
    }
}

fn day(at: DateTime<Utc>, language: Language) -> String {
    format::day(atalaya_kernel::calendar::day(at), language)
}

/// Whether the first attempt went well, or has not failed within our patience.
async fn was_tried_well(d: &Identity, id: OutboxId) -> IdentityResult<bool> {
    let until = tokio::time::Instant::now() + PATIENCE;
    loop {
        let message = d.outbox.find(d.db.read(), id).await?;
        match message.as_ref().map(verdict) {
            Some(Some(well)) => return Ok(well),
            None => return Ok(false),
            Some(None) if tokio::time::Instant::now() >= until => return Ok(true),
            Some(None) => tokio::time::sleep(LOOK_EVERY).await,
        }
    }
}

/// `None` while the first attempt is under way.
fn verdict(message: &Message) -> Option<bool> {
    match message.state {
        MessageState::Captured | MessageState::Sent | MessageState::Delivered => Some(true),
        MessageState::Failed => Some(false),
        MessageState::Queued => message.error.as_ref().map(|_| false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // INVITE-8
    #[test]
    fn a_first_attempt_that_failed_is_told_though_it_will_be_tried_again() {
        let message = |state, error: Option<&str>| Message {
            id: OutboxId(uuid::Uuid::from_u128(1)),
            channel: Channel::Email,
            purpose: "registered".into(),
            to: "a@b.es".into(),
            sender: None,
            subject: None,
            text: String::new(),
            html: None,
            link: None,
            unsubscribe: None,
            state,
            provider_id: None,
            error: error.map(str::to_owned),
            conference_id: None,
            company_id: None,
            attempts: 1,
            created_at: DateTime::UNIX_EPOCH,
            sent_at: None,
            provider: None,
            reason: None,
            delivered_at: None,
            failed_at: None,
            fallback_of: None,
            secret: None,
            text_sha256: String::new(),
            shown_to: None,
            attachments: Vec::new(),
        };
        for (state, error, expected) in [
            (MessageState::Queued, None, None),
            (MessageState::Queued, Some("no such mailbox"), Some(false)),
            (MessageState::Failed, Some("no such mailbox"), Some(false)),
            (MessageState::Captured, None, Some(true)),
            (MessageState::Sent, None, Some(true)),
            (MessageState::Delivered, None, Some(true)),
        ] {
            assert_eq!(verdict(&message(state, error)), expected, "{state:?}");
        }
    }
}
