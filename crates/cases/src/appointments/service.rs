//! Naming a moment, cancelling, and what both sides are told: each is one transaction, and its effects follow the commit.

use super::model::{self, AppointmentError, AppointmentState, AppointmentView, Side};
use super::{calendar, store};
use crate::Cases;
use crate::conferences::service::{by_hash, publish_track, require_live};
use crate::conferences::view::MessageView;
use crate::conferences::{self, Conference, ConferenceError, Scope};
use crate::evidence::{self, Actor, NewTrack};
use crate::live::LiveEvent;
use atalaya_checks::phone;
use atalaya_content::languages::format;
use atalaya_db::Tx;
use atalaya_identity::{companies, users};
use atalaya_kernel::events::TrackType;
use atalaya_kernel::{ClientLanguage, CompanyId, ConferenceId, UserId, calendar as days};
use atalaya_messaging::{Channel, Message, MessageError, NewMessage};
use atalaya_rest::caller::Caller;
use chrono::{DateTime, Utc};
use serde_json::{Value, json};

/// The appointment of a conference that still concerns somebody.
pub async fn of(deps: &Cases, id: ConferenceId) -> Result<Option<AppointmentView>, ConferenceError> {
    let row = store::find(deps.db.read(), id.0).await?;
    Ok(row.map(|row| row.view()).filter(|view| model::is_current(view, deps.sources.now())))
}

/// Somebody of ours names a moment; the one that the client named is thereby agreed.
///
/// Errors: `CONFERENCE_NOT_FOUND`, `CONFERENCE_CLOSED`, `LINK_EXPIRED`, those of [`model::answer`], `APPOINTMENT_CHANGES`, the
/// ceilings of messages.
pub async fn staff_names(
    deps: &Cases,
    caller: &Caller,
    id: ConferenceId,
    at: DateTime<Utc>,
) -> Result<AppointmentView, AppointmentError> {
    let row = require_live(deps, Scope::of(caller), id).await?;
    name(deps, &row, (Side::Staff, Actor::User(caller.user)), at).await
}

/// The client names a moment on the page of the link; the one that ours named is thereby agreed.
///
/// Errors: `LINK_UNKNOWN`, `CONFERENCE_CLOSED`, `LINK_EXPIRED`, those of [`model::answer`], `APPOINTMENT_CHANGES`.
pub async fn client_names(deps: &Cases, hash: &str, at: DateTime<Utc>) -> Result<AppointmentView, AppointmentError> {
    let row = by_hash(deps, hash).await?;
    let row = require_live(deps, Scope::All, ConferenceId(row.id)).await?;
    name(deps, &row, (Side::Client, Actor::Client), at).await
}

async fn name(
    deps: &Cases,
    row: &Conference,
    (side, actor): (Side, Actor),
    at: DateTime<Utc>,
) -> Result<AppointmentView, AppointmentError> {
    let (id, now) = (ConferenceId(row.id), deps.sources.now());
    let tx = deps.db.write().await?;
    let row = conferences::lock_living(&tx, id).await?;
    if row.closed {
        return Err(ConferenceError::Closed.into());
    }
    let known = store::find(&*tx, row.id).await?;
    let before = known.as_ref().map(|known| known.view());
    let view = model::answer(before.as_ref(), side, at, now)?;
    if before.as_ref() == Some(&view) {
        return Ok(view);
    }
    if known.as_ref().is_some_and(|known| known.sequence >= model::CHANGES_MAX) {
        return Err(AppointmentError::Changes);
    }
    let written = store::write(&tx, &deps.sources, &row, known, &view).await?;
    let row = hold(&tx, row, (before.as_ref(), &view), now).await?;
    let track_type = match view.state {
        AppointmentState::Agreed => TrackType::AppointmentAgreed,
        _ => TrackType::AppointmentProposed,
    };
    let track = NewTrack::new(track_type, actor, json!({"appointmentAt": view.at, "sequence": written.sequence}));
    let track = conferences::append(&tx, deps, id, track).await?;
    let mut sent = None;
    // What the client proposes, ours read; everything else the client gets in writing.
    if side == Side::Staff || view.state == AppointmentState::Agreed {
        let told = tell_client(deps, &tx, &row, "appointment", &view).await;
        // Who answers is not refused because of messages that others have sent.
        sent = if side == Side::Client { unless_refused(id, told)? } else { told? };
    }
    if side == Side::Client {
        tell_staff(deps, &tx, &row, view.state.name(), &view).await?;
    }
    tx.commit().await?;
    after(deps, id, &track, sent, Some(&view)).await;
    Ok(view)
}

