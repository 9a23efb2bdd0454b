//! One participant: who they are, what they may, what they publish and what they receive.
//!
//! Called by `hub`. *Invariant:* `version` rises with every announced change; clients drop older ones.

use crate::congestion::{Congestion, PacerQueue};
use crate::events::Route;
use crate::flow::{AudioFlow, VideoFlow};
use crate::hub::OfferPace;
use crate::layer::RateMeter;
use crate::link::Link;
use crate::sdp::{Kind, OfferedSection};
use crate::sections::Sections;
use crate::token::Claims;
use crate::track::Track;
use livekit_protocol::{ParticipantInfo, participant_info::State};
use std::collections::VecDeque;
use std::net::SocketAddr;
use std::time::{Duration, Instant};
use str0m::channel::ChannelId;
use str0m::media::Mid;

pub type PeerId = u64;
pub type ConnId = u64;

/// A peer from which nothing came for this long has a dead path (ENGINE-10).
pub const DEAD_AFTER: Duration = Duration::from_millis(1_500);
/// Bytes of reliable data kept for a peer whose channel is full or not open yet.
const MAX_BACKLOG: usize = 4 * 1024 * 1024;

/// A track somebody else publishes, as this participant receives it.
pub struct Subscription {
    pub publisher: PeerId,
    pub track: String,
    /// The track's number in the hub.
    pub number: u64,
    pub kind: Kind,
    /// The participant wants it (auto-subscribed or asked for).
    pub desired: bool,
    pub mid: Option<Mid>,
    pub disabled: bool,
    /// Highest layer asked for.
    pub wanted: usize,
    pub forwarder: VideoFlow,
    pub sound: AudioFlow,
    /// Paused by the congestion policy; the client was notified.
    pub told_paused: bool,
    /// Something was written; the publisher was notified.
    pub flowing: bool,
}

impl Subscription {
    pub fn new(publisher: PeerId, track: &Track, desired: bool) -> Self {
        Self {
            publisher,
            track: track.sid.clone(),
            number: track.number,
            kind: track.kind,
            desired,
            mid: None,
            disabled: false,
            wanted: usize::MAX,
            forwarder: VideoFlow::default(),
            sound: AudioFlow::default(),
            told_paused: false,
            flowing: false,
        }
    }

    /// It waits for a section.
    pub fn waits(&self) -> bool {
        self.desired && self.mid.is_none()
    }
}

/// The three channels a client opens, and reliable messages that did not fit yet.
#[derive(Default)]
pub struct DataChannels {
    pub lossy: Option<ChannelId>,
    pub reliable: Option<ChannelId>,
    pub data_track: Option<ChannelId>,
    backlog: VecDeque<Vec<u8>>,
    backlog_bytes: usize,
    /// Highest reliable sequence number received, told to a client that resumes.
    pub last_sequence: u32,
}

impl DataChannels {
    /// Keeps a message for later. `false` = the backlog is full and the message is lost.
    pub fn keep(&mut self, bytes: Vec<u8>) -> bool {
        if self.backlog_bytes + bytes.len() > MAX_BACKLOG {
            return false;
        }
        self.backlog_bytes += bytes.len();
        self.backlog.push_back(bytes);
        true
    }

    pub fn next(&self) -> Option<&[u8]> {
        self.backlog.front().map(Vec::as_slice)
    }

    pub fn sent(&mut self) {
        if let Some(bytes) = self.backlog.pop_front() {
            self.backlog_bytes -= bytes.len();
        }
    }

    pub fn is_empty(&self) -> bool {
        self.backlog.is_empty()
    }
}

/// The last measurements of str0m about the path to this participant.
#[derive(Debug, Clone, Default)]
pub struct PathStats {
    pub raw: Option<f64>,
    pub smooth: Option<f64>,
    pub loss_down: f64,
    pub loss_up: f64,
    pub rtt: Option<Duration>,
}

pub struct Participant {
    pub id: PeerId,
    pub sid: String,
    pub room: String,
    pub claims: Claims,
    pub name: String,
    pub metadata: String,
    pub state: State,
    pub version: u32,
    pub joined_at_ms: i64,
    pub link: Link,
    pub conn: Option<ConnId>,
    pub conn_lost_at: Option<Instant>,
    /// The client closed its peer connection.
    pub media_closed: bool,
    pub last_signal: Instant,
    pub last_heard: Instant,
    pub auto_subscribe: bool,
    pub is_firefox: bool,
    pub tracks: Vec<Track>,
    /// Sections in which the client sends something not announced yet.
    pub unbound: Vec<OfferedSection>,
    pub subs: Vec<Subscription>,
    pub sections: Sections,
    pub offers: OfferPace,
    pub data: DataChannels,
    pub congestion: Congestion,
    pub pacer: PacerQueue,
    pub gate: bool,
    pub audio_out: RateMeter,
    pub path: PathStats,
    /// How its last media packet came, and what was told of that.
    pub route: Option<Route>,
    pub told_route: Option<Route>,
    pub deadline: Option<Instant>,
    /// Something was written that has not left the connection.
    pub dirty: bool,
    pub next_refresh: Instant,
    /// Source addresses of its packets, oldest first.
    pub addresses: VecDeque<SocketAddr>,
    pub quality: Option<crate::events::Quality>,
}

impl Participant {
    pub fn identity(&self) -> &str {
        &self.claims.sub
    }

    pub fn is_hidden(&self) -> bool {
        self.claims.video.hidden
    }

    pub fn is_active(&self) -> bool {
        self.state == State::Active
    }

    /// Nothing was received for 1.5 s although the connection is up.
    pub fn is_dead(&self, now: Instant) -> bool {
        now.saturating_duration_since(self.last_heard) > DEAD_AFTER
    }

    pub fn track(&self, sid: &str) -> Option<&Track> {
        self.tracks.iter().find(|t| t.sid == sid)
    }

    pub fn track_mut(&mut self, sid: &str) -> Option<&mut Track> {
        self.tracks.iter_mut().find(|t| t.sid == sid)
    }

    pub fn sub_mut(&mut self, track: &str) -> Option<&mut Subscription> {
        self.subs.iter_mut().find(|s| s.track == track)
    }

    /// The state that is sent to the others.
    pub fn info(&self) -> ParticipantInfo {
        let tracks = self.tracks.iter().filter(|t| t.is_published()).map(|t| t.info.clone()).collect::<Vec<_>>();
        ParticipantInfo {
            sid: self.sid.clone(),
            identity: self.identity().to_string(),
            state: self.state as i32,
            is_publisher: !tracks.is_empty(),
            tracks,
            metadata: self.metadata.clone(),
            joined_at: self.joined_at_ms / 1_000,
            joined_at_ms: self.joined_at_ms,
            name: self.name.clone(),
            version: self.version,
            permission: Some(self.claims.video.permission()),
            attributes: self.claims.attributes.clone(),
            client_protocol: 1,
            ..Default::default()
        }
    }
}
