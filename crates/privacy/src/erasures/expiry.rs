//! The hourly job: deletes expired files, and retries what could not be deleted before (RETAIN-5, RETAIN-6).
//!
//! *Invariant:* the files to delete are recorded in the transaction that marks them as expired; a crash or a storage that is
//! down only delays their deletion. Requests for them are refused from the first second on, whatever the job does.

use super::store;
use crate::Privacy;
use atalaya_assistance::media_items::{self, MediaItem};
use atalaya_blobs::{BlobName, BlobStore, Spool};
use atalaya_cases::conferences::model::ConferenceError;
use atalaya_cases::conferences::service::publish_track;
use atalaya_cases::conferences::{self, CompaniesDue, Scope};
use atalaya_cases::evidence::{Actor, NewTrack};
use atalaya_cases::lifetimes;
use atalaya_db::{Db, lock_row};
use atalaya_identity::companies;
use atalaya_kernel::events::TrackType;
use atalaya_kernel::{CompanyId, ConferenceId, Sources, limits};
use atalaya_records::{drawings, measures};
use atalaya_rest::page::Slice;
use chrono::TimeDelta;
use futures::TryStreamExt;
use serde_json::json;
use std::collections::BTreeSet;
use std::path::Path;

/// Conferences of one query, and files of one deletion.
const BATCH: u64 = 100;
/// Batches of one run; the next run continues.
const BATCHES: usize = 50;

/// The result of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Swept {
    /// Conferences whose files expired.
    pub conferences: usize,
    /// Files deleted.
    pub files: usize,
}

/// Expires what is due, then deletes. Runs every hour; idempotent.
///
/// Errors: `STORAGE_UNAVAILABLE` when a file could not be deleted; the next run retries.
pub async fn run(deps: &Privacy) -> Result<Swept, ConferenceError> {
    let conferences = expire(deps).await?;
    let incidences = atalaya_records::incidences::expiry::expire(deps).await.unwrap_or_else(|error| {
        // Incidences have a term of their own; a failure there must not keep the files of conferences.
        tracing::error!(%error, "incidences whose time is over could not be deleted");
        0
    });
    let files = delete_files(&deps.blobs, &deps.spool, &deps.db, &deps.sources).await?;
    // Also what an erasure could not, because somebody was reading (RETAIN-22).
    deps.db.empty_log().await?;
    if conferences + incidences + files > 0 {
        tracing::info!(conferences, incidences, files, "files whose time was over are deleted");
    }
    Ok(Swept { conferences, files })
}

async fn expire(deps: &Privacy) -> Result<usize, ConferenceError> {
    let now = deps.sources.now();
    let longer = companies::service::list_retention(&deps.identity, limits::MEDIA_EXPIRED_DAYS).await?;
    let ids: Vec<CompanyId> = longer.iter().map(|(id, _)| *id).collect();
    let cutoff = |days: Option<i32>| now - TimeDelta::days(lifetimes::retention_days(days));
    let mut asked = vec![(CompaniesDue::AllBut(&ids), cutoff(None))];
    asked.extend(longer.iter().map(|(id, days)| (CompaniesDue::One(*id), cutoff(Some(*days)))));
    let (mut expired, mut batches) = (0, 0);
    for (of, created) in asked {
        // Conferences that failed come first again in the next query, so it skips them.
        let mut stay = 0;
        loop {
            let due = store::list_due(deps.db.read(), of, created, Slice { offset: stay, limit: BATCH }).await?;
            batches += 1;
            let before = expired;
            for id in &due {
                match expire_one(deps, ConferenceId(*id)).await {
                    Ok(done) => expired += usize::from(done),
                    // One failure must not stop the others; the next run retries.
                    Err(error) => tracing::error!(conference.id = %id, %error, "files whose time is over could not be marked"),
                }
            }
            stay += (due.len() - (expired - before)) as u64;
            if (due.len() as u64) < BATCH || batches >= BATCHES {
                break;
            }
        }
    }
    Ok(expired)
}

