//! The final file: the index of a live file, and how to copy it into one that browsers play and seek (TRACK-2).

use crate::WebmError;
use crate::codec::{opus_duration_us, vp8_keyframe_size};
use crate::ebml::{self, id, put_bytes, put_id, put_long_size, put_long_uint, put_parent, put_uint};
use crate::reader::{Block, Event, Reader};
use crate::tracks::{Numbers, TrackKind, Tracks, VideoTrack, put_tracks};
use std::io::{BufReader, Read, Write};
use std::ops::Range;

/// Seek points closer than this, in milliseconds, only make the file's beginning longer.
const MIN_CUE_DISTANCE_MS: u64 = 1_000;
/// Audio alone can be decoded anywhere, so its seek points may be rarer.
const MIN_AUDIO_CUE_DISTANCE_MS: u64 = 5_000;
/// Bytes of a cluster's head in the final file: id 4, size 8, timestamp 1 + 1 + 8.
const CLUSTER_HEAD_BYTES: u64 = 22;

/// What a scanned file holds. Some 60 bytes for each second of recording.
#[derive(Debug, Clone)]
pub struct Index {
    tracks: Tracks,
    numbers: Numbers,
    clusters: Vec<Cluster>,
    cues: Vec<Cue>,
    first_ms: u64,
    duration_ms: u64,
    video_frames: u64,
    audio_packets: u64,
    torn: bool,
}

#[derive(Debug, Clone)]
struct Cluster {
    timestamp_ms: u64,
    /// Where its blocks lie in the live file.
    ranges: Vec<Range<u64>>,
}

#[derive(Debug, Clone, Copy)]
struct Cue {
    timestamp_ms: u64,
    track: u64,
    cluster: usize,
}

/// A stretch of the final file, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    /// These bytes.
    Bytes(Vec<u8>),
    /// This range of the live file, unchanged. The ranges of successive pieces only go forward.
    Copy(Range<u64>),
}

/// Reads a live file to its end, or to the last complete block before the place where it is torn.
///
/// Errors: `WEBM_INVALID` and `WEBM_UNSUPPORTED` for what is not a file of ours, `WEBM_EMPTY` without any frame,
/// `WEBM_READ_FAILED`.
pub fn scan(source: impl Read) -> Result<Index, WebmError> {
    let mut reader = Reader::new(BufReader::with_capacity(64 << 10, source))?;
    let mut scan = Scan::new(reader.tracks(), reader.numbers());
    while let Some(event) = reader.next_event()? {
        match event {
            Event::Cluster => scan.cluster_begins = true,
            Event::Block(block) => scan.add(&block)?,
        }
    }
    scan.index.torn = reader.is_torn();
    scan.finish()
}

impl Index {
    /// Tracks that have at least one frame; the picture's size is the largest seen.
    pub fn tracks(&self) -> Tracks {
        self.tracks
    }

    /// From zero to the end of the last frame, in milliseconds.
    pub fn duration_ms(&self) -> u64 {
        self.duration_ms
    }

    /// When the first frame of either track is shown, in milliseconds from the file's time zero.
    pub fn first_ms(&self) -> u64 {
        self.first_ms
    }

    pub fn video_frames(&self) -> u64 {
        self.video_frames
    }

    pub fn audio_packets(&self) -> u64 {
        self.audio_packets
    }

    /// Whether the live file ended in the middle of something (a crash) and lost its tail.
    pub fn is_torn(&self) -> bool {
        self.torn
    }

    /// How long the final file will be, in bytes.
    pub fn total_bytes(&self) -> u64 {
        self.header_bytes().len() as u64 + self.clusters_bytes()
    }

    /// Everything before the first cluster.
    pub fn header_bytes(&self) -> Vec<u8> {
        let mut info = Vec::new();
        ebml::put_info(&mut info, Some(self.duration_ms as f64));
        let mut tracks = Vec::new();
        put_tracks(&mut tracks, &self.tracks, &self.numbers);
        // Every position in the seek head and the cues takes eight bytes, so their lengths do not depend on them.
        let seek_head_bytes = seek_head([0; 3]).len() as u64;
        let info_at = seek_head_bytes;
        let tracks_at = info_at + info.len() as u64;
        let cues_at = tracks_at + tracks.len() as u64;
        let clusters_at = cues_at + self.cues(0).len() as u64;
        let cues = self.cues(clusters_at);

        let mut out = Vec::new();
        ebml::put_file_head(&mut out);
        put_id(&mut out, id::SEGMENT);
        put_long_size(&mut out, clusters_at + self.clusters_bytes());
        out.extend_from_slice(&seek_head([info_at, tracks_at, cues_at]));
        out.extend_from_slice(&info);
        out.extend_from_slice(&tracks);
        out.extend_from_slice(&cues);
        out
    }

