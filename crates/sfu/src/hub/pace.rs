//! The hub's beat: congestion, dynacast, speakers, quality, refreshed tokens.

use super::Hub;
use super::joining::{REFRESH, REFRESH_TTL_S};
use crate::congestion::{Cap, Decision, Inputs, TrackView};
use crate::events::{EngineEvent, Quality};
use crate::link::INITIAL_ESTIMATE;
use crate::participant::{Participant, PeerId};
use crate::sdp::Kind;
use crate::signal::messages;
use livekit_protocol as proto;
use livekit_protocol::signal_response::Message;
use std::time::{Duration, Instant};

/// Minimum rate counted for audio, bit/s.
const MIN_AUDIO: f64 = 32_000.0;
/// A publisher is asked to stop a layer only after nobody wanted it for this long.
const LOWER_AFTER: Duration = Duration::from_secs(3);
/// A path silent for this long is reported to the others as lost.
const LOST_AFTER: Duration = Duration::from_secs(5);
const SPEAKER_TICKS: u64 = 3;
const QUALITY_TICKS: u64 = 20;
const SLOW_TICKS: u64 = 10;

impl Hub {
    pub(super) fn beat(&mut self, now: Instant) {
        let ids: Vec<PeerId> = self.peers.keys().copied().collect();
        for id in &ids {
            self.pace(*id, now);
            let backlog = self.peers.get(id).is_some_and(|p| !p.data.is_empty());
            if backlog {
                self.flush_data(*id, now);
            }
        }
        self.beat_recordings(now);
        if self.ticks.is_multiple_of(SPEAKER_TICKS) {
            self.tell_speakers();
        }
        if self.ticks.is_multiple_of(QUALITY_TICKS) {
            self.tell_quality(now);
        }
        if self.ticks.is_multiple_of(SLOW_TICKS) {
            self.ask_layers(now);
            self.expire(now);
            self.refresh_tokens(now);
            ids.into_iter().for_each(|id| self.require_sections(id, now));
        }
    }

    /// One congestion decision for one subscriber, and the layers that follow from it.
    fn pace(&mut self, id: PeerId, now: Instant) {
        let tracks = self.track_views(id, now);
        let Some(peer) = self.peers.get_mut(&id).filter(|p| p.is_active()) else {
            return;
        };
        let raw = peer.path.raw.unwrap_or(INITIAL_ESTIMATE as f64);
        let decision = peer.congestion.decide(&Inputs {
            now,
            raw,
            smooth: peer.path.smooth.unwrap_or(raw),
            loss: peer.path.loss_down,
            rtt: peer.path.rtt,
            queue: peer.pacer.age(now),
            audio: peer.audio_out.rate(now).unwrap_or(0.0).max(MIN_AUDIO),
            tracks: &tracks,
            dead: peer.is_dead(now),
            gate: std::mem::take(&mut peer.gate),
        });
        if !tracks.is_empty() && self.ticks.is_multiple_of(SLOW_TICKS) {
            self.log_path(id, now);
        }
        self.apply(id, decision, now);
        for track in tracks {
            self.retarget(id, &track.key, now);
        }
    }

    fn apply(&mut self, id: PeerId, decision: Decision, now: Instant) {
        let Some(peer) = self.peers.get_mut(&id) else {
            return;
        };
        if let Some((minimum, desired)) = decision.bitrate {
            if let Err(e) = peer.link.set_bitrate(minimum, desired) {
                return self.link_failed(id, &e, now);
            }
            self.pump(id, now);
        }
        if decision.changed {
            self.log_switch(id, decision);
            self.tell_stream_states(id);
        }
    }

    fn log_switch(&self, id: PeerId, decision: Decision) {
        if let Some(p) = self.peers.get(&id) {
            tracing::debug!(
                media.participant = %p.sid,
                congestion.down = decision.down,
                congestion.state = %p.congestion.summary(),
                "the picture of a receiver changes"
            );
        }
    }

    /// Once a second, logs the policy's inputs and decisions for each peer.
    fn log_path(&mut self, id: PeerId, now: Instant) {
        if let Some(p) = self.peers.get_mut(&id) {
            tracing::debug!(
                media.participant = %p.sid,
                congestion.raw_kbps = (p.path.raw.unwrap_or(0.0) / 1_000.0) as u64,
                congestion.smooth_kbps = (p.path.smooth.unwrap_or(0.0) / 1_000.0) as u64,
                congestion.loss = p.path.loss_down,
                congestion.rtt_ms = p.path.rtt.map(|r| r.as_millis() as u64),
                congestion.queue_ms = p.pacer.age(now).as_millis() as u64,
                congestion.dead = p.is_dead(now),
                congestion.state = %p.congestion.summary(),
                "the path of a receiver"
            );
        }
    }