/// The stored files of a conference, but for its certificates: also what a crash left before its row was written (DEEP-13).
/// None when the storage does not answer, since that delays no expiry.
async fn stored(deps: &Privacy, id: ConferenceId) -> Vec<String> {
    let Ok(folder) = BlobName::new(format!("conferences/{id}")) else { return Vec::new() };
    match deps.blobs.list(Some(&folder)).try_collect::<Vec<_>>().await {
        Ok(found) => {
            let names = found.into_iter().map(|info| info.name.as_str().to_owned());
            names.filter(|name| !name.rsplit('/').next().unwrap_or_default().starts_with("CE-")).collect()
        }
        Err(error) => {
            tracing::warn!(conference.id = %id, %error, "left-over files of a conference cannot be looked for");
            Vec::new()
        }
    }
}

/// Marks a conference's files as expired, if they still are once the conference is locked.
async fn expire_one(deps: &Privacy, id: ConferenceId) -> Result<bool, ConferenceError> {
    let row = conferences::get(deps.db.read(), Scope::All, id).await?;
    let company = companies::service::get_company(&deps.identity, CompanyId(row.company_id)).await?;
    let stored = stored(deps, id).await;
    let tx = deps.db.write().await?;
    lock_row(&tx, "conference", id.0).await?;
    let row = conferences::reload(&tx, id).await?;
    let now = deps.sources.now();
    let items = media_items::list_unexpired(&tx, id).await?;
    if items.is_empty() || row.erased_at.is_some() || !lifetimes::media_expired(row.created_at, company.retention_days, now) {
        return Ok(false);
    }
    let of = |item: &MediaItem| [Some(item.blob_name.clone()), item.thumbnail_blob.clone(), item.preview_blob.clone()];
    let names: BTreeSet<String> = items.iter().flat_map(of).flatten().chain(stored).collect();
    media_items::delete_later(&tx, &deps.sources, id, names.into_iter().map(|name| (name, false))).await?;
    store::mark_expired(&tx, id, now).await?;
    drawings::forget(&tx, id).await?;
    measures::forget(&tx, id).await?;
    let bytes: i64 = items.iter().map(|item| item.size_bytes).sum();
    let data = json!({"files": items.len(), "bytes": bytes, "days": lifetimes::retention_days(company.retention_days)});
    let track = conferences::append(&tx, deps, id, NewTrack::new(TrackType::MediaExpired, Actor::System, data)).await?;
    tx.commit().await?;
    publish_track(deps, id, &track).await;
    Ok(true)
}

/// Deletes the recorded files. Stops when the storage does not answer; the next run retries the rest.
pub async fn delete_files(blobs: &BlobStore, spool: &Path, db: &Db, sources: &Sources) -> Result<usize, ConferenceError> {
    let mut deleted = 0;
    for _ in 0..BATCHES {
        let due = media_items::list_deletions(db.read(), BATCH).await?;
        if due.is_empty() {
            break;
        }
        let mut gone = Vec::new();
        let mut failed = None;
        for row in &due {
            match delete_one(blobs, spool, sources, &row.name, row.folder).await {
                Ok(files) => {
                    deleted += files;
                    gone.push(row.id);
                }
                Err(error) => failed = Some(error),
            }
        }
        let tx = db.write().await?;
        media_items::forget_deletions(&tx, &gone).await?;
        tx.commit().await?;
        if let Some(error) = failed {
            return Err(error.into());
        }
    }
    Ok(deleted)
}

async fn delete_one(
    blobs: &BlobStore,
    spool: &Path,
    sources: &Sources,
    name: &str,
    folder: bool,
) -> Result<usize, atalaya_blobs::BlobError> {
    if let Some(recording) = name.strip_prefix("spool/") {
        let (spool, sources, start) = (spool.to_owned(), sources.clone(), format!("{recording}/"));
        let work = move || {
            let spool = Spool::open(spool, sources)?;
            let mut removed = 0;
            for name in spool.list()?.into_iter().filter(|name| name.as_str().starts_with(&start)) {
                removed += usize::from(spool.remove(&name)?);
            }
            Ok(removed)
        };
        return tokio::task::spawn_blocking(work).await.map_err(|e| atalaya_blobs::BlobError::Unavailable(e.into()))?;
    }
    let name = BlobName::new(name.to_owned())?;
    if !folder {
        return Ok(usize::from(blobs.delete(&name).await?));
    }
    let found: Vec<_> = blobs.list(Some(&name)).try_collect().await?;
    let mut removed = 0;
    for info in found {
        removed += usize::from(blobs.delete(&info.name).await?);
    }
    Ok(removed)
}
