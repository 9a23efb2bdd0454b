//! Stored documents.

use chrono::{DateTime, Utc};
use uuid::Uuid;

/// A document with its file name.
#[derive(Clone, Debug)]
pub struct StoredPdf {
    pub name: String,
    pub bytes: Vec<u8>,
}

/// Where a document is kept and what proves that it is the same.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Stored {
    pub id: Uuid,
    pub kind: String,
    /// What it is about: the invoice, for one.
    pub subject: Uuid,
    /// File name.
    pub name: String,
    pub sha256: String,
    pub size_bytes: i64,
    pub blob: String,
    /// Wrapped.
    pub data_key: Vec<u8>,
    pub created_at: DateTime<Utc>,
}
