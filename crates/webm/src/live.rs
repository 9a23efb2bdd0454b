//! Writing during the call: frames in, bytes to append out.

use crate::ebml::{self, id, put_id, put_long_size, put_size, put_uint};
use crate::tracks::{Numbers, TrackKind, Tracks, put_tracks};

/// The longest cluster, in milliseconds of media. A crash loses at most this and what was not flushed (TRACK-6).
const MAX_CLUSTER_MS: u64 = 1_000;
/// The largest cluster, in bytes of media, so that memory stays bounded whatever the input.
const MAX_CLUSTER_BYTES: usize = 4 << 20;
/// Timestamps stop here (some 8,900 years): beyond it arithmetic could overflow.
const MAX_TIMESTAMP_MS: u64 = 1 << 48;

/// One encoded frame: a whole VP8 frame or one Opus packet.
#[derive(Debug, Clone, Copy)]
pub struct Frame<'a> {
    pub track: TrackKind,
    /// Milliseconds since the recording began, pauses left out; one clock for both tracks.
    pub timestamp_ms: u64,
    /// Whether a decoder can start here. Not looked at for audio.
    pub keyframe: bool,
    pub data: &'a [u8],
}

/// Makes an append-only WebM file out of frames in arrival order.
///
/// Video before the first keyframe is left out, since nothing can decode it (TRACK-4). Each track's timestamps rise by
/// at least one millisecond; a late frame is moved to just after its predecessor (TRACK-5). Pure: the bytes are
/// returned, the caller writes them.
#[derive(Debug)]
pub struct LiveMuxer {
    tracks: Tracks,
    pending: Pending,
    last_video_ms: Option<u64>,
    last_audio_ms: Option<u64>,
    last_cluster_ms: u64,
    needs_keyframe: bool,
}

/// The cluster being collected.
#[derive(Debug, Default)]
struct Pending {
    blocks: Vec<PendingBlock>,
    data: Vec<u8>,
}

#[derive(Debug, Clone, Copy)]
struct PendingBlock {
    track: TrackKind,
    timestamp_ms: u64,
    keyframe: bool,
    start: usize,
    end: usize,
}

impl LiveMuxer {
    /// A muxer and the bytes that begin the file.
    pub fn new(tracks: Tracks) -> (Self, Vec<u8>) {
        let mut header = Vec::with_capacity(512);
        ebml::put_file_head(&mut header);
        put_id(&mut header, id::SEGMENT);
        header.extend_from_slice(&ebml::UNKNOWN_SIZE);
        ebml::put_info(&mut header, None);
        put_tracks(&mut header, &tracks, &Numbers::default());
        let muxer = Self {
            tracks,
            pending: Pending::default(),
            last_video_ms: None,
            last_audio_ms: None,
            last_cluster_ms: 0,
            needs_keyframe: true,
        };
        (muxer, header)
    }

    /// Takes a frame. Returns bytes to append: empty, or a whole cluster that this frame did not fit into any more.
    pub fn push(&mut self, frame: Frame<'_>) -> Vec<u8> {
        if !self.tracks.has(frame.track) || frame.data.is_empty() || !self.is_decodable(&frame) {
            return Vec::new();
        }
        let timestamp_ms = self.monotonic(frame.track, frame.timestamp_ms.min(MAX_TIMESTAMP_MS));
        let done = if self.starts_cluster(&frame, timestamp_ms) { self.flush() } else { Vec::new() };
        let start = self.pending.data.len();
        self.pending.data.extend_from_slice(frame.data);
        let keyframe = frame.keyframe || frame.track == TrackKind::Audio;
        let end = self.pending.data.len();
        self.pending.blocks.push(PendingBlock { track: frame.track, timestamp_ms, keyframe, start, end });
        done
    }

