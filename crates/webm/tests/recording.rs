//! Recordings made of real VP8 and Opus, checked with ffmpeg: they must decode without a warning, know their
//! duration, and seek; torn anywhere, they must still play up to the tear (TRACK-3).

use atalaya_webm::{AudioTrack, Event, Frame, LiveMuxer, Piece, Reader, TrackKind, Tracks, VideoTrack, WebmError, scan};
use proptest::prelude::*;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

struct Owned {
    track: TrackKind,
    timestamp_ms: u64,
    keyframe: bool,
    data: Vec<u8>,
}

fn folder() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("webm");
    std::fs::create_dir_all(&folder).expect("a folder for test files");
    folder
}

fn ffmpeg(arguments: &[&str]) -> String {
    let output = Command::new("ffmpeg")
        .args(["-hide_banner", "-nostdin", "-v", "warning", "-y"])
        .args(arguments)
        .output()
        .expect("ffmpeg is installed (make test installs it)");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "ffmpeg {arguments:?}: {said}");
    said
}

fn probe(file: &Path, entries: &str, extra: &[&str]) -> Vec<String> {
    let output = Command::new("ffprobe")
        .args(["-v", "error", "-show_entries", entries, "-of", "csv=p=0"])
        .args(extra)
        .arg(file)
        .output()
        .expect("ffprobe is installed");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).lines().map(|line| line.trim_end_matches(',').to_owned()).collect()
}

/// Six seconds of a test picture and a tone, encoded once by ffmpeg and taken apart by our own reader.
fn frames() -> &'static [Owned] {
    static FRAMES: OnceLock<Vec<Owned>> = OnceLock::new();
    FRAMES.get_or_init(|| {
        let file = folder().join("source.webm");
        let path = file.to_str().expect("a plain path");
        ffmpeg(&[
            "-f",
            "lavfi",
            "-i",
            "testsrc=size=320x180:rate=25:duration=6",
            "-f",
            "lavfi",
            "-i",
            "sine=frequency=440:sample_rate=48000:duration=6",
            "-ac",
            "2",
            "-c:v",
            "libvpx",
            "-deadline",
            "realtime",
            "-cpu-used",
            "8",
            "-g",
            "50",
            "-b:v",
            "300k",
            "-c:a",
            "libopus",
            "-b:a",
            "32k",
            path,
        ]);
        let bytes = std::fs::read(&file).expect("ffmpeg wrote it");
        let mut reader = Reader::new(&bytes[..]).expect("a WebM file");
        let mut frames = Vec::new();
        while let Some(event) = reader.next_event().expect("readable") {
            if let Event::Block(block) = event {
                frames.push(Owned {
                    track: block.track,
                    timestamp_ms: block.timestamp_ms.max(0) as u64,
                    keyframe: block.keyframe,
                    data: block.data.to_vec(),
                });
            }
        }
        assert!(!reader.is_torn());
        assert!(frames.iter().filter(|f| f.track == TrackKind::Video).count() == 150, "25 a second for six seconds");
        frames
    })
}

const BOTH: Tracks =
    Tracks { video: Some(VideoTrack { width: 16, height: 16 }), audio: Some(AudioTrack { channels: 2, rate: 48_000 }) };

fn live(tracks: Tracks) -> Vec<u8> {
    let (mut muxer, mut file) = LiveMuxer::new(tracks);
    for frame in frames() {
        let Owned { track, timestamp_ms, keyframe, data } = frame;
        file.extend(muxer.push(Frame { track: *track, timestamp_ms: *timestamp_ms, keyframe: *keyframe, data }));
    }
    file.extend(muxer.flush());
    file
}

fn finalise(live: &[u8]) -> Vec<u8> {
    let index = scan(live).expect("scans");
    let mut file = Vec::new();
    let written = index.write_final(live, &mut file).expect("copies");
    assert_eq!(written, index.total_bytes());
    assert_eq!(file.len() as u64, index.total_bytes());
    file
}

fn save(name: &str, bytes: &[u8]) -> PathBuf {
    let file = folder().join(name);
    std::fs::write(&file, bytes).expect("writable");
    file
}

fn decodes_without_a_word(file: &Path) {
    let path = file.to_str().expect("a plain path");
    let said = ffmpeg(&["-xerror", "-i", path, "-f", "null", "-"]);
    assert_eq!(said, "", "ffmpeg has nothing to complain about in {path}");
}

// TRACK-1
#[test]
fn a_live_file_plays_as_it_is() {
    let file = save("live.webm", &live(BOTH));
    decodes_without_a_word(&file);
    assert_eq!(probe(&file, "stream=nb_read_frames", &["-count_frames", "-select_streams", "v"]), ["150"]);
}