    fn track_views(&mut self, id: PeerId, now: Instant) -> Vec<TrackView> {
        let Some(peer) = self.peers.get(&id) else {
            return Vec::new();
        };
        let subs: Vec<(PeerId, String, usize)> = peer
            .subs
            .iter()
            .filter(|s| s.kind == Kind::Video && s.desired && !s.disabled && s.mid.is_some())
            .map(|s| (s.publisher, s.track.clone(), s.wanted))
            .collect();
        let mut views = Vec::new();
        for (publisher, key, wanted) in subs {
            if let Some(track) = self.peers.get_mut(&publisher).and_then(|p| p.track_mut(&key)) {
                views.push(TrackView { key, screen: track.is_screen(), rates: track.rates(now), wanted });
            }
        }
        views
    }

    /// The client shows that a track is paused, instead of a frozen picture.
    fn tell_stream_states(&mut self, id: PeerId) {
        let Some(peer) = self.peers.get_mut(&id) else {
            return;
        };
        let mut changes = Vec::new();
        for sub in peer.subs.iter_mut().filter(|s| s.kind == Kind::Video) {
            let paused = peer.congestion.cap(&sub.track) == Cap::Paused;
            if paused != sub.told_paused {
                sub.told_paused = paused;
                changes.push((sub.publisher, sub.track.clone(), paused));
            }
        }
        for (publisher, track, paused) in changes {
            if let Some(sid) = self.peers.get(&publisher).map(|p| p.sid.clone()) {
                self.send(id, messages::stream_state(sid, track, paused));
            }
        }
    }

    /// Dynacast: publishers send the layers somebody wants; more at once, fewer after a while.
    pub(super) fn ask_layers(&mut self, now: Instant) {
        let mut asked = Vec::new();
        let rooms: Vec<(Vec<PeerId>, bool)> =
            self.rooms.values().map(|r| (r.members.clone(), r.recording.as_ref().is_some_and(|rec| !rec.is_paused()))).collect();
        for (members, recorded) in rooms {
            for publisher in &members {
                let tracks: Vec<String> = match self.peers.get(publisher) {
                    Some(p) => {
                        p.tracks.iter().filter(|t| t.is_published() && t.layers.len() > 1).map(|t| t.sid.clone()).collect()
                    }
                    None => continue,
                };
                for sid in tracks {
                    let wish = if recorded { usize::MAX } else { self.highest_wish(&members, &sid) };
                    asked.extend(self.ask_layer(*publisher, &sid, wish, now).map(|top| (*publisher, sid, top)));
                }
            }
        }
        for (publisher, sid, top) in asked {
            self.send(publisher, messages::subscribed_quality(&sid, top));
        }
    }

    /// Highest layer any member wants; the lowest always stays on, so that a newcomer sees something at once.
    fn highest_wish(&self, members: &[PeerId], sid: &str) -> usize {
        let subs = members.iter().filter_map(|id| self.peers.get(id)).flat_map(|p| &p.subs);
        subs.filter(|s| s.track == sid && s.desired && !s.disabled).map(|s| s.wanted).max().unwrap_or(0)
    }

    fn ask_layer(&mut self, publisher: PeerId, sid: &str, wish: usize, now: Instant) -> Option<usize> {
        let track = self.peers.get_mut(&publisher)?.track_mut(sid)?;
        let top = track.layers.len() - 1;
        let wish = wish.min(top);
        let asked = track.asked_layer.unwrap_or(top);
        if wish >= asked {
            track.lower_since = None;
            if wish == asked {
                return None;
            }
        } else {
            let since = *track.lower_since.get_or_insert(now);
            if now.saturating_duration_since(since) < LOWER_AFTER {
                return None;
            }
        }
        track.asked_layer = Some(wish);
        Some(wish)
    }

