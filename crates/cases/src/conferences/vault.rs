//! Keys and names of stored media.

use crate::Cases;
use crate::conferences::model::ConferenceError;
use crate::conferences::store::{self, Scope};
use atalaya_blobs::{BlobName, DataKey};
use atalaya_kernel::ConferenceId;

fn owner(id: ConferenceId) -> String {
    format!("conference:{id}")
}

/// A fresh key for a new conference, wrapped for its row.
pub fn new_wrapped_key(deps: &Cases, id: ConferenceId) -> Vec<u8> {
    let key = DataKey::generate(&deps.sources);
    deps.master.wrap(&key, &owner(id), &deps.sources)
}

/// Unwraps a key. A destroyed one answers [`ConferenceError::MediaErased`].
pub fn unwrap(deps: &Cases, id: ConferenceId, wrapped: Option<&[u8]>) -> Result<DataKey, ConferenceError> {
    let wrapped = wrapped.ok_or(ConferenceError::MediaErased)?;
    Ok(deps.master.unwrap(wrapped, &owner(id))?)
}

/// The key of a conference's media.
pub async fn data_key(deps: &Cases, id: ConferenceId) -> Result<DataKey, ConferenceError> {
    let row = store::get(deps.db.read(), Scope::All, id).await?;
    unwrap(deps, id, row.data_key.as_deref())
}

/// Where a file of a conference is stored: `conferences/{id}/{filename}`.
pub fn blob_name(id: ConferenceId, filename: &str) -> Result<BlobName, ConferenceError> {
    Ok(BlobName::new(format!("conferences/{id}/{filename}"))?)
}
