//! What is written to the client and to the requester.

use super::model::{Contact, Request};
use crate::FilesError;
use atalaya_assistance::Assistance;
use atalaya_cases::conferences::Conference;
use atalaya_checks::phone;
use atalaya_content::languages::format;
use atalaya_db::Tx;
use atalaya_identity::companies::{Company, sms};
use atalaya_identity::users::User;
use atalaya_kernel::{ClientLanguage, CompanyId, ConferenceId, calendar};
use atalaya_messaging::{Message, MessageError, NewMessage};
use atalaya_outreach::notifications::{NewNotification, NoticeAction, NoticeText};
use atalaya_outreach::push::{PushKind, PushMessage, PushText};
use chrono::{DateTime, TimeDelta, Utc};
use serde_json::json;

/// Why the client is written to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// The adjuster's own text.
    Request,
    Reminder,
    /// A file was sent back.
    Rejected,
}

impl Purpose {
    pub fn name(self) -> &'static str {
        match self {
            Purpose::Request => "files-request",
            Purpose::Reminder => "files-reminder",
            Purpose::Rejected => "files-rejected",
        }
    }
}

/// The short link of a request (FILES-7).
pub fn link(deps: &Assistance, row: &Request) -> String {
    format!("{}/f/{}", deps.public_url, row.short_code)
}

/// Before the end of the window an e-mail says the last day of its link (FILES-29).
const NEAR_END: TimeDelta = TimeDelta::days(3);

fn near_end(row: &Request, now: DateTime<Utc>, language: ClientLanguage) -> Option<String> {
    (row.expires_at - now < NEAR_END).then(|| format::client_day(calendar::day(row.expires_at), language))
}

/// Queues a message with the link in the caller's transaction; the text comes first (FILES-7).
pub async fn to_client(
    deps: &Assistance,
    tx: &Tx,
    row: &Request,
    conference: &Conference,
    company: &Company,
    purpose: Purpose,
) -> Result<Message, FilesError> {
    let language = ClientLanguage::parse(&conference.language).unwrap_or_default();
    let link = link(deps, row);
    let to = row.to_address.clone();
    let new = match Contact::of(row.contact_type) {
        Some(Contact::Email) => {
            let values = json!({
                "expedient": conference.expedient_number, "company": conference.customer_name,
                "adjuster": row.user_name, "contact": conference.contact_person, "link": link,
                "title": row.email_title, "text": row.contact_text, "until": near_end(row, deps.sources.now(), language),
            });
            NewMessage::email(purpose.name(), to, deps.templates.email(language, purpose.name(), &values)?)
        }
        _ => {
            let text = match purpose {
                Purpose::Request => row.contact_text.clone(),
                other => deps.templates.render(language, &format!("{}.sms", other.name()), &json!({}))?,
            };
            sms::client_message(company, purpose.name(), &to, &text, &link)
        }
    };
    let message = new.about(ConferenceId(conference.id), CompanyId(conference.company_id)).secret_link(link);
    Ok(deps.outbox.enqueue(tx, message).await?)
}

/// Queues the requester's e-mail about what arrived, or an SMS when they have no address; nothing when they have neither.
/// It is no event of the conference (FILES-13), but belongs to it, because an erasure must take its text along.
pub async fn to_requester(
    deps: &Assistance,
    tx: &Tx,
    conference: &Conference,
    company: &Company,
    requester: &User,
    counts: (usize, usize),
) -> Result<Option<Message>, FilesError> {
    let link = format!("{}/conference-media/{}", deps.public_url, conference.id);
    let values = json!({
        "expedient": conference.expedient_number, "contact": conference.contact_person, "link": link,
        "received": counts.0, "asked": counts.1,
    });
    let phone = || requester.phone.as_deref().and_then(|phone| phone::to_e164(phone).ok());
    let message = if let Some(address) = &requester.email {
        let email = deps.templates.email(requester.language, "files-received", &values)?;
        NewMessage::email("files-received", address, email)
    } else if let Some(number) = phone() {
        let text = deps.templates.render(requester.language, "files-received.sms", &values)?;
        sms::client_message(company, "files-received", &number, &text, &link)
    } else {
        return Ok(None);
    };
    let message = message.about(ConferenceId(conference.id), CompanyId(conference.company_id)).link(link);
    match deps.outbox.enqueue(tx, message).await {
        Ok(message) => Ok(Some(message)),
        // The requester's bell shows the same.
        Err(error @ MessageError::Ceiling { .. }) => {
            tracing::warn!(%error, company.id = %company.id, "a requester is not written to");
            Ok(None)
        }
        Err(other) => Err(other.into()),
    }
}

/// What the requester's bell and devices show about a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notice {
    /// Files have come and the client has paused.
    Arrived,
    /// The client has finished.
    Finished,
}

impl Notice {
    /// A click opens the conference with its files. The push names no case, because it shows on locked screens and passes
    /// through somebody else's server.
    pub fn about(self, conference: &Conference) -> NewNotification {
        let id = ConferenceId(conference.id);
        let (text, key) = match self {
            Notice::Arrived => ("files-arrived", "push.files-arrived"),
            Notice::Finished => ("files-finished", "push.files-finished"),
        };
        let push = PushMessage {
            kind: PushKind::Notification,
            text: PushText::Key { key, values: json!({}) },
            url: format!("/conference-media/{id}"),
            tag: format!("files-{id}"),
        };
        let new = NewNotification::new(NoticeText::Known(text), NoticeAction::Conference(id));
        new.expedient(&conference.expedient_number).push(push)
    }
}
