//! The tracks of a file: at most one VP8 picture and one Opus sound.

use crate::WebmError;
use crate::codec::opus_head;
use crate::ebml::{self, id, put_bytes, put_float, put_parent, put_text, put_uint};

/// Which of a file's two tracks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TrackKind {
    Video,
    Audio,
}

impl TrackKind {
    /// The track number in the files we write.
    pub(crate) fn number(self) -> u8 {
        match self {
            Self::Video => 1,
            Self::Audio => 2,
        }
    }
}

/// A VP8 track. Sizes are pixels; while live they are a first guess, the final file has the real ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VideoTrack {
    pub width: u32,
    pub height: u32,
}

/// An Opus track. `rate` is in Hz (48 000 for anything that came by WebRTC).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AudioTrack {
    pub channels: u8,
    pub rate: u32,
}

/// What a file has. Frames of a track that it has not are left out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tracks {
    pub video: Option<VideoTrack>,
    pub audio: Option<AudioTrack>,
}

impl Tracks {
    pub(crate) fn has(&self, kind: TrackKind) -> bool {
        match kind {
            TrackKind::Video => self.video.is_some(),
            TrackKind::Audio => self.audio.is_some(),
        }
    }
}

/// Which numbers a file that is being read gave to its tracks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Numbers {
    pub video: Option<u64>,
    pub audio: Option<u64>,
}

impl Numbers {
    pub fn kind(&self, number: u64) -> Option<TrackKind> {
        match Some(number) {
            n if n == self.video => Some(TrackKind::Video),
            n if n == self.audio => Some(TrackKind::Audio),
            _ => None,
        }
    }
}

pub(crate) fn put_tracks(out: &mut Vec<u8>, tracks: &Tracks, numbers: &Numbers) {
    put_parent(out, id::TRACKS, |all| {
        if let Some(video) = &tracks.video {
            let number = numbers.video.unwrap_or(TrackKind::Video.number().into());
            put_parent(all, id::TRACK_ENTRY, |entry| put_video(entry, video, number));
        }
        if let Some(audio) = &tracks.audio {
            let number = numbers.audio.unwrap_or(TrackKind::Audio.number().into());
            put_parent(all, id::TRACK_ENTRY, |entry| put_audio(entry, audio, number));
        }
    });
}

fn put_common(entry: &mut Vec<u8>, number: u64, kind: u64, codec: &str) {
    put_uint(entry, id::TRACK_NUMBER, number);
    put_uint(entry, id::TRACK_UID, number);
    put_uint(entry, id::TRACK_TYPE, kind);
    put_uint(entry, id::FLAG_LACING, 0);
    put_text(entry, id::LANGUAGE, "und");
    put_text(entry, id::CODEC_ID, codec);
}

fn put_video(entry: &mut Vec<u8>, video: &VideoTrack, number: u64) {
    put_common(entry, number, 1, "V_VP8");
    put_parent(entry, id::VIDEO, |size| {
        // Zero is not allowed; a file of no known size still has to open.
        put_uint(size, id::PIXEL_WIDTH, video.width.max(1).into());
        put_uint(size, id::PIXEL_HEIGHT, video.height.max(1).into());
    });
}

fn put_audio(entry: &mut Vec<u8>, audio: &AudioTrack, number: u64) {
    put_common(entry, number, 2, "A_OPUS");
    put_bytes(entry, id::CODEC_PRIVATE, &opus_head(audio.channels, audio.rate));
    // Opus needs 80 ms of decoding before a seek target sounds right (RFC 7845 §4.6).
    put_uint(entry, id::SEEK_PRE_ROLL, 80_000_000);
    put_parent(entry, id::AUDIO, |sound| {
        put_float(sound, id::SAMPLING_FREQUENCY, audio.rate.into());
        put_uint(sound, id::CHANNELS, audio.channels.into());
    });
}

/// Reads a Tracks element. Errors: `WEBM_UNSUPPORTED` for other codecs or more tracks than one of each kind.
pub(crate) fn parse_tracks(payload: &[u8]) -> Result<(Tracks, Numbers), WebmError> {
    let mut tracks = Tracks::default();
    let mut numbers = Numbers::default();
    for (_, entry) in ebml::children(payload).filter(|(element, _)| *element == id::TRACK_ENTRY) {
        parse_entry(entry, &mut tracks, &mut numbers)?;
    }
    if tracks == Tracks::default() {
        return Err(WebmError::Invalid("no track"));
    }
    if numbers.video.is_some() && numbers.video == numbers.audio {
        return Err(WebmError::Invalid("two tracks of one number"));
    }
    Ok((tracks, numbers))
}

fn parse_entry(entry: &[u8], tracks: &mut Tracks, numbers: &mut Numbers) -> Result<(), WebmError> {
    let mut number = 0;
    let mut codec: &[u8] = b"";
    let (mut video, mut audio): (&[u8], &[u8]) = (b"", b"");
    for (element, value) in ebml::children(entry) {
        match element {
            id::TRACK_NUMBER => number = ebml::uint(value).unwrap_or(0),
            id::CODEC_ID => codec = value,
            id::VIDEO => video = value,
            id::AUDIO => audio = value,
            _ => {}
        }
    }
    if !(1..=126).contains(&number) {
        return Err(WebmError::Invalid("track number"));
    }
    match codec {
        b"V_VP8" if tracks.video.is_none() => {
            let pixels = |wanted| find_uint(video, wanted).and_then(|n| u32::try_from(n).ok()).unwrap_or(0);
            tracks.video = Some(VideoTrack { width: pixels(id::PIXEL_WIDTH), height: pixels(id::PIXEL_HEIGHT) });
            numbers.video = Some(number);
        }
        b"A_OPUS" if tracks.audio.is_none() => {
            let channels = find_uint(audio, id::CHANNELS).and_then(|n| u8::try_from(n).ok()).unwrap_or(1);
            tracks.audio = Some(AudioTrack { channels, rate: find_rate(audio) });
            numbers.audio = Some(number);
        }
        _ => return Err(WebmError::Unsupported("a track that is not one VP8 picture or one Opus sound")),
    }
    Ok(())
}

fn find_uint(payload: &[u8], wanted: u32) -> Option<u64> {
    ebml::children(payload).find(|(element, _)| *element == wanted).and_then(|(_, value)| ebml::uint(value))
}

fn find_rate(audio: &[u8]) -> u32 {
    let rate = ebml::children(audio).find(|(element, _)| *element == id::SAMPLING_FREQUENCY);
    let rate = rate.and_then(|(_, value)| ebml::float(value)).filter(|rate| (8_000.0..=192_000.0).contains(rate));
    rate.unwrap_or(48_000.0) as u32
}
