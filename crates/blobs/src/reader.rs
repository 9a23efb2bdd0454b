//! Reading a file: any range of it, opening only the chunks that hold it.

use crate::seal::{self, CHUNK_BYTES, FOOT_BYTES, FOOT_INDEX, HEAD_BYTES, MAGIC, PREFIX_BYTES, Part, SEALED_CHUNK_BYTES, Sealer};
use crate::{BlobError, BlobName, BlobStore, DataKey, Digest};
use bytes::Bytes;
use chrono::{DateTime, Utc};
use futures::stream::{self, BoxStream};
use futures::{StreamExt, TryStreamExt};
use object_store::path::Path;
use object_store::{GetOptions, GetRange, ObjectStore, ObjectStoreExt};
use std::ops::Range;
use std::sync::Arc;

/// An opened file. Cheap to clone; holds no file handle, so the file may be deleted meanwhile (reads then fail).
#[derive(Clone)]
pub struct BlobReader {
    store: Arc<dyn ObjectStore>,
    path: Path,
    sealer: Sealer,
    digest: Digest,
    modified_at: DateTime<Utc>,
    window_chunks: u64,
}

impl BlobReader {
    pub(crate) async fn open(store: &BlobStore, name: &BlobName, key: &DataKey) -> Result<Self, BlobError> {
        let path = name.to_path();
        let (stored_bytes, modified_at, mut foot) = read_foot(&*store.inner, &path).await?;
        let plain_bytes = seal::plain_bytes(stored_bytes).ok_or(BlobError::Tampered("length"))?;
        let head = store.inner.get_range(&path, 0..HEAD_BYTES).await?;
        let (magic, prefix) = head.split_at_checked(MAGIC.len()).ok_or(BlobError::Tampered("head"))?;
        let prefix: [u8; PREFIX_BYTES] = prefix.try_into().map_err(|_| BlobError::Tampered("head"))?;
        if magic != MAGIC {
            return Err(BlobError::Tampered("head"));
        }
        let sealer = Sealer::new(key, prefix, name);
        sealer.open(&mut foot, FOOT_INDEX, Part::Foot)?;
        let digest = Digest::from_bytes(&foot).ok_or(BlobError::Tampered("foot"))?;
        if digest.size_bytes != plain_bytes {
            return Err(BlobError::Tampered("length"));
        }
        Ok(Self { store: store.inner.clone(), path, sealer, digest, modified_at, window_chunks: store.window_chunks })
    }

    /// Length of the content.
    pub fn size_bytes(&self) -> u64 {
        self.digest.size_bytes
    }

    /// Length and checksums of the content, as they were when it was written.
    pub fn digest(&self) -> &Digest {
        &self.digest
    }

    pub fn modified_at(&self) -> DateTime<Utc> {
        self.modified_at
    }

    /// The content from `range.start` up to, not including, `range.end`, in pieces of at most 64 KiB. The next piece
    /// is fetched when it is asked for; one window of chunks is in memory at a time.
    ///
    /// Errors: `BLOB_RANGE_INVALID` at once; `BLOB_TAMPERED`, `BLOB_NOT_FOUND` (deleted meanwhile) and
    /// `STORAGE_UNAVAILABLE` within the stream, which then ends.
    pub fn read_range(&self, range: Range<u64>) -> Result<BoxStream<'static, Result<Bytes, BlobError>>, BlobError> {
        if range.start > range.end || range.end > self.size_bytes() {
            return Err(BlobError::InvalidRange);
        }
        let chunk = CHUNK_BYTES as u64;
        let first = range.start / chunk;
        let last = match range.end - range.start {
            // An empty file has one chunk too, which is opened so that damage to it does not go unnoticed.
            0 => first + u64::from(self.size_bytes() == 0),
            _ => range.end.div_ceil(chunk),
        };
        let reader = self.clone();
        let windows = stream::try_unfold(first, move |from| {
            let (reader, range) = (reader.clone(), range.clone());
            async move {
                if from >= last {
                    return Ok::<_, BlobError>(None);
                }
                let to = last.min(from + reader.window_chunks);
                let pieces = reader.read_chunks(from..to, &range).await?;
                Ok(Some((stream::iter(pieces.into_iter().map(Ok)), to)))
            }
        });
        Ok(windows.try_flatten().boxed())
    }

    /// The whole content as a stream; see [`BlobReader::read_range`].
    pub fn stream(&self) -> BoxStream<'static, Result<Bytes, BlobError>> {
        self.read_range(0..self.size_bytes()).expect("the whole file is within itself")
    }

    /// The whole content in memory. Errors: `BLOB_TOO_LARGE` beyond `limit_bytes`, and those of reading.
    pub async fn read_all(&self, limit_bytes: u64) -> Result<Bytes, BlobError> {
        if self.size_bytes() > limit_bytes {
            return Err(BlobError::TooLarge { limit_bytes });
        }
        let mut content = Vec::with_capacity(usize::try_from(self.size_bytes()).unwrap_or(0));
        let mut pieces = self.stream();
        while let Some(piece) = pieces.try_next().await? {
            content.extend_from_slice(&piece);
        }
        Ok(content.into())
    }

    /// Fetches and opens successive chunks, and cuts them to the wanted range.
    async fn read_chunks(&self, chunks: Range<u64>, wanted: &Range<u64>) -> Result<Vec<Bytes>, BlobError> {
        let count = seal::chunk_count(self.size_bytes());
        let sealed = SEALED_CHUNK_BYTES as u64;
        let body_end = seal::sealed_bytes(self.size_bytes()) - FOOT_BYTES;
        let place = HEAD_BYTES + chunks.start * sealed..body_end.min(HEAD_BYTES + chunks.end * sealed);
        let window = self.store.get_range(&self.path, place.clone()).await?;
        if window.len() as u64 != place.end - place.start {
            return Err(BlobError::Tampered("length"));
        }
        let mut pieces = Vec::with_capacity((chunks.end - chunks.start) as usize);
        for (index, piece) in chunks.zip(window.chunks(SEALED_CHUNK_BYTES)) {
            let mut plain = piece.to_vec();
            let part = if index + 1 == count { Part::LastChunk } else { Part::Chunk };
            self.sealer.open(&mut plain, index, part)?;
            let start = index * CHUNK_BYTES as u64;
            let from = wanted.start.saturating_sub(start).min(plain.len() as u64) as usize;
            let to = wanted.end.saturating_sub(start).min(plain.len() as u64) as usize;
            if from < to {
                pieces.push(Bytes::from(plain).slice(from..to));
            }
        }
        Ok(pieces)
    }
}

async fn read_foot(store: &dyn ObjectStore, path: &Path) -> Result<(u64, DateTime<Utc>, Vec<u8>), BlobError> {
    let options = GetOptions { range: Some(GetRange::Suffix(FOOT_BYTES)), ..GetOptions::default() };
    let found = match store.get_opts(path, options).await {
        Ok(found) => found,
        Err(error) => {
            // A range of an object of no bytes is refused; that object is damage, not trouble with the storage.
            let is_short = store.head(path).await.is_ok_and(|meta| meta.size < HEAD_BYTES + FOOT_BYTES);
            return Err(if is_short { BlobError::Tampered("length") } else { error.into() });
        }
    };
    let (stored_bytes, modified_at) = (found.meta.size, found.meta.last_modified);
    if stored_bytes < HEAD_BYTES + FOOT_BYTES {
        return Err(BlobError::Tampered("length"));
    }
    Ok((stored_bytes, modified_at, found.bytes().await?.to_vec()))
}
