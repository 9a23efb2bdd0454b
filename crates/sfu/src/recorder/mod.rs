//! Server-side recording without transcoding: frames of a room into one WebM stream per participant and screen share.
//!
//! `tap` is pure and lives in the engine (what goes into which file, at which time); `writer` muxes on its own thread.
//! *Invariant:* the engine never waits for a writer, and while a recording is paused no frame leaves the tap.

mod tap;
mod writer;

pub use tap::{RecordOp, RecordTrack};
pub(crate) use tap::{Recording, TapFrame};
pub(crate) use writer::WriterThread;

use chrono::{DateTime, Utc};
use std::io;

/// What a file shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RecordingSource {
    /// Camera and microphone of one participant.
    Participant,
    /// A screen share with its sound.
    ScreenShare,
}

/// A file about to be written.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordingFile {
    pub room: String,
    pub recording_id: String,
    pub identity: String,
    pub source: RecordingSource,
    /// Wall-clock time of the file's time zero.
    pub started_at: DateTime<Utc>,
}

/// Where recorded bytes go. Called on the writer thread only.
pub trait RecordingSink: Send + Sync {
    fn open(&self, file: RecordingFile) -> io::Result<Box<dyn RecordingWriter>>;
}

/// One file being written: an append-only WebM stream.
pub trait RecordingWriter: Send {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()>;
    /// Everything appended must survive a crash of the process from now on. Called about once a second.
    fn flush(&mut self) -> io::Result<()>;
    fn finish(self: Box<Self>) -> io::Result<()>;
}

/// A sink for servers that do not record: every file is refused.
pub struct NoRecording;

impl RecordingSink for NoRecording {
    fn open(&self, _: RecordingFile) -> io::Result<Box<dyn RecordingWriter>> {
        Err(io::Error::new(io::ErrorKind::Unsupported, "recording is off"))
    }
}
