//! Names of stored files, checked so that none of them leads out of the store.

use crate::BlobError;
use std::fmt;

const MAX_NAME_BYTES: usize = 512;

/// The name of a stored file: segments of `A-Za-z0-9._-` joined by `/`, none of them empty, `.` or `..`.
///
/// The name is part of what a file's seal covers, so a file cannot be passed off as another one.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlobName(String);

impl BlobName {
    /// Errors: `BLOB_NAME_INVALID`.
    pub fn new(name: impl Into<String>) -> Result<Self, BlobError> {
        let name = name.into();
        if name.is_empty() || name.len() > MAX_NAME_BYTES {
            return Err(BlobError::InvalidName("its length is not from 1 to 512"));
        }
        if !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._/-".contains(&byte)) {
            return Err(BlobError::InvalidName("a character is not one of A-Z a-z 0-9 . _ - /"));
        }
        if name.split('/').any(|segment| matches!(segment, "" | "." | "..")) {
            return Err(BlobError::InvalidName("a segment is empty, . or .."));
        }
        Ok(Self(name))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub(crate) fn to_path(&self) -> object_store::path::Path {
        object_store::path::Path::from(self.0.as_str())
    }
}

impl fmt::Display for BlobName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::str::FromStr for BlobName {
    type Err = BlobError;

    fn from_str(name: &str) -> Result<Self, BlobError> {
        Self::new(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn path_tricks_are_refused() {
        for name in ["", "/", "/etc/passwd", "a/../b", "..", "a//b", "a/", "./a", "a\\b", "a b", "á", "a%2e", "a\0", "a#1", "~"]
        {
            assert_eq!(BlobName::new(name).expect_err(name).code(), "BLOB_NAME_INVALID");
        }
        assert!(BlobName::new("x".repeat(513)).is_err());
        for name in ["a", "media/0190-ab/photo_1.jpg", "..a", "a..b"] {
            assert_eq!(BlobName::new(name).expect("valid").to_path().as_ref(), name);
        }
    }

    proptest! {
        #[test]
        fn whatever_passes_stays_inside(name in "[A-Za-z0-9._/-]{1,40}") {
            if let Ok(name) = BlobName::new(name) {
                let path = std::path::Path::new(name.as_str());
                prop_assert!(path.components().all(|part| matches!(part, std::path::Component::Normal(_))));
            }
        }
    }
}
