//! Receiving a file: sniffed, hashed, sealed, then one transaction for row and track, then the screens are notified.

use super::signatures::DeviceSignature;
pub use super::stored::Stored;
use super::thumbnails::{self, NoPicture};
pub use super::view::MediaView;
use super::{announcements, exif, videos, view};
use crate::Assistance;
use crate::calls::say;
use crate::media_items::kinds::tidy_name;
use crate::media_items::{self, FileKind, MediaItem, MediaType, Origin};
use crate::places;
use atalaya_cases::conferences::model::{ConferenceError, Wrong};
use atalaya_cases::conferences::service::publish_track;
use atalaya_cases::conferences::{self, Conference, Scope};
use atalaya_cases::evidence::{Actor, NewTrack, Track};
use atalaya_cases::live::LiveEvent;
use atalaya_db::{DbError, Tx};
use atalaya_kernel::events::TrackType;
use atalaya_kernel::{ConferenceId, MediaId};
use bytes::Bytes;
use chrono::{DateTime, Utc};
use serde::Deserialize;
use serde_json::json;
use utoipa::ToSchema;
use uuid::Uuid;

/// Why a file was refused.
#[derive(Debug, thiserror::Error)]
pub enum MediaError {
    /// `NOT_A_PICTURE` (422)
    #[error("the file is not a picture that can be opened")]
    NotAPicture,
    /// `FILE_TYPE_NOT_SUPPORTED` (422)
    #[error("files of this type are not kept")]
    TypeNotSupported,
    /// `FILE_EMPTY` (422)
    #[error("the file has no bytes")]
    Empty,
    /// `PICTURE_TOO_BIG` (422)
    #[error("the picture has more pixels than are opened")]
    PictureTooBig,
    /// `FILE_TOO_LARGE` (413)
    #[error("the file is too large")]
    TooLarge,
    /// `FILE_MISSING` (422)
    #[error("there is no file in the request")]
    Missing,
    /// `MEDIA_NOT_FOUND` (404)
    #[error("no such file for this caller")]
    NotFound,
    /// `MEDIA_EXPIRED` (410)
    #[error("the file's time is over, it was deleted")]
    Expired,
    /// `INVALID_FIELDS` (422)
    #[error("fields are wrong")]
    Invalid(Vec<Wrong>),
    #[error(transparent)]
    Conference(#[from] ConferenceError),
}

impl From<NoPicture> for MediaError {
    fn from(reason: NoPicture) -> Self {
        match reason {
            NoPicture::Unreadable => Self::NotAPicture,
            NoPicture::TooBig => Self::PictureTooBig,
        }
    }
}

impl From<DbError> for MediaError {
    fn from(error: DbError) -> Self {
        Self::Conference(error.into())
    }
}

impl From<atalaya_blobs::BlobError> for MediaError {
    fn from(error: atalaya_blobs::BlobError) -> Self {
        Self::Conference(error.into())
    }
}

/// What a device says about a capture. What it does not know is left out.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct CaptureMeta {
    /// Names the capture: a repeated upload with the same name is the same file.
    pub capture_id: Option<String>,
    /// `takePhoto`, `frame` or `file`: how it was really captured.
    pub method: Option<String>,
    pub captured_at: Option<DateTime<Utc>>,
    pub latitude: Option<f64>,
    pub longitude: Option<f64>,
    pub accuracy: Option<f64>,
    pub lens: Option<String>,
    pub name: Option<String>,
    /// Key of the shot that it shows.
    pub shot: Option<String>,
    /// Fingerprint of the key that the device made, and its signature: base64 of the two numbers (EVID-60).
    pub device_key: Option<String>,
    pub device_signature: Option<String>,
}

impl CaptureMeta {
    pub(super) fn name_of_capture(&self) -> Option<String> {
        Self::short(&self.capture_id, |c| c.is_ascii_alphanumeric() || c == '-')
    }

