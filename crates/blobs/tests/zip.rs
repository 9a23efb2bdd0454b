//! Archives, opened by two independent programs.

mod common;

use atalaya_blobs::BlobStore;
use atalaya_blobs::zip::{Zip, ZipContent, ZipEntry, ZipFile, archive_of};
use bytes::Bytes;
use chrono::{DateTime, Utc};
use common::{bytes, folder, key, local, name, sources};
use futures::{StreamExt, TryStreamExt, stream};
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

fn at() -> DateTime<Utc> {
    DateTime::parse_from_rfc3339("2026-11-21T13:05:58Z").expect("valid").to_utc()
}

async fn save(zip: Zip, file: &Path) {
    let promised = zip.content_length();
    let pieces: Vec<Bytes> = zip.stream().try_collect().await.expect("streams");
    let archive = pieces.concat();
    assert_eq!(archive.len() as u64, promised, "the length told beforehand");
    std::fs::write(file, archive).expect("writable");
}

fn run(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output().unwrap_or_else(|_| panic!("{program} is installed"));
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{program}: {said}{}", String::from_utf8_lossy(&output.stderr));
    said
}

const LIST: &str = r#"
import sys, zipfile
archive = zipfile.ZipFile(sys.argv[1])
assert archive.testzip() is None
for entry in archive.infolist():
    assert entry.compress_type == zipfile.ZIP_STORED and not entry.flag_bits & 8
    print(entry.filename, entry.file_size, entry.date_time, len(archive.read(entry)))
"#;

// STORE-11
#[tokio::test]
async fn two_other_programs_read_it() {
    let (store, _) = local("zip-store");
    let mut entries = Vec::new();
    for (n, length) in [0usize, 1, 70_000, 3_000_000].into_iter().enumerate() {
        let blob = name(&format!("media/{n}"));
        store.put(&blob, &key(), &bytes(length)).await.expect("stores");
        entries.push(ZipEntry::of_blob("foto ñ.jpg", length as u64, at(), (store.clone(), blob, key())));
    }
    entries.push(ZipEntry::of_bytes("docs/SHA256SUMS.txt", at(), Bytes::from_static(b"hash  name\n")));
    let file = folder("zip-read").join("case.zip");
    save(Zip::new(entries), &file).await;
    let path = file.to_str().expect("a plain path");
    let listed = run("python3", &["-c", LIST, path]);
    let expected = "foto ñ.jpg 0 (2026, 11, 21, 13, 5, 58) 0\n\
        foto ñ (2).jpg 1 (2026, 11, 21, 13, 5, 58) 1\n\
        foto ñ (3).jpg 70000 (2026, 11, 21, 13, 5, 58) 70000\n\
        foto ñ (4).jpg 3000000 (2026, 11, 21, 13, 5, 58) 3000000\n\
        docs/SHA256SUMS.txt 11 (2026, 11, 21, 13, 5, 58) 11\n";
    assert_eq!(listed, expected);
    assert!(run("unzip", &["-t", path]).contains("No errors detected"));
}

#[tokio::test]
async fn no_entry_and_very_many() {
    let file = folder("zip-count").join("empty.zip");
    save(Zip::new([]), &file).await;
    assert_eq!(std::fs::metadata(&file).expect("written").len(), 22);
    assert_eq!(run("python3", &["-c", LIST, file.to_str().expect("plain")]), "");

    let many = (0..70_000).map(|_| ZipEntry::of_bytes("same.txt", at(), Bytes::from_static(b"x")));
    let file = folder("zip-many").join("many.zip");
    save(Zip::new(many), &file).await;
    let count = "import sys, zipfile; print(len(zipfile.ZipFile(sys.argv[1]).namelist()))";
    assert_eq!(run("python3", &["-c", count, file.to_str().expect("plain")]), "70000\n", "beyond 65,535 by ZIP64");
}

/// Zeros, without making them twice.
fn sparse(label: &str, size_bytes: u64, crc32: u32) -> ZipEntry {
    ZipEntry::new(label, size_bytes, at(), move || async move {
        let block = Bytes::from(vec![0; 1 << 20]);
        let blocks = stream::unfold(size_bytes, move |left| {
            let piece = block.slice(..left.min(1 << 20) as usize);
            async move { (left > 0).then(|| (Ok(piece.clone()), left - piece.len() as u64)) }
        });
        Ok(ZipContent { crc32, stream: blocks.boxed() })
    })
}

/// CRC-32 of zeros, by doubling.
fn crc_of_zeros(size_bytes: u64) -> u32 {
    let (mut all, mut power) = (crc32fast::Hasher::new(), crc32fast::Hasher::new());
    power.update(&[0]);
    for bit in 0..u64::BITS - size_bytes.leading_zeros() {
        if size_bytes >> bit & 1 == 1 {
            all.combine(&power);
        }
        power.combine(&power.clone());
    }
    all.finalize()
}

