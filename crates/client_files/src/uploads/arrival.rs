//! A complete upload becomes a media item or is refused; its bytes decide what it is (FILES-21).

use super::model::{Upload, UploadState};
use super::{pdf, store, tus};
use crate::FilesError;
use crate::error::Refusal;
use crate::requests::model::LinkState;
use crate::requests::{self, Item, state_of, tell_files};
use atalaya_assistance::Assistance;
use atalaya_assistance::media::exif;
use atalaya_assistance::media::service::{Answers, Facts, Stored, write_row};
use atalaya_assistance::media::thumbnails::NoPicture;
use atalaya_assistance::media::{thumbnails, videos};
use atalaya_assistance::media_items::kinds::tidy_name;
use atalaya_assistance::media_items::{FileKind, MediaType, Origin};
use atalaya_blobs::DataKey;
use atalaya_cases::conferences;
use atalaya_cases::conferences::vault;
use atalaya_cases::evidence::Actor;
use atalaya_kernel::{ConferenceId, limits};
use bytes::{Bytes, BytesMut};
use chrono::TimeDelta;
use futures::StreamExt;
use std::sync::LazyLock;
use tokio::sync::Semaphore;
use uuid::Uuid;

/// How long the requester's e-mail waits, so that several files are one message.
const GATHER_FILES: TimeDelta = TimeDelta::minutes(2);
/// Bytes that are enough to recognise a file's kind.
const HEAD_BYTES: usize = 8 << 10;

/// A file is inspected whole, in memory: three at a time need at most 75 MiB, however many arrive.
static ARRIVALS: LazyLock<Semaphore> = LazyLock::new(|| Semaphore::new(3));

/// What was found out about a file's content.
struct Content {
    kind: FileKind,
    stored: Stored,
    width: Option<u32>,
    height: Option<u32>,
    duration_ms: Option<u64>,
    claimed: Option<(String, String)>,
}

/// Ends a complete upload and answers its media item. Idempotent.
///
/// Errors: [`FilesError::Refused`], `LINK_EXPIRED` when the request was cancelled meanwhile.
pub async fn finish(deps: &Assistance, row: &Upload) -> Result<Uuid, FilesError> {
    let _permit = ARRIVALS.acquire().await.map_err(|_| FilesError::UploadNotFound)?;
    let id = ConferenceId(row.conference_id);
    let key = vault::data_key(deps, id).await?;
    match look(deps, row, &key).await {
        Ok(content) => {
            let media = accept(deps, row, content).await?;
            tus::segments::discard(deps, row).await;
            Ok(media)
        }
        Err(FilesError::Refused(refusal)) => {
            refuse(deps, row, refusal).await?;
            Err(FilesError::Refused(refusal))
        }
        Err(error) => Err(error),
    }
}

/// Recognises the file and stores it unchanged.
async fn look(deps: &Assistance, row: &Upload, key: &DataKey) -> Result<Content, FilesError> {
    let refused = |refusal| Err(FilesError::Refused(refusal));
    let head = first_bytes(deps, row, key, HEAD_BYTES).await?;
    let Some(kind) = FileKind::of(&head) else { return refused(Refusal::TypeNotSupported) };
    let size = usize::try_from(row.size_bytes).unwrap_or(usize::MAX);
    if size > limits::UPLOAD_MAX_BYTES {
        return match kind.media_type {
            MediaType::Video => stream(deps, row, key, kind).await,
            _ => refused(Refusal::TooLarge),
        };
    }
    let bytes = first_bytes(deps, row, key, size).await?;
    let (mut width, mut height, mut duration_ms, mut thumbnail) = (None, None, None, None);
    match kind.media_type {
        MediaType::Document if pdf::is_active(&bytes) => return refused(Refusal::PdfActiveContent),
        MediaType::Document => {}
        // Nothing here can decode it: its preview comes from the sender's browser (FILES-23).
        MediaType::Picture if kind.extension == "heic" => {}
        MediaType::Picture => match thumbnails::look(bytes.clone()).await {
            Ok(looked) => (width, height, thumbnail) = (Some(looked.width), Some(looked.height), Some(looked.thumbnail)),
            Err(NoPicture::TooBig) => return refused(Refusal::PictureTooBig),
            Err(NoPicture::Unreadable) => return refused(Refusal::NotAPicture),
        },
        MediaType::Video => {
            let shape = if kind.extension == "webm" { videos::measure(bytes.clone()).await } else { None };
            if let Some(shape) = shape {
                (width, height, duration_ms) = (Some(shape.width), Some(shape.height), Some(shape.duration_ms));
            }
        }
    }
    let id = ConferenceId(row.conference_id);
    let stored = Stored::write(deps, id, kind, &bytes, thumbnail.as_deref()).await?;
    // Also of a HEIC picture, which nothing here can decode.
    let claimed = if kind.media_type == MediaType::Picture { exif::claimed_position(bytes).await } else { None };
    Ok(Content { kind, stored, width, height, duration_ms, claimed })
}