    /// The final file, piece by piece.
    pub fn pieces(&self) -> impl Iterator<Item = Piece> + Send + '_ {
        let clusters = self.clusters.iter().flat_map(|cluster| {
            std::iter::once(Piece::Bytes(cluster.head())).chain(cluster.ranges.iter().cloned().map(Piece::Copy))
        });
        std::iter::once_with(|| Piece::Bytes(self.header_bytes())).chain(clusters)
    }

    /// Copies the final file out of a second reading of the same live file. Returns its length in bytes.
    ///
    /// Errors: what reading or writing gives; `UnexpectedEof` when the source is shorter than it was when scanned.
    pub fn write_final(&self, source: impl Read, mut target: impl Write) -> std::io::Result<u64> {
        let mut source = BufReader::with_capacity(64 << 10, source);
        let (mut position, mut written) = (0, 0);
        for piece in self.pieces() {
            match piece {
                Piece::Bytes(bytes) => {
                    target.write_all(&bytes)?;
                    written += bytes.len() as u64;
                }
                Piece::Copy(range) => {
                    copy_exactly(&mut source, range.start - position, &mut std::io::sink())?;
                    copy_exactly(&mut source, range.end - range.start, &mut target)?;
                    position = range.end;
                    written += range.end - range.start;
                }
            }
        }
        Ok(written)
    }

    fn clusters_bytes(&self) -> u64 {
        self.clusters.iter().map(Cluster::final_bytes).sum()
    }

    /// The seek table; `clusters_at` is where the first cluster will stand, from the segment's first byte.
    fn cues(&self, clusters_at: u64) -> Vec<u8> {
        let mut out = Vec::new();
        put_parent(&mut out, id::CUES, |cues| {
            let (mut at, mut next) = (clusters_at, 0);
            for cue in &self.cues {
                at += self.clusters[next..cue.cluster].iter().map(Cluster::final_bytes).sum::<u64>();
                next = cue.cluster;
                put_parent(cues, id::CUE_POINT, |point| {
                    put_uint(point, id::CUE_TIME, cue.timestamp_ms);
                    put_parent(point, id::CUE_TRACK_POSITIONS, |place| {
                        put_uint(place, id::CUE_TRACK, cue.track);
                        put_long_uint(place, id::CUE_CLUSTER_POSITION, at);
                    });
                });
            }
        });
        out
    }
}

fn copy_exactly(source: &mut impl Read, bytes: u64, target: &mut impl Write) -> std::io::Result<()> {
    let copied = std::io::copy(&mut source.take(bytes), target)?;
    if copied == bytes { Ok(()) } else { Err(std::io::ErrorKind::UnexpectedEof.into()) }
}

fn seek_head(positions: [u64; 3]) -> Vec<u8> {
    let mut out = Vec::new();
    put_parent(&mut out, id::SEEK_HEAD, |head| {
        for (element, position) in [id::INFO, id::TRACKS, id::CUES].into_iter().zip(positions) {
            put_parent(head, id::SEEK, |seek| {
                put_bytes(seek, id::SEEK_ID, &element.to_be_bytes());
                put_long_uint(seek, id::SEEK_POSITION, position);
            });
        }
    });
    out
}

impl Cluster {
    fn blocks_bytes(&self) -> u64 {
        self.ranges.iter().map(|range| range.end - range.start).sum()
    }

    fn final_bytes(&self) -> u64 {
        CLUSTER_HEAD_BYTES + self.blocks_bytes()
    }

    fn head(&self) -> Vec<u8> {
        let mut head = Vec::with_capacity(CLUSTER_HEAD_BYTES as usize);
        put_id(&mut head, id::CLUSTER);
        put_long_size(&mut head, self.final_bytes() - 12);
        put_long_uint(&mut head, id::TIMESTAMP, self.timestamp_ms);
        head
    }
}

