//! Shapes of the public API: few fields, which are stable.

use super::model::ConferenceStatus;
use crate::Integrations;
use atalaya_assistance::media_items::MediaItem;
use atalaya_cases::conferences::Conference;
use atalaya_kernel::{ConferenceId, MediaId, UserId};
use atalaya_records::measures::{MeasureView, MeasuredPlane, Reference, ShapeKind};
use chrono::{DateTime, Utc};
use serde::Serialize;
use utoipa::ToSchema;

/// A conference as programs see it.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = ExtConference)]
#[serde(rename_all = "camelCase")]
pub struct ExtConference {
    #[serde(rename = "_id")]
    pub id: ConferenceId,
    pub expedient_number: String,
    /// What the program that opened it calls it.
    pub external_id: Option<String>,
    /// 1 Autos, 2 Diversos.
    #[serde(rename = "type")]
    pub conference_type: i16,
    pub status: ConferenceStatus,
    /// The end client's link.
    pub link: String,
    /// The adjuster's page, for whoever is logged in.
    pub adjuster_url: String,
    pub contact_person: Option<String>,
    /// E.164.
    pub phone_number: String,
    pub car_id: Option<String>,
    pub worker: ExtWorker,
    pub created_at: DateTime<Utc>,
    /// Until when the link opens.
    pub link_expires_at: DateTime<Utc>,
    pub closed_at: Option<DateTime<Utc>>,
    /// Seconds in which both sides were connected together; null before the client's first connection.
    pub duration_seconds: Option<i64>,
    pub files: ExtFileCounts,
}

/// Whose conference it is.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = ExtWorker)]
pub struct ExtWorker {
    #[serde(rename = "_id")]
    pub id: UserId,
    pub name: String,
}

/// How many files it has.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = ExtFileCounts)]
pub struct ExtFileCounts {
    pub pictures: u32,
    pub videos: u32,
    pub documents: u32,
}

impl ExtConference {
    pub fn of(deps: &Integrations, row: &Conference, external_id: Option<String>) -> Self {
        let projection = row.projection();
        Self {
            id: ConferenceId(row.id),
            expedient_number: row.expedient_number.clone(),
            external_id,
            conference_type: row.conference_type.into(),
            status: ConferenceStatus::of(row, deps.sources.now()),
            link: deps.link(row),
            adjuster_url: format!("{}/conference/{}", deps.public_url, row.id),
            contact_person: row.contact_person.clone(),
            phone_number: row.phone_number.clone(),
            car_id: row.car_id.clone(),
            worker: ExtWorker { id: UserId(row.user_id), name: row.user_name.clone() },
            created_at: row.created_at,
            link_expires_at: row.expired_at,
            closed_at: row.closed_at,
            duration_seconds: row.duration_s,
            files: ExtFileCounts { pictures: projection.pictures, videos: projection.videos, documents: projection.documents },
        }
    }
}

/// A file as programs see it.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = ExtMedia)]
#[serde(rename_all = "camelCase")]
pub struct ExtMedia {
    #[serde(rename = "_id")]
    pub id: MediaId,
    pub conference_id: ConferenceId,
    /// PICTURE, VIDEO or DOCUMENT.
    #[serde(rename = "type")]
    pub media_type: String,
    pub file_name: String,
    pub mime: String,
    /// Bytes.
    pub size: i64,
    /// Of the bytes that `contentUrl` answers, in hex.
    pub sha256: String,
    pub captured_at: DateTime<Utc>,
    pub created_at: DateTime<Utc>,
    /// Degrees, six decimals; null when the device did not tell.
    pub latitude: Option<String>,
    pub longitude: Option<String>,
    /// Metres.
    pub accuracy: Option<i32>,
    pub label: Option<String>,
    /// The request for files that it answers.
    pub request_id: Option<uuid::Uuid>,
    /// The bytes are gone because their time was over; the hash stays.
    pub expired: bool,
    /// Where the bytes are, with the same key.
    pub content_url: String,
    /// Lengths and areas that were measured on a picture.
    pub measures: Vec<ExtMeasure>,
}

/// A length or an area that was measured on a picture, by something of known size in it.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = ExtMeasure)]
#[serde(rename_all = "camelCase")]
pub struct ExtMeasure {
    pub reference: Reference,
    pub kind: ShapeKind,
    /// Millimetres of a length, square millimetres of an area.
    pub value: f64,
    /// In the same unit: the true value lies within `value ± error` 95 times in 100.
    pub error: f64,
    /// The lens is so wide that values near the border can be wrong by more than they say.
    pub wide_lens: bool,
}

impl ExtMeasure {
    /// Those of one picture, in the order in which they are numbered on it.
    pub fn all(planes: &[MeasuredPlane]) -> Vec<Self> {
        let of = |plane: &MeasuredPlane| {
            let (reference, wide_lens) = (plane.reference, plane.wide);
            plane
                .shapes
                .iter()
                .map(move |shape| Self { reference, kind: shape.kind, value: shape.value, error: shape.error, wide_lens })
                .collect::<Vec<_>>()
        };
        planes.iter().flat_map(of).collect()
    }
}

impl ExtMedia {
    /// `expired`: the files of the conference have expired, whether or not the job has deleted them.
    pub fn of(deps: &Integrations, row: &MediaItem, expired: bool, measured: &[MeasureView]) -> Self {
        let planes = measured.iter().find(|one| one.media_id == row.id).map_or(&[][..], |one| one.planes.as_slice());
        Self {
            id: MediaId(row.id),
            conference_id: ConferenceId(row.conference_id),
            media_type: row.media_type.wire().to_owned(),
            file_name: row.original_file_name.clone(),
            mime: row.mime.clone(),
            size: row.size_bytes,
            sha256: row.hash.clone(),
            captured_at: row.captured_at,
            created_at: row.created_at,
            latitude: row.latitude.clone(),
            longitude: row.longitude.clone(),
            accuracy: row.accuracy_m,
            label: row.label.clone(),
            request_id: row.request_id,
            expired: expired || row.expired_at.is_some(),
            content_url: format!("{}/ext-api/v1/media/{}/content", deps.public_url, row.id),
            measures: ExtMeasure::all(planes),
        }
    }
}
