//! Lines of reports on the wire.

use super::model::plain;
use atalaya_assistance::media::MediaView;
use atalaya_assistance::media_items::MediaItem;
use atalaya_cases::conferences::CaseLine;
use atalaya_cases::conferences::view::MessageView;
use atalaya_cases::evidence::PlainTrack;
use atalaya_messaging::Message;
use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;
use uuid::Uuid;

/// A message that was sent for a conference.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ReportedLog {
    #[serde(rename = "_id")]
    pub id: Uuid,
    pub at: DateTime<Utc>,
    pub company: String,
    /// Who opened the conference.
    pub user: String,
    pub expedient_number: String,
    pub conference_id: Option<Uuid>,
    /// `sms`, `email` or `whatsapp`.
    pub channel: String,
    /// Masked.
    pub to: String,
    pub purpose: String,
    pub state: String,
    pub error: Option<String>,
}

impl ReportedLog {
    pub fn of(message: &Message, case: Option<&CaseLine>) -> Self {
        let view = MessageView::from(message);
        Self {
            id: view.id,
            at: view.created_at,
            company: case.map(|case| case.customer_name.clone()).unwrap_or_default(),
            user: case.map(|case| case.user_name.clone()).unwrap_or_default(),
            expedient_number: case.map(|case| case.expedient_number.clone()).unwrap_or_default(),
            conference_id: message.conference_id.map(|id| id.0),
            channel: view.channel,
            to: view.to,
            purpose: message.purpose.clone(),
            state: view.state,
            error: view.error,
        }
    }
}

/// A track without personal values.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ReportedTrack {
    #[serde(rename = "_id")]
    pub id: Uuid,
    pub at: DateTime<Utc>,
    #[serde(rename = "type")]
    pub track_type: String,
    /// `user:{id}`, `client` or `system`.
    pub actor: String,
    pub conference_id: Uuid,
    pub expedient_number: String,
    pub company: String,
    #[schema(value_type = Object)]
    pub data: Map<String, Value>,
}

impl ReportedTrack {
    pub fn of(track: PlainTrack, case: Option<&CaseLine>) -> Self {
        Self {
            id: track.id,
            at: track.at,
            track_type: track.track_type,
            actor: track.actor,
            conference_id: track.conference,
            expedient_number: case.map(|case| case.expedient_number.clone()).unwrap_or_default(),
            company: case.map(|case| case.customer_name.clone()).unwrap_or_default(),
            data: plain(track.data),
        }
    }
}

/// A media item with whose it is.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ReportedMedia {
    #[serde(flatten)]
    pub media: MediaView,
    pub company: String,
    pub user_name: String,
}

impl ReportedMedia {
    pub fn of(item: &MediaItem, case: Option<&CaseLine>) -> Self {
        let (number, seen) = case.map_or(("", None), |case| (case.expedient_number.as_str(), case.media_seen_at));
        Self {
            media: MediaView::of(item, number, seen),
            company: case.map(|case| case.customer_name.clone()).unwrap_or_default(),
            user_name: case.map(|case| case.user_name.clone()).unwrap_or_default(),
        }
    }
}

/// A company that has opened conferences.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct CustomerCount {
    #[serde(rename = "_id")]
    pub id: Uuid,
    pub company: String,
    pub conferences: u64,
    pub autos: u64,
    pub diversos: u64,
    pub last_at: DateTime<Utc>,
}
