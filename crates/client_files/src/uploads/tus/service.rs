//! Creating an upload, receiving its bytes, reporting its offset, giving it up.

use super::super::model::{Upload, UploadState};
use super::super::{arrival, store};
use super::headers::{Checksum, Metadata};
use super::segments;
use super::turns::Turn;
use crate::FilesError;
use crate::error::Refusal;
use crate::requests::{self, Link};
use atalaya_assistance::Assistance;
use atalaya_assistance::media_items::delete_later;
use atalaya_blobs::{BlobWriter, DataKey};
use atalaya_cases::conferences;
use atalaya_cases::conferences::model::Wrong;
use atalaya_cases::conferences::vault;
use atalaya_kernel::{ConferenceId, limits};
use aws_lc_rs::digest::{Context, SHA1_FOR_LEGACY_USE_ONLY, SHA256};
use bytes::Bytes;
use chrono::{DateTime, Utc};
use futures::StreamExt;
use futures::stream::BoxStream;
use uuid::Uuid;

/// Bytes after which a segment is stored, so that a crash loses less than this.
const SEGMENT_BYTES: u64 = 4 << 20;
/// Bytes of all files of one request together at most.
const REQUEST_MAX_BYTES: i64 = 6 << 30;
/// Uploads that one request may begin, refused ones included.
const TRIES_MAX: u64 = 1000;
/// Characters of a file's name that are stored.
const NAME_MAX: usize = 200;

/// Begins an upload; with a known `uploadKey` it is the existing one (FILES-17).
///
/// Errors: `TUS_HEADER_INVALID`, `INVALID_FIELDS` for `item`, `TOO_MANY_FILES`, [`FilesError::Refused`].
pub async fn create(deps: &Assistance, link: &Link, size: i64, meta: &Metadata) -> Result<Upload, FilesError> {
    let key = meta.get("uploadKey").filter(|key| key.len() <= 100 && key.bytes().all(|b| b.is_ascii_graphic()));
    let key = key.map_or_else(|| deps.sources.hex::<16>(), str::to_owned);
    if let Some(begun) = store::find_upload_by_key(deps.db.read(), link.request.id, &key).await? {
        return again(begun, size);
    }
    let declared = meta.get("filetype").unwrap_or_default().to_ascii_lowercase();
    refuse_size(size, &declared)?;
    let items = requests::items_of(deps.db.read(), &[link.request.id]).await?.remove(&link.request.id).unwrap_or_default();
    let item_id = match (meta.get("item").map(Uuid::parse_str), items.as_slice()) {
        (Some(Ok(id)), all) if all.iter().any(|item| item.id == id) => id,
        (None, [only]) => only.id,
        (None, _) => return Err(Wrong { field: "item", code: "REQUIRED", max: None }.into()),
        _ => return Err(Wrong { field: "item", code: "INVALID", max: None }.into()),
    };
    let now = deps.sources.now();
    let side = |key| meta.get(key).and_then(|n| n.parse().ok()).filter(|n| (1..=100_000).contains(n));
    let row = Upload {
        id: deps.sources.uuid(),
        request_id: link.request.id,
        conference_id: link.conference.id,
        item_id,
        media_id: None,
        upload_key: key,
        name: meta.get("filename").unwrap_or_default().chars().filter(|c| !c.is_control()).take(NAME_MAX).collect(),
        declared_type: declared.chars().take(100).collect(),
        segments: String::new(),
        state: UploadState::Running,
        code: None,
        size_bytes: size,
        offset_bytes: 0,
        width: side("width"),
        height: side("height"),
        created_at: now,
        updated_at: now,
        captured_at: meta.get("capturedAt").and_then(|at| at.parse::<DateTime<Utc>>().ok()).filter(|at| *at <= now),
    };
    insert(deps, row, size).await
}

/// Inserts the row if there is still room. Two simultaneous creations with one key are one upload.
async fn insert(deps: &Assistance, row: Upload, size: i64) -> Result<Upload, FilesError> {
    let _turn = deps.turn_to_write().await;
    let tx = deps.db.write().await?;
    conferences::lock_living(&tx, ConferenceId(row.conference_id)).await?;
    requests::reload(&tx, row.request_id).await?.ok_or(FilesError::LinkUnknown)?;
    if let Some(begun) = store::find_upload_by_key(&*tx, row.request_id, &row.upload_key).await? {
        return again(begun, size);
    }
    let (files, bytes) = store::count_uploads(&*tx, row.request_id).await?;
    let tries = store::count_tries(&*tx, row.request_id).await?;
    let full = files >= limits::CLIENT_FILES_MAX as u64 || bytes + size > REQUEST_MAX_BYTES || tries >= TRIES_MAX;
    if full {
        return Err(FilesError::TooManyFiles);
    }
    let row = store::insert_upload(&tx, row).await?;
    tx.commit().await?;
    Ok(row)
}