    /// Ends the current cluster and returns it (empty when there is none). Call it on stop, on pause, and once a
    /// second from a timer, so that a stream that falls silent is on disk too. Pushing may continue afterwards.
    pub fn flush(&mut self) -> Vec<u8> {
        if self.pending.blocks.is_empty() {
            return Vec::new();
        }
        let mut pending = std::mem::take(&mut self.pending);
        // Stable: frames of one track keep their order.
        pending.blocks.sort_by_key(|block| block.timestamp_ms);
        let cluster_ms = pending.blocks[0].timestamp_ms.max(self.last_cluster_ms);
        self.last_cluster_ms = cluster_ms;
        let bytes = pending.to_cluster(cluster_ms);
        // Keep the allocations for the next cluster.
        pending.blocks.clear();
        pending.data.clear();
        self.pending = pending;
        bytes
    }

    /// Leaves video out until the next keyframe. Call it after frames were skipped (a pause, an unrepaired packet
    /// loss), since what follows refers to pictures that are not in the file.
    pub fn expect_keyframe(&mut self) {
        self.needs_keyframe = true;
    }

    /// Whether video is being left out because no keyframe has come yet; ask the sender for one.
    pub fn is_waiting_for_keyframe(&self) -> bool {
        self.needs_keyframe && self.tracks.video.is_some()
    }

    fn is_decodable(&mut self, frame: &Frame<'_>) -> bool {
        if frame.track == TrackKind::Audio {
            return true;
        }
        self.needs_keyframe &= !frame.keyframe;
        !self.needs_keyframe
    }

    fn monotonic(&mut self, track: TrackKind, wanted_ms: u64) -> u64 {
        let last = match track {
            TrackKind::Video => &mut self.last_video_ms,
            TrackKind::Audio => &mut self.last_audio_ms,
        };
        let timestamp_ms = last.map_or(wanted_ms, |last| wanted_ms.max(last + 1));
        *last = Some(timestamp_ms);
        timestamp_ms
    }

    fn starts_cluster(&self, frame: &Frame<'_>, timestamp_ms: u64) -> bool {
        let Some(earliest) = self.pending.blocks.iter().map(|block| block.timestamp_ms).min() else { return false };
        let latest = self.pending.blocks.iter().map(|block| block.timestamp_ms).max().unwrap_or(earliest);
        let span = latest.max(timestamp_ms) - earliest.min(timestamp_ms);
        let is_full = self.pending.data.len() + frame.data.len() > MAX_CLUSTER_BYTES;
        (frame.track == TrackKind::Video && frame.keyframe) || span >= MAX_CLUSTER_MS || is_full
    }
}

impl Pending {
    fn to_cluster(&self, cluster_ms: u64) -> Vec<u8> {
        let mut body = Vec::with_capacity(self.data.len() + self.blocks.len() * 12 + 16);
        put_uint(&mut body, id::TIMESTAMP, cluster_ms);
        for block in &self.blocks {
            let data = &self.data[block.start..block.end];
            put_simple_block(&mut body, block, relative(block.timestamp_ms, cluster_ms), data);
        }
        let mut cluster = Vec::with_capacity(body.len() + 12);
        put_id(&mut cluster, id::CLUSTER);
        put_long_size(&mut cluster, body.len() as u64);
        cluster.extend_from_slice(&body);
        cluster
    }
}

/// A block's time relative to its cluster's. Audio that lags more than 32 s behind the picture is moved, not lost.
fn relative(timestamp_ms: u64, cluster_ms: u64) -> i16 {
    let difference = i64::try_from(timestamp_ms).unwrap_or(i64::MAX) - i64::try_from(cluster_ms).unwrap_or(i64::MAX);
    difference.clamp(i16::MIN.into(), i16::MAX.into()) as i16
}

