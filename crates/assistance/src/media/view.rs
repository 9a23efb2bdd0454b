//! A media item on the wire.

use crate::Assistance;
use crate::client_devices;
use crate::media_items::MediaItem;
use crate::places::{self, Known, PlaceView};
use atalaya_cases::conferences::{Conference, ConferenceError};
use atalaya_kernel::{ConferenceId, Role};
use chrono::{DateTime, Utc};
use serde::Serialize;
use std::collections::HashMap;
use utoipa::ToSchema;
use uuid::Uuid;

/// A media item on the wire.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MediaView {
    #[serde(rename = "_id")]
    pub id: Uuid,
    pub filename: String,
    pub original_file_name: String,
    #[serde(rename = "type")]
    pub media_type: String,
    /// SHA-256 of the original, in hex.
    pub hash: String,
    pub is_new_media: bool,
    pub expedient_number: String,
    pub conference_id: Uuid,
    pub mime: String,
    pub size: i64,
    pub width: Option<i32>,
    pub height: Option<i32>,
    pub duration_ms: Option<i64>,
    pub captured_at: DateTime<Utc>,
    /// The device's own clock at the capture, if it sent it.
    pub device_at: Option<DateTime<Utc>>,
    pub created_at: DateTime<Utc>,
    pub origin: String,
    pub method: Option<String>,
    /// Six decimals.
    pub latitude: Option<String>,
    pub longitude: Option<String>,
    /// Metres.
    pub accuracy: Option<i32>,
    /// What that position says about the insured place.
    pub place: Option<PlaceView>,
    /// The position that the file itself claims (EXIF), which anybody can write; six decimals.
    pub claimed_latitude: Option<String>,
    pub claimed_longitude: Option<String>,
    pub claimed_place: Option<PlaceView>,
    pub lens: Option<String>,
    pub participant: Option<String>,
    /// What the client's device that sent it calls itself.
    pub device: Option<String>,
    pub url: String,
    pub thumbnail: Option<String>,
    /// A name given by staff; at most 60 characters.
    pub label: Option<String>,
    /// A note of staff; at most 500 characters.
    pub note: Option<String>,
    /// Key of the shot of the list that it is.
    pub shot: Option<String>,
    /// The file was deleted because its retention ended; the hash stays.
    pub expired: bool,
    /// `approved` or `rejected` by the requester; null until then, and for files that were not requested.
    pub review: Option<String>,
    /// The requester's note to the client about it.
    pub review_note: Option<String>,
    /// The request that it answers.
    pub request_id: Option<Uuid>,
    /// The item of that request.
    pub item_id: Option<Uuid>,
    /// A JPEG of a picture that browsers may not open (HEIC), made by the sender's browser.
    pub preview: Option<String>,
    /// The signature of the client's device that took it: `valid`, `invalid` or `unsigned`; null for every other file.
    pub device_signature: Option<String>,
}

/// A file as open screens are told of it. The names of its place and its device may be missing, the file never.
pub(super) async fn told(deps: &Assistance, case: &Conference, row: &MediaItem, seen_at: Option<DateTime<Utc>>) -> MediaView {
    let view = MediaView::of(row, &case.expedient_number, seen_at);
    match named(deps, case, view.clone()).await {
        Ok(view) => view,
        Err(error) => {
            tracing::warn!(conference.id = %case.id, %error, "place and device of a file could not be named");
            view
        }
    }
}

/// Files of a conference with their places and devices.
pub(super) async fn list(deps: &Assistance, case: &Conference, items: &[MediaItem]) -> Result<Vec<MediaView>, ConferenceError> {
    let known = places::service::known(deps, case).await?;
    let devices = device_names(deps, ConferenceId(case.id)).await?;
    let view = |item| MediaView::of(item, &case.expedient_number, case.media_seen_at).placed(&known).sent_by(&devices);
    Ok(items.iter().map(view).collect())
}

