//! Sends a file in one piece, the same way as a phone does; for the example data.

use super::tus::headers::Metadata;
use super::tus::service::{self, Piece};
use super::tus::turns::Turns;
use crate::FilesError;
use crate::requests::{self, Link};
use atalaya_assistance::Assistance;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use futures::StreamExt;
use uuid::Uuid;

/// Sends a file for the `nth` item of a request.
///
/// Errors: as those of an upload.
pub async fn send(deps: &Assistance, request: Uuid, nth: usize, name: &str, bytes: &'static [u8]) -> Result<(), FilesError> {
    let found = requests::find(deps.db.read(), atalaya_cases::conferences::Scope::All, request).await?;
    let (row, _) = found.ok_or(FilesError::RequestNotFound)?;
    let link = Link::open(deps, &row.token).await?;
    let items = requests::items_of(deps.db.read(), &[request]).await?.remove(&request).unwrap_or_default();
    let item = items.get(nth).ok_or(FilesError::RequestNotFound)?.id.to_string();
    let pair = |key: &str, value: &str| format!("{key} {}", STANDARD.encode(value));
    let meta = Metadata::parse(&format!("{},{}", pair("filename", name), pair("item", &item)))?;
    let size = i64::try_from(bytes.len()).unwrap_or(i64::MAX);
    let upload = service::create(deps, &link, size, &meta).await?;
    let turn = Turns::default().take(upload.id).await;
    let piece = Piece {
        offset: 0,
        length: Some(size),
        checksum: None,
        body: futures::stream::iter([Ok(Bytes::from_static(bytes))]).boxed(),
    };
    service::take(deps, &link, upload.id, turn, piece).await?;
    Ok(())
}
