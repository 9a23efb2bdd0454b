//! The store of finished files.

use crate::config::{S3Config, StorageConfig};
use crate::{BlobError, BlobName, BlobReader, BlobWriter, DataKey, Digest};
use atalaya_kernel::Sources;
use chrono::{DateTime, Utc};
use futures::stream::BoxStream;
use futures::{StreamExt, TryStreamExt};
use object_store::aws::AmazonS3Builder;
use object_store::local::LocalFileSystem;
use object_store::memory::InMemory;
use object_store::prefix::PrefixStore;
use object_store::{ClientOptions, ObjectStore, ObjectStoreExt, RetryConfig};
use secrecy::ExposeSecret;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// S3 wants parts of at least 5 MiB, some servers all of one size, and takes 10,000 of them: files up to 80 GB.
const S3_PART_BYTES: usize = 8 << 20;
const LOCAL_PART_BYTES: usize = 1 << 20;
/// Chunks fetched by one request: fewer cost less memory, more cost fewer round trips.
const S3_WINDOW_CHUNKS: u64 = 32;
const LOCAL_WINDOW_CHUNKS: u64 = 8;

/// Keeps sealed files by name. Cheap to clone.
#[derive(Clone)]
pub struct BlobStore {
    pub(crate) inner: Arc<dyn ObjectStore>,
    pub(crate) part_bytes: usize,
    pub(crate) window_chunks: u64,
    folder: Option<PathBuf>,
    sources: Sources,
}

/// A stored file, seen from outside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlobInfo {
    pub name: BlobName,
    /// Length as stored, a little more than the content's.
    pub stored_bytes: u64,
    pub modified_at: DateTime<Utc>,
}

impl BlobStore {
    /// Opens the configured store; a folder is made (mode 0700) when it is missing. No request is sent yet, see
    /// [`BlobStore::check`].
    ///
    /// Errors: `STORAGE_UNAVAILABLE`, `STORAGE_FULL`.
    pub fn open(config: &StorageConfig, sources: Sources) -> Result<Self, BlobError> {
        match config {
            StorageConfig::Memory => Ok(Self::in_memory(sources)),
            StorageConfig::Folder(folder) => {
                make_private_folder(folder)?;
                // A file counts as stored only when it survives a power cut.
                let local = LocalFileSystem::new_with_prefix(folder)?.with_fsync(true);
                Ok(Self { folder: Some(folder.clone()), ..Self::over(Arc::new(local), sources) })
            }
            StorageConfig::S3(config) => {
                let s3 = open_s3(config)?;
                let over =
                    |inner| Self { part_bytes: S3_PART_BYTES, window_chunks: S3_WINDOW_CHUNKS, ..Self::over(inner, sources) };
                Ok(if config.prefix.is_empty() {
                    over(Arc::new(s3))
                } else {
                    over(Arc::new(PrefixStore::new(s3, config.prefix.as_str())))
                })
            }
        }
    }

    /// A store in memory. For tests.
    pub fn in_memory(sources: Sources) -> Self {
        Self::over(Arc::new(InMemory::new()), sources)
    }

    /// A store over any object store; for the tests of this crate.
    pub(crate) fn over(inner: Arc<dyn ObjectStore>, sources: Sources) -> Self {
        Self { inner, part_bytes: LOCAL_PART_BYTES, window_chunks: LOCAL_WINDOW_CHUNKS, folder: None, sources }
    }

    /// Begins to write a file. It exists only once [`BlobWriter::finish`] has returned; then it replaces one of the
    /// same name.
    pub fn create(&self, name: &BlobName, key: &DataKey) -> BlobWriter {
        BlobWriter::new(self, name, key, self.sources.bytes())
    }

    /// Stores bytes that are in memory. Errors: `STORAGE_FULL`, `STORAGE_UNAVAILABLE`.
    pub async fn put(&self, name: &BlobName, key: &DataKey, content: &[u8]) -> Result<Digest, BlobError> {
        let mut writer = self.create(name, key);
        writer.write(content).await?;
        writer.finish().await
    }

    /// Opens a file for reading, checking its beginning, its length and its end.
    ///
    /// Errors: `BLOB_NOT_FOUND`, `BLOB_TAMPERED`, `STORAGE_UNAVAILABLE`.
    pub async fn get(&self, name: &BlobName, key: &DataKey) -> Result<BlobReader, BlobError> {
        BlobReader::open(self, name, key).await
    }

