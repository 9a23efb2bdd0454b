//! Opening, sending the link again, dictating a code, closing: each is one transaction, and its effects follow the commit.

use super::progress::{Facts, LastMessage, Progress, progress};
use super::vault::{self, Fresh};
use super::view::{MessageView, TrackView, participants};
use crate::Cases;
use crate::casebook::model::{ConferenceError, LinkChannel, LinkFallback, OpenConference, Opening, Span, Wrong, link_is_live};
use crate::casebook::{self, Conference, Opener, Scope};
use crate::connections::{self, Stay};
use crate::dictated_code;
use crate::evidence::{self, Actor, NewTrack, Track};
use crate::live::LiveEvent;
use atalaya_db::Tx;
use atalaya_identity::{companies, users};
use atalaya_kernel::events::TrackType;
use atalaya_kernel::{ClientLanguage, CompanyId, ConferenceId, Role, limits};
use atalaya_messaging::{Channel, Message, MessageState, NewMessage, session_sms};
use atalaya_rest::caller::Caller;
use chrono::{DateTime, TimeDelta, Utc};
use serde_json::json;

impl Cases {
    /// The client's short link (CASE-5).
    pub fn link(&self, row: &Conference) -> String {
        format!("{}/c/{}", self.public_url, row.short_code)
    }
}

/// Opens a conference for the caller's company and queues its link (CASE-1). Answers it with who opened it.
///
/// Errors: `INVALID_FIELDS` with the fields, `VIDEO_CALL_NOT_ALLOWED_CUSTOMER` or `_WORKER` from the video-call guard.
pub async fn open(deps: &Cases, caller: &Caller, input: &OpenConference) -> Result<(Conference, Opener), ConferenceError> {
    let opening = input.check().map_err(ConferenceError::Invalid)?;
    let company = companies::service::get_company(&deps.identity, caller.company).await?;
    if let Some(refusal) = company.billing.call_refusal(deps.sources.now()) {
        return Err(ConferenceError::NotAllowed(refusal.code(caller.role == Role::Customer)));
    }
    if let Some(request) = opening.contact_id
        && !casebook::request_became_conference(deps.db.read(), caller.company, request).await?
    {
        let wrong = Wrong { field: "contactId", code: "REQUEST_NOT_FOUND", max: None };
        return Err(ConferenceError::Invalid(vec![wrong]));
    }
    let user_name = users::service::display_name(&deps.identity, caller.user).await?;
    let opener = Opener {
        company: caller.company,
        company_name: company.name.clone(),
        user: caller.user,
        user_name,
        company_days: company.retention_days,
        starter: None,
    };
    let fresh = vault::fresh(deps).await?;
    let tx = deps.db.write().await?;
    let row = open_in(deps, &tx, fresh, &opener, &opening, &company).await?;
    tx.commit().await?;
    deps.outbox.wake();
    tracing::info!(conference.id = %row.id, "conference opened");
    Ok((row, opener))
}

/// Writes a conference, its first track and its link in the caller's transaction. Its fields are checked and its company
/// may call.
pub async fn open_in(
    deps: &Cases,
    tx: &Tx,
    Fresh { id, data_key }: Fresh,
    opener: &Opener,
    opening: &Opening,
    company: &companies::Company,
) -> Result<Conference, ConferenceError> {
    let has_whatsapp = company.sms_whatsapp || company.sms_whatsapp_first;
    if opening.fallback.iter().flatten().any(|one| *one == LinkFallback::Whatsapp) && !has_whatsapp {
        return Err(ConferenceError::Invalid(vec![Wrong { field: "fallback", code: "FALLBACK_NOT_ALLOWED", max: None }]));
    }
    let language = opening.language.unwrap_or(company.language.into());
    let row = casebook::insert(tx, &deps.sources, opener, opening, id, language.code(), data_key).await?;
    let track = NewTrack::new(
        TrackType::ConferenceCreated,
        Actor::User(opener.user),
        json!({"conferenceId": id.to_string(), "type": row.conference_type}),
    )
    .erasable("expedientNumber", row.expedient_number.clone());
    append(tx, deps, id, track).await?;
    let whatsapp = crate::fallback::whatsapp_first(deps, &row, company);
    send_link(deps, tx, &row, &opening_route(opening, whatsapp), company).await?;
    casebook::reload(tx, id).await
}

