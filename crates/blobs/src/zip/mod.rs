//! A ZIP archive as a stream: entries stored as they are, the length known before the first byte.
//!
//! Media are compressed already, so nothing is deflated. Every entry's CRC-32 and length stand in its local header
//! (they are known from the file's digest), so that even unpackers that read from the front can read it. ZIP64 is
//! used only where a number does not fit otherwise (STORE-11). Source: PKWARE APPNOTE 6.3.10.

mod files;
mod format;
mod names;

pub use files::{ZipFile, archive_of};

use crate::{BlobError, BlobName, BlobStore, DataKey, Digest};
use bytes::Bytes;
use chrono::{DateTime, Utc};
use format::{Directory, EntryHead};
use futures::future::BoxFuture;
use futures::stream::{self, BoxStream};
use futures::{FutureExt, StreamExt, TryStreamExt};

/// Content of an entry, and the CRC-32 that it will have.
pub struct ZipContent {
    pub crc32: u32,
    pub stream: BoxStream<'static, Result<Bytes, BlobError>>,
}

type Open = Box<dyn FnOnce() -> BoxFuture<'static, Result<ZipContent, BlobError>> + Send>;

/// One file of an archive. Opened only when its turn comes.
pub struct ZipEntry {
    name: String,
    size_bytes: u64,
    modified_at: DateTime<Utc>,
    open: Open,
}

impl ZipEntry {
    /// `name` may have folders separated by `/`; characters that some system cannot keep in a file name become `_`.
    pub fn new<F, O>(name: impl Into<String>, size_bytes: u64, modified_at: DateTime<Utc>, open: O) -> Self
    where
        F: Future<Output = Result<ZipContent, BlobError>> + Send + 'static,
        O: FnOnce() -> F + Send + 'static,
    {
        Self { name: name.into(), size_bytes, modified_at, open: Box::new(|| open().boxed()) }
    }

    /// A stored file. `size_bytes` is the length its row knows; when the file has another one, the stream fails.
    pub fn of_blob(
        name: impl Into<String>,
        size_bytes: u64,
        modified_at: DateTime<Utc>,
        (store, blob, key): (BlobStore, BlobName, DataKey),
    ) -> Self {
        Self::new(name, size_bytes, modified_at, move || async move {
            let reader = store.get(&blob, &key).await?;
            if reader.size_bytes() != size_bytes {
                return Err(BlobError::Tampered("length"));
            }
            Ok(ZipContent { crc32: reader.digest().crc32, stream: reader.stream() })
        })
    }

    /// Bytes in memory, such as a list of the hashes.
    pub fn of_bytes(name: impl Into<String>, modified_at: DateTime<Utc>, content: Bytes) -> Self {
        let crc32 = Digest::of(&content).crc32;
        Self::new(name, content.len() as u64, modified_at, move || async move {
            Ok(ZipContent { crc32, stream: stream::once(async move { Ok(content) }).boxed() })
        })
    }
}

/// An archive ready to be sent.
pub struct Zip {
    heads: Vec<EntryHead>,
    opens: Vec<Open>,
}

impl Zip {
    /// Entries in this order. Names that some system would treat as equal (ignoring letter case) are numbered, as
    /// `name (2).jpg`.
    pub fn new(entries: impl IntoIterator<Item = ZipEntry>) -> Self {
        let mut unique = names::Unique::default();
        let (heads, opens) = entries
            .into_iter()
            .map(|entry| {
                let name = unique.give(&entry.name);
                (EntryHead { name, size_bytes: entry.size_bytes, modified_at: entry.modified_at }, entry.open)
            })
            .unzip();
        Self { heads, opens }
    }

    /// Adds an entry at the end, its name numbered if it is taken.
    pub fn push(&mut self, entry: ZipEntry) {
        let mut unique = names::Unique::default();
        for head in &self.heads {
            unique.give(&head.name);
        }
        let name = unique.give(&entry.name);
        self.heads.push(EntryHead { name, size_bytes: entry.size_bytes, modified_at: entry.modified_at });
        self.opens.push(entry.open);
    }

    /// The names as they stand in the archive, in its order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.heads.iter().map(|head| head.name.as_str())
    }

    /// The exact length of the archive in bytes, for `Content-Length`.
    pub fn content_length(&self) -> u64 {
        format::total_bytes(&self.heads)
    }

    /// The archive. The next bytes are made when they are asked for; one piece of one entry is in memory at a time,
    /// and some 100 bytes for each entry already sent.
    ///
    /// Errors end the stream: those of the entries, and `BLOB_TAMPERED` for content that is not as long as promised
    /// or has another CRC-32. The receiver sees a broken transfer, never a short archive that looks whole.
    pub fn stream(self) -> BoxStream<'static, Result<Bytes, BlobError>> {
        let entries = self.heads.into_iter().zip(self.opens);
        let state = State { entries, directory: Directory::default(), current: None, ended: false };
        stream::try_unfold(state, |state| state.next()).boxed()
    }
}

struct State<I> {
    entries: I,
    directory: Directory,
    current: Option<Current>,
    ended: bool,
}

/// The entry being sent.
struct Current {
    stream: BoxStream<'static, Result<Bytes, BlobError>>,
    missing_bytes: u64,
    promised_crc32: u32,
    crc32: crc32fast::Hasher,
}

impl<I: Iterator<Item = (EntryHead, Open)>> State<I> {
    async fn next(mut self) -> Result<Option<(Bytes, Self)>, BlobError> {
        if let Some(current) = &mut self.current {
            if let Some(piece) = current.next().await? {
                return Ok(Some((piece, self)));
            }
            self.current = None;
        }
        if self.ended {
            return Ok(None);
        }
        let Some((head, open)) = self.entries.next() else {
            self.ended = true;
            let end = std::mem::take(&mut self.directory).finish();
            return Ok(Some((end.into(), self)));
        };
        let content = open().await?;
        self.current = Some(Current {
            stream: content.stream,
            missing_bytes: head.size_bytes,
            promised_crc32: content.crc32,
            crc32: crc32fast::Hasher::new(),
        });
        let local = self.directory.add(head, content.crc32);
        Ok(Some((local.into(), self)))
    }
}

impl Current {
    async fn next(&mut self) -> Result<Option<Bytes>, BlobError> {
        while let Some(piece) = self.stream.try_next().await? {
            if piece.is_empty() {
                continue;
            }
            self.missing_bytes =
                self.missing_bytes.checked_sub(piece.len() as u64).ok_or(BlobError::Tampered("longer than promised"))?;
            self.crc32.update(&piece);
            return Ok(Some(piece));
        }
        if self.missing_bytes > 0 {
            return Err(BlobError::Tampered("shorter than promised"));
        }
        if std::mem::take(&mut self.crc32).finalize() != self.promised_crc32 {
            return Err(BlobError::Tampered("CRC-32"));
        }
        Ok(None)
    }
}
