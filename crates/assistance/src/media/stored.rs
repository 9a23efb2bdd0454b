//! Files on disk that no row names yet. A thumbnail stands beside its sharpness (REPORT-9).

use super::service::{MediaError, NewMedia};
use super::signatures::DeviceSignature;
use crate::Assistance;
use crate::client_devices;
use crate::media_items::{FileKind, Origin};
use atalaya_blobs::Digest;
use atalaya_cases::conferences::vault;
use atalaya_cases::evidence::Actor;
use atalaya_kernel::ConferenceId;

/// Stored files that no row names yet.
pub struct Stored {
    pub filename: String,
    pub blob: atalaya_blobs::BlobName,
    pub digest: Digest,
    pub size_bytes: u64,
    pub thumbnail: Option<(atalaya_blobs::BlobName, Digest, Option<i32>)>,
}

impl Stored {
    pub async fn write(
        deps: &Assistance,
        id: ConferenceId,
        kind: FileKind,
        bytes: &[u8],
        thumbnail: Option<&[u8]>,
    ) -> Result<Self, MediaError> {
        let key = vault::data_key(deps, id).await?;
        let stem = deps.sources.hex::<16>();
        let filename = format!("{stem}.{}", kind.extension);
        let blob = vault::blob_name(id, &filename)?;
        let digest = deps.blobs.put(&blob, &key, bytes).await?;
        let thumbnail = match thumbnail {
            Some(small) => {
                let name = vault::blob_name(id, &format!("{stem}.thumb.jpg"))?;
                let digest = deps.blobs.put(&name, &key, small).await?;
                Some((name, digest, crate::sharpness::of(small)))
            }
            None => None,
        };
        Ok(Self { filename, blob, digest, size_bytes: bytes.len() as u64, thumbnail })
    }

    /// What came of the device's signature over these bytes, for pictures that a client's device took in a call.
    pub async fn signature(
        &self,
        deps: &Assistance,
        id: ConferenceId,
        new: &NewMedia,
    ) -> Result<Option<DeviceSignature>, MediaError> {
        if new.actor != Actor::Client || new.origin != Origin::Call {
            return Ok(None);
        }
        let keys = client_devices::public_keys(deps.db.read(), id).await?;
        Ok(Some(DeviceSignature::of(id, &keys, &new.meta, &self.digest.sha256_hex())))
    }

    /// Deletes the files after their row could not be written.
    pub async fn discard(&self, deps: &Assistance) {
        for name in [Some(&self.blob), self.thumbnail.as_ref().map(|(name, ..)| name)].into_iter().flatten() {
            if let Err(error) = deps.blobs.delete(name).await {
                tracing::warn!(%error, "a file without a row stays behind until the sweeper finds it");
            }
        }
    }
}