/// Cancels the appointment of a conference; the client gets it in writing. Cancelling twice changes nothing.
///
/// Errors: `CONFERENCE_NOT_FOUND`, `APPOINTMENT_NOT_FOUND`, the ceilings of messages.
pub async fn cancel(deps: &Cases, caller: &Caller, id: ConferenceId) -> Result<(), AppointmentError> {
    conferences::get(deps.db.read(), Scope::of(caller), id).await?;
    let now = deps.sources.now();
    let tx = deps.db.write().await?;
    let row = conferences::lock_living(&tx, id).await?;
    let known = store::find(&*tx, row.id).await?.ok_or(AppointmentError::NotFound)?;
    let before = known.view();
    if !model::is_current(&before, now) {
        return Ok(());
    }
    let view = AppointmentView { state: AppointmentState::Cancelled, ..before.clone() };
    store::write(&tx, &deps.sources, &row, Some(known), &view).await?;
    let row = hold(&tx, row, (Some(&before), &view), now).await?;
    let track = NewTrack::new(TrackType::AppointmentCancelled, Actor::User(caller.user), json!({"appointmentAt": view.at}));
    let track = conferences::append(&tx, deps, id, track).await?;
    let sent = match row.closed {
        true => None,
        false => tell_client(deps, &tx, &row, "appointment-cancelled", &before).await?,
    };
    tx.commit().await?;
    after(deps, id, &track, sent, None).await;
    Ok(())
}

/// Moves the conference's dates with its appointment: its link works until it is over, and nothing but a person closes it before
/// (VISIT-6). A date only moves ahead.
async fn hold(
    tx: &Tx,
    row: Conference,
    (before, view): (Option<&AppointmentView>, &AppointmentView),
    now: DateTime<Utc>,
) -> Result<Conference, ConferenceError> {
    let until = model::holds_until(before, row.held_until, view, now);
    let expired_at = until.map_or(row.expired_at, |until| until.max(row.expired_at));
    Ok(conferences::hold(tx, ConferenceId(row.id), until, expired_at).await?)
}

async fn after(deps: &Cases, id: ConferenceId, track: &evidence::Track, sent: Option<Message>, view: Option<&AppointmentView>) {
    deps.outbox.wake();
    publish_track(deps, id, track).await;
    if let Some(message) = sent {
        deps.live.publish(id, LiveEvent::new("message", MessageView::from(&message)));
    }
    deps.live.publish(id, LiveEvent::new("appointment", json!({"appointment": view})));
}

/// `20 de noviembre de 2026, 10:30`, as it is in Madrid.
fn when(at: DateTime<Utc>, language: ClientLanguage) -> String {
    format!("{}, {}", format::client_day(days::day(at), language), time(at))
}

fn time(at: DateTime<Utc>) -> String {
    days::local(at).format("%H:%M").to_string()
}

