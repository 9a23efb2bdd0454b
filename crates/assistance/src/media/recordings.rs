//! A recording's spool file becomes a video of the case: made seekable, sealed, registered.
//!
//! *Invariant:* the spool file is deleted only after its video is stored, so that a crash in between loses nothing
//! (STORE-4).

use super::service::{Facts, MediaError, Stored, register};
use crate::Assistance;
use crate::calls::{self, SpoolFile};
use crate::media_items::{self, FileKind, MediaItem, MediaType, Origin};
use atalaya_blobs::{BlobError, BlobName, DataKey, Digest, Spool};
use atalaya_cases::conferences::model::ConferenceError;
use atalaya_cases::conferences::vault;
use atalaya_cases::evidence::Actor;
use atalaya_webm::WebmError;
use chrono::TimeDelta;
use std::io::Write;

/// Makes the video of one spool file. A file without a single frame is dropped and answers `None`.
pub async fn finalise(deps: &Assistance, name: &BlobName) -> Result<Option<MediaItem>, MediaError> {
    let Some(file) = SpoolFile::parse(name) else { return Ok(None) };
    let Some(recording) = calls::find_recording(deps.db.read(), file.recording).await? else { return Ok(None) };
    let id = recording.conference;
    let key = vault::data_key(deps, id).await?;
    let kind = FileKind::of_mime("video/webm").expect("webm is an accepted kind");
    let filename = format!("{}.{}", deps.sources.hex::<16>(), kind.extension);
    let blob = vault::blob_name(id, &filename)?;
    let made = make(deps, name.clone(), blob.clone(), key).await?;
    let Some(Made { digest, size_bytes, first_ms, duration_ms, size }) = made else {
        remove_from_spool(deps, name.clone()).await?;
        return Ok(None);
    };
    let suffix = file.started_at.timestamp_millis() ^ fold(&file.identity, file.screen);
    let number = media_items::count(deps.db.read(), id, MediaType::Video).await? + 1;
    let stored = Stored { filename, blob, digest, size_bytes, thumbnail: None };
    let facts = Facts {
        kind,
        original_file_name: format!("video-{number:03}.webm"),
        width: size.map(|(w, _)| w),
        height: size.map(|(_, h)| h),
        duration_ms: i64::try_from(duration_ms).ok(),
        origin: Origin::Call,
        method: Some("recording".into()),
        capture_id: Some(format!("{}-{suffix}", file.recording)),
        participant: file.identity,
        lens: None,
        position: None,
        claimed: None,
        accuracy_m: None,
        device_at: None,
        // The first frame that the file has: a disk that was too slow may have lost those before it.
        captured_at: file.started_at + TimeDelta::milliseconds(i64::try_from(first_ms).unwrap_or(0)),
        recording_id: Some(file.recording.0),
        shot: None,
        answers: None,
        signed: None,
    };
    match register(deps, id, &stored, facts, Actor::System).await {
        Err(error) => {
            stored.discard(deps).await;
            // A crash came after the registration and before the spool file was deleted.
            let duplicate = matches!(error, MediaError::Conference(ConferenceError::Db(atalaya_db::DbError::Duplicate(_))));
            if !duplicate {
                return Err(error);
            }
            remove_from_spool(deps, name.clone()).await?;
            Ok(None)
        }
        Ok(row) => {
            remove_from_spool(deps, name.clone()).await?;
            tracing::info!(conference.id = %id, duration_ms, size_bytes, "recording stored");
            Ok(Some(row))
        }
    }
}

/// A small number made of participant and source, so that two files of the same millisecond have different names.
fn fold(identity: &str, screen: bool) -> i64 {
    identity.bytes().fold(i64::from(screen), |sum, byte| (sum * 31 + i64::from(byte)) & 0xffff_ffff)
}

struct Made {
    digest: Digest,
    size_bytes: u64,
    first_ms: u64,
    duration_ms: u64,
    size: Option<(i32, i32)>,
}

/// Copies the spool file into its final form on a blocking thread; memory stays small whatever the length.
async fn make(deps: &Assistance, name: BlobName, blob: BlobName, key: DataKey) -> Result<Option<Made>, MediaError> {
    let spool = Spool::open(&deps.spool, deps.sources.clone())?;
    let mut writer = deps.blobs.create(&blob, &key).blocking();
    let work = move || -> Result<Option<Made>, BlobError> {
        let index = match atalaya_webm::scan(spool.read(&name, &key)?) {
            Ok(index) => index,
            Err(WebmError::Read(error)) => return Err(error.into()),
            Err(_) => return Ok(None),
        };
        index.write_final(spool.read(&name, &key)?, &mut writer)?;
        writer.flush()?;
        let digest = writer.finish()?;
        let size = index.tracks().video.map(|v| (v.width as i32, v.height as i32));
        let size_bytes = index.total_bytes();
        Ok(Some(Made { digest, size_bytes, first_ms: index.first_ms(), duration_ms: index.duration_ms(), size }))
    };
    Ok(tokio::task::spawn_blocking(work).await.map_err(|e| ConferenceError::EngineUnavailable(e.to_string()))??)
}

async fn remove_from_spool(deps: &Assistance, name: BlobName) -> Result<(), MediaError> {
    let spool = Spool::open(&deps.spool, deps.sources.clone())?;
    let gone = tokio::task::spawn_blocking(move || spool.remove(&name)).await;
    gone.map_err(|e| ConferenceError::EngineUnavailable(e.to_string()))??;
    Ok(())
}

/// Makes the videos of everything that a crash left in the spool. Runs once at start, before calls begin.
pub async fn recover(deps: &Assistance) -> Result<usize, MediaError> {
    let spool = Spool::open(&deps.spool, deps.sources.clone())?;
    let mut recovered = 0;
    for name in spool.list()? {
        match finalise(deps, &name).await {
            Ok(Some(_)) => recovered += 1,
            Ok(None) => {}
            Err(error) => tracing::error!(%error, "a recording in the spool could not be recovered"),
        }
    }
    Ok(recovered)
}
