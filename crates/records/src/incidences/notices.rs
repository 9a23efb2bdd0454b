//! Who is notified of an incidence: its author by e-mail and bell of what others did, the administrators of what is new
//! (INCID-15).
//!
//! *Invariant:* messages say that something happened and where to read it, never what was written, which may be personal
//! (INCID-16).

use crate::Records;
use crate::tickets::Incidence;
use crate::tickets::model::{IncidenceError, Status, shown_number};
use atalaya_db::Tx;
use atalaya_identity::invitations::service::register::admin_mailbox;
use atalaya_identity::users::{User, service as users};
use atalaya_identity::{IdentityError, companies};
use atalaya_kernel::{CompanyId, ConferenceId, Language, Role, UserId};
use atalaya_messaging::{MessageError, NewMessage};
use atalaya_outreach::notifications::{NewNotification, NoticeAction, NoticeText, Told};
use atalaya_outreach::push::{PushKind, PushMessage, PushText};
use serde_json::{Value, json};
use uuid::Uuid;

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    New,
    /// The status is the new one, if it has changed.
    Changed {
        answered: bool,
        status: Option<Status>,
    },
}

/// The people to notify, read before the transaction.
pub struct People {
    pub author: User,
    pub company: String,
    admins: Vec<User>,
    /// The administrators' mailbox and its language.
    mailbox: Option<(String, Language)>,
}

impl People {
    pub async fn of(deps: &Records, author: UserId, company: CompanyId) -> Result<Self, IncidenceError> {
        let identity = &deps.identity;
        let author = users::find_user(identity, author).await?.ok_or(IdentityError::UserNotFound)?;
        let company = companies::service::get_company(identity, company).await?.name;
        let platform = companies::service::platform(identity).await?;
        let admins = match &platform {
            Some(platform) => users::list_active(identity, platform.id, &[Role::Admin]).await?,
            None => Vec::new(),
        };
        let language = platform.map(|platform| platform.language).unwrap_or_default();
        let mailbox = admin_mailbox(identity).await?.map(|address| (address, language));
        Ok(Self { author, company, admins, mailbox })
    }
}

/// The page where a user reads an incidence.
fn page(user: UserId, incidence: Uuid) -> String {
    format!("/incidences/{user}?incidence={incidence}")
}

/// Queues e-mails and notifications about what `by` did, in the caller's transaction; announce and wake after the commit.
pub async fn notify(
    deps: &Records,
    tx: &Tx,
    row: &Incidence,
    people: &People,
    by: UserId,
    event: Event,
) -> Result<Told, IncidenceError> {
    let mut told = Told::none();
    let own = people.author.id == by;
    match event {
        Event::New => mail_author(deps, tx, row, people, "incidence-registered", event).await?,
        Event::Changed { .. } if !own => {
            mail_author(deps, tx, row, people, "incidence-changed", event).await?;
            let Event::Changed { answered, .. } = event else { return Ok(told) };
            let text = if answered { "incidence-answered" } else { "incidence-status" };
            told = told.and(ring(deps, tx, row, people.author.id, text).await?);
        }
        Event::Changed { .. } => {}
    }
    let by_admin = people.admins.iter().any(|admin| admin.id == by);
    let (purpose, text) = match event {
        Event::New => ("incidence-new", "incidence-new"),
        Event::Changed { status: Some(Status::Reopened), .. } => ("incidence-reply", "incidence-reopened"),
        Event::Changed { answered: true, .. } => ("incidence-reply", "incidence-reply"),
        Event::Changed { .. } => return Ok(told),
    };
    // Among administrators, the mailbox is notified of what is new; their bells do not ring for a colleague's answer.
    if event != Event::New && by_admin {
        return Ok(told);
    }
    if let Some((mailbox, language)) = &people.mailbox {
        let reader = people.admins.first().map_or(by, |admin| admin.id);
        mail(deps, tx, row, purpose, (mailbox, *language), values(deps, row, people, *language, event, reader)?).await?;
    }
    for admin in people.admins.iter().filter(|admin| admin.id != by) {
        told = told.and(ring(deps, tx, row, admin.id, text).await?);
    }
    Ok(told)
}

async fn mail_author(
    deps: &Records,
    tx: &Tx,
    row: &Incidence,
    people: &People,
    purpose: &'static str,
    event: Event,
) -> Result<(), IncidenceError> {
    let author = &people.author;
    let named = Some(author.user_name.as_str()).filter(|name| name.contains('@'));
    // An author without an address still has the bell.
    let Some(address) = author.email.as_deref().or(named) else { return Ok(()) };
    let values = values(deps, row, people, author.language, event, author.id)?;
    mail(deps, tx, row, purpose, (address, author.language), values).await
}

fn values(
    deps: &Records,
    row: &Incidence,
    people: &People,
    language: Language,
    event: Event,
    reader: UserId,
) -> Result<Value, IncidenceError> {
    let word = |key: String| deps.templates.render(language, &key, &json!({}));
    let (answered, status) = match event {
        Event::New => (false, None),
        Event::Changed { answered, status } => (answered, status),
    };
    let reopened = status == Some(Status::Reopened);
    let status = match status {
        Some(status) => word(format!("incidence.status{}", i16::from(status)))?,
        None => String::new(),
    };
    Ok(json!({
        "number": shown_number(row.number), "name": people.author.display_name(), "company": people.company,
        "kind": word(format!("incidence.kind{}", i16::from(row.kind)))?,
        "reason": word(format!("incidence.reason{}", i16::from(row.reason)))?,
        "expedient": row.expedient_number, "answered": answered, "reopened": reopened, "status": status,
        "link": format!("{}{}", deps.public_url, page(reader, row.id)),
    }))
}

async fn mail(
    deps: &Records,
    tx: &Tx,
    row: &Incidence,
    purpose: &'static str,
    (to, language): (&str, Language),
    values: Value,
) -> Result<(), IncidenceError> {
    let email = deps.templates.email(language, purpose, &values)?;
    let link = values["link"].as_str().unwrap_or_default().to_owned();
    let mut new = NewMessage::email(purpose, to, email).link(link);
    new.company_id = Some(CompanyId(row.company_id));
    // The erasure of the conference erases this message too.
    new.conference_id = row.conference_id.map(ConferenceId);
    match deps.outbox.enqueue(tx, new).await {
        Ok(_) => Ok(()),
        // An invalid address must not stop an incidence.
        Err(MessageError::Recipient | MessageError::Header) => {
            tracing::warn!(incidence.id = %row.id, purpose, "nobody is written to: the address cannot be one");
            Ok(())
        }
        Err(other) => Err(other.into()),
    }
}

async fn ring(deps: &Records, tx: &Tx, row: &Incidence, user: UserId, text: &'static str) -> Result<Told, IncidenceError> {
    let action = NoticeAction::Url(page(user, row.id));
    let mut notice = NewNotification::new(NoticeText::Known(text), action).expedient(shown_number(row.number));
    notice.about = row.conference_id.map(ConferenceId);
    // Push texts are shown on locked screens, so they name no case and no person.
    let key = match text {
        "incidence-new" => Some("push.incidence-new"),
        "incidence-answered" => Some("push.incidence-answered"),
        _ => None,
    };
    if let Some(key) = key {
        let text = PushText::Key { key, values: json!({}) };
        let (url, tag) = (page(user, row.id), format!("incidence-{}", row.id));
        notice = notice.push(PushMessage { kind: PushKind::Notification, text, url, tag });
    }
    Ok(deps.outreach.notify(tx, &[user], &notice).await?)
}
