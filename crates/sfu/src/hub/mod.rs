//! The engine without sockets: rooms, participants and the media between them.
//!
//! Called by `driver`, which brings datagrams, signalling frames and time, and carries away [`HubOutput`]s.
//! *Invariant:* no socket, no tokio, no clock of its own; after a run of inputs every touched connection is drained once,
//! by [`Hub::poll`].

mod admin;
mod data;
mod joining;
mod media;
mod negotiation;
mod pace;
mod publishing;
mod recording;
mod requests;

pub use joining::{JoinError, JoinInput};
pub use negotiation::OfferPace;

use crate::config::RelayOffer;
use crate::error::EngineError;
use crate::events::{EngineEvent, Route};
use crate::link::{LinkOutput, Received};
use crate::participant::{ConnId, Participant, PeerId};
use crate::recorder::RecordOp;
use crate::room::Room;
use crate::token::TokenKeys;
use atalaya_kernel::Sources;
use livekit_protocol::signal_response::Message;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashMap, VecDeque};
use std::net::SocketAddr;
use std::time::{Duration, Instant};
use str0m::config::DtlsCert;
use str0m::ice::StunMessage;
use str0m::net::{Protocol, Transmit};
use str0m::{Candidate, Event};

/// The hub's own beat: congestion, speakers, expiry.
const TICK: Duration = Duration::from_millis(100);
/// Source addresses remembered per peer.
const MAX_ADDRESSES: usize = 32;
const BASE62: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// What the driver has to do.
pub enum HubOutput {
    Transmit(Transmit),
    Signal {
        conn: ConnId,
        message: Box<Message>,
    },
    /// Close the websocket after what was sent before.
    CloseSignal {
        conn: ConnId,
        reason: &'static str,
    },
    Event(EngineEvent),
    Record(RecordOp),
}

pub struct HubConfig {
    pub candidates: Vec<Candidate>,
    pub keys: TokenKeys,
    /// The TURN server that clients are told of.
    pub relay: Option<RelayOffer>,
    pub empty_room_timeout: Duration,
    pub sources: Sources,
    pub cert: DtlsCert,
}

/// Things counted for the log.
#[derive(Debug, Default, Clone, PartialEq)]
pub struct Counters {
    /// Datagrams for nobody: garbage, or late packets of a participant who has left.
    pub stray_datagrams: u64,
    pub broken_links: u64,
    pub bad_offers: u64,
    pub refused_publishing: u64,
    pub refused_data: u64,
    pub lost_data: u64,
}

/// What a connection reports.
#[expect(clippy::large_enum_variant, reason = "short-lived; a box would cost an allocation for each packet")]
enum Happening {
    Packet(Received),
    Event(Event),
}

pub struct Hub {
    config: HubConfig,
    rooms: BTreeMap<String, Room>,
    peers: HashMap<PeerId, Participant>,
    conns: HashMap<ConnId, PeerId>,
    ufrags: HashMap<String, PeerId>,
    addresses: HashMap<SocketAddr, PeerId>,
    timers: BinaryHeap<Reverse<(Instant, PeerId)>>,
    events: VecDeque<(PeerId, Happening)>,
    out: VecDeque<HubOutput>,
    /// Connections with written packets that have not left them, drained once for a run of inputs.
    dirty: VecDeque<PeerId>,
    /// The time of the last input.
    now: Instant,
    /// Reused between inputs.
    drained: Vec<LinkOutput>,
    receivers: Vec<PeerId>,
    next_peer: PeerId,
    next_track: u64,
    next_file: u64,
    next_tick: Instant,
    ticks: u64,
    pub counters: Counters,
}

impl Hub {
    pub fn new(config: HubConfig, now: Instant) -> Self {
        Self {
            config,
            rooms: BTreeMap::new(),
            peers: HashMap::new(),
            conns: HashMap::new(),
            ufrags: HashMap::new(),
            addresses: HashMap::new(),
            timers: BinaryHeap::new(),
            events: VecDeque::new(),
            out: VecDeque::new(),
            dirty: VecDeque::new(),
            now,
            drained: Vec::new(),
            receivers: Vec::new(),
            next_peer: 1,
            next_track: 1,
            next_file: 1,
            next_tick: now + TICK,
            ticks: 0,
            counters: Counters::default(),
        }
    }