/// The beginning of an upload, at most `max` bytes of it.
async fn first_bytes(deps: &Assistance, row: &Upload, key: &DataKey, max: usize) -> Result<Bytes, FilesError> {
    let mut content = tus::segments::content(deps, row, key)?;
    let mut bytes = BytesMut::with_capacity(max.min(usize::try_from(row.size_bytes).unwrap_or(0)));
    while bytes.len() < max
        && let Some(piece) = content.next().await
    {
        bytes.extend_from_slice(&piece?);
    }
    bytes.truncate(max);
    Ok(bytes.freeze())
}

/// Stores a long video without holding it in memory.
async fn stream(deps: &Assistance, row: &Upload, key: &DataKey, kind: FileKind) -> Result<Content, FilesError> {
    let id = ConferenceId(row.conference_id);
    let filename = format!("{}.{}", deps.sources.hex::<16>(), kind.extension);
    let blob = vault::blob_name(id, &filename)?;
    let mut writer = deps.blobs.create(&blob, key);
    let mut content = tus::segments::content(deps, row, key)?;
    while let Some(piece) = content.next().await {
        writer.write(&piece?).await?;
    }
    let size_bytes = writer.size_bytes();
    let digest = writer.finish().await?;
    let stored = Stored { filename, blob, digest, size_bytes, thumbnail: None };
    Ok(Content { kind, stored, width: None, height: None, duration_ms: None, claimed: None })
}

fn facts(deps: &Assistance, row: &Upload, thing: Option<&Item>, content: &Content) -> Facts {
    let stem = match row.name.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem,
        _ => row.name.as_str(),
    };
    let side = |measured: Option<u32>, told: Option<i32>| measured.and_then(|n| i32::try_from(n).ok()).or(told);
    Facts {
        kind: content.kind,
        original_file_name: tidy_name(&format!("{stem}.x"), content.kind.extension),
        width: side(content.width, row.width),
        height: side(content.height, row.height),
        duration_ms: content.duration_ms.and_then(|ms| i64::try_from(ms).ok()),
        origin: Origin::Request,
        method: Some("file".into()),
        // Makes the upload one item, however often this is repeated.
        capture_id: Some(format!("upload-{}", row.id)),
        participant: "client".into(),
        lens: None,
        position: None,
        claimed: content.claimed.clone(),
        accuracy_m: None,
        device_at: row.captured_at,
        captured_at: deps.sources.now(),
        recording_id: None,
        shot: thing.and_then(|thing| thing.shot.clone()),
        answers: Some(Answers { request: row.request_id, item: row.item_id }),
        signed: None,
    }
}

/// Media item, track, item and upload in one transaction; then the screens are notified.
async fn accept(deps: &Assistance, row: &Upload, content: Content) -> Result<Uuid, FilesError> {
    match write(deps, row, &content).await {
        Ok(media) => Ok(media),
        Err(error) => {
            content.stored.discard(deps).await;
            Err(error)
        }
    }
}

async fn write(deps: &Assistance, row: &Upload, content: &Content) -> Result<Uuid, FilesError> {
    let id = ConferenceId(row.conference_id);
    let things = requests::items_of(deps.db.read(), &[row.request_id]).await?.remove(&row.request_id).unwrap_or_default();
    let thing = things.iter().find(|thing| thing.id == row.item_id);
    let turn = deps.turn_to_write().await;
    let tx = deps.db.write().await?;
    let conference = conferences::lock_living(&tx, id).await?;
    let mut request = requests::reload(&tx, row.request_id).await?.ok_or(FilesError::UploadNotFound)?;
    // What was begun before the client finished may still arrive (FILES-8).
    if !matches!(state_of(&request, &conference, deps.sources.now()), LinkState::Open | LinkState::Finished) {
        return Err(FilesError::LinkOver);
    }
    let written = write_row(deps, &tx, id, &content.stored, facts(deps, row, thing, content), Actor::Client).await?;
    requests::receive(&tx, row.item_id).await?;
    store::end_upload(&tx, row.id, UploadState::Accepted, None, Some(written.row.id)).await?;
    if request.notify && request.notify_at.is_none() {
        request.notify_at = Some(deps.sources.now() + GATHER_FILES);
        requests::update(&tx, &request).await?;
    }
    tx.commit().await?;
    drop(turn);
    written.tell(deps, id).await;
    tell_files(deps, id, row.request_id, Some(row.item_id), Some(written.row.id), "received");
    tracing::info!(conference.id = %id, request.id = %row.request_id, bytes = row.size_bytes, "file received");
    Ok(written.row.id)
}

async fn refuse(deps: &Assistance, row: &Upload, refusal: Refusal) -> Result<(), FilesError> {
    let tx = deps.db.write().await?;
    store::end_upload(&tx, row.id, UploadState::Refused, Some(refusal.code()), None).await?;
    tx.commit().await?;
    tus::segments::discard(deps, row).await;
    tell_files(deps, ConferenceId(row.conference_id), row.request_id, Some(row.item_id), None, "refused");
    tracing::info!(request.id = %row.request_id, code = refusal.code(), "file refused");
    Ok(())
}
