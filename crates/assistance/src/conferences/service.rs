//! Opening, sending the link again, dictating a code, closing: each is one transaction, and its effects follow the commit.

use super::entity::Model;
use super::model::{
    ConferenceError, LinkChannel, LinkFallback, OpenConference, Opening, Wrong, is_idle, link_is_live, together_s,
};
use super::progress::{Facts, LastMessage, Progress, progress};
use super::store::{self, Opener, Scope};
use super::view::{ConferenceView, MessageView, TrackView, participants};
use crate::Assistance;
use crate::calls::{JoinGrant, Side};
use crate::evidence::{self, Actor, NewTrack, Track};
use crate::live::LiveEvent;
use atalaya_db::Tx;
use atalaya_identity::{companies, users};
use atalaya_kernel::events::TrackType;
use atalaya_kernel::{CompanyId, ConferenceId, Language, Role, UserId, limits};
use atalaya_messaging::{Message, NewMessage};
use atalaya_rest::caller::Caller;
use chrono::{DateTime, TimeDelta, Utc};
use sea_orm::{IntoActiveModel, Set};
use serde_json::json;

/// A conference just opened, with what its opener needs to wait in it.
pub struct Opened {
    pub conference: ConferenceView,
    pub token: String,
    pub url: String,
    pub link: String,
}

impl Assistance {
    /// The client's short link (CASE-5).
    pub fn link(&self, row: &Model) -> String {
        format!("{}/c/{}", self.public_url, row.short_code)
    }

    /// The websocket address browsers reach the media engine at.
    pub fn media_url(&self) -> String {
        self.engine.browser_url().unwrap_or_else(|| self.public_url.replacen("http", "ws", 1))
    }

    /// The caller's right to enter the conference's media room, good for as long as the link plus a long call.
    pub fn staff_token(&self, row: &Model, user: UserId, name: &str) -> String {
        let now = self.sources.now();
        self.engine.mint(&JoinGrant {
            conference: ConferenceId(row.id),
            identity: format!("user:{user}"),
            name: name.to_string(),
            side: Side::Staff,
            now,
            expires_at: now + TimeDelta::hours(limits::LINK_HOURS),
        })
    }
}

