//! Requesting files, cancelling a request, sending its link again, reviewing files: each is one transaction.

use super::messages::{self, Purpose};
use super::model::{Checked, Contact, Item, ItemState, NewItem, NewRequest, Request};
use super::store;
use super::view::{FileRequest, views};
use crate::FilesError;
use atalaya_assistance::Assistance;
use atalaya_assistance::media::MediaView;
use atalaya_assistance::media_items::{self, MediaItem};
use atalaya_cases::conferences::model::Wrong;
use atalaya_cases::conferences::model::may_request;
use atalaya_cases::conferences::service::publish_track;
use atalaya_cases::conferences::view::MessageView;
use atalaya_cases::conferences::{self, Conference, ConferenceError, Scope};
use atalaya_cases::evidence::{self, Actor, NewTrack, Track};
use atalaya_cases::lifetimes;
use atalaya_cases::live::LiveEvent;
use atalaya_db::Tx;
use atalaya_identity::companies::Company;
use atalaya_identity::{companies, users};
use atalaya_kernel::events::TrackType;
use atalaya_kernel::{ClientLanguage, CompanyId, ConferenceId, Language, MediaId, limits};
use atalaya_messaging::Message;
use atalaya_rest::caller::Caller;
use chrono::{DateTime, TimeDelta, Utc};
use serde::Deserialize;
use serde_json::json;
use utoipa::ToSchema;
use uuid::Uuid;

/// Days after which a client who sent nothing is reminded.
const REMIND_AFTER: TimeDelta = TimeDelta::days(2);
/// Requests that one conference may send within the window, because they cost money and reach the client (FILES-11).
const MESSAGES_MAX: usize = 10;
const CEILING_WINDOW: TimeDelta = TimeDelta::hours(1);
/// How long a rejection waits, so that several become one message (FILES-12).
const GATHER_REJECTIONS: TimeDelta = TimeDelta::minutes(2);

/// Requests files from the client of a conference.
///
/// Errors: `CONFERENCE_NOT_FOUND`, `MEDIA_ERASED`, `FILES_EXPIRED`, `FILE_REQUEST_EXPIRED`, `DURATION_TOO_SHORT`,
/// `INVALID_FIELDS`, `TOO_MANY_REQUESTS` over ten messages an hour.
pub async fn create(deps: &Assistance, caller: &Caller, input: &NewRequest) -> Result<FileRequest, FilesError> {
    let conference = conference_of(deps, caller, input).await?;
    let company = company_of(deps, &conference).await?;
    let now = deps.sources.now();
    may_request(&conference, company.retention_days, now).map_err(FilesError::Unrequestable)?;
    let checked = input.check(conference.files_requested).map_err(ConferenceError::Invalid)?;
    let user_name = users::service::display_name(&deps.identity, caller.user).await?;
    let (row, mut items) = rows(deps, caller, &conference, user_name, checked)?;
    frame(deps, &conference, &mut items).await?;
    let id = ConferenceId(conference.id);
    let tx = deps.db.write().await?;
    conferences::lock_living(&tx, id).await?;
    require_under_ceiling(deps, &tx, id).await?;
    store::insert(&tx, row.clone(), items).await?;
    conferences::mark_files_requested(&tx, id).await?;
    let track = conferences::append(&tx, deps, id, requested(caller, &row)).await?;
    let message = messages::to_client(deps, &tx, &row, &conference, &company, Purpose::Request).await?;
    tx.commit().await?;
    tracing::info!(conference.id = %id, request.id = %row.id, "files requested");
    told(deps, id, &track, Some(&message)).await;
    tell_files(deps, id, row.id, None, None, "sent");
    view(deps, &conference, &row).await
}

/// Refuses one message too many (FILES-11). The conference is locked, so that two at once are both counted.
///
/// Errors: `TOO_MANY_REQUESTS`.
async fn require_under_ceiling(deps: &Assistance, tx: &Tx, id: ConferenceId) -> Result<(), FilesError> {
    let now = deps.sources.now();
    let sent = deps.outbox.times_since(&**tx, id, Purpose::Request.name(), now - CEILING_WINDOW).await?;
    let Some(nth) = sent.len().checked_sub(MESSAGES_MAX) else { return Ok(()) };
    let wait = sent[nth] + CEILING_WINDOW - now;
    Err(FilesError::TooManyCalls { retry_after_s: u64::try_from(wait.num_seconds()).unwrap_or(0) + 1 })
}

