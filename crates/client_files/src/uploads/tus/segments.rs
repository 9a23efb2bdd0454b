//! Where bytes under way are stored: sealed files, one after the other, until the upload is complete.
//!
//! *Invariant:* the row names a segment only after it is stored, so that its offset never exceeds what is stored. Each
//! segment has a name and a seal of its own, so that nothing is overwritten, on whichever node the upload continues.

use super::super::model::Upload;
use crate::FilesError;
use atalaya_assistance::Assistance;
use atalaya_blobs::{BlobError, BlobName, DataKey};
use atalaya_cases::conferences::vault;
use atalaya_kernel::ConferenceId;
use bytes::Bytes;
use futures::stream::BoxStream;
use futures::{StreamExt, TryStreamExt};
use uuid::Uuid;

/// The folder of an upload's segments.
pub fn folder(row: &Upload) -> Result<BlobName, FilesError> {
    Ok(vault::blob_name(ConferenceId(row.conference_id), &format!("uploads/{}", row.id))?)
}

/// Where a segment is stored.
pub fn name(conference: ConferenceId, upload: Uuid, segment: &str) -> Result<BlobName, FilesError> {
    Ok(vault::blob_name(conference, &format!("uploads/{upload}/{segment}"))?)
}

/// The bytes of an upload from its beginning.
pub fn content(
    deps: &Assistance,
    row: &Upload,
    key: &DataKey,
) -> Result<BoxStream<'static, Result<Bytes, BlobError>>, FilesError> {
    let id = ConferenceId(row.conference_id);
    let names: Result<Vec<BlobName>, FilesError> =
        row.segments.split(' ').filter(|s| !s.is_empty()).map(|s| name(id, row.id, s)).collect();
    let (blobs, key) = (deps.blobs.clone(), key.clone());
    let open = move |name: BlobName| {
        let (blobs, key) = (blobs.clone(), key.clone());
        async move { Ok::<_, BlobError>(blobs.get(&name, &key).await?.stream()) }
    };
    Ok(futures::stream::iter(names?).then(open).try_flatten().boxed())
}

/// Deletes the bytes of an upload that is done or given up; what cannot be deleted is logged and cleaned up later.
pub async fn discard(deps: &Assistance, row: &Upload) {
    if let Err(error) = try_discard(deps, row).await {
        tracing::warn!(%error, upload.id = %row.id, "segments of an upload stay behind");
    }
}

async fn try_discard(deps: &Assistance, row: &Upload) -> Result<(), FilesError> {
    let mut found = deps.blobs.list(Some(&folder(row)?));
    while let Some(info) = found.next().await {
        deps.blobs.delete(&info?.name).await?;
    }
    Ok(())
}
