//! What can go wrong with a stored file, each with its stable code.

use std::error::Error as StdError;
use std::io;

/// Why a file could not be kept, read or removed.
#[derive(Debug, thiserror::Error)]
pub enum BlobError {
    /// Code `BLOB_NOT_FOUND`.
    #[error("no stored file of this name")]
    NotFound,
    /// Code `BLOB_TAMPERED`: altered, cut short, moved from another name, or sealed with another key.
    #[error("the stored file does not match its seal: {0}")]
    Tampered(&'static str),
    /// Code `BLOB_NAME_INVALID`.
    #[error("not a usable name for a stored file: {0}")]
    InvalidName(&'static str),
    /// Code `BLOB_RANGE_INVALID`: the range begins after its end, or ends after the file's.
    #[error("the range is not within the file")]
    InvalidRange,
    /// Code `BLOB_TOO_LARGE`: more than the caller was ready to hold in memory.
    #[error("the stored file is larger than {limit_bytes} bytes")]
    TooLarge { limit_bytes: u64 },
    /// Code `BLOB_EXISTS`: a recording of this name is already in the spool.
    #[error("a file of this name exists already")]
    Exists,
    /// Code `KEY_UNKNOWN`: wrapped by a master key that is not configured, or not a wrapped key at all.
    #[error("the data key cannot be unwrapped with the configured master keys")]
    UnknownKey,
    /// Code `KEY_TOKEN_UNAVAILABLE`: the token with the master key (KEYS-6) does not answer; worth retrying.
    #[error("the token that holds the master key does not answer: {0}")]
    TokenUnavailable(String),
    /// Code `STORAGE_FULL`.
    #[error("the storage is full")]
    Full,
    /// Code `STORAGE_UNAVAILABLE`.
    #[error("the storage does not answer as it should")]
    Unavailable(#[source] Box<dyn StdError + Send + Sync>),
}

impl BlobError {
    /// The stable code of this error.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotFound => "BLOB_NOT_FOUND",
            Self::Tampered(_) => "BLOB_TAMPERED",
            Self::InvalidName(_) => "BLOB_NAME_INVALID",
            Self::InvalidRange => "BLOB_RANGE_INVALID",
            Self::TooLarge { .. } => "BLOB_TOO_LARGE",
            Self::Exists => "BLOB_EXISTS",
            Self::UnknownKey => "KEY_UNKNOWN",
            Self::TokenUnavailable(_) => "KEY_TOKEN_UNAVAILABLE",
            Self::Full => "STORAGE_FULL",
            Self::Unavailable(_) => "STORAGE_UNAVAILABLE",
        }
    }
}

impl From<io::Error> for BlobError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotFound => Self::NotFound,
            io::ErrorKind::AlreadyExists => Self::Exists,
            kind if is_full(kind) => Self::Full,
            // One of ours that travelled through `Read` or `Write`.
            _ => match error.downcast::<Self>() {
                Ok(ours) => ours,
                Err(other) => Self::Unavailable(other.into()),
            },
        }
    }
}

impl From<BlobError> for io::Error {
    fn from(error: BlobError) -> Self {
        let kind = match error {
            BlobError::NotFound => io::ErrorKind::NotFound,
            BlobError::Full => io::ErrorKind::StorageFull,
            BlobError::Tampered(_) => io::ErrorKind::InvalidData,
            _ => io::ErrorKind::Other,
        };
        Self::new(kind, error)
    }
}

impl From<object_store::Error> for BlobError {
    fn from(error: object_store::Error) -> Self {
        if matches!(error, object_store::Error::NotFound { .. }) {
            return Self::NotFound;
        }
        let mut cause: Option<&(dyn StdError + 'static)> = Some(&error);
        while let Some(known) = cause {
            if known.downcast_ref::<io::Error>().is_some_and(|io| is_full(io.kind())) {
                return Self::Full;
            }
            cause = known.source();
        }
        Self::Unavailable(error.into())
    }
}

fn is_full(kind: io::ErrorKind) -> bool {
    matches!(kind, io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_is_told_apart_however_deep_it_is_wrapped() {
        let full = || io::Error::from(io::ErrorKind::StorageFull);
        assert_eq!(BlobError::from(full()).code(), "STORAGE_FULL");
        let wrapped = object_store::Error::Generic { store: "LocalFileSystem", source: Box::new(full()) };
        assert_eq!(BlobError::from(wrapped).code(), "STORAGE_FULL");
        let other = object_store::Error::Generic { store: "S3", source: "connection refused".into() };
        assert_eq!(BlobError::from(other).code(), "STORAGE_UNAVAILABLE");
    }

    #[test]
    fn codes_survive_a_trip_through_io() {
        for error in [BlobError::Tampered("x"), BlobError::UnknownKey, BlobError::Full, BlobError::NotFound] {
            let code = error.code();
            assert_eq!(BlobError::from(io::Error::from(error)).code(), code);
        }
    }
}
