//! Retention, erasure, export, labels of media. By hand from SPEC §6 and DESIGN §4, §10.

use super::table::Access::ReadConference;
use super::table::{Row, hiding, row};
use super::world::{Ask, Needs::Media};
use serde_json::json;

pub const ROWS: &[Row] = &[hiding(
    row("PUT /api/v1/media/{id}", ReadConference, Media, |w| {
        Ask::put(format!("/api/v1/media/{}", w.picture_id), json!({"media": {"label": "Frontal"}}))
    }),
    "MEDIA_NOT_FOUND",
)];