// TRACK-2
#[test]
fn the_final_file_knows_its_size_length_and_seek_points() {
    let file = save("final.webm", &finalise(&live(BOTH)));
    decodes_without_a_word(&file);
    assert_eq!(probe(&file, "stream=codec_name,width,height", &["-select_streams", "v"]), ["vp8,320,180"]);
    assert_eq!(probe(&file, "stream=codec_name,sample_rate,channels", &["-select_streams", "a"]), ["opus,48000,2"]);
    let duration: f64 = probe(&file, "format=duration", &[])[0].parse().expect("a number");
    assert!((6.0..6.1).contains(&duration), "{duration}");
    assert_eq!(probe(&file, "stream=nb_read_frames", &["-count_frames", "-select_streams", "v"]), ["150"]);
    let at = probe(&file, "packet=pts_time,flags", &["-select_streams", "v", "-read_intervals", "4.5%+#1"]);
    assert!(
        at[0].starts_with("4.0") && at[0].contains(",K"),
        "seeking to 4.5 s lands on the keyframe at 4 s, not at the start: {at:?}"
    );
}

// TRACK-2
#[test]
fn the_seek_table_stands_before_the_media() {
    let bytes = finalise(&live(BOTH));
    let find = |id: [u8; 4]| bytes.windows(4).position(|window| window == id).expect("present");
    let (seek_head, cues, cluster) =
        (find([0x11, 0x4D, 0x9B, 0x74]), find([0x1C, 0x53, 0xBB, 0x6B]), find([0x1F, 0x43, 0xB6, 0x75]));
    assert!(seek_head < cluster && cues < cluster, "the ids appear in the seek head first, and both before the media");
    let index = scan(&bytes[..]).expect("a final file can be scanned too");
    let header = index.header_bytes();
    assert_eq!(header[..], bytes[..header.len()], "finalising a final file changes nothing");
}

#[test]
fn one_track_alone() {
    let sound = finalise(&live(Tracks { video: None, ..BOTH }));
    let file = save("sound.webm", &sound);
    decodes_without_a_word(&file);
    assert_eq!(probe(&file, "stream=codec_name", &[]), ["opus"]);
    let at = probe(&file, "packet=pts_time", &["-read_intervals", "5.5%+#1"]);
    assert!(at[0].parse::<f64>().expect("a time") > 4.0, "seeks in sound alone: {at:?}");
    let picture = save("picture.webm", &finalise(&live(Tracks { audio: None, ..BOTH })));
    decodes_without_a_word(&picture);
    assert_eq!(probe(&picture, "stream=codec_name", &[]), ["vp8"]);
}

// TRACK-7
#[test]
fn a_track_that_stayed_silent_is_not_declared() {
    let (mut muxer, mut bytes) = LiveMuxer::new(BOTH);
    for frame in frames().iter().filter(|frame| frame.track == TrackKind::Audio) {
        let Owned { track, timestamp_ms, keyframe, data } = frame;
        bytes.extend(muxer.push(Frame { track: *track, timestamp_ms: *timestamp_ms, keyframe: *keyframe, data }));
    }
    bytes.extend(muxer.flush());
    let index = scan(&bytes[..]).expect("scans");
    assert_eq!(index.tracks(), Tracks { video: None, ..BOTH });
}

// TRACK-8
#[test]
fn a_header_alone_is_empty_and_garbage_is_refused() {
    let (_, header) = LiveMuxer::new(BOTH);
    assert!(matches!(scan(&header[..]), Err(WebmError::Empty)));
    assert!(matches!(scan(&b"not a film"[..]), Err(WebmError::Invalid(_))));
    assert!(matches!(scan(&b""[..]), Err(WebmError::Invalid(_))));
}

// TRACK-1
#[test]
fn torn_at_any_of_forty_places_it_still_decodes() {
    let whole = live(BOTH);
    let header = LiveMuxer::new(BOTH).1.len();
    let mut empty = 0;
    for n in 0..40 {
        let cut = header + (whole.len() - header) * n / 40 + (n * 7) % 23;
        match scan(&whole[..cut]) {
            Err(WebmError::Empty) => empty += 1,
            Err(other) => panic!("cut at {cut}: {other}"),
            Ok(index) => {
                let mut bytes = Vec::new();
                index.write_final(&whole[..cut], &mut bytes).expect("copies");
                assert_eq!(bytes.len() as u64, index.total_bytes());
                // Decoding forty files is slow on a small machine; eight of them are decoded, all are read back.
                if n % 5 == 1 {
                    decodes_without_a_word(&save(&format!("torn-{n}.webm"), &bytes));
                }
                let again = scan(&bytes[..]).expect("reads back");
                assert_eq!((again.video_frames(), again.audio_packets()), (index.video_frames(), index.audio_packets()));
                assert!(!again.is_torn());
            }
        }
    }
    assert!(empty <= 2, "only a cut inside the first blocks leaves nothing");
}

