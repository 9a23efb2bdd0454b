//! Growing recordings: files on the local disk that are intact up to the last flush, whatever happens (STORE-4).
//!
//! ```text
//! head     magic 8 ‖ prefix 16 ‖ tag 16      the tag proves key and name before anything is read
//! records  length 4 ‖ sealed bytes           sealed under `prefix ‖ record number`
//! end      length 4 ‖ tag 16                 only after a regular end
//! ```

use crate::seal::{PREFIX_BYTES, Part, Sealer, TAG_BYTES};
use crate::{BlobError, BlobName, DataKey};
use atalaya_kernel::Sources;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

const MAGIC: [u8; 8] = *b"ATALAYL1";
/// Content of one record at most; a flush of more makes several.
const MAX_RECORD_BYTES: usize = 1 << 20;
const HEAD_BYTES: usize = MAGIC.len() + PREFIX_BYTES + TAG_BYTES;

/// The folder of growing files.
#[derive(Clone)]
pub struct Spool {
    folder: PathBuf,
    sources: Sources,
}

/// How a growing file ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SpoolEnd {
    /// By [`LiveWriter::finish`]; nothing is missing.
    Finished,
    /// By a crash; this many bytes at its tail could not be used.
    Torn { lost_bytes: u64 },
}

impl Spool {
    /// Opens the folder and makes it when it is missing. Errors: `STORAGE_UNAVAILABLE`, `STORAGE_FULL`.
    pub fn open(folder: impl Into<PathBuf>, sources: Sources) -> Result<Self, BlobError> {
        let folder = folder.into();
        fs::create_dir_all(&folder)?;
        Ok(Self { folder, sources })
    }

    /// Begins a file. Blocking. Errors: `BLOB_EXISTS`, `STORAGE_FULL`, `STORAGE_UNAVAILABLE`.
    pub fn create(&self, name: &BlobName, key: &DataKey) -> Result<LiveWriter, BlobError> {
        let path = self.path(name);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let file = options.open(&path)?;
        let writer = LiveWriter::begin(file, Sealer::new(key, self.sources.bytes(), name))?;
        // Without this the file could be missing after a power cut, with everything that was flushed to it.
        for folder in path.ancestors().skip(1).take_while(|folder| folder.starts_with(&self.folder)) {
            File::open(folder)?.sync_all()?;
        }
        Ok(writer)
    }

    /// Opens a file that is growing, finished or torn. Blocking.
    ///
    /// Errors: `BLOB_NOT_FOUND`, `BLOB_TAMPERED` (also for another key), `STORAGE_UNAVAILABLE`.
    pub fn read(&self, name: &BlobName, key: &DataKey) -> Result<LiveReader, BlobError> {
        LiveReader::open(File::open(self.path(name))?, key, name)
    }

    /// Removes a file; `false` when there was none. Blocking. Errors: `STORAGE_UNAVAILABLE`.
    pub fn remove(&self, name: &BlobName) -> Result<bool, BlobError> {
        match fs::remove_file(self.path(name)) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    /// The files of the spool, sorted: at start, the recordings that a crash left unfinished. Blocking.
    ///
    /// Errors: `STORAGE_UNAVAILABLE`.
    pub fn list(&self) -> Result<Vec<BlobName>, BlobError> {
        let mut names = Vec::new();
        self.collect(&self.folder, &mut names)?;
        names.sort();
        Ok(names)
    }

    fn collect(&self, folder: &Path, names: &mut Vec<BlobName>) -> io::Result<()> {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                self.collect(&entry.path(), names)?;
                continue;
            }
            let path = entry.path();
            let name = path.strip_prefix(&self.folder).ok().and_then(Path::to_str).map(BlobName::new);
            if let Some(Ok(name)) = name {
                names.push(name);
            }
        }
        Ok(())
    }

    fn path(&self, name: &BlobName) -> PathBuf {
        self.folder.join(name.as_str())
    }
}

/// Appends to a growing file. What was flushed survives a crash and a power cut; the rest is lost, nothing else.
///
/// Blocking: use it on a thread of its own. After an error it accepts nothing more, and the file is truncated to its
/// last whole record where the disk allows it.
pub struct LiveWriter {
    file: File,
    sealer: Sealer,
    next_index: u64,
    pending: Vec<u8>,
    /// Where the last whole record ends.
    whole_bytes: u64,
    broken: bool,
}

