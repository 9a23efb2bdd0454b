//! Growing files: intact up to the last flush, however they end (STORE-4).

mod common;

use atalaya_blobs::{BlobStore, LiveReader, Spool, SpoolEnd};
use common::{bytes, folder, key, name, other_key, sources};
use std::io::{Read, Write};

fn read_all(mut reader: LiveReader) -> (Vec<u8>, SpoolEnd) {
    let mut content = Vec::new();
    reader.read_to_end(&mut content).expect("reads");
    (content, reader.end().expect("came to the end"))
}

#[test]
fn what_was_flushed_is_there_and_nothing_else() {
    let spool = Spool::open(folder("spool-flush"), sources()).expect("opens");
    let blob = name("conference/recording.live");
    let mut writer = spool.create(&blob, &key()).expect("begins");
    writer.append(b"first ").expect("takes");
    writer.flush().expect("durable");
    writer.append(b"second").expect("takes");
    let (content, end) = read_all(spool.read(&blob, &key()).expect("opens while it grows"));
    assert_eq!((content, end), (b"first ".to_vec(), SpoolEnd::Torn { lost_bytes: 0 }));
    drop(writer);
    assert_eq!(read_all(spool.read(&blob, &key()).expect("opens")).0, b"first ");
    assert_eq!(spool.list().expect("lists"), std::slice::from_ref(&blob));
    assert_eq!(spool.create(&blob, &key()).err().expect("there already").code(), "BLOB_EXISTS");
    assert!(spool.remove(&blob).expect("removes"));
    assert!(!spool.remove(&blob).expect("gone"));
    assert_eq!(spool.read(&blob, &key()).err().expect("gone").code(), "BLOB_NOT_FOUND");
}

#[test]
fn a_regular_end_is_told_from_a_torn_one() {
    let spool = Spool::open(folder("spool-end"), sources()).expect("opens");
    let content = bytes(2_500_000);
    let mut writer = spool.create(&name("a"), &key()).expect("begins");
    for piece in content.chunks(33_333) {
        writer.write_all(piece).expect("takes");
    }
    writer.finish().expect("ends");
    let (read, end) = read_all(spool.read(&name("a"), &key()).expect("opens"));
    assert_eq!(end, SpoolEnd::Finished);
    assert!(read == content);
    spool.create(&name("empty"), &key()).expect("begins").finish().expect("ends");
    assert_eq!(read_all(spool.read(&name("empty"), &key()).expect("opens")), (Vec::new(), SpoolEnd::Finished));
}

#[test]
fn torn_or_altered_anywhere_it_keeps_the_whole_records_before() {
    let folder = folder("spool-torn");
    let spool = Spool::open(&folder, sources()).expect("opens");
    let mut writer = spool.create(&name("a"), &key()).expect("begins");
    let mut marks = Vec::new();
    let mut content = Vec::new();
    for n in 0..5u8 {
        let piece = vec![n; 20 + usize::from(n)];
        writer.append(&piece).expect("takes");
        writer.flush().expect("durable");
        content.extend(piece);
        marks.push((writer.stored_bytes() as usize, content.len()));
    }
    drop(writer);
    let whole = std::fs::read(folder.join("a")).expect("stored");
    assert_eq!(whole.len(), marks[4].0);
    let kept = |bytes: usize| marks.iter().rev().find(|mark| mark.0 <= bytes).map_or(0, |mark| mark.1);
    for at in 40..whole.len() {
        std::fs::write(folder.join("a"), &whole[..at]).expect("writable");
        let (read, end) = read_all(spool.read(&name("a"), &key()).expect("the head is whole"));
        assert_eq!(read, content[..kept(at)], "cut at {at}");
        let whole_until = marks.iter().rev().find(|mark| mark.0 <= at).map_or(40, |mark| mark.0);
        assert_eq!(end, SpoolEnd::Torn { lost_bytes: (at - whole_until) as u64 });

        let mut altered = whole.clone();
        altered[at] ^= 0x21;
        std::fs::write(folder.join("a"), &altered).expect("writable");
        let (read, end) = read_all(spool.read(&name("a"), &key()).expect("the head is whole"));
        assert_eq!(read, content[..kept(at)], "altered at {at}");
        assert!(matches!(end, SpoolEnd::Torn { .. }));
    }
    for at in 0..40 {
        std::fs::write(folder.join("a"), &whole[..at]).expect("writable");
        assert_eq!(spool.read(&name("a"), &key()).err().expect("no head").code(), "BLOB_TAMPERED");
        let mut altered = whole.clone();
        altered[at] ^= 1;
        std::fs::write(folder.join("a"), &altered).expect("writable");
        assert_eq!(spool.read(&name("a"), &key()).err().expect("altered head").code(), "BLOB_TAMPERED");
    }
}