    pub(super) fn name_of_method(&self) -> Option<String> {
        Self::short(&self.method, |c| c.is_ascii_alphanumeric())
    }

    fn position(&self) -> Option<(String, String)> {
        let latitude = self.latitude.filter(|v| v.abs() <= 90.0)?;
        let longitude = self.longitude.filter(|v| v.abs() <= 180.0)?;
        Some((format!("{latitude:.6}"), format!("{longitude:.6}")))
    }

    fn short(text: &Option<String>, allowed: impl Fn(char) -> bool) -> Option<String> {
        text.clone().filter(|t| !t.is_empty() && t.len() <= 64 && t.chars().all(allowed))
    }
}

/// A file to be received.
pub struct NewMedia {
    pub bytes: Bytes,
    pub origin: Origin,
    pub actor: Actor,
    /// Identity of who made it.
    pub participant: String,
    pub meta: CaptureMeta,
    /// Only a picture is accepted.
    pub picture_only: bool,
}

/// Receives a file.
///
/// Errors: `FILE_EMPTY`, `NOT_A_PICTURE`, `PICTURE_TOO_BIG`, `FILE_TYPE_NOT_SUPPORTED` (422), `MEDIA_ERASED`,
/// `MEDIA_EXPIRED` (410), `STORAGE_*` (503).
pub async fn add(deps: &Assistance, id: ConferenceId, new: NewMedia) -> Result<MediaItem, MediaError> {
    let capture_id = new.meta.name_of_capture();
    if let Some(capture) = &capture_id
        && let Some(done) = media_items::find_by_capture(deps.db.read(), id, capture).await?
    {
        return Ok(done);
    }
    if new.bytes.is_empty() {
        return Err(MediaError::Empty);
    }
    let row = atalaya_cases::conferences::get(deps.db.read(), Scope::All, id).await?;
    if atalaya_cases::lifetimes::is_expired(deps, &row).await? {
        return Err(MediaError::Expired);
    }
    if new.origin == Origin::Call && row.closed {
        announcements::require_place(deps, id).await?;
    }
    let unknown = || if new.picture_only { MediaError::NotAPicture } else { MediaError::TypeNotSupported };
    let kind = FileKind::of(&new.bytes).ok_or_else(unknown)?;
    if new.picture_only && kind.media_type != MediaType::Picture {
        return Err(MediaError::NotAPicture);
    }
    // HEIC is kept as it is: nothing here can decode it.
    let opens = kind.media_type == MediaType::Picture && kind.extension != "heic";
    let looked = if opens { Some(thumbnails::look(new.bytes.clone()).await?) } else { None };
    let shape = if kind.extension == "webm" { videos::measure(new.bytes.clone()).await } else { None };
    let stored = Stored::write(deps, id, kind, &new.bytes, looked.as_ref().map(|l| l.thumbnail.as_slice())).await?;
    let number = media_items::count(deps.db.read(), id, kind.media_type).await? + 1;
    let fallback = match kind.media_type {
        MediaType::Picture => format!("foto-{number:03}"),
        MediaType::Video => format!("video-{number:03}"),
        MediaType::Document => format!("documento-{number:03}"),
    };
    let named = new.meta.name.clone().filter(|n| !n.trim().is_empty()).unwrap_or(fallback);
    let stem = named.strip_suffix(&format!(".{}", kind.extension)).unwrap_or(&named);
    let position = new.meta.position();
    let claimed = match kind.media_type {
        MediaType::Picture => exif::claimed_position(new.bytes.clone()).await,
        MediaType::Video | MediaType::Document => None,
    };
    let side = |of_picture: fn(&thumbnails::Looked) -> u32, of_video: fn(&videos::Shape) -> u32| {
        let pixels = looked.as_ref().map(of_picture).or(shape.as_ref().map(of_video));
        pixels.and_then(|p| i32::try_from(p).ok())
    };
    let facts = Facts {
        kind,
        original_file_name: tidy_name(&format!("{stem}.x"), kind.extension),
        width: side(|l| l.width, |s| s.width),
        height: side(|l| l.height, |s| s.height),
        duration_ms: shape.as_ref().and_then(|s| i64::try_from(s.duration_ms).ok()),
        origin: new.origin,
        method: new.meta.name_of_method(),
        capture_id: capture_id.clone(),
        participant: new.participant.clone(),
        lens: CaptureMeta::short(&new.meta.lens, |c| !c.is_control()),
        accuracy_m: position.as_ref().and(new.meta.accuracy).filter(|a| (0.0..1e7).contains(a)).map(|a| a.ceil() as i32),
        position,
        claimed,
        device_at: new.meta.captured_at,
        captured_at: deps.sources.now(),
        recording_id: None,
        signed: stored.signature(deps, id, &new).await?,
        shot: new.meta.shot.filter(|key| crate::shots::model::is_key(key)),
        answers: None,
    };
    match register(deps, id, &stored, facts, new.actor).await {
        Err(MediaError::Conference(ConferenceError::Db(DbError::Duplicate(_)))) if capture_id.is_some() => {
            stored.discard(deps).await;
            let capture = capture_id.unwrap_or_default();
            media_items::find_by_capture(deps.db.read(), id, &capture).await?.ok_or(MediaError::NotFound)
        }
        Err(error) => {
            stored.discard(deps).await;
            Err(error)
        }
        done => done,
    }
}

