//! Stored files: what goes in comes out, whole and in any part; what was changed does not.

mod common;

use atalaya_blobs::{BlobError, BlobStore, Digest};
use common::{bytes, files_under, key, local, name, other_key, sources};
use futures::TryStreamExt;
use proptest::prelude::*;
use std::io::Write;
use std::ops::Range;

const CHUNK: usize = 64 << 10;

async fn read(store: &BlobStore, blob: &str, range: Range<u64>) -> Result<Vec<u8>, BlobError> {
    let reader = store.get(&name(blob), &key()).await?;
    let pieces: Vec<_> = reader.read_range(range)?.try_collect().await?;
    Ok(pieces.concat())
}

async fn all_of_it(store: &BlobStore) {
    for length in [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK, 3 << 20] {
        let content = bytes(length);
        let blob = name(&format!("media/{length}.bin"));
        let digest = store.put(&blob, &key(), &content).await.expect("stores");
        assert_eq!(digest, Digest::of(&content));
        let reader = store.get(&blob, &key()).await.expect("opens");
        assert_eq!(reader.digest(), &digest);
        assert_eq!(reader.read_all(4 << 20).await.expect("reads"), content);
        let end = length as u64;
        for range in [0..0, 0..end.min(1), end / 3..end / 2, end.saturating_sub(5)..end, end..end] {
            let part = read(store, blob.as_str(), range.clone()).await.expect("reads");
            assert_eq!(part, content[range.start as usize..range.end as usize], "{range:?} of {length}");
        }
        let beyond = reader.read_range(0..end + 1).err().expect("beyond the end");
        assert_eq!(beyond.code(), "BLOB_RANGE_INVALID");
    }
    let mut listed: Vec<_> = store.list(Some(&name("media"))).try_collect().await.expect("lists");
    assert_eq!(listed.len(), 7);
    listed.sort_by(|a, b| a.name.cmp(&b.name));
    assert_eq!(listed[0].name, name("media/0.bin"));
    assert_eq!(listed[0].stored_bytes, 24 + 16 + 60);

    let blob = name("media/1.bin");
    assert!(store.exists(&blob).await.expect("answers"));
    assert!(store.delete(&blob).await.expect("deletes"));
    assert!(!store.delete(&blob).await.expect("is gone"));
    assert!(!store.exists(&blob).await.expect("answers"));
    assert_eq!(store.get(&blob, &key()).await.err().expect("gone").code(), "BLOB_NOT_FOUND");

    store.put(&name("media/0.bin"), &key(), b"replaced").await.expect("replaces");
    assert_eq!(read(store, "media/0.bin", 2..5).await.expect("reads"), b"pla");
    assert_eq!(store.get(&name("media/0.bin"), &other_key()).await.err().expect("wrong key").code(), "BLOB_TAMPERED");
    let large = store.get(&name("media/65537.bin"), &key()).await.expect("opens").read_all(65_536).await;
    assert_eq!(large.expect_err("too large").code(), "BLOB_TOO_LARGE");

    let mut writer = store.create(&name("media/given-up.bin"), &key());
    writer.write(&bytes(20 << 20)).await.expect("takes");
    writer.abort().await.expect("gives up");
    assert!(!store.exists(&name("media/given-up.bin")).await.expect("answers"));

    // Large enough for several parts in a bucket.
    let content = bytes(21 << 20);
    let mut writer = store.create(&name("media/large.bin"), &key());
    for piece in content.chunks(1_000_003) {
        writer.write(piece).await.expect("takes");
    }
    assert_eq!(writer.size_bytes(), 21 << 20);
    writer.finish().await.expect("stores");
    assert_eq!(read(store, "media/large.bin", 9_000_000..9_200_000).await.expect("reads"), content[9_000_000..9_200_000]);
    assert_eq!(
        store.get(&name("media/large.bin"), &key()).await.expect("opens").read_all(1 << 30).await.expect("reads"),
        content
    );
    store.check().await.expect("works");
    for blob in store.list(None).try_collect::<Vec<_>>().await.expect("lists") {
        store.delete(&blob.name).await.expect("deletes");
    }
}