impl LiveWriter {
    fn begin(mut file: File, sealer: Sealer) -> Result<Self, BlobError> {
        let mut head = [&MAGIC[..], &sealer.prefix()[..]].concat();
        let mut proof = Vec::new();
        sealer.seal(&mut proof, 0, Part::SpoolHead);
        head.extend_from_slice(&proof);
        file.write_all(&head)?;
        file.sync_all()?;
        Ok(Self { file, sealer, next_index: 1, pending: Vec::new(), whole_bytes: head.len() as u64, broken: false })
    }

    /// Takes bytes into memory; full records go to the file. Errors: `STORAGE_FULL`, `STORAGE_UNAVAILABLE`.
    pub fn append(&mut self, mut content: &[u8]) -> Result<(), BlobError> {
        self.check()?;
        while !content.is_empty() {
            let taken = content.len().min(MAX_RECORD_BYTES - self.pending.len());
            self.pending.extend_from_slice(&content[..taken]);
            content = &content[taken..];
            if self.pending.len() == MAX_RECORD_BYTES {
                self.write_record(Part::SpoolRecord)?;
            }
        }
        Ok(())
    }

    /// Makes everything appended so far durable. Errors: `STORAGE_FULL`, `STORAGE_UNAVAILABLE`.
    pub fn flush(&mut self) -> Result<(), BlobError> {
        self.check()?;
        if !self.pending.is_empty() {
            self.write_record(Part::SpoolRecord)?;
        }
        self.guard(|writer| writer.file.sync_data())
    }

    /// Flushes and marks the regular end. Errors: `STORAGE_FULL`, `STORAGE_UNAVAILABLE`.
    pub fn finish(mut self) -> Result<(), BlobError> {
        self.flush()?;
        self.write_record(Part::SpoolEnd)?;
        self.guard(|writer| writer.file.sync_all())
    }

    /// Bytes of the file on disk.
    pub fn stored_bytes(&self) -> u64 {
        self.whole_bytes
    }

    fn write_record(&mut self, part: Part) -> Result<(), BlobError> {
        let mut record = std::mem::take(&mut self.pending);
        self.sealer.seal(&mut record, self.next_index, part);
        self.next_index += 1;
        let length = u32::try_from(record.len()).expect("a record is at most 1 MiB and a tag");
        self.guard(|writer| {
            writer.file.write_all(&length.to_be_bytes())?;
            writer.file.write_all(&record)
        })?;
        self.whole_bytes += 4 + u64::from(length);
        record.clear();
        self.pending = record;
        Ok(())
    }

    /// Runs a write; after a failed one none may follow, because the file could end in a partial record.
    fn guard(&mut self, write: impl FnOnce(&mut Self) -> io::Result<()>) -> Result<(), BlobError> {
        write(self).map_err(|error| {
            self.broken = true;
            self.pending = Vec::new();
            let _ = self.file.set_len(self.whole_bytes);
            let _ = self.file.sync_all();
            error.into()
        })
    }

    fn check(&self) -> Result<(), BlobError> {
        if self.broken { Err(BlobError::Unavailable("an earlier write failed".into())) } else { Ok(()) }
    }
}