/// The conference of a request. A missing id is a missing field; one out of the caller's scope is not found.
async fn conference_of(deps: &Assistance, caller: &Caller, input: &NewRequest) -> Result<Conference, FilesError> {
    let Some(id) = input.conference_id.as_deref().map(str::trim).filter(|id| !id.is_empty()) else {
        let mut wrong = input.check(false).err().unwrap_or_default();
        wrong.push(Wrong { field: "conferenceId", code: "REQUIRED", max: None });
        return Err(ConferenceError::Invalid(wrong).into());
    };
    let id: ConferenceId = id.parse().map_err(|_| ConferenceError::NotFound)?;
    Ok(conferences::get(deps.db.read(), Scope::of(caller), id).await?)
}

async fn company_of(deps: &Assistance, conference: &Conference) -> Result<Company, FilesError> {
    Ok(companies::service::get_company(&deps.identity, CompanyId(conference.company_id)).await?)
}

/// The rows of a new request; without items, one free item.
fn rows(
    deps: &Assistance,
    caller: &Caller,
    conference: &Conference,
    user_name: String,
    checked: Checked,
) -> Result<(Request, Vec<Item>), FilesError> {
    let now = deps.sources.now();
    let expires_at = lifetimes::requestable_until(conference.created_at, conference.media_request_expired);
    let row = Request {
        id: deps.sources.uuid(),
        conference_id: conference.id,
        company_id: conference.company_id,
        user_id: caller.user.0,
        contact_type: checked.contact as i16,
        user_name,
        to_address: checked.to,
        contact_text: checked.contact_text,
        email_title: checked.email_title,
        page_show_text: checked.page_show_text,
        token: deps.sources.hex::<16>(),
        short_code: deps.sources.base62(10),
        remind: checked.remind,
        notify: checked.notify,
        created_at: now,
        expires_at,
        opened_at: None,
        finished_at: None,
        cancelled_at: None,
        remind_at: checked.remind.then_some(now + REMIND_AFTER).filter(|at| *at < expires_at),
        notify_at: None,
        rejected_notice_at: None,
    };
    let mut things = checked.items;
    if things.is_empty() {
        let language = ClientLanguage::parse(&conference.language).unwrap_or_default();
        let label = deps.templates.render(language, "files-request.item", &json!({}))?;
        things.push(NewItem { label: Some(label), ..NewItem::default() });
    }
    let items = things.into_iter().zip(0..).map(|(thing, position)| Item {
        id: deps.sources.uuid(),
        request_id: row.id,
        position,
        shot: thing.shot,
        label: thing.label.unwrap_or_default(),
        hint: thing.hint,
        overlay: None,
        state: ItemState::Asked,
        note: None,
    });
    let items = items.collect();
    Ok((row, items))
}

/// Copies the overlay of each item's shot, so that the page shows the same frame as the call even if the list changes
/// (FILES-26).
async fn frame(deps: &Assistance, conference: &Conference, items: &mut [Item]) -> Result<(), FilesError> {
    let kind = conference.conference_type;
    let company = Some(CompanyId(conference.company_id));
    let (shots, _) = atalaya_assistance::shots::service::list(deps, company, kind, Language::default()).await?;
    for item in items {
        let shot = shots.iter().find(|shot| Some(&shot.key) == item.shot.as_ref());
        item.overlay = shot.and_then(|shot| shot.overlay);
    }
    Ok(())
}

/// The track of a request; the recipient can be erased.
fn requested(caller: &Caller, row: &Request) -> NewTrack {
    let data = json!({
        "requestId": row.id.to_string(), "channel": Contact::of(row.contact_type).map_or("sms", Contact::name),
        "textSha256": evidence::chain::sha256_hex(row.contact_text.as_bytes()), "expiresAt": row.expires_at,
    });
    NewTrack::new(TrackType::FilesRequested, Actor::User(caller.user), data).erasable("to", row.to_address.clone())
}