/// The index while it is being made.
struct Scan {
    index: Index,
    cluster_begins: bool,
    declared: Tracks,
    largest: Option<(u32, u32)>,
    video: Option<(i64, i64)>,
    first_ms: Option<i64>,
    end_us: i64,
    last_cue_ms: Option<u64>,
}

impl Scan {
    fn new(declared: Tracks, numbers: Numbers) -> Self {
        let index = Index {
            tracks: Tracks::default(),
            numbers,
            clusters: Vec::new(),
            cues: Vec::new(),
            first_ms: 0,
            duration_ms: 0,
            video_frames: 0,
            audio_packets: 0,
            torn: false,
        };
        Self { index, cluster_begins: false, declared, largest: None, video: None, first_ms: None, end_us: 0, last_cue_ms: None }
    }

    fn add(&mut self, block: &Block<'_>) -> Result<(), WebmError> {
        if std::mem::take(&mut self.cluster_begins) {
            self.index.clusters.push(Cluster { timestamp_ms: block.cluster_ms, ranges: Vec::new() });
        }
        let cluster = self.index.clusters.last_mut().ok_or(WebmError::Invalid("a block outside a cluster"))?;
        match cluster.ranges.last_mut() {
            Some(range) if range.end == block.start => range.end = block.end,
            _ => cluster.ranges.push(block.start..block.end),
        }
        self.first_ms = Some(self.first_ms.map_or(block.timestamp_ms, |first| first.min(block.timestamp_ms)));
        let mut end_us = block.timestamp_ms.saturating_mul(1_000);
        match block.track {
            TrackKind::Video => {
                self.index.video_frames += 1;
                let (first, last) = self.video.unwrap_or((block.timestamp_ms, block.timestamp_ms));
                self.video = Some((first.min(block.timestamp_ms), last.max(block.timestamp_ms)));
                if let Some(size) = vp8_keyframe_size(block.data).filter(|_| block.keyframe) {
                    let area = |(width, height): (u32, u32)| width * height;
                    self.largest = self.largest.filter(|known| area(*known) >= area(size)).or(Some(size));
                }
            }
            TrackKind::Audio => {
                self.index.audio_packets += 1;
                end_us = end_us.saturating_add(opus_duration_us(block.data) as i64);
            }
        }
        self.end_us = self.end_us.max(end_us);
        self.add_cue(block);
        Ok(())
    }

    /// A seek point at each keyframe; at the sound when the file declares no picture.
    fn add_cue(&mut self, block: &Block<'_>) {
        let (wanted, distance_ms) = match self.declared.video {
            Some(_) => (TrackKind::Video, MIN_CUE_DISTANCE_MS),
            None => (TrackKind::Audio, MIN_AUDIO_CUE_DISTANCE_MS),
        };
        let Ok(timestamp_ms) = u64::try_from(block.timestamp_ms) else { return };
        let is_far = self.last_cue_ms.is_none_or(|last| timestamp_ms >= last.saturating_add(distance_ms));
        if block.track == wanted && block.keyframe && is_far {
            self.last_cue_ms = Some(timestamp_ms);
            let cluster = self.index.clusters.len() - 1;
            self.index.cues.push(Cue { timestamp_ms, track: block.number, cluster });
        }
    }

    fn finish(mut self) -> Result<Index, WebmError> {
        if self.index.clusters.is_empty() {
            return Err(WebmError::Empty);
        }
        if let (Some(video), Some((first, last))) = (self.declared.video, self.video) {
            let (width, height) = self.largest.unwrap_or((video.width, video.height));
            self.index.tracks.video = Some(VideoTrack { width, height });
            // The last picture stands as long as the others did on average, one frame at 1 to 1000 a second.
            let frames = i64::try_from(self.index.video_frames).unwrap_or(i64::MAX);
            let each_ms = last.saturating_sub(first).checked_div(frames - 1).unwrap_or(0).clamp(1, 1_000);
            self.end_us = self.end_us.max(last.saturating_add(each_ms).saturating_mul(1_000));
        }
        if self.index.audio_packets > 0 {
            self.index.tracks.audio = self.declared.audio;
        }
        self.index.first_ms = u64::try_from(self.first_ms.unwrap_or(0)).unwrap_or(0);
        self.index.duration_ms = u64::try_from(self.end_us).unwrap_or(0).div_ceil(1_000);
        Ok(self.index)
    }
}
