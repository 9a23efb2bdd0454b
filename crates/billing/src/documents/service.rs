//! Setting, keeping and reading documents.

use super::model::{Stored, StoredPdf};
use super::store;
use crate::{Billing, BillingError, BillingResult};
use atalaya_blobs::{BlobName, DataKey};
use atalaya_db::Tx;
use atalaya_documents::PdfError;
use uuid::Uuid;

/// Bytes of a document at most; an invoice with 100,000 connections has some 12 MB.
const LARGEST: u64 = 256 << 20;

/// Sets a document where blocking is allowed.
pub(crate) async fn set(work: impl FnOnce() -> Result<Vec<u8>, PdfError> + Send + 'static) -> BillingResult<Vec<u8>> {
    let done = tokio::task::spawn_blocking(work).await.map_err(|_| BillingError::Document("setting was interrupted".into()))?;
    done.map_err(|error| BillingError::Document(error.to_string()))
}

/// A kept document of this kind about this subject; `None`: none was kept.
pub(crate) async fn kept(d: &Billing, kind: &str, subject: Uuid) -> BillingResult<Option<StoredPdf>> {
    match store::find(d.db.read(), kind, subject).await? {
        Some(row) => read(d, row).await.map(Some),
        None => Ok(None),
    }
}

/// Writes down a prepared document in the transaction of what it belongs to.
pub(crate) async fn keep_in(tx: &Tx, document: Stored) -> BillingResult<()> {
    store::insert(tx, document).await?;
    Ok(())
}

/// Puts the bytes of a document where they are kept; it counts once [`keep_in`] wrote it down.
pub(crate) async fn prepare(d: &Billing, kind: &str, subject: Uuid, name: String, bytes: &[u8]) -> BillingResult<Stored> {
    let id = d.sources.uuid();
    let key = DataKey::generate(&d.sources);
    let blob = BlobName::new(format!("billing/{id}.pdf"))?;
    d.blobs.put(&blob, &key, bytes).await?;
    Ok(Stored {
        id,
        kind: kind.to_owned(),
        subject,
        name,
        sha256: sha256(bytes),
        size_bytes: i64::try_from(bytes.len()).unwrap_or(i64::MAX),
        blob: blob.as_str().to_owned(),
        data_key: d.master.wrap(&key, &owner(id), &d.sources).await?,
        created_at: d.sources.now(),
    })
}

/// Keeps a new document, or answers the one that somebody else kept meanwhile.
pub(crate) async fn keep(d: &Billing, kind: &str, subject: Uuid, name: String, bytes: Vec<u8>) -> BillingResult<StoredPdf> {
    let row = prepare(d, kind, subject, name.clone(), &bytes).await?;
    let blob = BlobName::new(&row.blob)?;
    let tx = d.db.write().await?;
    let written = store::insert(&tx, row).await?;
    tx.commit().await?;
    if written {
        return Ok(StoredPdf { name, bytes });
    }
    d.blobs.delete(&blob).await?;
    let there = store::find(d.db.read(), kind, subject).await?;
    read(d, there.ok_or_else(|| BillingError::Corrupt("a document that was just there".into()))?).await
}

/// A kept document, checked against its hash.
async fn read(d: &Billing, row: Stored) -> BillingResult<StoredPdf> {
    let key = d.master.unwrap(&row.data_key, &owner(row.id)).await?;
    let reader = d.blobs.get(&BlobName::new(&row.blob)?, &key).await?;
    let bytes = reader.read_all(LARGEST).await?.to_vec();
    if sha256(&bytes) != row.sha256 {
        return Err(BillingError::Document(format!("{} is not what was kept", row.name)));
    }
    Ok(StoredPdf { name: row.name, bytes })
}

/// Whose key it is: a wrapped key opens nothing else.
fn owner(id: Uuid) -> String {
    format!("document:{id}")
}

fn sha256(bytes: &[u8]) -> String {
    hex::encode(aws_lc_rs::digest::digest(&aws_lc_rs::digest::SHA256, bytes))
}