/// Days that the company keeps its files; `None` for the default of 31 days (RETAIN-3).
pub async fn company_days(deps: &Cases, row: &Conference) -> Result<Option<i32>, ConferenceError> {
    Ok(companies::service::get_company(&deps.identity, CompanyId(row.company_id)).await?.retention_days)
}

/// Where and with what text the link goes.
pub struct Route {
    pub channel: LinkChannel,
    pub to: Option<String>,
    pub sms_text: Option<String>,
    /// The text goes by WhatsApp: the company wants it first, or the last one went there.
    pub whatsapp: bool,
}

fn opening_route(opening: &Opening, whatsapp: bool) -> Route {
    let to = match opening.channel {
        LinkChannel::Sms => Some(opening.phone_number.clone()),
        LinkChannel::Email => opening.email.clone(),
        LinkChannel::None => None,
    };
    Route { channel: opening.channel, to, sms_text: opening.sms_text.clone(), whatsapp }
}

/// Queues the link in the caller's transaction; the text comes first, the link after it (CASE-6).
async fn send_link(
    deps: &Cases,
    tx: &Tx,
    row: &Conference,
    route: &Route,
    company: &companies::Company,
) -> Result<Option<Message>, ConferenceError> {
    let Some(to) = &route.to else { return Ok(None) };
    let language = ClientLanguage::parse(&row.language).unwrap_or_default();
    let link = deps.link(row);
    let new = match route.channel {
        LinkChannel::None => return Ok(None),
        LinkChannel::Sms => {
            let own = route.sms_text.clone().or_else(|| company.sms_text.clone());
            let text = match own {
                Some(text) => text,
                None => session_sms(&deps.templates, language, &row.user_name, &row.customer_name)?,
            };
            match route.whatsapp {
                true => NewMessage::whatsapp("session", to, companies::sms::composed(&text, &link, false)),
                false => companies::sms::client_message(company, "session", to, &text, &link),
            }
        }
        LinkChannel::Email => link_email(deps, row, to)?,
    };
    let message = new.about(ConferenceId(row.id), CompanyId(row.company_id)).secret_link(link);
    let message = match route.channel {
        LinkChannel::Sms => message.late_at(deps.sources.now() + crate::fallback::PATIENCE),
        _ => message,
    };
    Ok(Some(deps.outbox.enqueue(tx, message).await?))
}

/// The e-mail with the link.
pub fn link_email(deps: &Cases, row: &Conference, to: &str) -> Result<NewMessage, ConferenceError> {
    let language = ClientLanguage::parse(&row.language).unwrap_or_default();
    let values = json!({
        "expedient": row.expedient_number, "company": row.customer_name, "adjuster": row.user_name,
        "contact": row.contact_person, "link": deps.link(row), "hours": limits::LINK_HOURS,
    });
    Ok(NewMessage::email("session", to, deps.templates.email(language, "session", &values)?))
}

/// A request to send the link once more.
#[derive(Clone, Debug, serde::Deserialize, utoipa::ToSchema)]
pub struct Resend {
    pub channel: LinkChannel,
    /// Another number or address; the conference's own when absent. It becomes the conference's.
    pub to: Option<String>,
}

