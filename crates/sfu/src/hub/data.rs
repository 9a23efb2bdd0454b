//! Data messages: relayed on the channels the clients opened, under the sender's name as the server knows it (ENGINE-13).

use super::Hub;
use crate::error::EngineError;
use crate::participant::PeerId;
use livekit_protocol::{DataPacket, UserPacket, data_packet};
use prost::Message as _;
use std::time::Instant;
use str0m::channel::ChannelId;

/// Largest message relayed, bytes (the client stops at 64,000).
pub const MAX_DATA: usize = 256 * 1024;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Lane {
    Lossy,
    Reliable,
}

impl Hub {
    pub(super) fn channel_opened(&mut self, id: PeerId, channel: ChannelId, label: &str, now: Instant) {
        let Some(peer) = self.peers.get_mut(&id) else {
            return;
        };
        match label {
            "_lossy" => peer.data.lossy = Some(channel),
            "_reliable" => peer.data.reliable = Some(channel),
            "_data_track" => peer.data.data_track = Some(channel),
            _ => {}
        }
        self.flush_data(id, now);
    }

    pub(super) fn data_arrived(&mut self, id: PeerId, channel: ChannelId, bytes: &[u8], now: Instant) {
        let Some(peer) = self.peers.get_mut(&id) else {
            return;
        };
        let lane = if peer.data.reliable == Some(channel) {
            Lane::Reliable
        } else if peer.data.lossy == Some(channel) {
            Lane::Lossy
        } else {
            return;
        };
        let packet = DataPacket::decode(bytes).ok().filter(|_| bytes.len() <= MAX_DATA);
        let Some(mut packet) = packet.filter(|_| peer.claims.video.may_publish_data()) else {
            self.counters.refused_data += 1;
            return;
        };
        if lane == Lane::Reliable {
            peer.data.last_sequence = peer.data.last_sequence.max(packet.sequence);
        }
        // The sender's own statement of its identity is not trusted.
        sign(&mut packet, peer.identity(), &peer.sid);
        let (room, hidden) = (peer.room.clone(), peer.is_hidden());
        if hidden {
            packet.participant_sid.clear();
        }
        let targets = self.targets(&room, id, &destinations(&packet));
        let bytes = packet.encode_to_vec();
        for target in targets {
            self.send_bytes(target, lane, bytes.clone(), now);
        }
    }

    fn targets(&self, room: &str, except: PeerId, identities: &[String]) -> Vec<PeerId> {
        let chosen = |id: &PeerId| {
            identities.is_empty() || self.peers.get(id).is_some_and(|p| identities.iter().any(|i| i == p.identity()))
        };
        self.others(room, except).into_iter().filter(chosen).collect()
    }

    fn send_bytes(&mut self, id: PeerId, lane: Lane, bytes: Vec<u8>, now: Instant) {
        let Some(peer) = self.peers.get_mut(&id) else {
            return;
        };
        match lane {
            Lane::Lossy => {
                let Some(channel) = peer.data.lossy else {
                    return;
                };
                match peer.link.send_data(channel, &bytes) {
                    Ok(_) => self.pump(id, now),
                    Err(e) => self.link_failed(id, &e, now),
                }
            }
            Lane::Reliable => {
                if !peer.data.keep(bytes) {
                    self.counters.lost_data += 1;
                    tracing::warn!(media.participant = %peer.sid, "a receiver is too slow, a reliable message was lost");
                }
                self.flush_data(id, now);
            }
        }
    }

    /// Sends reliable messages that waited.
    pub(super) fn flush_data(&mut self, id: PeerId, now: Instant) {
        loop {
            let Some(peer) = self.peers.get_mut(&id) else {
                return;
            };
            let (Some(channel), Some(bytes)) = (peer.data.reliable, peer.data.next().map(<[u8]>::to_vec)) else {
                return;
            };
            match peer.link.send_data(channel, &bytes) {
                Ok(true) => {
                    peer.data.sent();
                    self.pump(id, now);
                }
                Ok(false) => return,
                Err(e) => return self.link_failed(id, &e, now),
            }
        }
    }

    /// A message of the server itself: it has no participant. Empty `identities` = everybody.
    pub fn send_data(
        &mut self,
        now: Instant,
        room: &str,
        payload: Vec<u8>,
        topic: Option<String>,
        identities: &[String],
        reliable: bool,
    ) -> Result<(), EngineError> {
        self.room(room)?;
        if payload.len() > MAX_DATA {
            return Err(EngineError::DataTooLarge);
        }
        let packet = DataPacket {
            destination_identities: identities.to_vec(),
            value: Some(data_packet::Value::User(UserPacket { payload, topic, ..Default::default() })),
            ..Default::default()
        };
        let bytes = packet.encode_to_vec();
        let lane = if reliable { Lane::Reliable } else { Lane::Lossy };
        // No participant has number 0, so nobody is excluded.
        for target in self.targets(room, 0, identities) {
            self.send_bytes(target, lane, bytes.clone(), now);
        }
        self.settle(now);
        Ok(())
    }
}

#[expect(deprecated, reason = "older clients read the fields inside the user packet")]
fn sign(packet: &mut DataPacket, identity: &str, sid: &str) {
    packet.participant_identity = identity.to_string();
    packet.participant_sid = sid.to_string();
    if let Some(data_packet::Value::User(user)) = &mut packet.value {
        user.participant_identity = identity.to_string();
        user.participant_sid = sid.to_string();
    }
}

#[expect(deprecated, reason = "older clients write the destinations inside the user packet")]
fn destinations(packet: &DataPacket) -> Vec<String> {
    match &packet.value {
        Some(data_packet::Value::User(user)) if packet.destination_identities.is_empty() => user.destination_identities.clone(),
        _ => packet.destination_identities.clone(),
    }
}