// STORE-11
#[tokio::test]
async fn beyond_four_gib_the_length_agrees_and_another_program_reads_it() {
    let size = (4 << 30) + 5;
    let after = ZipEntry::of_bytes("after.txt", at(), Bytes::from_static(b"after"));
    let zip = Zip::new([sparse("large.webm", size, crc_of_zeros(size)), after]);
    let promised = zip.content_length();
    let file = folder("zip-64").join("large.zip");
    let mut target = std::fs::File::create(&file).expect("writable");
    let (mut pieces, mut produced, mut records) = (zip.stream(), 0, Vec::new());
    while let Some(piece) = pieces.try_next().await.expect("streams") {
        // The zeros become a hole in the file, so that it costs no disk.
        if piece.len() < 1_000 {
            target.seek(SeekFrom::Start(produced)).expect("seeks");
            target.write_all(&piece).expect("writes");
            records.push(piece.clone());
        }
        produced += piece.len() as u64;
    }
    drop(target);
    assert_eq!(produced, promised);
    assert!(records[0].windows(8).any(|window| window == size.to_le_bytes()), "true size in the local header");
    let script = "import sys, zipfile\na = zipfile.ZipFile(sys.argv[1])\n\
        print([(e.filename, e.file_size) for e in a.infolist()], a.read('after.txt'))";
    let said = run("python3", &["-c", script, file.to_str().expect("plain")]);
    std::fs::remove_file(&file).expect("removes");
    assert_eq!(said, "[('large.webm', 4294967301), ('after.txt', 5)] b'after'\n");
}

// STORE-12
#[tokio::test]
async fn content_that_is_not_as_promised_breaks_the_stream() {
    let entry = |size: u64, content: &'static [u8], crc32: u32| {
        ZipEntry::new("x", size, at(), move || async move {
            Ok(ZipContent { crc32, stream: stream::once(async move { Ok(Bytes::from_static(content)) }).boxed() })
        })
    };
    let right = crc32fast::hash(b"abc");
    for (size, content, crc) in [(4, &b"abc"[..], right), (2, b"abc", right), (3, b"abc", right ^ 1)] {
        let broken = Zip::new([entry(size, content, crc)]).stream().try_collect::<Vec<_>>().await;
        assert_eq!(broken.expect_err("noticed").code(), "BLOB_TAMPERED");
    }
    let fine = Zip::new([entry(3, b"abc", right)]).stream().try_collect::<Vec<_>>().await;
    assert_eq!(fine.expect("as promised").len(), 3, "header, content, directory");
}

// STORE-12
#[tokio::test]
async fn a_file_removed_meanwhile_breaks_the_stream() {
    let store = BlobStore::in_memory(sources());
    let entries: Vec<_> = ["a", "b"].map(|n| ZipEntry::of_blob(n, 3, at(), (store.clone(), name(n), key()))).into();
    for n in ["a", "b"] {
        store.put(&name(n), &key(), b"abc").await.expect("stores");
    }
    let mut pieces = Zip::new(entries).stream();
    pieces.next().await.expect("header of a").expect("fine");
    pieces.next().await.expect("content of a").expect("fine");
    store.delete(&name("b")).await.expect("deletes");
    assert_eq!(pieces.next().await.expect("an answer").expect_err("b is gone").code(), "BLOB_NOT_FOUND");
    assert!(pieces.next().await.is_none(), "and nothing after it");
}

// STORE-12
#[tokio::test]
async fn a_client_that_stops_reading_stops_the_work() {
    let opened = Arc::new(AtomicUsize::new(0));
    let entries = (0..50).map(|_| {
        let opened = opened.clone();
        ZipEntry::new("x", 1, at(), move || async move {
            opened.fetch_add(1, Ordering::SeqCst);
            Ok(ZipContent { crc32: crc32fast::hash(b"x"), stream: stream::once(async { Ok(Bytes::from_static(b"x")) }).boxed() })
        })
    });
    let mut pieces = Zip::new(entries).stream();
    for _ in 0..4 {
        pieces.next().await.expect("more").expect("fine");
    }
    tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    assert_eq!(opened.load(Ordering::SeqCst), 2, "an entry is opened only when its turn comes");
}

// STORE-11, BOOKS-4
#[tokio::test]
async fn files_that_are_made_while_it_is_sent() {
    let made = |(name, content): (&str, &str)| {
        Ok::<_, String>(ZipFile { name: name.into(), modified_at: at(), content: Bytes::from(content.to_owned()) })
    };
    let all = [("pdf/A2026-000001.pdf", "one"), ("xml/A2026-000001.xml", ""), ("pdf/a2026-000001.PDF", "another")];
    let pieces: Vec<Bytes> = archive_of(stream::iter(all.map(made)).boxed()).try_collect().await.expect("streams");
    let file = folder("zip-made").join("made.zip");
    std::fs::write(&file, pieces.concat()).expect("writable");
    let listed = run("python3", &["-c", LIST, file.to_str().expect("UTF-8")]);
    assert!(listed.contains("pdf/A2026-000001.pdf") && listed.contains("pdf/a2026-000001 (2).PDF"), "{listed}");

    let none: Vec<Bytes> =
        archive_of(stream::iter(Vec::<Result<ZipFile, String>>::new()).boxed()).try_collect().await.expect("streams");
    assert_eq!(none.concat().len(), 22, "an archive without files");
    let broken = [made(("a", "1")), Err("the disk is gone".to_owned())];
    let failed: Result<Vec<Bytes>, String> = archive_of(stream::iter(broken).boxed()).try_collect().await;
    assert_eq!(failed.err().as_deref(), Some("the disk is gone"));
}
