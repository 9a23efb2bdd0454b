//! Writing a file: sealed while it is streamed, published at once or not at all (STORE-19).

use crate::digest::RunningDigest;
use crate::seal::{CHUNK_BYTES, FOOT_INDEX, MAGIC, PREFIX_BYTES, Part, Sealer};
use crate::{BlobError, BlobName, BlobStore, DataKey, Digest};
use bytes::Bytes;
use object_store::path::Path;
use object_store::{MultipartUpload, ObjectStore, ObjectStoreExt, PutPayload};
use std::io;
use std::sync::Arc;
use tokio::runtime::Handle;

/// Writes one file in constant memory (a part and a chunk). Dropping it, or any error, leaves nothing behind.
pub struct BlobWriter {
    store: Arc<dyn ObjectStore>,
    path: Path,
    part_bytes: usize,
    sealer: Sealer,
    digest: RunningDigest,
    /// Content of the chunk being filled. A full one waits until it is known whether it is the last.
    chunk: Vec<u8>,
    next_index: u64,
    /// Sealed bytes of the part being filled.
    part: Vec<u8>,
    upload: Option<Box<dyn MultipartUpload>>,
    /// False while a part is being sent: a caller that gave up waiting for it must not continue afterwards.
    intact: bool,
}

impl BlobWriter {
    pub(crate) fn new(store: &BlobStore, name: &BlobName, key: &DataKey, prefix: [u8; PREFIX_BYTES]) -> Self {
        Self {
            store: store.inner.clone(),
            path: name.to_path(),
            part_bytes: store.part_bytes,
            sealer: Sealer::new(key, prefix, name),
            digest: RunningDigest::new(),
            chunk: Vec::new(),
            next_index: 0,
            part: [&MAGIC[..], &prefix[..]].concat(),
            upload: None,
            intact: true,
        }
    }

    /// Content bytes taken so far.
    pub fn size_bytes(&self) -> u64 {
        self.digest.size_bytes()
    }

    /// Takes more content. After an error, or when the returned future was dropped before its end, the file cannot
    /// be finished any more.
    ///
    /// Errors: `STORAGE_FULL`, `STORAGE_UNAVAILABLE`.
    pub async fn write(&mut self, mut content: &[u8]) -> Result<(), BlobError> {
        self.check_intact()?;
        while !content.is_empty() {
            if self.chunk.len() == CHUNK_BYTES {
                self.seal_chunk(Part::Chunk);
                self.send_full_parts().await?;
            }
            let taken = content.len().min(CHUNK_BYTES - self.chunk.len());
            self.chunk.extend_from_slice(&content[..taken]);
            self.digest.update(&content[..taken]);
            content = &content[taken..];
        }
        Ok(())
    }

    /// Publishes the file durably and answers its digest. Errors: `STORAGE_FULL`, `STORAGE_UNAVAILABLE`.
    pub async fn finish(mut self) -> Result<Digest, BlobError> {
        self.check_intact()?;
        self.seal_chunk(Part::LastChunk);
        let digest = std::mem::replace(&mut self.digest, RunningDigest::new()).finish();
        let mut foot = digest.to_bytes().to_vec();
        self.sealer.seal(&mut foot, FOOT_INDEX, Part::Foot);
        self.part.extend_from_slice(&foot);
        self.send_full_parts().await?;
        let rest = PutPayload::from(Bytes::from(std::mem::take(&mut self.part)));
        match self.upload.as_mut() {
            None => {
                self.store.put(&self.path, rest).await?;
            }
            Some(upload) => {
                if rest.content_length() > 0 {
                    upload.put_part(rest).await?;
                }
                upload.complete().await?;
                self.upload = None;
            }
        }
        Ok(digest)
    }

    /// Gives the file up and waits until nothing is left of it. Errors: `STORAGE_UNAVAILABLE`.
    pub async fn abort(mut self) -> Result<(), BlobError> {
        match self.upload.take() {
            Some(mut upload) => Ok(upload.abort().await?),
            None => Ok(()),
        }
    }

    /// The same writer for code that is not async. Take it from within the runtime, use it on a blocking thread.
    pub fn blocking(self) -> BlockingBlobWriter {
        BlockingBlobWriter { writer: self, runtime: Handle::current() }
    }

    fn check_intact(&self) -> Result<(), BlobError> {
        if self.intact { Ok(()) } else { Err(BlobError::Unavailable("an earlier part was not stored".into())) }
    }

    fn seal_chunk(&mut self, part: Part) {
        let mut chunk = std::mem::take(&mut self.chunk);
        self.sealer.seal(&mut chunk, self.next_index, part);
        self.next_index += 1;
        self.part.extend_from_slice(&chunk);
        // Keep the allocation.
        chunk.clear();
        self.chunk = chunk;
    }

    async fn send_full_parts(&mut self) -> Result<(), BlobError> {
        while self.part.len() > self.part_bytes {
            self.intact = false;
            let rest = self.part.split_off(self.part_bytes);
            let part = std::mem::replace(&mut self.part, rest);
            let upload = match &mut self.upload {
                Some(upload) => upload,
                none => none.insert(self.store.put_multipart(&self.path).await?),
            };
            upload.put_part(PutPayload::from(Bytes::from(part))).await?;
            self.intact = true;
        }
        Ok(())
    }
}

impl Drop for BlobWriter {
    fn drop(&mut self) {
        // An upload to a folder cleans up by itself; one to a bucket must be aborted.
        if let (Some(mut upload), Ok(runtime)) = (self.upload.take(), Handle::try_current()) {
            runtime.spawn(async move { upload.abort().await });
        }
    }
}

/// A [`BlobWriter`] as `std::io::Write`.
pub struct BlockingBlobWriter {
    writer: BlobWriter,
    runtime: Handle,
}

impl BlockingBlobWriter {
    /// As [`BlobWriter::finish`].
    pub fn finish(self) -> Result<Digest, BlobError> {
        self.runtime.block_on(self.writer.finish())
    }
}

impl io::Write for BlockingBlobWriter {
    fn write(&mut self, content: &[u8]) -> io::Result<usize> {
        self.runtime.block_on(self.writer.write(content))?;
        Ok(content.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
