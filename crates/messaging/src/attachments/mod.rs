//! Files attached to an e-mail. Their bytes are kept in the outbox until it is sent, those of a captured e-mail for some
//! weeks.

mod entity;
pub(crate) mod store;

use bytes::Bytes;
use uuid::Uuid;

/// Maximum total size of one message's files.
pub const MAX_BYTES: usize = 20 * 1024 * 1024;

/// A file to attach to an e-mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attachment {
    /// As the recipient saves it: ASCII, without slashes.
    pub name: String,
    /// `application/pdf`, `application/zip` …
    pub content_type: &'static str,
    pub bytes: Bytes,
}

/// A file of a message, for lists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttachmentInfo {
    pub id: Uuid,
    pub name: String,
    pub content_type: String,
    pub size: i64,
    /// Its bytes are still kept.
    pub kept: bool,
}

/// A file's content, still kept.
#[derive(Clone, Debug)]
pub struct AttachmentFile {
    pub name: String,
    pub content_type: String,
    pub bytes: Bytes,
}

/// Whether a name is safe in a header as it is.
pub(crate) fn is_name(name: &str) -> bool {
    (1..=100).contains(&name.len()) && name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'_'))
}