/// Sends the link again, by another channel or to another number.
///
/// Errors: `CONFERENCE_NOT_FOUND`, `CONFERENCE_CLOSED`, `LINK_EXPIRED`, `INVALID_FIELDS` for `to`.
pub async fn resend(deps: &Cases, caller: &Caller, id: ConferenceId, request: &Resend) -> Result<Message, ConferenceError> {
    let row = require_live(deps, Scope::of(caller), id).await?;
    let wrong = |code| ConferenceError::Invalid(vec![Wrong { field: "to", code, max: None }]);
    let given = request.to.as_deref().map(str::trim).filter(|t| !t.is_empty());
    let to = match request.channel {
        LinkChannel::Sms => atalaya_checks::phone::to_mobile(given.unwrap_or(&row.phone_number)).map_err(|e| wrong(e.code()))?,
        LinkChannel::Email => {
            let address = given.map(str::to_string).or_else(|| row.email.clone()).ok_or_else(|| wrong("REQUIRED"))?;
            if !atalaya_checks::contact::is_email(&address) {
                return Err(wrong("EMAIL_INVALID"));
            }
            address
        }
        LinkChannel::None => {
            return Err(ConferenceError::Invalid(vec![Wrong { field: "channel", code: "INVALID", max: None }]));
        }
    };
    let company = companies::service::get_company(&deps.identity, CompanyId(row.company_id)).await?;
    let whatsapp = given.is_none() && request.channel == LinkChannel::Sms && goes_by_whatsapp(deps, id, &company).await?;
    let tx = deps.db.write().await?;
    casebook::lock_living(&tx, id).await?;
    let row = casebook::redirect(&tx, id, request.channel, to.clone()).await?;
    let route = Route { channel: request.channel, to: Some(to), sms_text: None, whatsapp };
    let message = send_link(deps, &tx, &row, &route, &company).await?.ok_or_else(|| wrong("REQUIRED"))?;
    tx.commit().await?;
    deps.outbox.wake();
    deps.live.publish(id, LiveEvent::new("message", MessageView::from(&message)));
    publish_progress(deps, id).await?;
    Ok(message)
}

/// Whether the link last went by WhatsApp, because its SMS had failed; it goes there again (CASE-40).
async fn goes_by_whatsapp(deps: &Cases, id: ConferenceId, company: &companies::Company) -> Result<bool, ConferenceError> {
    if !(company.sms_whatsapp || company.sms_whatsapp_first) || !deps.outbox.carries(Channel::Whatsapp) {
        return Ok(false);
    }
    let messages = deps.outbox.for_conference(deps.db.read(), id).await?;
    let last = messages.iter().max_by_key(|message| message.created_at);
    Ok(last.is_some_and(|message| message.channel == Channel::Whatsapp && message.state != MessageState::Failed))
}

/// Makes the digits that the adjuster dictates by phone; they replace earlier ones.
///
/// Errors: `CONFERENCE_NOT_FOUND`, `CONFERENCE_CLOSED`, `LINK_EXPIRED`.
pub async fn dictate_code(deps: &Cases, caller: &Caller, id: ConferenceId) -> Result<(String, DateTime<Utc>), ConferenceError> {
    require_live(deps, Scope::of(caller), id).await?;
    let code = deps.sources.digits(limits::DICTATED_CODE_DIGITS);
    let expires_at = deps.sources.now() + TimeDelta::minutes(limits::DICTATED_CODE_MINUTES);
    let tx = deps.db.write().await?;
    casebook::lock_living(&tx, id).await?;
    dictated_code::replace(&tx, &deps.sources, id, dictated_code::digest(&code), expires_at).await?;
    tx.commit().await?;
    Ok((code, expires_at))
}

/// The conference within the scope, still usable by its client.
pub async fn require_live(deps: &Cases, scope: Scope, id: ConferenceId) -> Result<Conference, ConferenceError> {
    let row = casebook::get(deps.db.read(), scope, id).await?;
    match () {
        () if row.closed => Err(ConferenceError::Closed),
        // A conference that has begun outlives its link.
        () if row.sid.is_none() && !link_is_live(row.expired_at, deps.sources.now()) => Err(ConferenceError::LinkExpired),
        () => Ok(row),
    }
}