/// Everything a row needs besides the stored bytes.
pub struct Facts {
    pub kind: FileKind,
    pub original_file_name: String,
    pub width: Option<i32>,
    pub height: Option<i32>,
    pub duration_ms: Option<i64>,
    pub origin: Origin,
    pub method: Option<String>,
    pub capture_id: Option<String>,
    pub participant: String,
    pub lens: Option<String>,
    pub position: Option<(String, String)>,
    /// What the file's own data say, which anybody can write.
    pub claimed: Option<(String, String)>,
    pub accuracy_m: Option<i32>,
    pub device_at: Option<DateTime<Utc>>,
    pub captured_at: DateTime<Utc>,
    pub recording_id: Option<Uuid>,
    /// Key of the shot that it shows.
    pub shot: Option<String>,
    /// The request that it answers.
    pub answers: Option<Answers>,
    /// Of pictures that a client's device took.
    pub signed: Option<DeviceSignature>,
}

/// Which item of a request a file was sent for.
pub struct Answers {
    pub request: Uuid,
    pub item: Uuid,
}

/// Writes row and track in one transaction, then notifies the screens.
pub(super) async fn register(
    deps: &Assistance,
    id: ConferenceId,
    stored: &Stored,
    facts: Facts,
    actor: Actor,
) -> Result<MediaItem, MediaError> {
    let turn = deps.turn_to_write().await;
    let tx = deps.db.write().await?;
    let written = write_row(deps, &tx, id, stored, facts, actor).await?;
    tx.commit().await?;
    drop(turn);
    written.tell(deps, id).await;
    Ok(written.row)
}

/// A row and its track, written but not yet announced.
pub struct Written {
    pub row: MediaItem,
    track: Track,
    conference: Conference,
}

impl Written {
    /// Notifies the screens, after the commit.
    pub async fn tell(&self, deps: &Assistance, id: ConferenceId) {
        publish_track(deps, id, &self.track).await;
        let view = view::told(deps, &self.conference, &self.row, None).await;
        deps.live.publish(id, LiveEvent::new("media", view));
        if self.row.latitude.is_some() {
            places::service::later(deps, id);
        }
        say(deps, id, json!({"t": "media", "media": {"_id": self.row.id, "type": self.row.media_type.wire()}})).await;
        if self.row.shot.is_some() {
            crate::shots::service::publish(deps, &self.conference).await;
        }
    }
}

