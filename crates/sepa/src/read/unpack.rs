//! A ZIP of documents, with limits that hold while it is being unpacked, whatever its directory says.

use super::{BankFile, MAX_ENTRIES, MAX_UNPACKED, ReadError};
use std::io::{Cursor, Read as _};

pub(super) fn each(bytes: &[u8], document: impl Fn(&[u8]) -> Result<BankFile, ReadError>) -> Result<Vec<BankFile>, ReadError> {
    let wrong = |_| ReadError::Malformed("ZIP".to_owned());
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).map_err(wrong)?;
    if archive.len() > MAX_ENTRIES {
        return Err(ReadError::TooLarge);
    }
    let mut files = Vec::new();
    let mut left = MAX_UNPACKED;
    for index in 0..archive.len() {
        let entry = archive.by_index(index).map_err(wrong)?;
        if entry.is_dir() {
            continue;
        }
        let mut content = Vec::new();
        let read = entry.take(left + 1).read_to_end(&mut content).map_err(|_| ReadError::Malformed("ZIP".to_owned()))?;
        left = left.checked_sub(read as u64).ok_or(ReadError::TooLarge)?;
        // Not XML, an archive in the archive included: refused by the reader of documents.
        files.push(document(&content)?);
    }
    if files.is_empty() {
        return Err(ReadError::NotSupported("ZIP".into()));
    }
    Ok(files)
}
