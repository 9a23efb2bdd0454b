//! Pictures of a case as a document prints them: upright JPEGs of a moderate size, with what is known of each.

use super::{thumbnails, view};
use crate::Assistance;
use crate::media_items::{self, MediaItem, MediaType};
use atalaya_blobs::{BlobName, DataKey};
use atalaya_cases::conferences::ConferenceError;
use atalaya_checks::place;
use atalaya_kernel::ConferenceId;
use chrono::{DateTime, Utc};
use futures::{StreamExt, TryStreamExt};
use std::collections::HashMap;
use uuid::Uuid;

/// Longest side in pixels: 112 mm at 270 dots per inch.
const SIDE: u32 = 1_200;
/// Pictures that are opened at a time; more would only wait for the decoders.
const AT_ONCE: usize = 3;

/// A picture with what a document says of it.
pub struct Printable {
    pub id: Uuid,
    pub name: String,
    /// What staff called it.
    pub label: Option<String>,
    pub note: Option<String>,
    pub captured_at: DateTime<Utc>,
    /// What the client's device that took it calls itself.
    pub device: Option<String>,
    /// `40.416800, -3.703800`.
    pub position: Option<String>,
    pub accuracy_m: Option<i32>,
    /// Of the original, in hexadecimal.
    pub sha256: String,
    /// Its term is over; only its digest is kept.
    pub expired: bool,
    /// `None` also for a format that cannot be drawn.
    pub jpeg: Option<Vec<u8>>,
}

/// The pictures of a conference in order of capture, `most` of them, and how many there are.
pub async fn of_case(
    deps: &Assistance,
    id: ConferenceId,
    key: &DataKey,
    most: usize,
) -> Result<(Vec<Printable>, usize), ConferenceError> {
    let mut items = media_items::list(deps.db.read(), id).await?;
    items.retain(|item| item.media_type == MediaType::Picture);
    items.sort_by_key(|item| (item.captured_at, item.id));
    let total = items.len();
    items.truncate(most);
    let devices = view::device_names(deps, id).await?;
    let drawn = futures::stream::iter(items).map(|item| printable(deps, item, key, &devices)).buffered(AT_ONCE);
    Ok((drawn.try_collect().await?, total))
}

async fn printable(
    deps: &Assistance,
    item: MediaItem,
    key: &DataKey,
    devices: &HashMap<String, String>,
) -> Result<Printable, ConferenceError> {
    let expired = item.expired_at.is_some();
    // A preview stands for what cannot be decoded here; it is smaller too.
    let blob = item.preview_blob.as_ref().unwrap_or(&item.blob_name);
    let jpeg = if expired { None } else { draw(deps, blob, key).await? };
    Ok(Printable {
        id: item.id,
        position: item.latitude.as_ref().zip(item.longitude.as_ref()).and_then(|(north, east)| place::coordinates(north, east)),
        name: item.original_file_name,
        label: item.label,
        note: item.note,
        captured_at: item.captured_at,
        device: item.participant.and_then(|identity| devices.get(&identity).cloned()),
        accuracy_m: item.accuracy_m,
        sha256: item.hash,
        expired,
        jpeg,
    })
}

async fn draw(deps: &Assistance, blob: &str, key: &DataKey) -> Result<Option<Vec<u8>>, ConferenceError> {
    let name = BlobName::new(blob.to_owned())?;
    let parts: Vec<bytes::Bytes> = deps.blobs.get(&name, key).await?.stream().try_collect().await?;
    Ok(thumbnails::scale(parts.concat().into(), SIDE).await.ok())
}
