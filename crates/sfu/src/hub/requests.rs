//! A client's requests over its websocket, and the events of its connection.

use super::Hub;
use crate::events::{EngineEvent, LeaveReason};
use crate::participant::{ConnId, PeerId};
use crate::signal::messages;
use livekit_protocol as proto;
use livekit_protocol::participant_info::State;
use livekit_protocol::signal_request::Message as Request;
use livekit_protocol::signal_response::Message;
use std::time::Instant;
use str0m::Event;
use str0m::bwe::BweKind;
use str0m::stats::PeerStats;

impl Hub {
    /// A frame of a client's websocket.
    pub fn signal(&mut self, now: Instant, conn: ConnId, request: Request) {
        let Some(id) = self.conns.get(&conn).copied() else {
            return;
        };
        if let Some(peer) = self.peers.get_mut(&id) {
            peer.last_signal = now;
        }
        self.request(id, request, now);
        self.settle(now);
    }

    fn request(&mut self, id: PeerId, request: Request, now: Instant) {
        match request {
            Request::Offer(offer) => self.offer(id, &offer, now),
            // The client's checks reveal its address, so that its candidates, `.local` or not, are not needed (ENGINE-9).
            Request::Trickle(_) => {}
            Request::AddTrack(add) => self.add_track(id, add, now),
            Request::Mute(mute) => self.mute_by_client(id, &mute.sid, mute.muted, now),
            Request::Subscription(wish) => self.change_subscription(id, &wish, now),
            Request::TrackSetting(setting) => self.change_setting(id, &setting, now),
            Request::Leave(_) => self.remove(id, LeaveReason::Client, now),
            Request::Ping(_) => {
                let at = self.unix_ms();
                self.send(id, Message::Pong(at));
            }
            Request::PingReq(ping) => {
                let timestamp = self.unix_ms();
                self.send(id, Message::PongResp(proto::Pong { last_ping_timestamp: ping.timestamp, timestamp }));
            }
            Request::UpdateMetadata(update) => self.update_metadata(id, update),
            Request::UpdateAudioTrack(update) => {
                if let Some(track) = self.peers.get_mut(&id).and_then(|p| p.track_mut(&update.track_sid)) {
                    track.info.audio_features = update.features;
                }
            }
            // Sent on resume or after connecting; they can be ignored.
            _ => {}
        }
    }

    fn update_metadata(&mut self, id: PeerId, update: proto::UpdateParticipantMetadata) {
        use proto::request_response::Reason;
        let Some(peer) = self.peers.get_mut(&id) else {
            return;
        };
        let allowed = peer.claims.video.can_update_own_metadata.unwrap_or(false);
        let reason = if allowed { Reason::Ok } else { Reason::NotAllowed };
        if allowed {
            if !update.metadata.is_empty() {
                peer.metadata = update.metadata;
            }
            if !update.name.is_empty() {
                peer.name = update.name;
            }
            for (key, value) in update.attributes {
                if value.is_empty() {
                    peer.claims.attributes.remove(&key);
                } else {
                    peer.claims.attributes.insert(key, value);
                }
            }
        }
        let response = proto::RequestResponse { request_id: update.request_id, reason: reason as i32, ..Default::default() };
        self.send(id, Message::RequestResponse(response));
        if allowed {
            self.announce(id);
        }
    }

    /// Sends everybody, the participant included, the current state of a participant.
    pub(super) fn announce(&mut self, id: PeerId) {
        let Some(peer) = self.peers.get_mut(&id) else {
            return;
        };
        peer.version += 1;
        let (info, room, hidden) = (peer.info(), peer.room.clone(), peer.is_hidden());
        self.send(id, messages::update(vec![info.clone()]));
        if hidden {
            return;
        }
        for other in self.others(&room, id) {
            self.send(other, messages::update(vec![info.clone()]));
        }
    }

    pub(super) fn on_event(&mut self, id: PeerId, event: Event, now: Instant) {
        match event {
            Event::Connected => self.connected(id, now),
            Event::KeyframeRequest(request) => self.keyframe_wanted(id, request.mid, now),
            Event::ChannelOpen(channel, label) => self.channel_opened(id, channel, &label, now),
            Event::ChannelData(data) => self.data_arrived(id, data.id, &data.data, now),
            Event::Closed => self.media_closed(id, now),
            Event::ChannelBufferedAmountLow(_) => self.flush_data(id, now),
            Event::PeerStats(stats) => self.path_measured(id, &stats),
            Event::EgressBitrateEstimate(BweKind::Twcc { estimate, .. }) => {
                if let Some(peer) = self.peers.get_mut(&id) {
                    peer.path.smooth = Some(estimate.as_f64());
                }
            }
            _ => {}
        }
    }

    fn connected(&mut self, id: PeerId, now: Instant) {
        let Some(peer) = self.peers.get_mut(&id) else {
            return;
        };
        if peer.is_active() {
            return;
        }
        peer.state = State::Active;
        let event = EngineEvent::ParticipantJoined {
            room: peer.room.clone(),
            identity: peer.identity().to_string(),
            sid: peer.sid.clone(),
            name: peer.name.clone(),
            metadata: peer.metadata.clone(),
        };
        let waiting: Vec<String> = peer.subs.iter().map(|s| s.track.clone()).collect();
        self.tell(event);
        // The first picture must not wait for the next beat.
        waiting.iter().for_each(|track| self.retarget(id, track, now));
        self.replay(id, now);
        self.announce(id);
    }

    /// The client closed its connection (DTLS close): it is not coming back to this one, even if its `leave` was lost.
    fn media_closed(&mut self, id: PeerId, now: Instant) {
        let Some(peer) = self.peers.get_mut(&id) else {
            return;
        };
        peer.media_closed = true;
        if peer.conn.is_none() {
            self.remove(id, LeaveReason::Client, now);
        }
    }

    fn path_measured(&mut self, id: PeerId, stats: &PeerStats) {
        let Some(peer) = self.peers.get_mut(&id) else {
            return;
        };
        peer.path.raw = stats.bwe_tx.map(|b| b.as_f64()).or(peer.path.raw);
        peer.path.loss_down = f64::from(stats.egress_loss_fraction.unwrap_or(0.0));
        peer.path.loss_up = f64::from(stats.ingress_loss_fraction.unwrap_or(0.0));
        peer.path.rtt = stats.rtt.or(peer.path.rtt);
    }
}