#[test]
fn another_key_or_name_does_not_open_it() {
    let folder = folder("spool-key");
    let spool = Spool::open(&folder, sources()).expect("opens");
    let mut writer = spool.create(&name("a"), &key()).expect("begins");
    writer.append(b"recognisable").expect("takes");
    writer.flush().expect("durable");
    let stored = std::fs::read(folder.join("a")).expect("stored");
    assert!(!stored.windows(6).any(|window| window == b"recogn"), "sealed from the first byte");
    assert_eq!(spool.read(&name("a"), &other_key()).err().expect("another key").code(), "BLOB_TAMPERED");
    std::fs::copy(folder.join("a"), folder.join("b")).expect("copies");
    assert_eq!(spool.read(&name("b"), &key()).err().expect("another name").code(), "BLOB_TAMPERED");
}

/// The writer runs in a process of its own which is killed without warning; what it said was durable must be there.
#[test]
fn a_killed_process_loses_nothing_that_was_flushed() {
    const FOLDER: &str = "ATALAYA_TEST_SPOOL_FOLDER";
    if let Ok(folder) = std::env::var(FOLDER) {
        let spool = Spool::open(folder, sources()).expect("opens");
        let mut writer = spool.create(&name("victim"), &key()).expect("begins");
        for n in 0u64.. {
            writer.append(&n.to_be_bytes()).expect("takes");
            writer.flush().expect("durable");
            println!("flushed {n}");
        }
    }
    let folder = folder("spool-killed");
    let mut child = std::process::Command::new(std::env::current_exe().expect("this test"))
        .args(["--exact", "a_killed_process_loses_nothing_that_was_flushed", "--nocapture"])
        .env(FOLDER, &folder)
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("starts");
    let lines = std::io::BufRead::lines(std::io::BufReader::new(child.stdout.take().expect("piped")));
    let mut last = None;
    for line in lines {
        let line = line.expect("text");
        // The first line shares its place with the test harness's own words.
        if let Some(number) = line.split("flushed ").nth(1) {
            last = Some(number.parse::<u64>().expect("a number"));
        }
        if last >= Some(50) {
            child.kill().expect("kills");
            break;
        }
    }
    child.wait().expect("ends");
    let last = last.expect("it had begun");
    let spool = Spool::open(&folder, sources()).expect("opens");
    let (content, end) = read_all(spool.read(&name("victim"), &key()).expect("opens"));
    assert!(matches!(end, SpoolEnd::Torn { .. }));
    let numbers: Vec<_> = content.chunks(8).map(|n| u64::from_be_bytes(n.try_into().expect("eight"))).collect();
    assert!(numbers.len() as u64 > last, "everything it reported is there");
    assert!(numbers.iter().copied().eq(0..numbers.len() as u64));
}

#[tokio::test]
async fn a_recording_moves_from_the_spool_to_the_store() {
    let spool = Spool::open(folder("spool-move"), sources()).expect("opens");
    let content = bytes(3_000_000);
    let mut live = spool.create(&name("r"), &key()).expect("begins");
    live.append(&content).expect("takes");
    live.finish().expect("ends");
    let store = BlobStore::in_memory(sources());
    let mut target = store.create(&name("media/r.webm"), &key()).blocking();
    let digest = tokio::task::spawn_blocking(move || {
        let mut source = spool.read(&name("r"), &key()).expect("opens");
        std::io::copy(&mut source, &mut target).expect("copies");
        target.finish().expect("stores")
    });
    assert_eq!(digest.await.expect("no panic").size_bytes, 3_000_000);
    let read = store.get(&name("media/r.webm"), &key()).await.expect("opens").read_all(1 << 30).await.expect("reads");
    assert!(read == content);
}
