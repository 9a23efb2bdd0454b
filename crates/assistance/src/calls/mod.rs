//! The live call: media rooms, who is in them, recording, mute and removal. Rules: docs/rules/calls.md.
//!
//! Called by the call screen and the waiting room; driven by the media engine's events.
//! *Invariant:* this room knows engines only through [`MediaEngine`]; which one runs is decided at start.

pub mod admission;
mod embedded;
mod engine;
mod entity;
pub mod http;
mod livekit;
pub mod recording;
pub mod service;
mod spool;
mod store;

pub use embedded::{EmbeddedEngine, Spool, call_event};
pub use engine::{
    CallEvent, CheckRelay, EngineError, EngineKind, Gone, JoinGrant, MediaEngine, Packet, RelayToTry, Seat, Side, TOPIC,
};
pub use livekit::{LiveKitConfig, LiveKitEngine};
pub use recording::Recording;
pub use spool::SpoolFile;
pub(crate) use store::forget_removal;
pub use store::{find_recording, list_recordings};

use crate::Assistance;
use atalaya_cases::conferences::Conference;
use atalaya_kernel::{ConferenceId, SessionId, UserId};
use chrono::TimeDelta;
use serde_json::{Value, json};

/// How long a right to enter is good. It is asked for before each entry, and the engine refreshes it for those inside.
pub const TOKEN_LIFE: TimeDelta = TimeDelta::minutes(10);

/// Sends a data message to everybody in the media room; an empty room is no error.
pub async fn say(deps: &Assistance, id: ConferenceId, payload: Value) {
    match deps.engine.send(id, Packet { payload, to: Vec::new() }).await {
        Ok(()) | Err(EngineError::NotThere) => {}
        Err(error) => tracing::warn!(conference.id = %id, %error, "the call could not be told"),
    }
}

/// Removes a device from the media room; that it has left by itself is no error.
pub async fn send_out(deps: &Assistance, id: ConferenceId, identity: &str) {
    match deps.engine.remove(id, identity).await {
        Ok(()) | Err(EngineError::NotThere) => {}
        Err(error) => tracing::warn!(conference.id = %id, %error, "a device could not be sent out"),
    }
}

/// Announces to the call that it is over, and ends it.
pub async fn say_closed(deps: &Assistance, id: ConferenceId) {
    say(deps, id, json!({"t": "closed"})).await;
    match deps.engine.close_room(id).await {
        Ok(()) | Err(EngineError::NotThere) => {}
        Err(error) => tracing::warn!(conference.id = %id, %error, "the media room could not be closed"),
    }
}

impl Assistance {
    /// The websocket address browsers reach the media engine at.
    pub fn media_url(&self) -> String {
        self.engine.browser_url().unwrap_or_else(|| self.public_url.replacen("http", "ws", 1))
    }

    /// The right of somebody of ours to enter the conference's media room, with the log-in that they ask with.
    pub fn staff_token(&self, row: &Conference, user: UserId, session: SessionId, name: &str) -> String {
        let now = self.sources.now();
        self.engine.mint(&JoinGrant {
            conference: ConferenceId(row.id),
            identity: format!("user:{user}"),
            name: name.to_string(),
            side: Side::Staff,
            device: None,
            session: Some(session),
            now,
            expires_at: now + TOKEN_LIFE,
        })
    }
}

impl From<EngineError> for atalaya_cases::conferences::ConferenceError {
    fn from(error: EngineError) -> Self {
        match error {
            EngineError::Unavailable(cause) => Self::EngineUnavailable(cause),
            EngineError::NotThere => Self::ParticipantNotFound,
            EngineError::NoRecording => Self::RecordingUnavailable,
            EngineError::RecordingState => Self::RecordingState,
        }
    }
}
