//! The engine's events for the rest of the program.

use crate::recorder::RecordingSource;
use chrono::{DateTime, Utc};

/// An event of a room. `room` is the media room's name, which is the conference's id.
#[derive(Debug, Clone, PartialEq)]
pub enum EngineEvent {
    RoomStarted {
        room: String,
        sid: String,
    },
    RoomFinished {
        room: String,
        sid: String,
    },
    /// The peer connection is up.
    ParticipantJoined {
        room: String,
        identity: String,
        sid: String,
        name: String,
        metadata: String,
    },
    /// The signalling came back within the grace time.
    ParticipantReconnected {
        room: String,
        identity: String,
        sid: String,
    },
    ParticipantLeft {
        room: String,
        identity: String,
        sid: String,
        reason: LeaveReason,
    },
    TrackPublished {
        room: String,
        identity: String,
        track_sid: String,
        kind: TrackKind,
        source: TrackSource,
    },
    TrackUnpublished {
        room: String,
        identity: String,
        track_sid: String,
        kind: TrackKind,
        source: TrackSource,
    },
    /// A recorded file is complete (or as complete as it will be).
    RecordingFile {
        room: String,
        recording_id: String,
        identity: String,
        source: RecordingSource,
        started_at: DateTime<Utc>,
        duration_ms: u64,
        size_bytes: u64,
    },
    QualityChanged {
        room: String,
        identity: String,
        quality: Quality,
    },
    /// The way of a participant's media is known, or another one.
    RouteChanged {
        room: String,
        identity: String,
        sid: String,
        route: Route,
    },
}

/// How a participant's media reach us. What an external TURN server relays looks like UDP.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Route {
    Udp,
    Tcp,
    /// By our TURN, and how the client reaches that.
    RelayUdp,
    RelayTcp,
    RelayTls,
}

impl Route {
    /// Stable name, for metrics and storage.
    pub fn name(self) -> &'static str {
        match self {
            Self::Udp => "udp",
            Self::Tcp => "tcp",
            Self::RelayUdp => "relay-udp",
            Self::RelayTcp => "relay-tcp",
            Self::RelayTls => "relay-tls",
        }
    }
}

/// Why a participant left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LeaveReason {
    /// They left.
    Client,
    DuplicateIdentity,
    Removed,
    RoomDeleted,
    ServerShutdown,
    /// The signalling did not come back within the grace time.
    ConnectionLost,
    /// What they sent could not be used.
    Protocol,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TrackKind {
    Audio,
    Video,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TrackSource {
    Unknown,
    Camera,
    Microphone,
    ScreenShare,
    ScreenShareAudio,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quality {
    Lost,
    Poor,
    Good,
    Excellent,
}

impl From<crate::sdp::Kind> for TrackKind {
    fn from(kind: crate::sdp::Kind) -> Self {
        match kind {
            crate::sdp::Kind::Audio => Self::Audio,
            crate::sdp::Kind::Video => Self::Video,
        }
    }
}

impl From<livekit_protocol::TrackSource> for TrackSource {
    fn from(source: livekit_protocol::TrackSource) -> Self {
        use livekit_protocol::TrackSource as Wire;
        match source {
            Wire::Unknown => Self::Unknown,
            Wire::Camera => Self::Camera,
            Wire::Microphone => Self::Microphone,
            Wire::ScreenShare => Self::ScreenShare,
            Wire::ScreenShareAudio => Self::ScreenShareAudio,
        }
    }
}
