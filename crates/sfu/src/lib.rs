//! The embedded media engine: an SFU that the unmodified `livekit-client` joins in its single-peer-connection mode.
//!
//! Storey 1, a workshop: bytes and values in, bytes and values out. `hub` is the engine without sockets (rooms,
//! participants, tracks, negotiation, congestion, recording); `driver` gives it sockets and time on a thread of its
//! own; `http` and `twirp` are its doors; [`Engine`] is the handle for everybody else.
//!
//! *Invariant:* whatever a client sends affects at most that client (ENGINE-5); every queue is bounded; nothing waits for
//! a slow client or disk. VP8 and Opus only (ENGINE-1).
//!
//! Rules: docs/rules/sfu.md.

mod assembler;
mod config;
mod congestion;
mod driver;
mod engine;
mod error;
mod events;
mod flow;
mod forward;
mod gate;
#[doc(hidden)]
pub mod hostile;
mod http;
pub mod hub;
mod layer;
mod link;
mod packet;
mod participant;
mod recorder;
mod room;
mod sdp;
mod sections;
mod signal;
mod sound;
mod splice;
mod token;
mod track;
mod twirp;

pub use config::{EngineConfig, RelayCheck, RelayConfig, RelayOffer};
pub use driver::TurnDoor;
pub use engine::Engine;
pub use error::EngineError;
pub use events::{EngineEvent, LeaveReason, Quality, Route, TrackKind, TrackSource};
pub use gate::{Gate, Seat, Verdict};
pub use livekit_protocol as proto;
pub use recorder::{NoRecording, RecordOp, RecordTrack, RecordingFile, RecordingSink, RecordingSource, RecordingWriter};
pub use signal::{SignalError, decode_join_request};
pub use token::{Claims, TokenError, TokenKeys, VideoGrants};
