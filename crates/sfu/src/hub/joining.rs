//! Joining, resuming and leaving.

use super::{Hub, HubOutput, OfferPace};
use crate::congestion::{Congestion, PacerQueue};
use crate::events::{EngineEvent, LeaveReason};
use crate::layer::RateMeter;
use crate::link::{Link, LinkError};
use crate::participant::{ConnId, DataChannels, Participant, PeerId};
use crate::room::Room;
use crate::sections::Sections;
use crate::signal::messages;
use crate::token::Claims;
use livekit_protocol::leave_request::Action;
use livekit_protocol::participant_info::State;
use livekit_protocol::signal_response::Message;
use livekit_protocol::{DisconnectReason, IceServer, JoinRequest, JoinResponse, ParticipantInfo, ReconnectResponse};
use std::time::{Duration, Instant};

/// A peer whose signalling was lost is kept this long (ENGINE-11).
pub(super) const GRACE: Duration = Duration::from_secs(20);
/// A client silent for this long has lost its signalling, though the socket looks open. It pings every 5 s.
pub(super) const SILENCE: Duration = Duration::from_secs(30);
/// Seconds the client waits for a pong, and its ping interval.
const PING_TIMEOUT_S: i32 = 15;
const PING_INTERVAL_S: i32 = 5;
/// A fresh token is sent this often, valid for [`REFRESH_TTL_S`].
pub(super) const REFRESH: Duration = Duration::from_secs(300);
pub(super) const REFRESH_TTL_S: i64 = 600;

/// A verified wish to join.
pub struct JoinInput {
    pub conn: ConnId,
    pub claims: Claims,
    pub request: JoinRequest,
}

/// Why a join was refused; the client got a `leave`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum JoinError {
    #[error("the room is full")]
    RoomFull,
    #[error("the session to resume does not exist any more")]
    UnknownSession,
    #[error("the offer cannot be used")]
    Offer,
}

impl Hub {
    /// A websocket with a valid token connected. Whatever happens, the client gets a first message.
    pub fn join(&mut self, now: Instant, input: JoinInput) -> Result<(), JoinError> {
        let result = if input.request.reconnect { self.resume(now, &input) } else { self.enter(now, input) };
        self.settle(now);
        result
    }

    fn enter(&mut self, now: Instant, input: JoinInput) -> Result<(), JoinError> {
        let JoinInput { conn, claims, request } = input;
        let room = claims.video.room.clone();
        self.open_room(&room, now);
        if let Ok(old) = self.peer_of(&room, &claims.sub) {
            self.remove(old, LeaveReason::DuplicateIdentity, now);
        }
        let full =
            self.rooms.get(&room).is_some_and(|r| r.max_participants > 0 && r.members.len() >= r.max_participants as usize);
        if full {
            self.refuse(conn, DisconnectReason::JoinFailure, Action::Disconnect);
            return Err(JoinError::RoomFull);
        }
        let id = self.add_participant(conn, claims, &request, now);
        self.send_join(id, &room);
        self.subscribe_to_all(id, now);
        for add in request.add_track_requests {
            self.add_track(id, add, now);
        }
        if let Some(offer) = request.publisher_offer {
            self.offer(id, &offer, now);
            if !self.peers.contains_key(&id) {
                return Err(JoinError::Offer);
            }
        }
        Ok(())
    }

    fn add_participant(&mut self, conn: ConnId, claims: Claims, request: &JoinRequest, now: Instant) -> PeerId {
        let id = self.next_peer;
        self.next_peer += 1;
        let settings = request.connection_settings.unwrap_or_default();
        let browser = request.client_info.as_ref().map(|c| c.browser.to_ascii_lowercase()).unwrap_or_default();
        let mut link = Link::new(&self.config.cert, &self.config.candidates, now);
        let ufrag = link.local_ufrag();
        self.ufrags.insert(ufrag, id);
        let room = claims.video.room.clone();
        let participant = Participant {
            id,
            sid: self.new_sid("PA_"),
            room: room.clone(),
            name: claims.name.clone(),
            metadata: claims.metadata.clone(),
            claims,
            state: State::Joined,
            version: 1,
            joined_at_ms: self.unix_ms(),
            link,
            conn: Some(conn),
            conn_lost_at: None,
            media_closed: false,
            last_signal: now,
            last_heard: now,
            auto_subscribe: settings.auto_subscribe,
            is_firefox: browser.contains("firefox"),
            tracks: Vec::new(),
            unbound: Vec::new(),
            subs: Vec::new(),
            sections: Sections::default(),
            offers: OfferPace::new(now),
            data: DataChannels::default(),
            congestion: Congestion::new(now),
            pacer: PacerQueue::default(),
            gate: false,
            audio_out: RateMeter::default(),
            path: Default::default(),
            route: None,
            told_route: None,
            deadline: None,
            dirty: false,
            next_refresh: now + REFRESH,
            addresses: Default::default(),
            quality: None,
        };
        self.conns.insert(conn, id);
        self.peers.insert(id, participant);
        if let Some(room) = self.rooms.get_mut(&room) {
            room.members.push(id);
            room.empty_since = None;
        }
        id
    }

