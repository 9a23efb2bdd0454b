//! Which frame goes into which file at which time. Pure: frames and time in, operations out.

use super::{RecordingFile, RecordingSource};
use crate::forward::{Forwarder, Verdict};
use chrono::{DateTime, Utc};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A file opens at the latest this long after its first frame.
const OPEN_AFTER: Duration = Duration::from_secs(1);
/// Frames kept before a file opens; more than a second of audio and video.
const MAX_EARLY: usize = 256;
/// A stream that drifts further than this from its arrival time is anchored anew.
const MAX_DRIFT_MS: i64 = 400;
/// Picture size in the header when no video was seen yet.
const DEFAULT_SIZE: (u16, u16) = (1280, 720);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RecordTrack {
    Video,
    Audio,
}

/// An order to the writer thread.
#[derive(Debug, Clone, PartialEq)]
pub enum RecordOp {
    Open { file: u64, info: RecordingFile, width: u16, height: u16 },
    Frame { file: u64, track: RecordTrack, timestamp_ms: u64, keyframe: bool, data: Arc<[u8]> },
    Close { file: u64 },
}

/// A frame that arrived in the room.
pub struct TapFrame<'a> {
    pub identity: &'a str,
    pub source: RecordingSource,
    pub track_sid: &'a str,
    pub kind: RecordTrack,
    pub layer: usize,
    /// Best layer that arrives (video).
    pub best_layer: usize,
    pub keyframe: bool,
    /// Publisher's time in `clock` ticks per second.
    pub time: u64,
    pub clock: u32,
    pub data: &'a Arc<[u8]>,
    /// Arrival.
    pub now: Instant,
    pub wall: DateTime<Utc>,
}

/// Media time against the recording's time line: never ahead of the arrival, never backwards.
#[derive(Debug, Default)]
struct Anchor {
    first: Option<(u64, i64)>,
    last_ms: Option<i64>,
}

impl Anchor {
    fn place(&mut self, time: u64, clock: u32, arrival_ms: i64) -> i64 {
        let (time0, ms0) = *self.first.get_or_insert((time, arrival_ms));
        let delta = (i128::from(time) - i128::from(time0)) * 1_000 / i128::from(clock.max(1));
        let mut ms = ms0 + i64::try_from(delta).unwrap_or(0);
        // No frame arrives before it was made: an early arrival corrects a late first frame.
        let early = arrival_ms - ms;
        if !(0..=MAX_DRIFT_MS).contains(&early) {
            ms = arrival_ms;
            self.first = Some((time, arrival_ms));
        }
        let ms = self.last_ms.map_or(ms, |last| ms.max(last + 1));
        self.last_ms = Some(ms);
        ms
    }

    /// After a pause: the next frame sets the relation anew.
    fn reset(&mut self) {
        self.first = None;
    }
}

struct FileTap {
    id: u64,
    identity: String,
    source: RecordingSource,
    first_at: Instant,
    wall: DateTime<Utc>,
    base_ms: i64,
    open: bool,
    size: Option<(u16, u16)>,
    early: Vec<(RecordTrack, i64, bool, Arc<[u8]>)>,
    seen_video: bool,
    seen_audio: bool,
    video: Anchor,
    audio: Anchor,
}

/// A recording that runs or is paused.
pub struct Recording {
    pub id: String,
    room: String,
    started: Instant,
    paused_at: Option<Instant>,
    paused: Duration,
    files: Vec<FileTap>,
    layers: HashMap<String, Forwarder>,
    next_file: u64,
}

impl Recording {
    /// `first_file` must not be used by another recording (the writer keys files by it).
    pub fn new(id: String, room: String, first_file: u64, now: Instant) -> Self {
        Self {
            id,
            room,
            started: now,
            paused_at: None,
            paused: Duration::ZERO,
            files: Vec::new(),
            layers: HashMap::new(),
            next_file: first_file,
        }
    }

    pub fn is_paused(&self) -> bool {
        self.paused_at.is_some()
    }

    /// Milliseconds of recording at `now`, pauses cut out.
    fn line_ms(&self, now: Instant) -> i64 {
        let until = self.paused_at.unwrap_or(now).min(now);
        let ran = until.saturating_duration_since(self.started).saturating_sub(self.paused);
        i64::try_from(ran.as_millis()).unwrap_or(i64::MAX)
    }

    pub fn pause(&mut self, now: Instant) -> Vec<RecordOp> {
        let mut ops = Vec::new();
        // What was captured before the pause belongs into the file.
        self.open_files(now + OPEN_AFTER, &mut ops);
        self.paused_at = Some(now);
        ops
    }

    /// Video begins again with a keyframe: ask for one.
    pub fn resume(&mut self, now: Instant) {
        if let Some(at) = self.paused_at.take() {
            self.paused += now.saturating_duration_since(at);
        }
        self.layers.values_mut().for_each(Forwarder::interrupt);
        for file in &mut self.files {
            file.video.reset();
            file.audio.reset();
        }
    }

    /// Layer of a track whose keyframe the recording waits for.
    pub fn awaited_layer(&self, track: &str, best: usize) -> Option<usize> {
        if self.is_paused() {
            return None;
        }
        match self.layers.get(track) {
            None => Some(best),
            Some(forwarder) => forwarder.awaited(),
        }
    }