/// An upload begun before, unless it has another length or was refused.
fn again(begun: Upload, size: i64) -> Result<Upload, FilesError> {
    match begun.code.as_deref().and_then(Refusal::parse) {
        Some(refusal) => Err(FilesError::Refused(refusal)),
        None if begun.size_bytes != size => Err(FilesError::Protocol("TUS_HEADER_INVALID")),
        None => Ok(begun),
    }
}

/// Whether a file of this size is acceptable at all; the rest is decided by its bytes.
fn refuse_size(size: i64, declared: &str) -> Result<(), FilesError> {
    let picture = declared.starts_with("image/") || declared == "application/pdf";
    let max = if picture { limits::UPLOAD_MAX_BYTES as u64 } else { limits::CLIENT_VIDEO_MAX_BYTES };
    match u64::try_from(size) {
        Ok(0) => Err(FilesError::Refused(Refusal::Empty)),
        Ok(size) if size <= max => Ok(()),
        _ => Err(FilesError::Refused(Refusal::TooLarge)),
    }
}

/// The current state of an upload. One that is complete but was not ended, because its last answer was lost, is ended now.
///
/// Errors: `UPLOAD_NOT_FOUND`, [`FilesError::Refused`].
pub async fn standing(deps: &Assistance, link: &Link, id: Uuid) -> Result<Upload, FilesError> {
    let row = find(deps, link, id).await?;
    match row.code.as_deref().and_then(Refusal::parse) {
        Some(refusal) => Err(FilesError::Refused(refusal)),
        None => end_when_whole(deps, row).await,
    }
}

async fn find(deps: &Assistance, link: &Link, id: Uuid) -> Result<Upload, FilesError> {
    store::find_upload(deps.db.read(), link.request.id, id).await?.ok_or(FilesError::UploadNotFound)
}

pub async fn end_when_whole(deps: &Assistance, mut row: Upload) -> Result<Upload, FilesError> {
    if row.state == UploadState::Running && row.offset_bytes == row.size_bytes {
        row.media_id = Some(arrival::finish(deps, &row).await?);
        row.state = UploadState::Accepted;
    }
    Ok(row)
}

/// The bytes of a request as they come; an error is a broken connection.
pub type Incoming = BoxStream<'static, Result<Bytes, BrokenConnection>>;

/// The connection ended before the body did.
#[derive(Debug)]
pub struct BrokenConnection;

/// A piece of a file, with what its request says about it.
pub struct Piece {
    pub offset: i64,
    /// Length of the body, when the request has one.
    pub length: Option<i64>,
    pub checksum: Option<Checksum>,
    pub body: Incoming,
}

/// Receives bytes from the upload's offset on. What arrived before the connection broke is kept (FILES-15).
///
/// Errors: `UPLOAD_NOT_FOUND`, `UPLOAD_OFFSET`, `UPLOAD_CHECKSUM`, [`FilesError::Refused`] when the complete file is
/// refused, or when more bytes arrive than were announced.
pub async fn take(deps: &Assistance, link: &Link, id: Uuid, turn: Turn, piece: Piece) -> Result<Upload, FilesError> {
    let row = find(deps, link, id).await?;
    if let Some(refusal) = row.code.as_deref().and_then(Refusal::parse) {
        return Err(FilesError::Refused(refusal));
    }
    if row.offset_bytes != piece.offset {
        return Err(FilesError::UploadOffset);
    }
    let left = row.size_bytes - row.offset_bytes;
    if piece.length.is_some_and(|length| length > left) {
        return Err(FilesError::Refused(Refusal::TooLarge));
    }
    let key = vault::unwrap(deps, link.id(), link.conference.data_key.as_deref()).await?;
    let mut intake = Intake::new(deps, row, key, piece.checksum);
    let read = intake.read(piece.body, &turn).await;
    let stored = intake.store().await;
    // The reason why it ended matters more than whether the rest could be stored.
    read?;
    stored?;
    end_when_whole(deps, intake.row).await
}

/// Bytes on their way into segments.
struct Intake<'a> {
    deps: &'a Assistance,
    row: Upload,
    key: DataKey,
    segment: Option<(String, BlobWriter)>,
    sum: Option<(Context, Checksum)>,
    /// The body was read to its end.
    whole: bool,
}

impl<'a> Intake<'a> {
    fn new(deps: &'a Assistance, row: Upload, key: DataKey, checksum: Option<Checksum>) -> Self {
        let sum = checksum.map(|wanted| {
            let algorithm = if wanted.sha256 { &SHA256 } else { &SHA1_FOR_LEGACY_USE_ONLY };
            (Context::new(algorithm), wanted)
        });
        Self { deps, row, key, segment: None, sum, whole: false }
    }

