//! Keys and names of stored media.

use crate::Cases;
use crate::casebook::{self, ConferenceError, Scope};
use atalaya_blobs::{BlobName, DataKey};
use atalaya_kernel::ConferenceId;

fn owner(id: ConferenceId) -> String {
    format!("conference:{id}")
}

/// The id of a conference that is to be opened, and its key, wrapped for its row.
pub struct Fresh {
    pub id: ConferenceId,
    pub(super) data_key: Vec<u8>,
}

/// A fresh id and key. Before the transaction: a token may take its time.
///
/// Errors: `KEY_TOKEN_UNAVAILABLE`.
pub async fn fresh(deps: &Cases) -> Result<Fresh, ConferenceError> {
    let id = deps.sources.id();
    let key = DataKey::generate(&deps.sources);
    Ok(Fresh { id, data_key: deps.master.wrap(&key, &owner(id), &deps.sources).await? })
}

/// Unwraps a key. A destroyed one answers [`ConferenceError::MediaErased`].
pub async fn unwrap(deps: &Cases, id: ConferenceId, wrapped: Option<&[u8]>) -> Result<DataKey, ConferenceError> {
    let wrapped = wrapped.ok_or(ConferenceError::MediaErased)?;
    Ok(deps.master.unwrap(wrapped, &owner(id)).await?)
}

/// The key of a conference's media.
pub async fn data_key(deps: &Cases, id: ConferenceId) -> Result<DataKey, ConferenceError> {
    let row = casebook::get(deps.db.read(), Scope::All, id).await?;
    unwrap(deps, id, row.data_key.as_deref()).await
}

/// Where a file of a conference is stored: `conferences/{id}/{filename}`.
pub fn blob_name(id: ConferenceId, filename: &str) -> Result<BlobName, ConferenceError> {
    Ok(BlobName::new(format!("conferences/{id}/{filename}"))?)
}