// TRACK-7
#[test]
fn a_change_of_picture_size_keeps_the_larger() {
    let large = folder().join("large.webm");
    let path = large.to_str().expect("a plain path");
    ffmpeg(&[
        "-f",
        "lavfi",
        "-i",
        "testsrc=size=640x360:rate=25:duration=1",
        "-c:v",
        "libvpx",
        "-deadline",
        "realtime",
        "-cpu-used",
        "8",
        path,
    ]);
    let (mut muxer, mut bytes) = LiveMuxer::new(Tracks { audio: None, ..BOTH });
    let small = frames().iter().filter(|frame| frame.track == TrackKind::Video);
    for Owned { track, timestamp_ms, keyframe, data } in small {
        bytes.extend(muxer.push(Frame { track: *track, timestamp_ms: *timestamp_ms, keyframe: *keyframe, data }));
    }
    let source = std::fs::read(&large).expect("written");
    let mut reader = Reader::new(&source[..]).expect("a WebM file");
    while let Some(event) = reader.next_event().expect("readable") {
        if let Event::Block(block) = event {
            let timestamp_ms = 6_000 + block.timestamp_ms.max(0) as u64;
            bytes.extend(muxer.push(Frame { track: block.track, timestamp_ms, keyframe: block.keyframe, data: block.data }));
        }
    }
    bytes.extend(muxer.flush());
    let file = save("sizes.webm", &finalise(&bytes));
    assert_eq!(probe(&file, "stream=width,height", &[])[0], "640,360");
    let sizes = probe(&file, "frame=width,height", &["-select_streams", "v"]);
    assert_eq!(sizes.iter().filter(|size| size.starts_with("640,360")).count(), 25);
    assert_eq!(sizes.len(), 175);
}

proptest! {
    // TRACK-8
    #[test]
    fn garbage_never_panics(bytes in prop::collection::vec(any::<u8>(), 0..2_000)) {
        let _ = scan(&bytes[..]);
    }

    #[test]
    fn damage_never_panics_and_what_scans_copies(
        cut in any::<prop::sample::Index>(),
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6),
    ) {
        let (mut muxer, mut bytes) = LiveMuxer::new(BOTH);
        for n in 0..80u64 {
            let data = [0x10, 0, 0, 0x9D, 1, 0x2A, 64, 1, 180, 0, n as u8];
            bytes.extend(muxer.push(Frame { track: TrackKind::Video, timestamp_ms: n * 40, keyframe: n % 20 == 0, data: &data }));
            bytes.extend(muxer.push(Frame { track: TrackKind::Audio, timestamp_ms: n * 40, keyframe: true, data: &[0xFC, 1, 2] }));
        }
        bytes.extend(muxer.flush());
        for (at, value) in damage {
            let at = at.index(bytes.len());
            bytes[at] = value;
        }
        let torn = &bytes[..cut.index(bytes.len())];
        if let Ok(index) = scan(torn) {
            let mut file = Vec::new();
            index.write_final(torn, &mut file).expect("what was scanned can be copied");
            prop_assert_eq!(file.len() as u64, index.total_bytes());
            let mut last = 0;
            for piece in index.pieces() {
                if let Piece::Copy(range) = piece {
                    prop_assert!(range.start >= last && range.end > range.start);
                    last = range.end;
                }
            }
            // Damaged times may be anything, but the copy must read back complete.
            let again = scan(&file[..]).expect("the copy is whole");
            prop_assert_eq!(again.video_frames(), index.video_frames());
            prop_assert_eq!(again.audio_packets(), index.audio_packets());
        }
    }

    #[test]
    fn any_timestamps_are_written(times in prop::collection::vec((any::<bool>(), any::<bool>(), any::<u64>()), 1..60)) {
        let (mut muxer, mut bytes) = LiveMuxer::new(BOTH);
        for (video, keyframe, timestamp_ms) in times {
            let track = if video { TrackKind::Video } else { TrackKind::Audio };
            bytes.extend(muxer.push(Frame { track, timestamp_ms, keyframe, data: b"frame" }));
        }
        bytes.extend(muxer.flush());
        let _ = scan(&bytes[..]);
    }
}

// TRACK-5
#[test]
fn an_index_says_when_the_first_frame_of_either_track_is() {
    assert_eq!(scan(&live(BOTH)[..]).expect("scans").first_ms(), 0);
    let (mut muxer, mut bytes) = LiveMuxer::new(BOTH);
    for timestamp_ms in [1_500, 1_520] {
        bytes.extend(muxer.push(Frame { track: TrackKind::Audio, timestamp_ms, keyframe: true, data: &[0xf8, 0xff, 0xfe] }));
    }
    bytes.extend(muxer.flush());
    assert_eq!(scan(&bytes[..]).expect("scans").first_ms(), 1_500);
}