    /// The next thing to do. Several inputs may come before it; packets written in them leave their connections only now.
    pub fn poll(&mut self) -> Option<HubOutput> {
        while self.out.is_empty()
            && let Some(id) = self.dirty.pop_front()
        {
            let now = self.now;
            self.pump(id, now);
            self.settle(now);
        }
        self.out.pop_front()
    }

    /// Remembers that a connection has something to send.
    fn touch(&mut self, id: PeerId) {
        if let Some(peer) = self.peers.get_mut(&id)
            && !std::mem::replace(&mut peer.dirty, true)
        {
            self.dirty.push_back(id);
        }
    }

    /// When [`Hub::tick`] must be called at the latest.
    pub fn deadline(&self) -> Instant {
        self.timers.peek().map_or(self.next_tick, |Reverse((at, _))| (*at).min(self.next_tick))
    }

    /// Time passes.
    pub fn tick(&mut self, now: Instant) {
        while let Some(Reverse((at, id))) = self.timers.peek().copied()
            && at <= now
        {
            self.timers.pop();
            if self.peers.get(&id).is_some_and(|p| p.deadline == Some(at)) {
                self.pump(id, now);
            }
        }
        if now >= self.next_tick {
            self.next_tick = now + TICK;
            self.ticks += 1;
            self.beat(now);
        }
        self.settle(now);
    }

    /// Bytes arrived on a media port. Whatever they are, at most one participant is affected (ENGINE-5).
    pub fn datagram(&mut self, now: Instant, proto: Protocol, source: SocketAddr, destination: SocketAddr, bytes: &[u8]) {
        let route = if proto == Protocol::Udp { Route::Udp } else { Route::Tcp };
        self.arrive(now, (proto, route), source, destination, bytes);
    }

    /// A datagram that our TURN relays: `source` is the relayed address.
    pub fn relayed(&mut self, now: Instant, route: Route, source: SocketAddr, destination: SocketAddr, bytes: &[u8]) {
        self.arrive(now, (Protocol::Udp, route), source, destination, bytes);
    }

    fn arrive(
        &mut self,
        now: Instant,
        (proto, route): (Protocol, Route),
        source: SocketAddr,
        destination: SocketAddr,
        bytes: &[u8],
    ) {
        let Some(id) = self.recipient(now, proto, source, destination, bytes) else {
            self.counters.stray_datagrams += 1;
            if self.counters.stray_datagrams.is_power_of_two() {
                tracing::info!(media.stray_datagrams = self.counters.stray_datagrams, "datagrams for nobody came");
            }
            return;
        };
        let Some(peer) = self.peers.get_mut(&id) else {
            return;
        };
        peer.last_heard = now;
        if !is_stun(bytes) {
            peer.route = Some(route);
        }
        if let Err(e) = peer.link.receive(now, proto, source, destination, bytes) {
            return self.link_failed(id, &e, now);
        }
        self.pump(id, now);
        self.settle(now);
    }

    /// A STUN request names its peer by our user fragment; everything else comes from an address seen before.
    fn recipient(
        &mut self,
        now: Instant,
        proto: Protocol,
        source: SocketAddr,
        destination: SocketAddr,
        bytes: &[u8],
    ) -> Option<PeerId> {
        if !is_stun(bytes) {
            return self.addresses.get(&source).copied();
        }
        let message = StunMessage::parse(bytes).ok()?;
        let id = if message.is_binding_request() {
            let (local, _) = message.split_username()?;
            *self.ufrags.get(local)?
        } else {
            *self.addresses.get(&source)?
        };
        let accepted = self.peers.get(&id)?.link.accepts(now, proto, source, destination, bytes);
        if accepted && self.addresses.insert(source, id) != Some(id) {
            self.remember(id, source);
        }
        accepted.then_some(id)
    }