/// Opens a conference for the caller's company and queues its link (CASE-1).
///
/// Errors: `INVALID_FIELDS` with the fields, `VIDEO_CALL_NOT_ALLOWED_CUSTOMER` or `_WORKER` from the video-call guard.
pub async fn open(deps: &Assistance, caller: &Caller, input: &OpenConference) -> Result<Opened, ConferenceError> {
    let opening = input.check().map_err(ConferenceError::Invalid)?;
    let company = companies::service::get_company(&deps.identity, caller.company).await?;
    if !company.billing.may_call(deps.sources.now()) {
        let principal = caller.role == Role::Customer;
        return Err(if principal { ConferenceError::NotAllowedCustomer } else { ConferenceError::NotAllowedWorker });
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
    let tx = deps.db.write().await?;
    let row = open_in(deps, &tx, deps.sources.id(), &opener, &opening, &company).await?;
    tx.commit().await?;
    Ok(opened(deps, &row, &opener))
}

/// Writes a conference, its first track and its link in the caller's transaction. Its fields are checked and its company
/// may call; after the commit comes [`opened`].
pub(crate) async fn open_in(
    deps: &Assistance,
    tx: &Tx,
    id: ConferenceId,
    opener: &Opener,
    opening: &Opening,
    company: &companies::Company,
) -> Result<Model, ConferenceError> {
    if opening.fallback.iter().flatten().any(|one| *one == LinkFallback::Whatsapp) && !company.sms_whatsapp {
        return Err(ConferenceError::Invalid(vec![Wrong { field: "fallback", code: "FALLBACK_NOT_ALLOWED", max: None }]));
    }
    let language = opening.language.unwrap_or(company.language);
    let data_key = crate::media::vault::new_wrapped_key(deps, id);
    let row = store::insert(tx, &deps.sources, opener, opening, id, language.code(), data_key).await?;
    let track = NewTrack::new(
        TrackType::ConferenceCreated,
        Actor::User(opener.user),
        json!({"conferenceId": id.to_string(), "expedientNumber": row.expedient_number, "type": row.conference_type}),
    );
    evidence::append(tx, &deps.sources, id, track).await?;
    send_link(deps, tx, &row, &opening_route(opening), company).await?;
    store::reload(tx, id).await
}

/// What the opener of a committed conference is answered.
pub(crate) fn opened(deps: &Assistance, row: &Model, opener: &Opener) -> Opened {
    deps.outbox.wake();
    tracing::info!(conference.id = %row.id, "conference opened");
    Opened {
        token: deps.staff_token(row, opener.user, &opener.user_name),
        url: deps.media_url(),
        link: deps.link(row),
        conference: ConferenceView::of(row, &[], false, opener.company_days, deps.sources.now()),
    }
}

/// Days that the company keeps its files; `None` for the default of 31 days (RETAIN-3).
pub async fn company_days(deps: &Assistance, row: &Model) -> Result<Option<i32>, ConferenceError> {
    Ok(companies::service::get_company(&deps.identity, CompanyId(row.company_id)).await?.retention_days)
}

/// Where and with what text the link goes.
pub struct Route {
    pub channel: LinkChannel,
    pub to: Option<String>,
    pub sms_text: Option<String>,
}

fn opening_route(opening: &Opening) -> Route {
    let to = match opening.channel {
        LinkChannel::Sms => Some(opening.phone_number.clone()),
        LinkChannel::Email => opening.email.clone(),
        LinkChannel::None => None,
    };
    Route { channel: opening.channel, to, sms_text: opening.sms_text.clone() }
}

/// Queues the link in the caller's transaction; the text comes first, the link after it (CASE-6).
async fn send_link(
    deps: &Assistance,
    tx: &Tx,
    row: &Model,
    route: &Route,
    company: &companies::Company,
) -> Result<Option<Message>, ConferenceError> {
    let Some(to) = &route.to else { return Ok(None) };
    let language = Language::parse(&row.language).unwrap_or_default();
    let link = deps.link(row);
    let new = match route.channel {
        LinkChannel::None => return Ok(None),
        LinkChannel::Sms => {
            let own = route.sms_text.clone().or_else(|| company.sms_text.clone());
            let text = match own {
                Some(text) => text,
                None => deps.templates.render(language, "session.sms", &json!({}))?,
            };
            companies::sms::client_message(company, "session", to, &text, &link)
        }
        LinkChannel::Email => link_email(deps, row, to)?,
    };
    let message = new.about(ConferenceId(row.id), CompanyId(row.company_id)).link(link);
    Ok(Some(deps.outbox.enqueue(tx, message).await?))
}

/// The e-mail with the link.
pub(super) fn link_email(deps: &Assistance, row: &Model, to: &str) -> Result<NewMessage, ConferenceError> {
    let language = Language::parse(&row.language).unwrap_or_default();
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
pub async fn resend(deps: &Assistance, caller: &Caller, id: ConferenceId, request: &Resend) -> Result<Message, ConferenceError> {
    let row = require_live(deps, Scope::of(caller), id).await?;
    let wrong = |code| ConferenceError::Invalid(vec![Wrong { field: "to", code, max: None }]);
    let given = request.to.as_deref().map(str::trim).filter(|t| !t.is_empty());
    let to = match request.channel {
        LinkChannel::Sms => match given {
            Some(raw) => atalaya_checks::phone::to_e164(raw).map_err(|e| wrong(e.code()))?,
            None => row.phone_number.clone(),
        },
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
    let tx = deps.db.write().await?;
    let row = store::lock_living(&tx, id).await?;
    let mut change = row.clone().into_active_model();
    match request.channel {
        LinkChannel::Sms => change.phone_number = Set(to.clone()),
        _ => change.email = Set(Some(to.clone())),
    }
    let row = store::update(&tx, change).await?;
    let route = Route { channel: request.channel, to: Some(to), sms_text: None };
    let message = send_link(deps, &tx, &row, &route, &company).await?.ok_or_else(|| wrong("REQUIRED"))?;
    tx.commit().await?;
    deps.outbox.wake();
    deps.live.publish(id, LiveEvent::new("message", MessageView::from(&message)));
    publish_progress(deps, id).await?;
    Ok(message)
}

/// Makes the six digits that the adjuster dictates by phone; they replace earlier ones.
///
/// Errors: `CONFERENCE_NOT_FOUND`, `CONFERENCE_CLOSED`, `LINK_EXPIRED`.
pub async fn dictate_code(
    deps: &Assistance,
    caller: &Caller,
    id: ConferenceId,
) -> Result<(String, DateTime<Utc>), ConferenceError> {
    require_live(deps, Scope::of(caller), id).await?;
    let code = deps.sources.digits(limits::DICTATED_CODE_DIGITS);
    let expires_at = deps.sources.now() + TimeDelta::minutes(limits::DICTATED_CODE_MINUTES);
    let tx = deps.db.write().await?;
    store::lock_living(&tx, id).await?;
    store::put_dictated_code(&tx, &deps.sources, id, crate::client_page::code_hash(&code), expires_at).await?;
    tx.commit().await?;
    Ok((code, expires_at))
}

/// The conference within the scope, still usable by its client.
pub async fn require_live(deps: &Assistance, scope: Scope, id: ConferenceId) -> Result<Model, ConferenceError> {
    let row = store::get(deps.db.read(), scope, id).await?;
    match () {
        () if row.closed => Err(ConferenceError::Closed),
        // A conference that has begun outlives its link.
        () if row.sid.is_none() && !link_is_live(row.expired_at, deps.sources.now()) => Err(ConferenceError::LinkExpired),
        () => Ok(row),
    }
}

/// Ends a conference: its recording stops, everybody is disconnected, the duration is final.
///
/// Closing a closed one is no error. Errors: `CONFERENCE_NOT_FOUND`.
pub async fn close(deps: &Assistance, scope: Scope, id: ConferenceId, actor: Actor) -> Result<Model, ConferenceError> {
    let row = store::get(deps.db.read(), scope, id).await?;
    if row.closed {
        return Ok(row);
    }
    close_when(deps, id, actor, |_| true).await
}

/// Closes the conference if `still` holds once it is locked; answers it as it is then.
async fn close_when(
    deps: &Assistance,
    id: ConferenceId,
    actor: Actor,
    still: impl Fn(&Model) -> bool,
) -> Result<Model, ConferenceError> {
    let row = store::get(deps.db.read(), Scope::All, id).await?;
    if row.closed || !still(&row) {
        return Ok(row);
    }
    crate::calls::recording::stop_if_running(deps, id, actor.clone()).await;
    let tx = deps.db.write().await?;
    atalaya_db::lock_row(&tx, "conference", id.0).await?;
    let row = store::reload(&tx, id).await?;
    if row.closed || !still(&row) {
        return Ok(row);
    }
    let now = deps.sources.now();
    crate::calls::store::end_all(&tx, id, now).await?;
    let stays = store::list_participations(&*tx, id).await?;
    // Not decided by `sid`: the event that the room started may have been lost.
    let connected = stays.iter().any(|stay| stay.kind == "client");
    let mut change = row.into_active_model();
    change.closed = Set(true);
    change.closed_at = Set(Some(now));
    change.idle_since = Set(None);
    let seconds = connected.then(|| together_s(&store::spans(&stays), now));
    change.duration_s = Set(seconds);
    store::update(&tx, change).await?;
    let data = json!({"durationS": seconds});
    let track = evidence::append(&tx, &deps.sources, id, NewTrack::new(TrackType::ConferenceClosed, actor, data)).await?;
    let row = store::reload(&tx, id).await?;
    tx.commit().await?;
    publish_track(deps, id, &track).await;
    deps.live.publish(id, LiveEvent::new("closed", json!({})));
    crate::calls::say_closed(deps, id).await;
    tracing::info!(conference.id = %id, duration_s = seconds, "conference closed");
    Ok(row)
}

/// Closes the conferences that nobody uses any more (CASE-14); runs every half minute.
pub async fn close_idle(deps: &Assistance) -> Result<usize, ConferenceError> {
    let now = deps.sources.now();
    let rows = store::list_to_close(deps.db.read(), now, now - TimeDelta::minutes(limits::IDLE_CLOSE_MINUTES)).await?;
    let count = rows.len();
    for row in rows {
        // Somebody may have come back since the query.
        close_when(deps, ConferenceId(row.id), Actor::System, |row| may_close(row, now)).await?;
    }
    Ok(count)
}

/// Whether nobody uses the conference any more: idle for long enough, or never begun within its link's hours.
fn may_close(row: &Model, now: DateTime<Utc>) -> bool {
    is_idle(row.idle_since, now) || (row.sid.is_none() && !link_is_live(row.expired_at, now))
}

/// Appends a track in a transaction of its own and notifies the screens.
pub async fn record(deps: &Assistance, id: ConferenceId, new: NewTrack) -> Result<Track, ConferenceError> {
    let tx = deps.db.write().await?;
    let track = evidence::append(&tx, &deps.sources, id, new).await?;
    tx.commit().await?;
    publish_track(deps, id, &track).await;
    Ok(track)
}

/// Notifies the screens of a committed track and of the progress it means.
pub async fn publish_track(deps: &Assistance, id: ConferenceId, track: &Track) {
    deps.live.publish(id, LiveEvent::new("track", TrackView::from(track)).at_seq(track.seq));
    if let Err(error) = publish_progress(deps, id).await {
        tracing::warn!(conference.id = %id, %error, "progress could not be told");
    }
}

/// Notifies the screens of the client's progress.
pub async fn publish_progress(deps: &Assistance, id: ConferenceId) -> Result<(), ConferenceError> {
    let row = store::get(deps.db.read(), Scope::All, id).await?;
    let progress = current_progress(deps, &row).await?;
    deps.live.publish(id, LiveEvent::new("progress", progress));
    Ok(())
}

/// The client's progress now.
pub async fn current_progress(deps: &Assistance, row: &Model) -> Result<Progress, ConferenceError> {
    let id = ConferenceId(row.id);
    let messages = deps.outbox.for_conference(deps.db.read(), id).await?;
    let stays = store::list_participations(deps.db.read(), id).await?;
    Ok(progress_of(row, &messages, &participants(&stays), deps.sources.now()))
}

/// The same from facts already at hand.
pub fn progress_of(row: &Model, messages: &[Message], people: &[super::view::ParticipantView], now: DateTime<Utc>) -> Progress {
    let message = messages.iter().max_by_key(|m| m.created_at).map(|m| LastMessage {
        state: m.state.name().to_string(),
        channel: m.channel.name().to_string(),
        at: m.sent_at.or(Some(m.created_at)),
    });
    progress(&Facts {
        projection: &evidence::projection_of(row),
        message: message.as_ref(),
        client_present: people.iter().any(|p| p.kind == "client" && p.connected),
        expired: !link_is_live(row.expired_at, now),
    })
}
