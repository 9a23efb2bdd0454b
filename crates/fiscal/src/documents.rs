//! The documents that prove changes: sniffed, limited, sealed (FISCAL-3).

use crate::model::Proof;
use crate::store::{self, NewProof};
use crate::{Fiscal, FiscalError, FiscalResult};
use atalaya_blobs::{BlobName, DataKey};
use atalaya_kernel::limits::FISCAL_DOCUMENT_MAX_BYTES;
use bytes::Bytes;
use uuid::Uuid;

/// A document as it was uploaded; its kind is what its first bytes say.
pub(crate) struct Document {
    pub kind: &'static str,
    pub bytes: Bytes,
}

/// Puts the bytes of a document where they are kept. They count once [`NewProof`] is written down.
pub(crate) async fn keep(d: &Fiscal, document: &Document) -> FiscalResult<NewProof> {
    let id = d.sources.uuid();
    let key = DataKey::generate(&d.sources);
    let kept = d.blobs.put(&blob(id)?, &key, &document.bytes).await?;
    let ending = match document.kind {
        "application/pdf" => "pdf",
        "image/png" => "png",
        _ => "jpg",
    };
    let wrapped = d.master.wrap(&key, &owner(id), &d.sources).await?;
    let proof = Proof {
        name: format!("datos-fiscales.{ending}"),
        kind: document.kind.to_owned(),
        size_bytes: i64::try_from(document.bytes.len()).unwrap_or(i64::MAX),
        sha256: kept.sha256_hex(),
    };
    Ok(NewProof { id, proof, key: wrapped })
}

/// Deletes what was put and is written down nowhere; what stays is unreadable without its key.
pub(crate) async fn forget(d: &Fiscal, id: Uuid) {
    if let Err(error) = delete(d, id).await {
        tracing::warn!(%id, %error, "a document without a request is left over");
    }
}

/// Deletes a file; one that is gone already is no error.
pub(crate) async fn delete(d: &Fiscal, id: Uuid) -> FiscalResult<()> {
    d.blobs.delete(&blob(id)?).await?;
    Ok(())
}

/// A request's document with its media type and name.
///
/// Errors: [`FiscalError::DocumentNotFound`] while it has none.
pub(crate) async fn read(d: &Fiscal, request: Uuid) -> FiscalResult<(Bytes, &'static str, String)> {
    let (id, wrapped, kind, name) = store::document(d.db.read(), request).await?.ok_or(FiscalError::DocumentNotFound)?;
    let key = d.master.unwrap(&wrapped, &owner(id)).await?;
    let reader = d.blobs.get(&blob(id)?, &key).await?;
    let kind = match kind.as_str() {
        "application/pdf" => "application/pdf",
        "image/png" => "image/png",
        _ => "image/jpeg",
    };
    Ok((reader.read_all(FISCAL_DOCUMENT_MAX_BYTES as u64).await?, kind, name))
}

fn owner(id: Uuid) -> String {
    format!("fiscal:{id}")
}

fn blob(id: Uuid) -> FiscalResult<BlobName> {
    Ok(BlobName::new(format!("fiscal/{id}"))?)
}