#[tokio::test]
async fn in_memory() {
    all_of_it(&BlobStore::in_memory(sources())).await;
}

#[tokio::test]
async fn in_a_folder() {
    let (store, folder) = local("all");
    all_of_it(&store).await;
    assert_eq!(files_under(&folder), [] as [std::path::PathBuf; 0], "nothing is left behind");
}

#[tokio::test]
async fn in_a_bucket() {
    let Ok(url) = std::env::var("ATALAYA_TEST_S3_URL") else {
        eprintln!("NOT RUN: in_a_bucket needs ATALAYA_TEST_S3_URL (scripts/s3-server.sh starts a server and prints it)");
        return;
    };
    let config = atalaya_blobs::StorageConfig::parse(&url, None).expect("ATALAYA_TEST_S3_URL is valid");
    let store = BlobStore::open(&config, sources()).expect("opens");
    all_of_it(&store).await;
    assert_eq!(store.list(None).try_collect::<Vec<_>>().await.expect("lists"), []);
}

#[tokio::test]
async fn a_bucket_that_does_not_answer_is_unavailable() {
    let url = "s3://key:secret@bucket?endpoint=http://127.0.0.1:9&region=eu-west-1";
    let config = atalaya_blobs::StorageConfig::parse(url, None).expect("valid");
    let store = BlobStore::open(&config, sources()).expect("opens");
    assert_eq!(store.exists(&name("x")).await.expect_err("nobody there").code(), "STORAGE_UNAVAILABLE");
}

// STORE-1
#[tokio::test]
async fn nothing_in_the_clear_is_on_disk() {
    let (store, folder) = local("clear");
    let secret = b"a very recognisable sentence, more than once. ".repeat(100_000);
    let mut writer = store.create(&name("case/document.pdf"), &key());
    writer.write(&secret).await.expect("takes");
    for file in files_under(&folder) {
        let stored = std::fs::read(file).expect("readable");
        assert!(!stored.windows(12).any(|window| window == b"recognisable"), "not even while it is written");
    }
    writer.finish().await.expect("stores");
    let stored = std::fs::read(folder.join("case/document.pdf")).expect("stored");
    assert!(!stored.windows(12).any(|window| window == b"recognisable"));
}

#[tokio::test]
async fn the_same_content_is_sealed_differently_each_time() {
    let (store, folder) = local("twice");
    let mut stored = Vec::new();
    for _ in 0..2 {
        store.put(&name("x"), &key(), b"content").await.expect("stores");
        stored.push(std::fs::read(folder.join("x")).expect("stored"));
    }
    assert_ne!(stored[0], stored[1]);
}

// STORE-2
#[tokio::test]
async fn every_byte_is_guarded() {
    let (store, folder) = local("bytes");
    let path = folder.join("x");
    for length in [0, 10, 300] {
        store.put(&name("x"), &key(), &bytes(length)).await.expect("stores");
        let whole = std::fs::read(&path).expect("stored");
        for at in 0..whole.len() {
            let mut altered = whole.clone();
            altered[at] ^= 0x40;
            std::fs::write(&path, &altered).expect("writable");
            let error = read(&store, "x", 0..length as u64).await.err();
            assert_eq!(error.unwrap_or_else(|| panic!("byte {at} of {length} unnoticed")).code(), "BLOB_TAMPERED");
        }
        for cut in 0..whole.len() {
            std::fs::write(&path, &whole[..cut]).expect("writable");
            assert_eq!(store.get(&name("x"), &key()).await.err().expect("noticed").code(), "BLOB_TAMPERED", "cut at {cut}");
        }
    }
}