    /// A peer keeps its last addresses only, so that nobody can fill the index.
    fn remember(&mut self, id: PeerId, source: SocketAddr) {
        let Some(peer) = self.peers.get_mut(&id) else {
            return;
        };
        peer.addresses.push_back(source);
        if peer.addresses.len() > MAX_ADDRESSES
            && let Some(old) = peer.addresses.pop_front()
            && old != source
        {
            self.addresses.remove(&old);
        }
    }

    /// Whether bytes from an unknown TCP connection are worth keeping it open: a request with a user fragment of ours.
    pub fn knows(&self, bytes: &[u8]) -> bool {
        let Ok(message) = StunMessage::parse(bytes) else {
            return false;
        };
        message.is_binding_request() && message.split_username().is_some_and(|(local, _)| self.ufrags.contains_key(local))
    }

    /// Takes outgoing packets and events out of a connection.
    fn pump(&mut self, id: PeerId, now: Instant) {
        let Some(peer) = self.peers.get_mut(&id) else {
            return;
        };
        peer.dirty = false;
        let result = peer.link.drain(now, &mut self.drained);
        for output in self.drained.drain(..) {
            match output {
                LinkOutput::Transmit(transmit) => {
                    peer.pacer.left(&transmit.contents);
                    self.out.push_back(HubOutput::Transmit(transmit));
                }
                LinkOutput::Packet(received) => self.events.push_back((id, Happening::Packet(received))),
                LinkOutput::Event(event) => self.events.push_back((id, Happening::Event(event))),
            }
        }
        match result {
            Ok(deadline) => {
                if peer.deadline != Some(deadline) {
                    peer.deadline = Some(deadline);
                    self.timers.push(Reverse((deadline, id)));
                }
            }
            Err(e) => self.link_failed(id, &e, now),
        }
    }

    /// Handles the connections' events until none is left.
    fn settle(&mut self, now: Instant) {
        self.now = now;
        while let Some((id, happening)) = self.events.pop_front() {
            match happening {
                Happening::Packet(received) => self.packet(id, received, now),
                Happening::Event(event) => self.on_event(id, event, now),
            }
        }
    }

    fn send(&mut self, id: PeerId, message: Message) {
        if let Some(conn) = self.peers.get(&id).and_then(|p| p.conn) {
            self.out.push_back(HubOutput::Signal { conn, message: Box::new(message) });
        }
    }

    fn tell(&mut self, event: EngineEvent) {
        self.out.push_back(HubOutput::Event(event));
    }

    /// Members of a room other than `except`.
    fn others(&self, room: &str, except: PeerId) -> Vec<PeerId> {
        let members = self.rooms.get(room).map(|r| r.members.as_slice()).unwrap_or_default();
        members.iter().copied().filter(|id| *id != except).collect()
    }

    fn new_sid(&self, prefix: &str) -> String {
        let bytes = self.config.sources.bytes::<14>();
        let tail = bytes.iter().map(|b| char::from(BASE62[usize::from(*b) % BASE62.len()]));
        prefix.chars().chain(tail).collect()
    }

    pub fn unix_s(&self) -> i64 {
        self.config.sources.now().timestamp()
    }

    fn unix_ms(&self) -> i64 {
        self.config.sources.now().timestamp_millis()
    }

    fn room(&self, name: &str) -> Result<&Room, EngineError> {
        self.rooms.get(name).ok_or(EngineError::RoomNotFound)
    }

    /// Whether somebody with this sid is in a room now.
    pub fn has_participant(&self, sid: &str) -> bool {
        self.peers.values().any(|p| p.sid == sid)
    }

    fn peer_of(&self, room: &str, identity: &str) -> Result<PeerId, EngineError> {
        let members = &self.room(room)?.members;
        members
            .iter()
            .copied()
            .find(|id| self.peers.get(id).is_some_and(|p| p.identity() == identity))
            .ok_or(EngineError::ParticipantNotFound)
    }
}

/// A STUN message among the engine's packets (RFC 7983).
fn is_stun(bytes: &[u8]) -> bool {
    bytes.first().is_some_and(|b| *b < 4)
}
