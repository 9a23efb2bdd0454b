//! Streams a zip of 500 MB out of sealed files in a folder and prints what it cost in memory and time.
//!
//! `cargo run --release -p atalaya-blobs --example zip_memory` (results in docs/benchmarks.md; the bound is 32 MB).

use atalaya_blobs::zip::{Zip, ZipEntry};
use atalaya_blobs::{BlobName, BlobStore, DataKey, StorageConfig};
use atalaya_kernel::Sources;
use futures::TryStreamExt;
use std::path::PathBuf;
use std::time::Instant;

const FILES: usize = 50;
const FILE_BYTES: usize = 10_000_000;
const BOUND_KB: u64 = 32 * 1024;

#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let sources = Sources::system();
    let folder = std::env::temp_dir().join(format!("atalaya-zip-memory-{}", std::process::id()));
    let store = BlobStore::open(&StorageConfig::Folder(folder.clone()), sources.clone())?;
    let result = measure(&store, &sources, &folder).await;
    std::fs::remove_dir_all(&folder)?;
    result
}

async fn measure(store: &BlobStore, sources: &Sources, folder: &PathBuf) -> Result<(), Box<dyn std::error::Error>> {
    let key = DataKey::generate(sources);
    let block = sources.bytes::<65_536>();
    let sealing = Instant::now();
    for n in 0..FILES {
        let mut writer = store.create(&BlobName::new(format!("media/{n}"))?, &key);
        let mut left = FILE_BYTES;
        while left > 0 {
            let taken = left.min(block.len());
            writer.write(&block[..taken]).await?;
            left -= taken;
        }
        writer.finish().await?;
    }
    let sealing = sealing.elapsed();

    let before_kb = resident_kb("VmRSS:")?;
    reset_peak()?;
    let files_before = count_files(folder)?;
    let streaming = Instant::now();
    let mut entries = Vec::new();
    for n in 0..FILES {
        let source = (store.clone(), BlobName::new(format!("media/{n}"))?, key.clone());
        entries.push(ZipEntry::of_blob("foto.jpg", FILE_BYTES as u64, sources.now(), source));
    }
    let zip = Zip::new(entries);
    let promised = zip.content_length();
    let (mut pieces, mut produced, mut seen_files) = (zip.stream(), 0, files_before);
    while let Some(piece) = pieces.try_next().await? {
        produced += piece.len() as u64;
        if produced % (64 << 20) < piece.len() as u64 {
            seen_files = seen_files.max(count_files(folder)?);
        }
    }
    let streaming = streaming.elapsed();
    let extra_kb = resident_kb("VmHWM:")?.saturating_sub(before_kb);
    let rate = |elapsed: std::time::Duration| (FILES * FILE_BYTES) as f64 / 1e6 / elapsed.as_secs_f64();
    println!("zip bytes produced      {produced} (told beforehand: {promised})");
    println!("extra memory at most    {:.1} MB (bound 32 MB)", extra_kb as f64 / 1024.0);
    println!("temporary files         {}", seen_files - files_before);
    println!("sealing and storing     {:.0} MB/s", rate(sealing));
    println!("opening and zipping     {:.0} MB/s", rate(streaming));
    if produced != promised || extra_kb > BOUND_KB || seen_files != files_before {
        return Err("out of bounds".into());
    }
    Ok(())
}

fn resident_kb(field: &str) -> Result<u64, Box<dyn std::error::Error>> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find(|line| line.starts_with(field)).ok_or("no such field")?;
    Ok(line.split_whitespace().nth(1).ok_or("no value")?.parse()?)
}

/// Makes the peak begin again from here (`man 5 proc`, clear_refs).
fn reset_peak() -> std::io::Result<()> {
    std::fs::write("/proc/self/clear_refs", "5")
}

fn count_files(folder: &PathBuf) -> std::io::Result<usize> {
    let mut count = 0;
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        count += if path.is_dir() { count_files(&path)? } else { 1 };
    }
    Ok(count)
}