/// [`LiveWriter::append`] and [`LiveWriter::flush`] as `std::io::Write`.
impl Write for LiveWriter {
    fn write(&mut self, content: &[u8]) -> io::Result<usize> {
        self.append(content)?;
        Ok(content.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(LiveWriter::flush(self)?)
    }
}

/// Reads the content of a growing, finished or torn file as `std::io::Read`, and ends at the first place where it
/// is not whole.
pub struct LiveReader {
    file: BufReader<File>,
    sealer: Sealer,
    next_index: u64,
    record: Vec<u8>,
    read_of_record: usize,
    /// Where the last whole record ends.
    whole_bytes: u64,
    end: Option<SpoolEnd>,
}

impl LiveReader {
    fn open(file: File, key: &DataKey, name: &BlobName) -> Result<Self, BlobError> {
        let mut file = BufReader::with_capacity(64 << 10, file);
        let mut head = [0; HEAD_BYTES];
        file.read_exact(&mut head).map_err(|error| match error.kind() {
            ErrorKind::UnexpectedEof => BlobError::Tampered("head"),
            _ => error.into(),
        })?;
        let (magic, rest) = head.split_at(MAGIC.len());
        let (prefix, proof) = rest.split_at(PREFIX_BYTES);
        let prefix: [u8; PREFIX_BYTES] = prefix.try_into().expect("split at its length");
        if magic != MAGIC {
            return Err(BlobError::Tampered("head"));
        }
        let sealer = Sealer::new(key, prefix, name);
        sealer.open(&mut proof.to_vec(), 0, Part::SpoolHead)?;
        Ok(Self { file, sealer, next_index: 1, record: Vec::new(), read_of_record: 0, whole_bytes: HEAD_BYTES as u64, end: None })
    }

    /// How the file ended; `None` until reading has come to its end.
    pub fn end(&self) -> Option<SpoolEnd> {
        self.end
    }

    /// Fills `record` with the next one; `false` at the end.
    fn next_record(&mut self) -> io::Result<bool> {
        if self.end.is_some() {
            return Ok(false);
        }
        self.read_of_record = 0;
        self.record.clear();
        let mut length = [0; 4];
        if read_up_to(&mut self.file, &mut length)? < 4 {
            return self.tear();
        }
        let length = u32::from_be_bytes(length) as usize;
        if !(TAG_BYTES..=MAX_RECORD_BYTES + TAG_BYTES).contains(&length) {
            return self.tear();
        }
        self.record.resize(length, 0);
        if read_up_to(&mut self.file, &mut self.record)? < length {
            return self.tear();
        }
        let part = if length == TAG_BYTES { Part::SpoolEnd } else { Part::SpoolRecord };
        if self.sealer.open(&mut self.record, self.next_index, part).is_err() {
            return self.tear();
        }
        self.next_index += 1;
        self.whole_bytes += 4 + length as u64;
        if part == Part::SpoolEnd {
            self.end = Some(SpoolEnd::Finished);
        }
        Ok(part == Part::SpoolRecord)
    }

    fn tear(&mut self) -> io::Result<bool> {
        self.record.clear();
        let length = self.file.seek(SeekFrom::End(0))?;
        self.end = Some(SpoolEnd::Torn { lost_bytes: length.saturating_sub(self.whole_bytes) });
        Ok(false)
    }
}

impl Read for LiveReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        if self.read_of_record == self.record.len() && !self.next_record()? {
            return Ok(0);
        }
        let rest = &self.record[self.read_of_record..];
        let taken = rest.len().min(buffer.len());
        buffer[..taken].copy_from_slice(&rest[..taken]);
        self.read_of_record += taken;
        Ok(taken)
    }
}

fn read_up_to(file: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut done = 0;
    while done < buffer.len() {
        match file.read(&mut buffer[done..]) {
            Ok(0) => break,
            Ok(read) => done += read,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(done)
}

#[cfg(test)]
mod tests {
    use super::*;
    use atalaya_kernel::sources::{SeededEntropy, SystemClock};
    use std::sync::Arc;

    #[test]
    #[cfg(target_os = "linux")]
    fn a_full_disk_ends_the_recording_with_its_code() {
        let sources = Sources::new(Arc::new(SystemClock), SeededEntropy::new(3));
        let key = DataKey::generate(&sources);
        let name = BlobName::new("full").expect("valid");
        let full = OpenOptions::new().write(true).open("/dev/full").expect("Linux has it");
        let sealer = Sealer::new(&key, sources.bytes(), &name);
        let mut writer = LiveWriter { file: full, sealer, next_index: 1, pending: Vec::new(), whole_bytes: 0, broken: false };
        writer.append(b"frame").expect("in memory");
        assert_eq!(writer.flush().expect_err("full").code(), "STORAGE_FULL");
        assert_eq!(writer.append(b"more").expect_err("ended").code(), "STORAGE_UNAVAILABLE");
    }
}
