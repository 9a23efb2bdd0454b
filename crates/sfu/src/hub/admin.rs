//! Operations on rooms, with the semantics of LiveKit's room service.

use super::Hub;
use crate::error::EngineError;
use crate::events::LeaveReason;
use crate::gate::Seat;
use crate::participant::{Participant, PeerId};
use livekit_protocol as proto;
use livekit_protocol::signal_response::Message;
use std::time::{Duration, Instant};

/// Longest room name, bytes.
const MAX_NAME: usize = 256;

impl Hub {
    /// Opens a room, or changes nothing but the given settings of an open one.
    pub fn create_room(&mut self, now: Instant, request: &proto::CreateRoomRequest) -> Result<proto::Room, EngineError> {
        if request.name.is_empty() || request.name.len() > MAX_NAME {
            return Err(EngineError::RoomName);
        }
        self.open_room(&request.name, now);
        let room = self.rooms.get_mut(&request.name).ok_or(EngineError::RoomNotFound)?;
        if request.empty_timeout > 0 {
            room.empty_timeout = Duration::from_secs(request.empty_timeout.into());
        }
        if request.max_participants > 0 {
            room.max_participants = request.max_participants;
        }
        if !request.metadata.is_empty() {
            room.metadata.clone_from(&request.metadata);
        }
        self.room_info(&request.name)
    }

    pub(super) fn room_info(&self, name: &str) -> Result<proto::Room, EngineError> {
        let room = self.room(name)?;
        let publishes = |id: &&PeerId| self.peers.get(id).is_some_and(|p| p.tracks.iter().any(|t| t.is_published()));
        let publishers = room.members.iter().filter(publishes).count();
        Ok(room.info(u32::try_from(publishers).unwrap_or(u32::MAX)))
    }

    /// The open rooms; all of them when `names` is empty.
    pub fn list_rooms(&self, names: &[String]) -> Vec<proto::Room> {
        let wanted = self.rooms.keys().filter(|name| names.is_empty() || names.contains(name));
        wanted.filter_map(|name| self.room_info(name).ok()).collect()
    }

    /// Disconnects everybody and closes the room.
    pub fn delete_room(&mut self, now: Instant, name: &str) -> Result<(), EngineError> {
        let members = self.room(name)?.members.clone();
        members.into_iter().for_each(|id| self.remove(id, LeaveReason::RoomDeleted, now));
        self.end_room(name, now);
        self.settle(now);
        Ok(())
    }

    pub fn list_participants(&self, room: &str) -> Result<Vec<proto::ParticipantInfo>, EngineError> {
        let members = &self.room(room)?.members;
        Ok(members.iter().filter_map(|id| self.peers.get(id)).map(Participant::info).collect())
    }

    pub fn get_participant(&self, room: &str, identity: &str) -> Result<proto::ParticipantInfo, EngineError> {
        let id = self.peer_of(room, identity)?;
        self.peers.get(&id).map(Participant::info).ok_or(EngineError::ParticipantNotFound)
    }

    /// Removes a participant (reason "removed").
    pub fn remove_participant(&mut self, now: Instant, room: &str, identity: &str) -> Result<(), EngineError> {
        let id = self.peer_of(room, identity)?;
        self.remove(id, LeaveReason::Removed, now);
        self.settle(now);
        Ok(())
    }

    /// The places that are taken with a log-in.
    pub fn seats(&self) -> Vec<Seat> {
        let with_log_in = self.peers.values().filter(|peer| !peer.claims.session.is_empty());
        let seat = |peer: &Participant| Seat {
            room: peer.room.clone(),
            identity: peer.identity().to_string(),
            session: peer.claims.session.clone(),
        };
        with_log_in.map(seat).collect()
    }

    /// Removes whoever sits there with this log-in; somebody who took the seat with another one stays.
    pub fn remove_seat(&mut self, now: Instant, seat: &Seat) -> Result<(), EngineError> {
        let id = self.peer_of(&seat.room, &seat.identity)?;
        if self.peers.get(&id).is_none_or(|peer| peer.claims.session != seat.session) {
            return Err(EngineError::ParticipantNotFound);
        }
        self.remove_participant(now, &seat.room, &seat.identity)
    }

    /// Mutes a published track. Only participants unmute themselves (`RemoteUnmute`), as is LiveKit's default.
    pub fn mute_published_track(
        &mut self,
        now: Instant,
        room: &str,
        identity: &str,
        sid: &str,
        muted: bool,
    ) -> Result<proto::TrackInfo, EngineError> {
        let id = self.peer_of(room, identity)?;
        let peer = self.peers.get_mut(&id).ok_or(EngineError::ParticipantNotFound)?;
        let track = peer.track_mut(sid).ok_or(EngineError::TrackNotFound)?;
        if track.muted && !muted {
            return Err(EngineError::RemoteUnmute);
        }
        let changes = track.muted != muted;
        track.muted = muted;
        track.info.muted = muted;
        let info = track.info.clone();
        if changes {
            self.send(id, Message::Mute(proto::MuteTrackRequest { sid: sid.to_string(), muted }));
            self.announce(id);
        }
        self.settle(now);
        Ok(info)
    }

    /// Notifies everybody that the server stops, and closes all recordings.
    pub fn shut_down(&mut self, now: Instant) {
        let ids: Vec<PeerId> = self.peers.keys().copied().collect();
        ids.into_iter().for_each(|id| self.remove(id, LeaveReason::ServerShutdown, now));
        let rooms: Vec<String> = self.rooms.keys().cloned().collect();
        rooms.iter().for_each(|name| self.end_room(name, now));
        self.settle(now);
    }
}