/// Queues a message with the link in the caller's transaction, by the channel that reaches the client: none where neither an SMS
/// nor an e-mail does.
pub(super) async fn tell_client(
    deps: &Cases,
    tx: &Tx,
    row: &Conference,
    purpose: &'static str,
    view: &AppointmentView,
) -> Result<Option<Message>, ConferenceError> {
    let language = ClientLanguage::parse(&row.language).unwrap_or_default();
    let company = companies::service::get_company(&deps.identity, CompanyId(row.company_id)).await?;
    let link = deps.link(row);
    let values = json!({
        "expedient": row.expedient_number, "company": row.customer_name, "adjuster": row.user_name, "contact": row.contact_person,
        "link": link, "when": when(view.at, language), "time": time(view.at), "agreed": view.state == AppointmentState::Agreed,
    });
    let messages = deps.outbox.for_conference(&**tx, ConferenceId(row.id)).await?;
    let last = messages.iter().max_by_key(|message| message.created_at).map(|message| message.channel);
    let landline = phone::is_landline(&row.phone_number);
    let new = match &row.email {
        Some(address) if landline || last == Some(Channel::Email) => {
            NewMessage::email(purpose, address, deps.templates.email(language, purpose, &values)?)
        }
        _ if landline => return Ok(None),
        _ => {
            let text = deps.templates.render(language, &format!("{purpose}.sms"), &values)?;
            companies::sms::client_message(&company, purpose, &row.phone_number, &text, &link)
        }
    };
    let new = new.about(ConferenceId(row.id), CompanyId(row.company_id)).secret_link(link);
    Ok(Some(deps.outbox.enqueue(tx, new).await?))
}

/// None for a message that a ceiling refuses; every other error stays one.
pub(super) fn unless_refused(
    id: ConferenceId,
    told: Result<Option<Message>, ConferenceError>,
) -> Result<Option<Message>, ConferenceError> {
    match told {
        Err(ConferenceError::Messaging(error)) if !matches!(error, MessageError::Database(_)) => {
            tracing::warn!(conference.id = %id, %error, "an appointment is not written to the client");
            Ok(None)
        }
        other => other,
    }
}

/// Queues the e-mail to whoever opened the conference; nothing when they have no address. `what`: `proposed`, `agreed` or `soon`.
pub(super) async fn tell_staff(
    deps: &Cases,
    tx: &Tx,
    row: &Conference,
    what: &str,
    view: &AppointmentView,
) -> Result<(), ConferenceError> {
    let Some(user) = users::service::find_user(&deps.identity, UserId(row.user_id)).await? else { return Ok(()) };
    let Some(address) = &user.email else { return Ok(()) };
    let link = format!("{}/conference/{}", deps.public_url, row.id);
    let values = json!({
        "expedient": row.expedient_number, "contact": row.contact_person, "what": what, "link": link,
        "when": when(view.at, user.language.into()),
    });
    let email = deps.templates.email(user.language, "appointment-staff", &values)?;
    let new = NewMessage::email("appointment-staff", address, email).link(link);
    deps.outbox.enqueue(tx, new.about(ConferenceId(row.id), CompanyId(row.company_id))).await?;
    Ok(())
}

/// The calendar file of an agreed appointment. Errors: `LINK_UNKNOWN`, `APPOINTMENT_NOT_FOUND`.
pub async fn calendar_file(deps: &Cases, hash: &str) -> Result<String, AppointmentError> {
    let row = by_hash(deps, hash).await?;
    let found = store::find(deps.db.read(), row.id).await?;
    let now = deps.sources.now();
    let is_to_come = |view: &AppointmentView| view.state == AppointmentState::Agreed && model::is_current(view, now);
    let agreed = |view: &AppointmentView| is_to_come(view) && !row.closed && row.erased_at.is_none();
    let found = found.filter(|one| agreed(&one.view())).ok_or(AppointmentError::NotFound)?;
    let language = ClientLanguage::parse(&row.language).unwrap_or_default();
    let values: Value = json!({"expedient": row.expedient_number, "company": row.customer_name, "adjuster": row.user_name});
    let text = |key: &str| deps.templates.render(language, key, &values).map_err(ConferenceError::from);
    let host = deps.public_url.split("://").nth(1).unwrap_or("localhost");
    Ok(calendar::file(&calendar::Entry {
        id: found.id,
        sequence: u32::try_from(found.sequence).unwrap_or(0),
        at: found.at,
        changed_at: found.changed_at,
        title: &text("calendar.title")?,
        text: &text("calendar.text")?,
        link: &deps.link(&row),
        host,
    }))
}
