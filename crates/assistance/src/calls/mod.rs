//! The live call: media rooms, who is in them, recording, mute and removal. Rules: docs/rules/calls.md.
//!
//! Called by the call screen and by `conferences::service::close`; driven by the media engine's events.
//! *Invariant:* this room knows engines only through [`MediaEngine`]; which one runs is decided at start.

mod embedded;
mod engine;
pub(crate) mod entity;
pub mod http;
mod livekit;
pub mod recording;
pub mod service;
pub(crate) mod store;
pub mod usage;

pub use embedded::{EmbeddedEngine, Spool, next_event};
pub use engine::{CallEvent, EngineError, EngineKind, JoinGrant, MediaEngine, Packet, Side, TOPIC};
pub use livekit::{LiveKitConfig, LiveKitEngine};

use crate::Assistance;
use atalaya_kernel::ConferenceId;
use serde_json::{Value, json};

/// Sends a data message to everybody in the media room; an empty room is no error.
pub(crate) async fn say(deps: &Assistance, id: ConferenceId, payload: Value) {
    match deps.engine.send(id, Packet { payload, to: Vec::new() }).await {
        Ok(()) | Err(EngineError::NotThere) => {}
        Err(error) => tracing::warn!(conference.id = %id, %error, "the call could not be told"),
    }
}

/// Announces to the call that it is over, and ends it.
pub(crate) async fn say_closed(deps: &Assistance, id: ConferenceId) {
    say(deps, id, json!({"t": "closed"})).await;
    match deps.engine.close_room(id).await {
        Ok(()) | Err(EngineError::NotThere) => {}
        Err(error) => tracing::warn!(conference.id = %id, %error, "the media room could not be closed"),
    }
}

impl From<EngineError> for crate::conferences::ConferenceError {
    fn from(error: EngineError) -> Self {
        match error {
            EngineError::Unavailable(cause) => Self::EngineUnavailable(cause),
            EngineError::NotThere => Self::ParticipantNotFound,
            EngineError::NoRecording => Self::RecordingUnavailable,
            EngineError::RecordingState => Self::RecordingState,
        }
    }
}