    /// Removes a file; `false` when there was none. Errors: `STORAGE_UNAVAILABLE`.
    pub async fn delete(&self, name: &BlobName) -> Result<bool, BlobError> {
        // S3 does not say whether there was something to delete.
        if !self.exists(name).await? {
            return Ok(false);
        }
        match self.inner.delete(&name.to_path()).await.map_err(BlobError::from) {
            Ok(()) => Ok(true),
            Err(BlobError::NotFound) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Whether there is a file of this name, sealed with whatever key. Errors: `STORAGE_UNAVAILABLE`.
    pub async fn exists(&self, name: &BlobName) -> Result<bool, BlobError> {
        match self.inner.head(&name.to_path()).await.map_err(BlobError::from) {
            Ok(_) => Ok(true),
            Err(BlobError::NotFound) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// All files, or those under a folder of names, in no particular order. Foreign files are left out.
    pub fn list(&self, under: Option<&BlobName>) -> BoxStream<'static, Result<BlobInfo, BlobError>> {
        let found = self.inner.list(under.map(BlobName::to_path).as_ref());
        let infos = found.map_err(BlobError::from).try_filter_map(|meta| async move {
            let Ok(name) = BlobName::new(meta.location.as_ref()) else { return Ok(None) };
            Ok(Some(BlobInfo { name, stored_bytes: meta.size, modified_at: meta.last_modified }))
        });
        infos.boxed()
    }

    /// Writes, reads and removes a small file, to know that all three work (`/readyz`, `atalaya doctor`).
    ///
    /// Errors: `STORAGE_UNAVAILABLE`, `STORAGE_FULL`, `BLOB_TAMPERED`.
    pub async fn check(&self) -> Result<(), BlobError> {
        let name = BlobName::new(format!("check/{}", self.sources.hex::<16>()))?;
        let key = DataKey::generate(&self.sources);
        self.put(&name, &key, b"check").await?;
        let read = self.get(&name, &key).await?.read_all(64).await;
        self.delete(&name).await?;
        if read? == b"check"[..] { Ok(()) } else { Err(BlobError::Tampered("check")) }
    }

    /// Removes what a killed process left of files it was writing and of checks, and empty folders. Call it at start, before
    /// anything is written. Returns how many leftovers there were. Buckets do this by a lifecycle rule
    /// ("abort incomplete multipart uploads").
    ///
    /// Errors: `STORAGE_UNAVAILABLE`.
    pub async fn remove_unfinished(&self) -> Result<u64, BlobError> {
        let Some(folder) = self.folder.clone() else { return Ok(0) };
        let work = move || {
            // Of checks that were not waited for.
            match std::fs::remove_dir_all(folder.join("check")) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
            remove_staged(&folder, true)
        };
        let removed = tokio::task::spawn_blocking(work).await;
        Ok(removed.map_err(|error| BlobError::Unavailable(error.into()))??)
    }
}

impl fmt::Debug for BlobStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "BlobStore({})", self.inner)
    }
}

fn make_private_folder(folder: &Path) -> std::io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// The local store writes to `name#1`; our own names contain no `#`.
fn remove_staged(folder: &Path, is_root: bool) -> std::io::Result<u64> {
    let (mut removed, mut kept) = (0, 0);
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let kind = entry.file_type()?;
        if kind.is_dir() {
            removed += remove_staged(&entry.path(), false)?;
            kept += u64::from(entry.path().exists());
        } else if kind.is_file() && entry.file_name().to_string_lossy().contains('#') {
            std::fs::remove_file(entry.path())?;
            removed += 1;
        } else {
            kept += 1;
        }
    }
    if kept == 0 && !is_root {
        std::fs::remove_dir(folder)?;
    }
    Ok(removed)
}

fn open_s3(config: &S3Config) -> Result<object_store::aws::AmazonS3, BlobError> {
    let is_plain = config.endpoint.as_deref().is_some_and(|endpoint| endpoint.starts_with("http://"));
    let client = ClientOptions::new()
        .with_allow_http(is_plain)
        .with_connect_timeout(Duration::from_secs(5))
        // Each request moves at most one part or one window.
        .with_timeout(Duration::from_secs(120));
    let retry = RetryConfig { max_retries: 4, retry_timeout: Duration::from_secs(60), ..RetryConfig::default() };
    let mut builder = AmazonS3Builder::new()
        .with_bucket_name(&config.bucket)
        .with_region(config.region.as_deref().unwrap_or("us-east-1"))
        .with_client_options(client)
        .with_retry(retry);
    if let Some(endpoint) = &config.endpoint {
        // Servers that are not AWS have no name per bucket.
        builder = builder.with_endpoint(endpoint).with_virtual_hosted_style_request(false);
    }
    if let Some(credentials) = &config.credentials {
        builder = builder
            .with_access_key_id(&credentials.access_key_id)
            .with_secret_access_key(credentials.secret_access_key.expose_secret());
        if let Some(token) = &credentials.session_token {
            builder = builder.with_token(token.expose_secret());
        }
    }
    Ok(builder.build()?)
}
