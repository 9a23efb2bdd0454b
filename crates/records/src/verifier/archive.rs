//! Reading a ZIP whose entries are stored as they are, ZIP64 too, from any file (PKWARE APPNOTE 6.3.10).

use std::collections::BTreeMap;
use std::io::{self, Read, Seek, SeekFrom};

/// Why an archive cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    #[error("the file is not a ZIP archive, or its end is missing")]
    NotZip,
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Where an entry is.
#[derive(Clone, Copy)]
struct Entry {
    header_at: u64,
    size_bytes: u64,
    stored: bool,
}

/// An archive under examination.
pub struct Archive<R> {
    file: R,
    entries: BTreeMap<String, Entry>,
    /// Names that occur more than once: what other programs unpack under them is anybody's guess.
    repeated: Vec<String>,
}

const MAX32: u64 = 0xFFFF_FFFF;

/// A comment of 65,535 bytes may follow the last record.
const END_SEARCH_BYTES: u64 = 66_000;

fn number(bytes: &[u8], at: usize, len: usize) -> Result<u64, ArchiveError> {
    let part = bytes.get(at..at + len).ok_or(ArchiveError::NotZip)?;
    Ok(part.iter().rev().fold(0, |sum, byte| sum << 8 | u64::from(*byte)))
}

impl<R: Read + Seek> Archive<R> {
    /// Reads the directory.
    pub fn open(mut file: R) -> Result<Self, ArchiveError> {
        let total = file.seek(SeekFrom::End(0))?;
        let tail_at = total.saturating_sub(END_SEARCH_BYTES);
        let tail = part(&mut file, tail_at, total - tail_at)?;
        let end = tail.windows(4).rposition(|four| four == b"PK\x05\x06").ok_or(ArchiveError::NotZip)?;
        let (mut size, mut at) = (number(&tail, end + 12, 4)?, number(&tail, end + 16, 4)?);
        if let Some(locator) = end.checked_sub(20).filter(|at| tail[*at..].starts_with(b"PK\x06\x07")) {
            let record = part(&mut file, number(&tail, locator + 8, 8)?, 56)?;
            (size, at) = (number(&record, 40, 8)?, number(&record, 48, 8)?);
        }
        if at.checked_add(size).is_none_or(|end| end > total) {
            return Err(ArchiveError::NotZip);
        }
        let directory = part(&mut file, at, size)?;
        let (entries, repeated) = read_directory(&directory)?;
        Ok(Self { entries, repeated, file })
    }

    pub fn repeated(&self) -> &[String] {
        &self.repeated
    }

    /// Names of files, in the alphabet's order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.entries.keys().map(String::as_str)
    }

    /// Passes the content of a file to `take`, piece by piece. False when it is missing, compressed,
    /// or called something else where it begins.
    pub fn read(&mut self, name: &str, mut take: impl FnMut(&[u8])) -> Result<bool, ArchiveError> {
        let Some(entry) = self.entries.get(name).copied().filter(|entry| entry.stored) else { return Ok(false) };
        let Ok(header) = part(&mut self.file, entry.header_at, 30) else { return Ok(false) };
        if !header.starts_with(b"PK\x03\x04") {
            return Ok(false);
        }
        let length = number(&header, 26, 2)?;
        let Ok(own) = part(&mut self.file, entry.header_at.saturating_add(30), length) else { return Ok(false) };
        if String::from_utf8_lossy(&own) != name {
            return Ok(false);
        }
        let skip = 30 + length + number(&header, 28, 2)?;
        self.file.seek(SeekFrom::Start(entry.header_at.saturating_add(skip)))?;
        let (mut left, mut buffer) = (entry.size_bytes, vec![0; 1 << 20]);
        while left > 0 {
            let want = usize::try_from(left).unwrap_or(usize::MAX).min(buffer.len());
            let got = self.file.read(&mut buffer[..want])?;
            if got == 0 {
                return Ok(false);
            }
            take(&buffer[..got]);
            left -= got as u64;
        }
        Ok(true)
    }
}

fn part(file: &mut (impl Read + Seek), at: u64, len: u64) -> Result<Vec<u8>, ArchiveError> {
    file.seek(SeekFrom::Start(at))?;
    let mut bytes = Vec::new();
    file.take(len).read_to_end(&mut bytes)?;
    if bytes.len() as u64 == len { Ok(bytes) } else { Err(ArchiveError::NotZip) }
}

fn read_directory(mut rest: &[u8]) -> Result<(BTreeMap<String, Entry>, Vec<String>), ArchiveError> {
    let (mut entries, mut repeated) = (BTreeMap::new(), Vec::new());
    while rest.starts_with(b"PK\x01\x02") {
        let field = |at, len| number(rest, at, len);
        let (name_len, extra_len, comment_len) = (field(28, 2)? as usize, field(30, 2)? as usize, field(32, 2)? as usize);
        let end = 46 + name_len + extra_len + comment_len;
        let name = rest.get(46..46 + name_len).ok_or(ArchiveError::NotZip)?;
        let extra = rest.get(46 + name_len..46 + name_len + extra_len).ok_or(ArchiveError::NotZip)?;
        let (mut size_bytes, mut header_at) = (field(24, 4)?, field(42, 4)?);
        let packed = field(20, 4)?;
        widen(extra, [&mut size_bytes, &mut { packed }, &mut header_at])?;
        let name = String::from_utf8_lossy(name).into_owned();
        if !name.ends_with('/') {
            let entry = Entry { header_at, size_bytes, stored: field(10, 2)? == 0 };
            if entries.insert(name.clone(), entry).is_some() {
                repeated.push(name);
            }
        }
        rest = rest.get(end..).ok_or(ArchiveError::NotZip)?;
    }
    Ok((entries, repeated))
}

/// Takes the numbers that have no room in 32 bits from the ZIP64 field, in their order.
fn widen(mut extra: &[u8], numbers: [&mut u64; 3]) -> Result<(), ArchiveError> {
    while extra.len() >= 4 {
        let (id, len) = (number(extra, 0, 2)?, number(extra, 2, 2)? as usize);
        let body = extra.get(4..4 + len).ok_or(ArchiveError::NotZip)?;
        if id == 1 {
            let wide = numbers.into_iter().filter(|number| **number == MAX32);
            for (i, slot) in wide.enumerate() {
                *slot = number(body, 8 * i, 8)?;
            }
            return Ok(());
        }
        extra = &extra[4 + len..];
    }
    Ok(())
}