    /// Reads the body until its end, the upload's end, a broken connection, or another request's turn. One that comes too
    /// slowly breaks by itself (FILES-20).
    async fn read(&mut self, mut body: Incoming, turn: &Turn) -> Result<(), FilesError> {
        loop {
            let next = tokio::select! {
                biased;
                () = turn.stop.cancelled() => return Err(FilesError::UploadOffset),
                next = body.next() => next,
            };
            match next {
                None => {
                    self.whole = true;
                    return Ok(());
                }
                Some(Ok(bytes)) => self.write(bytes).await?,
                Some(Err(_)) => return Err(FilesError::Protocol("BODY_UNREADABLE")),
            }
        }
    }

    async fn write(&mut self, bytes: Bytes) -> Result<(), FilesError> {
        let under_way = self.segment.as_ref().map_or(0, |(_, writer)| writer.size_bytes());
        let left = u64::try_from(self.row.size_bytes - self.row.offset_bytes).unwrap_or(0).saturating_sub(under_way);
        if bytes.len() as u64 > left {
            return Err(FilesError::Refused(Refusal::TooLarge));
        }
        if let Some((context, _)) = &mut self.sum {
            context.update(&bytes);
        }
        let (_, writer) = match &mut self.segment {
            Some(segment) => segment,
            none => {
                let segment = self.deps.sources.hex::<8>();
                let name = segments::name(ConferenceId(self.row.conference_id), self.row.id, &segment)?;
                none.insert((segment, self.deps.blobs.create(&name, &self.key)))
            }
        };
        writer.write(&bytes).await?;
        // Bytes with a checksum are kept or dropped together (FILES-18).
        if writer.size_bytes() >= SEGMENT_BYTES && self.sum.is_none() {
            self.store().await?;
        }
        Ok(())
    }

    /// Names a stored segment in the upload's row. Errors: `UPLOAD_OFFSET`, `MEDIA_ERASED`.
    async fn grow(&mut self, segment: &str, bytes: i64) -> Result<(), FilesError> {
        let _turn = self.deps.turn_to_write().await;
        let tx = self.deps.db.write().await?;
        conferences::lock_living(&tx, ConferenceId(self.row.conference_id)).await?;
        if !store::grow(&tx, &self.row, segment, bytes, self.deps.sources.now()).await? {
            return Err(FilesError::UploadOffset);
        }
        Ok(tx.commit().await?)
    }

    /// Makes what arrived durable and advances the offset. Errors: `UPLOAD_CHECKSUM`, `UPLOAD_OFFSET`.
    async fn store(&mut self) -> Result<(), FilesError> {
        if let Some((context, wanted)) = self.sum.take() {
            let right = context.finish().as_ref() == wanted.sum;
            if !(right && self.whole) {
                self.segment = None;
                return if self.whole { Err(FilesError::Checksum) } else { Ok(()) };
            }
        }
        let Some((segment, writer)) = self.segment.take() else { return Ok(()) };
        let bytes = i64::try_from(writer.size_bytes()).unwrap_or(0);
        writer.finish().await?;
        if let Err(error) = self.grow(&segment, bytes).await {
            // No row names it.
            let name = segments::name(ConferenceId(self.row.conference_id), self.row.id, &segment)?;
            self.deps.blobs.delete(&name).await?;
            return Err(error);
        }
        self.row.offset_bytes += bytes;
        self.row.segments = format!("{} {segment}", self.row.segments).trim_start().to_owned();
        Ok(())
    }
}

/// Gives an upload up and deletes its bytes. What became a media item stays. Errors: `UPLOAD_NOT_FOUND`.
pub async fn terminate(deps: &Assistance, link: &Link, id: Uuid) -> Result<(), FilesError> {
    let row = find(deps, link, id).await?;
    if row.state == UploadState::Accepted {
        return Err(FilesError::UploadNotFound);
    }
    abandon(deps, &row).await
}

/// Marks an upload as given up, together with the bytes to delete, so that a crash only delays their deletion.
pub async fn abandon(deps: &Assistance, row: &Upload) -> Result<(), FilesError> {
    let tx = deps.db.write().await?;
    if !store::cancel_upload(&tx, row.id, deps.sources.now()).await? {
        return Err(FilesError::UploadNotFound);
    }
    let bytes = segments::folder(row)?.as_str().to_owned();
    delete_later(&tx, &deps.sources, ConferenceId(row.conference_id), [(bytes, true)]).await?;
    tx.commit().await?;
    segments::discard(deps, row).await;
    Ok(())
}