/// The conference of a client's link. Errors: `LINK_UNKNOWN`.
pub async fn by_hash(deps: &Cases, hash: &str) -> Result<Conference, ConferenceError> {
    let plausible = hash.len() == 32 && hash.bytes().all(|b| b.is_ascii_hexdigit());
    let row = if plausible { casebook::find_by_hash(deps.db.read(), hash).await? } else { None };
    row.ok_or(ConferenceError::LinkUnknown)
}

/// Appends a track in the caller's transaction.
///
/// Errors: `MEDIA_ERASED`; the transaction must not be committed then.
pub async fn append(tx: &Tx, deps: &Cases, id: ConferenceId, new: NewTrack) -> Result<Track, ConferenceError> {
    evidence::append_if_living(tx, deps, id, new).await?.ok_or(ConferenceError::MediaErased)
}

/// Appends a track in a transaction of its own and notifies the screens.
pub async fn record(deps: &Cases, id: ConferenceId, new: NewTrack) -> Result<Track, ConferenceError> {
    let tx = deps.db.write().await?;
    let track = append(&tx, deps, id, new).await?;
    tx.commit().await?;
    publish_track(deps, id, &track).await;
    Ok(track)
}

/// The same for a step that a page reports by itself: one of many alike is counted instead (EVID-32).
pub async fn record_or_count(deps: &Cases, id: ConferenceId, new: NewTrack) -> Result<Option<Track>, ConferenceError> {
    let tx = deps.db.write().await?;
    casebook::lock_living(&tx, id).await?;
    if evidence::repeats::is_enough(&tx, id, new.track_type, deps.sources.now()).await? {
        evidence::repeats::count(&tx, &deps.sources, id, new.track_type).await?;
        tx.commit().await?;
        return Ok(None);
    }
    let track = append(&tx, deps, id, new).await?;
    tx.commit().await?;
    publish_track(deps, id, &track).await;
    Ok(Some(track))
}

/// Notifies the screens of a committed track and of the progress it means.
pub async fn publish_track(deps: &Cases, id: ConferenceId, track: &Track) {
    deps.live.publish(id, LiveEvent::new("track", TrackView::from(track)).at_seq(track.seq));
    if let Err(error) = publish_progress(deps, id).await {
        tracing::warn!(conference.id = %id, %error, "progress could not be told");
    }
}

/// Notifies the screens of the client's progress.
pub async fn publish_progress(deps: &Cases, id: ConferenceId) -> Result<(), ConferenceError> {
    let row = casebook::get(deps.db.read(), Scope::All, id).await?;
    let progress = current_progress(deps, &row).await?;
    deps.live.publish(id, LiveEvent::new("progress", progress));
    Ok(())
}

/// The client's progress now.
pub async fn current_progress(deps: &Cases, row: &Conference) -> Result<Progress, ConferenceError> {
    let id = ConferenceId(row.id);
    let messages = deps.outbox.for_conference(deps.db.read(), id).await?;
    let stays = connections::list_stays(deps.db.read(), id).await?;
    Ok(progress_of(row, &messages, &participants(&stays), deps.sources.now()))
}

/// The same from facts already at hand.
pub fn progress_of(
    row: &Conference,
    messages: &[Message],
    people: &[super::view::ParticipantView],
    now: DateTime<Utc>,
) -> Progress {
    let message = messages.iter().max_by_key(|m| m.created_at).map(|m| LastMessage {
        state: m.state.name().to_string(),
        channel: m.channel.name().to_string(),
        at: m.sent_at.or(Some(m.created_at)),
        instead_of_late: m
            .fallback_of
            .is_some_and(|id| messages.iter().any(|lost| lost.id == id && lost.state != MessageState::Failed)),
    });
    progress(&Facts {
        projection: &row.projection(),
        message: message.as_ref(),
        client_present: people.iter().any(|p| p.kind == "client" && p.connected),
        expired: !link_is_live(row.expired_at, now),
    })
}

/// Stays as spans for the rule of the duration.
pub fn spans(stays: &[Stay]) -> Vec<Span> {
    stays.iter().map(|stay| Span { staff: stay.is_staff(), from: stay.joined_at, to: stay.left_at }).collect()
}