/// The requests of a conference, newest first. Errors: `CONFERENCE_NOT_FOUND`.
pub async fn list(deps: &Assistance, caller: &Caller, id: ConferenceId) -> Result<Vec<FileRequest>, FilesError> {
    let conference = conferences::get(deps.db.read(), Scope::of(caller), id).await?;
    of_conference(deps, &conference).await
}

/// The same for a conference already at hand.
pub async fn of_conference(deps: &Assistance, conference: &Conference) -> Result<Vec<FileRequest>, FilesError> {
    let rows = store::list(deps.db.read(), ConferenceId(conference.id)).await?;
    Ok(views(deps, conference, &rows).await?)
}

async fn view(deps: &Assistance, conference: &Conference, row: &Request) -> Result<FileRequest, FilesError> {
    let views = views(deps, conference, std::slice::from_ref(row)).await?;
    views.into_iter().next().ok_or(FilesError::RequestNotFound)
}

async fn find(deps: &Assistance, caller: &Caller, id: Uuid) -> Result<(Request, Conference), FilesError> {
    store::find(deps.db.read(), Scope::of(caller), id).await?.ok_or(FilesError::RequestNotFound)
}

/// Cancels a request: its link no longer opens anything. Idempotent (FILES-10).
///
/// Errors: `FILE_REQUEST_NOT_FOUND`, `MEDIA_ERASED`.
pub async fn cancel(deps: &Assistance, caller: &Caller, id: Uuid) -> Result<FileRequest, FilesError> {
    let (_, conference) = find(deps, caller, id).await?;
    let case = ConferenceId(conference.id);
    let tx = deps.db.write().await?;
    conferences::lock_living(&tx, case).await?;
    let mut row = store::reload(&tx, id).await?.ok_or(FilesError::RequestNotFound)?;
    if row.cancelled_at.is_none() {
        row.cancelled_at = Some(deps.sources.now());
        (row.remind_at, row.rejected_notice_at) = (None, None);
        store::update(&tx, &row).await?;
        let data = json!({"requestId": id.to_string()});
        let new = NewTrack::new(TrackType::FilesCancelled, Actor::User(caller.user), data);
        let track = conferences::append(&tx, deps, case, new).await?;
        tx.commit().await?;
        told(deps, case, &track, None).await;
        tell_files(deps, case, id, None, None, "cancelled");
    }
    view(deps, &conference, &row).await
}

/// Sends the link again, with the same text by the same channel.
///
/// Errors: `FILE_REQUEST_NOT_FOUND`, `FILE_REQUEST_CANCELLED`, `FILE_REQUEST_EXPIRED`, `FILES_EXPIRED`, `MEDIA_ERASED`,
/// `TOO_MANY_REQUESTS` over ten messages an hour.
pub async fn resend(deps: &Assistance, caller: &Caller, id: Uuid) -> Result<FileRequest, FilesError> {
    let (row, conference) = find(deps, caller, id).await?;
    let company = company_of(deps, &conference).await?;
    let now = deps.sources.now();
    if row.cancelled_at.is_some() {
        return Err(FilesError::Cancelled);
    }
    may_request(&conference, company.retention_days, now).map_err(FilesError::Unrequestable)?;
    let case = ConferenceId(conference.id);
    let tx = deps.db.write().await?;
    conferences::lock_living(&tx, case).await?;
    require_under_ceiling(deps, &tx, case).await?;
    let mut row = store::reload(&tx, id).await?.ok_or(FilesError::RequestNotFound)?;
    // Sending again asks for more: a finished request is reopened for as long as files may be requested now (FILES-10).
    row.finished_at = None;
    row.expires_at = lifetimes::requestable_until(conference.created_at, conference.media_request_expired);
    store::update(&tx, &row).await?;
    let track = conferences::append(&tx, deps, case, requested(caller, &row)).await?;
    let message = messages::to_client(deps, &tx, &row, &conference, &company, Purpose::Request).await?;
    tx.commit().await?;
    told(deps, case, &track, Some(&message)).await;
    view(deps, &conference, &row).await
}

