//! Where the client was: its position fixes, and where its files were taken. Pure.

use super::model::{Known, PlaceView};
use crate::media_items::MediaItem;
use atalaya_cases::evidence::Track;
use atalaya_kernel::events::TrackType;
use chrono::{DateTime, Utc};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

/// One known place.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PositionView {
    pub at: DateTime<Utc>,
    /// Degrees, WGS 84.
    pub latitude: f64,
    pub longitude: f64,
    /// Metres.
    pub accuracy: Option<i64>,
    /// The file that was taken there.
    pub media_id: Option<Uuid>,
    /// What it says about the insured place.
    #[serde(flatten)]
    pub place: PlaceView,
}

/// Fixes of the client's device and places of files, in order of time. What was erased is not there.
pub fn positions(tracks: &[Track], media: &[MediaItem], known: &Known) -> Vec<PositionView> {
    let fixes = tracks.iter().filter(|track| track.track_type == TrackType::GeoFix).filter_map(|track| {
        let (latitude, longitude) = track.data.get("position")?.as_str()?.split_once(',')?;
        let (latitude, longitude) = (latitude.parse().ok()?, longitude.parse().ok()?);
        Some(PositionView {
            at: track.at,
            latitude,
            longitude,
            place: known.view(latitude, longitude),
            accuracy: track.data.get("accuracyM").and_then(|metres| metres.as_i64()),
            media_id: None,
        })
    });
    let places = media.iter().filter_map(|item| {
        let latitude = item.latitude.as_deref()?.parse().ok()?;
        let longitude = item.longitude.as_deref()?.parse().ok()?;
        Some(PositionView {
            at: item.captured_at,
            latitude,
            longitude,
            place: known.view(latitude, longitude),
            accuracy: item.accuracy_m.map(i64::from),
            media_id: Some(item.id),
        })
    });
    let mut all: Vec<PositionView> = fixes.chain(places).collect();
    all.sort_by_key(|position| position.at);
    all
}
