//! What a call needs of a media engine; two engines implement it (CALL-1).

use async_trait::async_trait;
use atalaya_kernel::{ConferenceId, RecordingId, SessionId};
use chrono::{DateTime, Utc};

/// Which engine carries the media.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum EngineKind {
    Embedded,
    Livekit,
}

/// Who a media token is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    Staff,
    Client,
}

impl Side {
    pub fn as_str(self) -> &'static str {
        match self {
            Side::Staff => "staff",
            Side::Client => "client",
        }
    }
}

/// A right to enter a media room.
#[derive(Clone, Debug)]
pub struct JoinGrant {
    pub conference: ConferenceId,
    pub identity: String,
    pub name: String,
    pub side: Side,
    /// What the client holds in their hand, for instance `iPhone · Safari`.
    pub device: Option<String>,
    /// The log-in behind a right of ours; a client has none.
    pub session: Option<SessionId>,
    pub now: DateTime<Utc>,
    pub expires_at: DateTime<Utc>,
}

/// A place in a media room that was taken with a log-in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seat {
    pub conference: ConferenceId,
    pub identity: String,
    pub session: Option<SessionId>,
}

/// What went wrong at the engine.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    #[error("the media engine cannot be reached")]
    Unavailable(String),
    #[error("nobody of that name is in the room")]
    NotThere,
    #[error("this engine cannot record")]
    NoRecording,
    #[error("the recording is not in a state that allows this")]
    RecordingState,
}

/// A data message to a media room.
#[derive(Clone, Debug)]
pub struct Packet {
    pub payload: serde_json::Value,
    /// Everybody when empty.
    pub to: Vec<String>,
}

/// A relay that may be tried without a call, and for how long.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RelayToTry {
    pub urls: Vec<String>,
    pub username: String,
    pub credential: String,
    /// Seconds.
    pub expires_in_s: i64,
}

/// Whether the relay can be tried without a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CheckRelay {
    Try(RelayToTry),
    Off,
    /// Another server's, which would relay to anywhere for whoever has credentials.
    Elsewhere,
}

/// The interface of a media engine.
#[async_trait]
pub trait MediaEngine: Send + Sync {
    fn kind(&self) -> EngineKind;
    /// The websocket address browsers connect to (`livekit-client` appends `/rtc/v1`). `None`: our own origin.
    fn browser_url(&self) -> Option<String>;
    fn mint(&self, grant: &JoinGrant) -> String;
    fn can_record(&self) -> bool;
    /// Credentials to try the relay with (TURN-11).
    fn relay_to_try(&self) -> CheckRelay {
        CheckRelay::Elsewhere
    }
    async fn send(&self, conference: ConferenceId, packet: Packet) -> Result<(), EngineError>;
    async fn mute(&self, conference: ConferenceId, identity: &str, track_sid: &str, muted: bool) -> Result<(), EngineError>;
    async fn remove(&self, conference: ConferenceId, identity: &str) -> Result<(), EngineError>;
    /// The seats that are taken with a log-in; `None`: this engine does not know log-ins.
    async fn seats(&self) -> Result<Option<Vec<Seat>>, EngineError> {
        Ok(None)
    }
    /// Removes whoever has this seat with this log-in.
    async fn remove_seat(&self, seat: &Seat) -> Result<(), EngineError> {
        self.remove(seat.conference, &seat.identity).await
    }
    async fn close_room(&self, conference: ConferenceId) -> Result<(), EngineError>;
    /// Starts recording; the answer is the engine's own name for it, if it has one.
    async fn start_recording(&self, conference: ConferenceId, id: RecordingId) -> Result<Option<String>, EngineError>;
    async fn pause_recording(&self, conference: ConferenceId, id: RecordingId) -> Result<(), EngineError>;
    async fn resume_recording(&self, conference: ConferenceId, id: RecordingId) -> Result<(), EngineError>;
    async fn stop_recording(&self, conference: ConferenceId, id: RecordingId, external: Option<&str>) -> Result<(), EngineError>;
    /// Answers when the engine does; for readiness.
    async fn healthy(&self) -> Result<(), EngineError>;
}

/// Topic of our data messages.
pub const TOPIC: &str = "atalaya";

/// An event of the engine.
#[derive(Clone, Debug, PartialEq)]
pub enum CallEvent {
    RoomStarted { room: String, sid: String },
    RoomFinished { room: String, sid: String },
    Joined { room: String, identity: String, participant_sid: String, name: String },
    Reconnected { room: String, identity: String },
    Left { room: String, identity: String, participant_sid: String, gone: Gone },
}

/// Why somebody is no longer in the room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gone {
    /// They hung up, or closed the page.
    Left,
    Removed,
    /// The same device, once more.
    Replaced,
    /// The room was closed.
    Closed,
    /// The connection broke and did not come back.
    Lost,
}

impl Gone {
    /// The word in the track's data.
    pub fn as_str(self) -> &'static str {
        match self {
            Gone::Left => "left",
            Gone::Removed => "removed",
            Gone::Replaced => "replaced",
            Gone::Closed => "closed",
            Gone::Lost => "lost",
        }
    }
}