    pub fn frame(&mut self, frame: &TapFrame) -> Vec<RecordOp> {
        let mut ops = Vec::new();
        if self.is_paused() {
            return ops;
        }
        let (time, keyframe) = match frame.kind {
            RecordTrack::Audio => (frame.time, true),
            RecordTrack::Video => match self.chosen(frame) {
                Some(time) => (time, frame.keyframe),
                None => return ops,
            },
        };
        let arrival = self.line_ms(frame.now);
        let index = self.file_index(frame, arrival);
        let file = &mut self.files[index];
        let anchor = if frame.kind == RecordTrack::Video { &mut file.video } else { &mut file.audio };
        let ms = anchor.place(time, frame.clock, arrival) - file.base_ms;
        file.take(frame.kind, ms.max(0), keyframe, frame.data.clone(), &mut ops);
        self.open_files(frame.now, &mut ops);
        ops
    }

    /// Opens files that waited long enough.
    pub fn tick(&mut self, now: Instant) -> Vec<RecordOp> {
        let mut ops = Vec::new();
        if !self.is_paused() {
            self.open_files(now, &mut ops);
        }
        ops
    }

    pub fn finish(mut self, now: Instant) -> Vec<RecordOp> {
        let mut ops = Vec::new();
        self.open_files(now + OPEN_AFTER, &mut ops);
        ops.extend(self.files.iter().filter(|f| f.open).map(|f| RecordOp::Close { file: f.id }));
        ops
    }

    /// The time a video frame has in the file, when its layer is the one recorded.
    fn chosen(&mut self, frame: &TapFrame) -> Option<u64> {
        let layer = self.layers.entry(frame.track_sid.to_string()).or_default();
        layer.set_target(Some(frame.best_layer));
        match layer.judge(frame.layer, frame.keyframe, frame.time, frame.now) {
            Verdict::Drop => None,
            Verdict::Write { time, .. } => {
                layer.written(frame.layer, frame.time, time, frame.now);
                Some(time)
            }
        }
    }

    fn file_index(&mut self, frame: &TapFrame, arrival: i64) -> usize {
        let same = |f: &FileTap| f.identity == frame.identity && f.source == frame.source;
        if let Some(index) = self.files.iter().position(same) {
            return index;
        }
        self.files.push(FileTap {
            id: self.next_file,
            identity: frame.identity.to_string(),
            source: frame.source,
            first_at: frame.now,
            wall: frame.wall,
            base_ms: arrival,
            open: false,
            size: None,
            early: Vec::new(),
            seen_video: false,
            seen_audio: false,
            video: Anchor::default(),
            audio: Anchor::default(),
        });
        self.next_file += 1;
        self.files.len() - 1
    }

    fn open_files(&mut self, now: Instant, ops: &mut Vec<RecordOp>) {
        for file in self.files.iter_mut().filter(|f| !f.open) {
            let waited = now.saturating_duration_since(file.first_at) >= OPEN_AFTER;
            if waited || (file.seen_video && file.seen_audio) || file.early.len() >= MAX_EARLY {
                file.open(&self.room, &self.id, ops);
            }
        }
    }
}

impl FileTap {
    fn take(&mut self, kind: RecordTrack, ms: i64, keyframe: bool, data: Arc<[u8]>, ops: &mut Vec<RecordOp>) {
        match kind {
            RecordTrack::Audio => self.seen_audio = true,
            RecordTrack::Video => {
                self.seen_video = true;
                if keyframe {
                    self.size = self.size.or_else(|| vp8_size(&data));
                }
            }
        }
        if self.open {
            ops.push(self.op(kind, ms, keyframe, data));
        } else {
            self.early.push((kind, ms, keyframe, data));
        }
    }

    fn op(&self, track: RecordTrack, ms: i64, keyframe: bool, data: Arc<[u8]>) -> RecordOp {
        RecordOp::Frame { file: self.id, track, timestamp_ms: u64::try_from(ms).unwrap_or(0), keyframe, data }
    }

    fn open(&mut self, room: &str, recording_id: &str, ops: &mut Vec<RecordOp>) {
        let (width, height) = self.size.unwrap_or(DEFAULT_SIZE);
        let info = RecordingFile {
            room: room.to_string(),
            recording_id: recording_id.to_string(),
            identity: self.identity.clone(),
            source: self.source,
            started_at: self.wall,
        };
        ops.push(RecordOp::Open { file: self.id, info, width, height });
        self.open = true;
        let mut early = std::mem::take(&mut self.early);
        early.sort_by_key(|(_, ms, ..)| *ms);
        for (kind, ms, keyframe, data) in early {
            ops.push(self.op(kind, ms, keyframe, data));
        }
    }
}

/// Picture size in a VP8 keyframe (RFC 6386 §9.1).
pub(super) fn vp8_size(frame: &[u8]) -> Option<(u16, u16)> {
    let [first, _, _, 0x9d, 0x01, 0x2a, w0, w1, h0, h1, ..] = *frame else {
        return None;
    };
    let size = (u16::from_le_bytes([w0, w1]) & 0x3fff, u16::from_le_bytes([h0, h1]) & 0x3fff);
    (first & 1 == 0 && size.0 > 0 && size.1 > 0).then_some(size)
}
