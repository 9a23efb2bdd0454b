//! WebM (Matroska) for recordings: VP8 and Opus as they arrive from the network, nothing transcoded.
//!
//! Two steps. [`LiveMuxer`] turns frames into bytes that are only ever appended, so that whatever was written before a
//! crash still plays (TRACK-1). [`scan`] reads such a file, torn or whole, and gives an [`Index`] from which the final file
//! (known length, duration, seek table before the media) is copied out piece by piece in constant memory.
//!
//! Called by the recorder's adapter. *Invariant:* pure; no files, no clock, no async. No input makes it panic (TRACK-8).
//!
//! Source: RFC 8794 (EBML), RFC 9559 (Matroska), RFC 6386 §9.1 (VP8 frame header), RFC 7845 §5.1 (OpusHead).

mod codec;
mod ebml;
mod index;
mod live;
mod reader;
mod tracks;

pub use index::{Index, Piece, scan};
pub use live::{Frame, LiveMuxer};
pub use reader::{Block, Event, Reader};
pub use tracks::{AudioTrack, TrackKind, Tracks, VideoTrack};

/// Why a WebM file cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum WebmError {
    /// Code `WEBM_INVALID`: not a WebM file of ours, or its beginning is damaged.
    #[error("not a readable WebM file: {0}")]
    Invalid(&'static str),
    /// Code `WEBM_UNSUPPORTED`: a valid file with something this crate never writes.
    #[error("unsupported WebM feature: {0}")]
    Unsupported(&'static str),
    /// Code `WEBM_EMPTY`: no complete frame in the file.
    #[error("the WebM file has no frame")]
    Empty,
    /// Code `WEBM_READ_FAILED`: the source could not be read.
    #[error("the WebM file could not be read")]
    Read(#[from] std::io::Error),
}

impl WebmError {
    /// The stable code of this error.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Invalid(_) => "WEBM_INVALID",
            Self::Unsupported(_) => "WEBM_UNSUPPORTED",
            Self::Empty => "WEBM_EMPTY",
            Self::Read(_) => "WEBM_READ_FAILED",
        }
    }
}