/// What the devices of a conference call themselves, by their identity in the media room.
pub(super) async fn device_names(deps: &Assistance, id: ConferenceId) -> Result<HashMap<String, String>, ConferenceError> {
    Ok(client_devices::device_names(deps.db.read(), id).await?)
}

async fn named(deps: &Assistance, case: &Conference, view: MediaView) -> Result<MediaView, ConferenceError> {
    let devices = device_names(deps, ConferenceId(case.id)).await?;
    Ok(view.placed(&places::service::known(deps, case).await?).sent_by(&devices))
}

impl MediaView {
    pub fn of(row: &MediaItem, expedient_number: &str, seen_at: Option<DateTime<Utc>>) -> Self {
        let url = format!("/{}/{}", row.media_type.folder(), row.filename);
        Self {
            id: row.id,
            filename: row.filename.clone(),
            original_file_name: row.original_file_name.clone(),
            media_type: row.media_type.wire().to_owned(),
            hash: row.hash.clone(),
            is_new_media: seen_at.is_none_or(|seen| row.created_at > seen),
            expedient_number: expedient_number.to_string(),
            conference_id: row.conference_id,
            mime: row.mime.clone(),
            size: row.size_bytes,
            width: row.width,
            height: row.height,
            duration_ms: row.duration_ms,
            captured_at: row.captured_at,
            device_at: row.device_at,
            created_at: row.created_at,
            origin: row.origin.wire().to_owned(),
            method: row.method.clone(),
            latitude: row.latitude.clone(),
            longitude: row.longitude.clone(),
            accuracy: row.accuracy_m,
            place: None,
            claimed_latitude: row.claimed_latitude.clone(),
            claimed_longitude: row.claimed_longitude.clone(),
            claimed_place: None,
            lens: row.lens.clone(),
            participant: row.participant.clone(),
            device: None,
            thumbnail: row.thumbnail_blob.as_ref().map(|_| format!("{url}?thumb=1")),
            device_signature: row.device_check.map(|check| check.wire().to_owned()),
            preview: row.preview_blob.as_ref().map(|_| format!("{url}?preview=1")),
            url,
            label: row.label.clone(),
            note: row.note.clone(),
            shot: row.shot.clone(),
            expired: row.expired_at.is_some(),
            review: row.review.map(|review| review.wire().to_owned()),
            review_note: row.review_note.clone(),
            request_id: row.request_id,
            item_id: row.item_id,
        }
        .gone(row.expired_at.is_some())
    }

    /// With what its positions say about the insured place.
    pub fn placed(mut self, known: &Known) -> Self {
        self.place = known.view_of(self.latitude.as_deref(), self.longitude.as_deref());
        self.claimed_place = known.view_of(self.claimed_latitude.as_deref(), self.claimed_longitude.as_deref());
        self
    }

    /// With the name of the device that sent it, out of [`client_devices::device_names`].
    pub fn sent_by(mut self, devices: &HashMap<String, String>) -> Self {
        self.device = self.participant.as_ref().and_then(|identity| devices.get(identity)).cloned();
        self
    }

    /// As the caller may see it: the repair side sees the file, but not where it was taken, who sent it or what the customer
    /// wrote about it (REQUEST-20).
    pub fn shown_to(self, role: Role) -> Self {
        if !role.is_repair_side() {
            return self;
        }
        Self {
            is_new_media: false,
            latitude: None,
            longitude: None,
            accuracy: None,
            place: None,
            claimed_latitude: None,
            claimed_longitude: None,
            claimed_place: None,
            participant: None,
            device: None,
            label: None,
            note: None,
            review_note: None,
            request_id: None,
            item_id: None,
            ..self
        }
    }

    /// The same for a conference whose files have expired, whether or not the hourly job has deleted them.
    pub fn gone(mut self, expired: bool) -> Self {
        if expired {
            self.expired = true;
            self.thumbnail = None;
            self.preview = None;
        }
        self
    }
}