fn put_simple_block(out: &mut Vec<u8>, block: &PendingBlock, relative_ms: i16, data: &[u8]) {
    put_id(out, id::SIMPLE_BLOCK);
    put_size(out, data.len() as u64 + 4);
    out.push(0x80 | block.track.number());
    out.extend_from_slice(&relative_ms.to_be_bytes());
    out.push(if block.keyframe { 0x80 } else { 0 });
    out.extend_from_slice(data);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tracks::{AudioTrack, VideoTrack};
    use crate::{Event, Reader};

    const BOTH: Tracks =
        Tracks { video: Some(VideoTrack { width: 640, height: 360 }), audio: Some(AudioTrack { channels: 2, rate: 48_000 }) };

    fn video(timestamp_ms: u64, keyframe: bool) -> Frame<'static> {
        Frame { track: TrackKind::Video, timestamp_ms, keyframe, data: b"picture" }
    }

    fn audio(timestamp_ms: u64) -> Frame<'static> {
        Frame { track: TrackKind::Audio, timestamp_ms, keyframe: false, data: b"sound" }
    }

    fn blocks(file: &[u8]) -> Vec<(TrackKind, i64, bool)> {
        let mut reader = Reader::new(file).expect("our own header");
        let mut found = Vec::new();
        while let Some(event) = reader.next_event().expect("readable") {
            if let Event::Block(block) = event {
                found.push((block.track, block.timestamp_ms, block.keyframe));
            }
        }
        found
    }

    // TRACK-1, TRACK-4
    #[test]
    fn pushes_only_append_and_flush_ends() {
        let (mut muxer, mut file) = LiveMuxer::new(BOTH);
        assert!(muxer.is_waiting_for_keyframe());
        assert!(muxer.push(video(0, false)).is_empty(), "nothing decodes a delta frame without its keyframe");
        for n in 0..60 {
            file.extend(muxer.push(video(n * 40, n % 30 == 0)));
            file.extend(muxer.push(audio(n * 40)));
            file.extend(muxer.push(audio(n * 40 + 20)));
        }
        file.extend(muxer.flush());
        assert!(muxer.flush().is_empty());
        let found = blocks(&file);
        assert_eq!(found.iter().filter(|b| b.0 == TrackKind::Video).count(), 60);
        assert_eq!(found.iter().filter(|b| b.0 == TrackKind::Audio).count(), 120);
        assert!(found.is_sorted_by_key(|b| b.1));
    }

    // TRACK-5
    #[test]
    fn a_late_frame_follows_its_predecessor() {
        let (mut muxer, mut file) = LiveMuxer::new(BOTH);
        for timestamp in [100, 100, 90, 140] {
            file.extend(muxer.push(audio(timestamp)));
        }
        file.extend(muxer.flush());
        assert_eq!(blocks(&file).iter().map(|b| b.1).collect::<Vec<_>>(), [100, 101, 102, 140]);
    }

    // TRACK-6
    #[test]
    fn a_second_of_media_closes_a_cluster() {
        let (mut muxer, _) = LiveMuxer::new(BOTH);
        assert!(muxer.push(audio(0)).is_empty());
        assert!(muxer.push(audio(999)).is_empty());
        assert!(!muxer.push(audio(1_000)).is_empty());
        assert!(!muxer.push(video(1_010, true)).is_empty(), "a keyframe begins one");
    }

    // TRACK-5
    #[test]
    fn sound_behind_the_picture_keeps_its_time() {
        let (mut muxer, mut file) = LiveMuxer::new(BOTH);
        file.extend(muxer.push(video(5_000, true)));
        file.extend(muxer.push(audio(4_300)));
        file.extend(muxer.push(audio(4_320)));
        file.extend(muxer.push(video(6_100, true)));
        file.extend(muxer.push(audio(5_050)));
        file.extend(muxer.flush());
        let mut times: Vec<_> = blocks(&file).iter().map(|b| b.1).collect();
        times.sort_unstable();
        assert_eq!(times, [4_300, 4_320, 5_000, 5_050, 6_100]);
    }

    // TRACK-4
    #[test]
    fn after_a_pause_video_waits_for_a_keyframe() {
        let (mut muxer, mut file) = LiveMuxer::new(BOTH);
        file.extend(muxer.push(video(0, true)));
        muxer.expect_keyframe();
        file.extend(muxer.push(video(40, false)));
        assert!(muxer.is_waiting_for_keyframe());
        file.extend(muxer.push(video(80, true)));
        file.extend(muxer.flush());
        assert_eq!(blocks(&file).len(), 2);
    }
}