    fn send_join(&mut self, id: PeerId, room: &str) {
        let others = self.visible_infos(room, id);
        let room = self.rooms.get(room).map(|r| r.info(0));
        let info = self.peers.get(&id).map(Participant::info);
        let join = JoinResponse {
            room,
            participant: info,
            other_participants: others,
            ice_servers: self.ice_servers(id),
            // Both are set, so that Firefox sends its first offer at once.
            subscriber_primary: false,
            fast_publish: true,
            ping_timeout: PING_TIMEOUT_S,
            ping_interval: PING_INTERVAL_S,
            server_info: Some(messages::server_info()),
            server_version: messages::server_info().version,
            enabled_publish_codecs: messages::codecs(),
            ..Default::default()
        };
        self.send(id, Message::Join(join));
    }

    fn ice_servers(&self, id: PeerId) -> Vec<IceServer> {
        let sid = self.peers.get(&id).map(|p| p.sid.as_str()).unwrap_or_default();
        messages::ice_servers(self.config.relay.as_ref(), sid, self.unix_ms() / 1_000)
    }

    fn visible_infos(&self, room: &str, except: PeerId) -> Vec<ParticipantInfo> {
        let others = self.others(room, except);
        others.iter().filter_map(|id| self.peers.get(id)).filter(|p| !p.is_hidden()).map(Participant::info).collect()
    }

    fn resume(&mut self, now: Instant, input: &JoinInput) -> Result<(), JoinError> {
        let sid = &input.request.participant_sid;
        let room = &input.claims.video.room;
        let known = self.peer_of(room, &input.claims.sub).ok().filter(|id| self.peers.get(id).is_some_and(|p| p.sid == *sid));
        let Some(id) = known else {
            self.refuse(input.conn, DisconnectReason::StateMismatch, Action::Reconnect);
            return Err(JoinError::UnknownSession);
        };
        let Some(peer) = self.peers.get_mut(&id) else {
            return Err(JoinError::UnknownSession);
        };
        if let Some(old) = peer.conn.replace(input.conn) {
            self.conns.remove(&old);
            self.out.push_back(HubOutput::CloseSignal { conn: old, reason: "resumed elsewhere" });
        }
        peer.conn_lost_at = None;
        peer.last_signal = now;
        peer.sections.forget_asked();
        let last_message_seq = peer.data.last_sequence;
        self.conns.insert(input.conn, id);
        let response = ReconnectResponse {
            ice_servers: self.ice_servers(id),
            server_info: Some(messages::server_info()),
            last_message_seq,
            ..Default::default()
        };
        self.send(id, Message::Reconnect(response));
        let mut infos = self.visible_infos(room, id);
        infos.extend(self.peers.get(&id).map(Participant::info));
        self.send(id, messages::update(infos));
        self.tell_reconnected(id);
        Ok(())
    }

    fn tell_reconnected(&mut self, id: PeerId) {
        if let Some(p) = self.peers.get(&id) {
            let event = EngineEvent::ParticipantReconnected {
                room: p.room.clone(),
                identity: p.identity().to_string(),
                sid: p.sid.clone(),
            };
            self.tell(event);
        }
    }

    /// Tells a connection without a participant to disconnect.
    fn refuse(&mut self, conn: ConnId, reason: DisconnectReason, action: Action) {
        self.out.push_back(HubOutput::Signal { conn, message: Box::new(messages::leave(reason, action)) });
        self.out.push_back(HubOutput::CloseSignal { conn, reason: "refused" });
    }

    /// The websocket closed; its participant may resume within the grace time.
    pub fn signal_closed(&mut self, now: Instant, conn: ConnId) {
        if let Some(id) = self.conns.remove(&conn)
            && let Some(peer) = self.peers.get_mut(&id)
            && peer.conn == Some(conn)
        {
            peer.conn = None;
            peer.conn_lost_at = Some(now);
            if peer.media_closed {
                self.remove(id, LeaveReason::Client, now);
            }
        }
        self.settle(now);
    }

    /// The connection itself failed: the client makes a new one.
    pub(super) fn link_failed(&mut self, id: PeerId, error: &LinkError, now: Instant) {
        self.counters.broken_links += 1;
        if let Some(peer) = self.peers.get(&id) {
            tracing::warn!(media.participant = %peer.sid, error = %error, "a peer connection broke");
        }
        self.send(id, messages::leave(DisconnectReason::StateMismatch, Action::Reconnect));
        self.drop_peer(id, LeaveReason::Protocol, now);
    }