/// Writes row and track in the caller's transaction.
pub async fn write_row(
    deps: &Assistance,
    tx: &Tx,
    id: ConferenceId,
    stored: &Stored,
    facts: Facts,
    actor: Actor,
) -> Result<Written, MediaError> {
    // The call must not end between this look and the event.
    atalaya_db::lock_row(tx, "conference", id.0).await?;
    let conference = atalaya_cases::conferences::reload(tx, id).await?;
    let media: MediaId = deps.sources.id();
    let hash = stored.digest.sha256_hex();
    let origin = match facts.origin {
        // A recording is stored after its call has ended.
        Origin::Call if facts.recording_id.is_none() => announcements::origin_now(tx, id, conference.closed, &hash).await?,
        other => other,
    };
    let track_type = if origin == Origin::Call { TrackType::MediaCaptured } else { TrackType::FileUploaded };
    // A recording is stored after its end; the chain holds when it began.
    let mut track = NewTrack::new(
        track_type,
        actor,
        json!({
            "mediaId": media.to_string(), "type": facts.kind.media_type.wire(),
            "sha256": hash, "bytes": stored.size_bytes, "mime": facts.kind.mime, "width": facts.width,
            "height": facts.height, "method": facts.method, "accuracyM": facts.accuracy_m, "deviceAt": facts.device_at,
            "startedAt": facts.recording_id.map(|_| facts.captured_at),
        }),
    )
    .erasable("name", facts.original_file_name.clone());
    if origin == Origin::Late {
        track.data["late"] = true.into();
    }
    if let (Some(signed), Some(data)) = (&facts.signed, track.data.as_object_mut()) {
        signed.onto(data);
    }
    if let Some((latitude, longitude)) = &facts.position {
        track = track.erasable("position", format!("{latitude},{longitude}"));
    }
    if let Some((latitude, longitude)) = &facts.claimed {
        track = track.erasable("claimedPosition", format!("{latitude},{longitude}"));
    }
    let (latitude, longitude) = facts.position.unzip();
    let (claimed_latitude, claimed_longitude) = facts.claimed.unzip();
    let (request_id, item_id) = facts.answers.map(|answers| (answers.request, answers.item)).unzip();
    let item = MediaItem {
        id: media.0,
        conference_id: id.0,
        company_id: conference.company_id,
        recording_id: facts.recording_id,
        filename: stored.filename.clone(),
        original_file_name: facts.original_file_name,
        media_type: facts.kind.media_type,
        hash,
        mime: facts.kind.mime.into(),
        origin,
        method: facts.method,
        capture_id: facts.capture_id,
        participant: Some(facts.participant),
        latitude,
        longitude,
        claimed_latitude,
        claimed_longitude,
        lens: facts.lens,
        blob_name: stored.blob.as_str().into(),
        thumbnail_blob: stored.thumbnail.as_ref().map(|(name, ..)| name.as_str().into()),
        sharpness: stored.thumbnail.as_ref().and_then(|(.., sharp)| *sharp),
        thumbnail_hash: stored.thumbnail.as_ref().map(|(_, digest, _)| digest.sha256_hex()),
        size_bytes: i64::try_from(stored.size_bytes).unwrap_or(i64::MAX),
        duration_ms: facts.duration_ms,
        width: facts.width,
        height: facts.height,
        accuracy_m: facts.accuracy_m,
        label: None,
        note: None,
        shot: facts.shot,
        request_id,
        item_id,
        review: None,
        review_note: None,
        reviewed_by: None,
        reviewed_at: None,
        preview_blob: None,
        preview_hash: None,
        expired_at: None,
        captured_at: facts.captured_at,
        created_at: deps.sources.now(),
        device_at: facts.device_at,
        device_check: facts.signed.as_ref().map(|signed| signed.check),
        device_key: facts.signed.as_ref().and_then(|signed| signed.key.clone()),
        device_signature: facts.signed.and_then(|signed| signed.signature),
    };
    let row = media_items::insert(tx, item).await?;
    let track = conferences::append(tx, deps, id, track).await?;
    Ok(Written { row, track, conference })
}