    fn tell_speakers(&mut self) {
        let rooms: Vec<(String, Vec<PeerId>)> = self.rooms.values().map(|r| (r.name.clone(), r.members.clone())).collect();
        for (name, members) in rooms {
            let mut levels = Vec::new();
            for id in &members {
                if let Some(peer) = self.peers.get_mut(id) {
                    let audio = peer.tracks.iter_mut().filter(|t| t.kind == Kind::Audio);
                    let level = audio.map(|t| if t.muted { 0.0 } else { t.loudness.settle() }).fold(0.0, f64::max);
                    if !peer.is_hidden() {
                        levels.push((peer.sid.clone(), level));
                    }
                }
            }
            let Some(room) = self.rooms.get_mut(&name) else {
                continue;
            };
            let speakers: Vec<proto::SpeakerInfo> = room
                .hear(&levels)
                .into_iter()
                .map(|(sid, level)| proto::SpeakerInfo { sid, level, active: level > 0.0 })
                .collect();
            if !speakers.is_empty() {
                for id in members {
                    self.send(id, Message::SpeakersChanged(proto::SpeakersChanged { speakers: speakers.clone() }));
                }
            }
        }
    }

    fn tell_quality(&mut self, now: Instant) {
        let rooms: Vec<Vec<PeerId>> = self.rooms.values().map(|r| r.members.clone()).collect();
        for members in rooms {
            let mut infos = Vec::new();
            for id in &members {
                infos.extend(self.measure_quality(*id, now));
            }
            for id in members {
                let updates = infos.iter().map(|(of, sid, quality)| quality_info(sid, seen_by(*quality, *of == id))).collect();
                self.send(id, Message::ConnectionQuality(proto::ConnectionQualityUpdate { updates }));
            }
        }
    }

    fn measure_quality(&mut self, id: PeerId, now: Instant) -> Option<(PeerId, String, Quality)> {
        let peer = self.peers.get_mut(&id).filter(|p| p.is_active())?;
        let quality = quality_of(peer, now);
        let sid = peer.sid.clone();
        let route = peer.route.filter(|route| peer.told_route.replace(*route) != Some(*route));
        let route = route.map(|route| {
            let (room, identity) = (peer.room.clone(), peer.identity().to_string());
            EngineEvent::RouteChanged { room, identity, sid: sid.clone(), route }
        });
        if peer.quality.replace(quality) != Some(quality) {
            let event = EngineEvent::QualityChanged { room: peer.room.clone(), identity: peer.identity().to_string(), quality };
            self.tell(event);
        }
        route.into_iter().for_each(|event| self.tell(event));
        Some((id, sid, quality))
    }

    fn refresh_tokens(&mut self, now: Instant) {
        let due: Vec<PeerId> = self.peers.values().filter(|p| p.next_refresh <= now).map(|p| p.id).collect();
        for id in due {
            let Some(peer) = self.peers.get_mut(&id) else {
                continue;
            };
            peer.next_refresh = now + REFRESH;
            let claims = peer.claims.clone();
            let at = self.config.sources.now().timestamp();
            if let Ok(token) = self.config.keys.mint(claims, at, REFRESH_TTL_S) {
                self.send(id, Message::RefreshToken(token));
            }
        }
    }
}

/// Clients are never told that they are lost themselves: they would fully reconnect, while a short cut heals by itself.
fn seen_by(quality: Quality, own: bool) -> Quality {
    if own && quality == Quality::Lost { Quality::Poor } else { quality }
}

fn quality_of(peer: &Participant, now: Instant) -> Quality {
    let loss = peer.path.loss_down.max(peer.path.loss_up);
    let rtt = peer.path.rtt.unwrap_or_default();
    let paused = peer.subs.iter().any(|s| s.told_paused);
    if now.saturating_duration_since(peer.last_heard) > LOST_AFTER {
        Quality::Lost
    } else if loss > 0.08 || rtt > Duration::from_millis(700) || paused {
        Quality::Poor
    } else if loss > 0.025 || rtt > Duration::from_millis(350) {
        Quality::Good
    } else {
        Quality::Excellent
    }
}

fn quality_info(sid: &str, quality: Quality) -> proto::ConnectionQualityInfo {
    let (wire, score) = match quality {
        Quality::Lost => (proto::ConnectionQuality::Lost, 0.0),
        Quality::Poor => (proto::ConnectionQuality::Poor, 2.0),
        Quality::Good => (proto::ConnectionQuality::Good, 3.5),
        Quality::Excellent => (proto::ConnectionQuality::Excellent, 4.5),
    };
    proto::ConnectionQualityInfo { participant_sid: sid.to_string(), quality: wire as i32, score }
}