    /// Disconnects a participant with a reason.
    pub(super) fn remove(&mut self, id: PeerId, reason: LeaveReason, now: Instant) {
        let wire = match reason {
            LeaveReason::Client => None,
            LeaveReason::DuplicateIdentity => Some(DisconnectReason::DuplicateIdentity),
            LeaveReason::Removed => Some(DisconnectReason::ParticipantRemoved),
            LeaveReason::RoomDeleted => Some(DisconnectReason::RoomDeleted),
            LeaveReason::ServerShutdown => Some(DisconnectReason::ServerShutdown),
            LeaveReason::ConnectionLost | LeaveReason::Protocol => Some(DisconnectReason::StateMismatch),
        };
        if let Some(wire) = wire {
            self.send(id, messages::leave(wire, Action::Disconnect));
        }
        self.drop_peer(id, reason, now);
    }

    fn drop_peer(&mut self, id: PeerId, reason: LeaveReason, now: Instant) {
        let Some(mut peer) = self.peers.remove(&id) else {
            return;
        };
        if let Some(conn) = peer.conn {
            self.conns.remove(&conn);
            self.out.push_back(HubOutput::CloseSignal { conn, reason: "left" });
        }
        self.ufrags.retain(|_, p| *p != id);
        self.addresses.retain(|_, p| *p != id);
        if let Some(room) = self.rooms.get_mut(&peer.room) {
            room.members.retain(|m| *m != id);
            if room.members.is_empty() {
                room.empty_since = Some(now);
            }
        }
        let tracks: Vec<String> = peer.tracks.iter().map(|t| t.sid.clone()).collect();
        for other in self.others(&peer.room, id) {
            tracks.iter().for_each(|t| self.unsubscribe(other, t, now));
        }
        peer.state = State::Disconnected;
        peer.version += 1;
        self.announce_departure(&peer, reason);
    }

    fn announce_departure(&mut self, peer: &Participant, reason: LeaveReason) {
        for track in peer.tracks.iter().filter(|t| t.is_published()) {
            self.tell(EngineEvent::TrackUnpublished {
                room: peer.room.clone(),
                identity: peer.identity().to_string(),
                track_sid: track.sid.clone(),
                kind: track.kind.into(),
                source: track.source.into(),
            });
        }
        if !peer.is_hidden() {
            let info = ParticipantInfo { tracks: Vec::new(), ..peer.info() };
            for other in self.others(&peer.room, peer.id) {
                self.send(other, messages::update(vec![info.clone()]));
            }
        }
        self.tell(EngineEvent::ParticipantLeft {
            room: peer.room.clone(),
            identity: peer.identity().to_string(),
            sid: peer.sid.clone(),
            reason,
        });
    }

    /// The room of this name, opened if need be.
    pub(super) fn open_room(&mut self, name: &str, now: Instant) {
        if self.rooms.contains_key(name) {
            return;
        }
        let sid = self.new_sid("RM_");
        let room = Room::new(name.to_string(), sid.clone(), self.unix_ms(), self.config.empty_room_timeout, now);
        self.rooms.insert(name.to_string(), room);
        self.tell(EngineEvent::RoomStarted { room: name.to_string(), sid });
    }

    /// Removes peers whose grace time is over, and rooms that have ended.
    pub(super) fn expire(&mut self, now: Instant) {
        let lost = |p: &&Participant| p.conn_lost_at.is_some_and(|at| now.saturating_duration_since(at) >= GRACE);
        let gone: Vec<PeerId> = self.peers.values().filter(lost).map(|p| p.id).collect();
        gone.into_iter().for_each(|id| self.remove(id, LeaveReason::ConnectionLost, now));
        let silent = |p: &&Participant| p.conn.is_some() && now.saturating_duration_since(p.last_signal) >= SILENCE;
        let silent: Vec<ConnId> = self.peers.values().filter(silent).filter_map(|p| p.conn).collect();
        for conn in silent {
            self.out.push_back(HubOutput::CloseSignal { conn, reason: "silent" });
            self.signal_closed(now, conn);
        }
        let over: Vec<String> = self.rooms.values().filter(|r| r.is_over(now)).map(|r| r.name.clone()).collect();
        over.iter().for_each(|name| self.end_room(name, now));
    }

    /// Closes an empty room.
    pub(super) fn end_room(&mut self, name: &str, now: Instant) {
        if let Some(room) = self.rooms.remove(name) {
            if let Some(recording) = room.recording {
                self.close_recording(recording, now);
            }
            self.tell(EngineEvent::RoomFinished { room: room.name, sid: room.sid });
        }
    }
}
