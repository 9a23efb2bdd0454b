//! What the tests of this crate share.

#![allow(dead_code, reason = "each test file uses a part of it")]

use atalaya_blobs::{BlobName, BlobStore, DataKey, StorageConfig};
use atalaya_kernel::Sources;
use atalaya_kernel::sources::{SeededEntropy, SystemClock};
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub fn sources() -> Sources {
    Sources::new(Arc::new(SystemClock), SeededEntropy::new(11))
}

pub fn key() -> DataKey {
    DataKey::generate(&sources())
}

pub fn other_key() -> DataKey {
    DataKey::generate(&Sources::new(Arc::new(SystemClock), SeededEntropy::new(12)))
}

pub fn name(name: &str) -> BlobName {
    BlobName::new(name).expect("a valid name")
}

/// An empty folder of its own.
pub fn folder(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("blobs").join(test);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("writable");
    folder
}

pub fn local(test: &str) -> (BlobStore, PathBuf) {
    let folder = folder(test);
    (BlobStore::open(&StorageConfig::Folder(folder.clone()), sources()).expect("opens"), folder)
}

pub fn bytes(length: usize) -> Vec<u8> {
    (0..length).map(|n| (n as u32).wrapping_mul(2_654_435_761).to_be_bytes()[0]).collect()
}

pub fn files_under(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).expect("readable") {
        let path = entry.expect("readable").path();
        if path.is_dir() { files.extend(files_under(&path)) } else { files.push(path) }
    }
    files
}