// STORE-2
#[tokio::test]
async fn cutting_swapping_and_renaming_are_noticed() {
    let (store, folder) = local("moves");
    store.put(&name("x"), &key(), &bytes(4 * CHUNK)).await.expect("stores");
    let whole = std::fs::read(folder.join("x")).expect("stored");
    let sealed = CHUNK + 16;
    let (head, body, foot) = (&whole[..24], &whole[24..24 + 4 * sealed], &whole[24 + 4 * sealed..]);

    let shorter = [head, &body[..3 * sealed], foot].concat();
    std::fs::write(folder.join("x"), shorter).expect("writable");
    assert_eq!(store.get(&name("x"), &key()).await.err().expect("a whole chunk is gone").code(), "BLOB_TAMPERED");

    let swapped = [head, &body[sealed..2 * sealed], &body[..sealed], &body[2 * sealed..], foot].concat();
    std::fs::write(folder.join("x"), swapped).expect("writable");
    assert_eq!(read(&store, "x", 0..10).await.expect_err("swapped").code(), "BLOB_TAMPERED");
    let untouched = 2 * CHUNK as u64..3 * CHUNK as u64;
    assert_eq!(read(&store, "x", untouched).await.expect("chunks that stayed").len(), CHUNK);

    std::fs::write(folder.join("y"), &whole).expect("writable");
    assert_eq!(store.get(&name("y"), &key()).await.err().expect("another name").code(), "BLOB_TAMPERED");
}

// STORE-19
#[tokio::test]
async fn a_writer_that_is_dropped_or_killed_leaves_nothing() {
    let (store, folder) = local("dropped");
    let mut writer = store.create(&name("case/x.bin"), &key());
    writer.write(&bytes(3 << 20)).await.expect("takes");
    assert_eq!(files_under(&folder).len(), 1, "the part already sent");
    assert!(!store.exists(&name("case/x.bin")).await.expect("answers"), "but no file of that name");
    drop(writer);
    for _ in 0..100 {
        if files_under(&folder).is_empty() {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    assert!(files_under(&folder).is_empty());

    // What a killed process leaves is found at the next start, and finished files are not touched.
    store.put(&name("case/kept.bin"), &key(), b"kept").await.expect("stores");
    std::fs::write(folder.join("case/y.bin#1"), b"half").expect("writable");
    std::fs::create_dir_all(folder.join("old/empty")).expect("writable");
    assert_eq!(store.remove_unfinished().await.expect("works"), 1);
    assert_eq!(files_under(&folder), [folder.join("case/kept.bin")]);
    assert!(!folder.join("old").exists());
}

#[tokio::test]
async fn the_blocking_writer_is_the_same_writer() {
    let (store, _) = local("blocking");
    let content = bytes(200_000);
    let mut writer = store.create(&name("x"), &key()).blocking();
    let expected = content.clone();
    let digest = tokio::task::spawn_blocking(move || {
        for piece in content.chunks(777) {
            writer.write_all(piece).expect("takes");
        }
        writer.finish().expect("stores")
    });
    assert_eq!(digest.await.expect("no panic"), Digest::of(&expected));
    assert_eq!(read(&store, "x", 0..200_000).await.expect("reads"), expected);
}

// STORE-21
#[tokio::test]
async fn the_folder_is_private() {
    let parent = common::folder("private");
    let config = atalaya_blobs::StorageConfig::Folder(parent.join("media"));
    BlobStore::open(&config, sources()).expect("opens");
    use std::os::unix::fs::PermissionsExt;
    let mode = std::fs::metadata(parent.join("media")).expect("made").permissions().mode();
    assert_eq!(mode & 0o777, 0o700);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn any_range_equals_the_slice(length in 0usize..700_000, from in any::<prop::sample::Index>(), to in any::<prop::sample::Index>(), pieces in 1usize..200_000) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        runtime.block_on(async {
            let store = BlobStore::in_memory(sources());
            let content = bytes(length);
            let mut writer = store.create(&name("x"), &key());
            for piece in content.chunks(pieces) {
                writer.write(piece).await.expect("takes");
            }
            writer.finish().await.expect("stores");
            let (a, b) = (from.index(length + 1), to.index(length + 1));
            let range = a.min(b)..a.max(b);
            let part = read(&store, "x", range.start as u64..range.end as u64).await.expect("reads");
            prop_assert_eq!(&part[..], &content[range]);
            Ok(())
        })?;
    }
}