/// A verdict about a requested file.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct Review {
    pub approve: bool,
    /// Shown to the client when the file is sent back.
    pub note: Option<String>,
}

impl Review {
    fn note(&self) -> Result<Option<String>, FilesError> {
        let Some(note) = self.note.as_deref().map(str::trim).filter(|note| !note.is_empty()) else { return Ok(None) };
        let wrong = |code, max| Err(ConferenceError::Invalid(vec![Wrong { field: "note", code, max }]).into());
        match () {
            () if note.chars().count() > limits::PAGE_SHOW_TEXT_MAX => wrong("TOO_LONG", Some(limits::PAGE_SHOW_TEXT_MAX)),
            () if note.chars().any(|c| c.is_control() && c != '\n') => wrong("CHARACTERS_NOT_ALLOWED", None),
            () => Ok(Some(note.to_owned())),
        }
    }
}

/// Approves a file or sends it back; what was sent back is requested again, and the client is notified (FILES-12).
///
/// Errors: `MEDIA_NOT_FOUND`, `NOT_REQUESTED`, `MEDIA_ERASED`, `INVALID_FIELDS` for `note`.
pub async fn review(deps: &Assistance, caller: &Caller, media: Uuid, verdict: &Review) -> Result<MediaView, FilesError> {
    let note = verdict.note()?;
    let found = media_items::find(deps.db.read(), Scope::of(caller), MediaId(media)).await?;
    let (file, conference) = found.ok_or(atalaya_assistance::media::MediaError::NotFound)?;
    let (Some(request), Some(thing)) = (file.request_id, file.item_id) else { return Err(FilesError::NotRequested) };
    let case = ConferenceId(conference.id);
    let now = deps.sources.now();
    let tx = deps.db.write().await?;
    conferences::lock_living(&tx, case).await?;
    let mut row = store::reload(&tx, request).await?.ok_or(FilesError::RequestNotFound)?;
    let given = if verdict.approve { media_items::Review::Approved } else { media_items::Review::Rejected };
    let word = given.wire();
    let file = media_items::review(&tx, media, given, note.clone(), caller.user.0, now).await?;
    let state = if verdict.approve { ItemState::Approved } else { ItemState::Rejected };
    store::set_item(&tx, thing, state, note.filter(|_| !verdict.approve)).await?;
    if !verdict.approve {
        ask_again(&mut row, now);
        store::update(&tx, &row).await?;
    }
    let data = json!({"mediaId": media.to_string(), "requestId": request.to_string(), "verdict": word});
    let new = NewTrack::new(TrackType::FileReviewed, Actor::User(caller.user), data);
    let track = conferences::append(&tx, deps, case, new).await?;
    tx.commit().await?;
    told(deps, case, &track, None).await;
    tell_files(deps, case, request, Some(thing), Some(media), word);
    if file.shot.is_some() {
        atalaya_assistance::shots::service::publish(deps, &conference).await;
    }
    Ok(media_view(&file, &conference))
}

/// Reopens the link and schedules the client's message about everything sent back by then.
fn ask_again(row: &mut Request, now: DateTime<Utc>) {
    row.finished_at = None;
    if row.cancelled_at.is_none() && row.expires_at > now {
        row.rejected_notice_at = row.rejected_notice_at.or(Some(now + GATHER_REJECTIONS));
    }
}

pub fn media_view(file: &MediaItem, conference: &Conference) -> MediaView {
    MediaView::of(file, &conference.expedient_number, conference.media_seen_at)
}

/// Notifies the screens of a committed track and message, and wakes the dispatcher.
pub async fn told(deps: &Assistance, id: ConferenceId, track: &Track, message: Option<&Message>) {
    publish_track(deps, id, track).await;
    if let Some(message) = message {
        deps.outbox.wake();
        deps.live.publish(id, LiveEvent::new("message", MessageView::from(message)));
    }
}

/// Notifies the screens of a change in a request.
pub fn tell_files(deps: &Assistance, id: ConferenceId, request: Uuid, thing: Option<Uuid>, media: Option<Uuid>, state: &str) {
    let data = json!({"requestId": request, "itemId": thing, "mediaId": media, "state": state});
    deps.live.publish(id, LiveEvent::new("files", data));
}
