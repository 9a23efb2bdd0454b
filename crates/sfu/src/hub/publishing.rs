//! Tracks: announced, tied to their section, subscribed to, muted, gone.

use super::Hub;
use crate::events::EngineEvent;
use crate::participant::{PeerId, Subscription};
use crate::sdp::OfferedSection;
use crate::track::Track;
use livekit_protocol as proto;
use livekit_protocol::signal_response::Message;
use std::time::Instant;
use str0m::media::Mid;

/// Tracks one participant may publish.
const MAX_TRACKS: usize = 32;

impl Hub {
    /// Announces a track: answered by `track_published`, or refused with the reason.
    pub(super) fn add_track(&mut self, id: PeerId, request: proto::AddTrackRequest, now: Instant) {
        use proto::request_response::Reason;
        let sid = self.new_sid("TR_");
        let Some(peer) = self.peers.get_mut(&id) else {
            return;
        };
        let source = proto::TrackSource::try_from(request.source).unwrap_or(proto::TrackSource::Unknown);
        let reason = if !peer.claims.video.may_publish_source(source) {
            Some(Reason::NotAllowed)
        } else if peer.tracks.len() >= MAX_TRACKS {
            Some(Reason::LimitExceeded)
        } else {
            None
        };
        // A repeated announcement gets the same track (the client repeats after a resume).
        if let Some(known) = peer.tracks.iter().find(|t| t.cid == request.cid && !request.cid.is_empty()) {
            let track = Some(known.info.clone());
            return self.send(id, Message::TrackPublished(proto::TrackPublishedResponse { cid: request.cid, track }));
        }
        let track = Track::new(sid, &request).filter(|_| reason.is_none());
        let Some(mut track) = track else {
            self.counters.refused_publishing += 1;
            let reason = reason.unwrap_or(Reason::UnsupportedType);
            tracing::info!(media.participant = %peer.sid, media.source = source.as_str_name(), "publishing was refused");
            return self.send(
                id,
                Message::RequestResponse(proto::RequestResponse {
                    reason: reason as i32,
                    message: "not allowed to publish this".into(),
                    request: Some(proto::request_response::Request::AddTrack(request)),
                    ..Default::default()
                }),
            );
        };
        let response = proto::TrackPublishedResponse { cid: request.cid, track: Some(track.info.clone()) };
        track.number = self.next_track;
        self.next_track += 1;
        peer.tracks.push(track);
        self.send(id, Message::TrackPublished(response));
        self.bind_tracks(id, now);
    }

    /// Reads which sections of an offer send something: new ones are matched with tracks, ended ones unpublished.
    pub(super) fn bind_sections(&mut self, id: PeerId, sections: &[OfferedSection], now: Instant) {
        let Some(peer) = self.peers.get_mut(&id) else {
            return;
        };
        let ended: Vec<String> = peer
            .tracks
            .iter()
            .filter(|t| t.mid.is_some_and(|mid| sections.iter().any(|s| s.mid == *mid && !s.sends())))
            .map(|t| t.sid.clone())
            .collect();
        let bound = |mid: &str| peer.tracks.iter().any(|t| t.mid == Some(Mid::from(mid)));
        peer.unbound = sections.iter().filter(|s| s.sends() && !bound(&s.mid)).cloned().collect();
        ended.iter().for_each(|track| self.unpublish(id, track, now));
        self.bind_tracks(id, now);
    }

    /// Matches announced tracks with sending sections: by `cid`, and the rest by kind and order, because Firefox writes an
    /// id of its own into the SDP (ENGINE-8).
    fn bind_tracks(&mut self, id: PeerId, now: Instant) {
        let Some(peer) = self.peers.get_mut(&id) else {
            return;
        };
        let pairs = pair(&peer.tracks, &peer.unbound);
        let mut published = Vec::new();
        for (sid, mid) in pairs {
            let Some(at) = peer.unbound.iter().position(|s| s.mid == mid) else {
                continue;
            };
            let section = peer.unbound.remove(at);
            if let Some(track) = peer.track_mut(&sid) {
                track.bind(&section.mid, &section.rids);
                published.push(sid);
            }
        }
        if published.is_empty() {
            return;
        }
        self.announce(id);
        for sid in published {
            self.published(id, &sid, now);
        }
    }

    fn published(&mut self, id: PeerId, sid: &str, now: Instant) {
        let Some((event, room)) = self.track_event(id, sid, true) else {
            return;
        };
        self.tell(event);
        for other in self.others(&room, id) {
            self.subscribe(other, id, sid);
            self.require_sections(other, now);
        }
    }

    fn track_event(&self, id: PeerId, sid: &str, published: bool) -> Option<(EngineEvent, String)> {
        let peer = self.peers.get(&id)?;
        let track = peer.track(sid)?;
        let (room, identity, track_sid) = (peer.room.clone(), peer.identity().to_string(), sid.to_string());
        let (kind, source) = (track.kind.into(), track.source.into());
        let event = if published {
            EngineEvent::TrackPublished { room, identity, track_sid, kind, source }
        } else {
            EngineEvent::TrackUnpublished { room, identity, track_sid, kind, source }
        };
        Some((event, peer.room.clone()))
    }

    /// The client ended a track. It knows that itself, so it gets no `track_unpublished` (ENGINE-25).
    fn unpublish(&mut self, id: PeerId, sid: &str, now: Instant) {
        let Some((event, room)) = self.track_event(id, sid, false) else {
            return;
        };
        if let Some(peer) = self.peers.get_mut(&id) {
            peer.tracks.retain(|t| t.sid != sid);
        }
        self.tell(event);
        self.announce(id);
        for other in self.others(&room, id) {
            self.unsubscribe(other, sid, now);
        }
    }

    /// A newcomer receives what is there.
    pub(super) fn subscribe_to_all(&mut self, id: PeerId, _now: Instant) {
        let Some(room) = self.peers.get(&id).map(|p| p.room.clone()) else {
            return;
        };
        for other in self.others(&room, id) {
            let tracks: Vec<String> = match self.peers.get(&other) {
                Some(p) => p.tracks.iter().filter(|t| t.is_published()).map(|t| t.sid.clone()).collect(),
                None => continue,
            };
            tracks.iter().for_each(|t| self.subscribe(id, other, t));
        }
    }

    fn subscribe(&mut self, subscriber: PeerId, publisher: PeerId, sid: &str) {
        let Some(track) = self.peers.get(&publisher).and_then(|p| p.track(sid)) else {
            return;
        };
        let template = Subscription::new(publisher, track, true);
        let Some(peer) = self.peers.get_mut(&subscriber) else {
            return;
        };
        if !peer.claims.video.may_subscribe() || peer.subs.iter().any(|s| s.track == sid) {
            return;
        }
        let desired = peer.auto_subscribe;
        peer.subs.push(Subscription { desired, ..template });
    }

    pub(super) fn unsubscribe(&mut self, subscriber: PeerId, sid: &str, now: Instant) {
        let Some(peer) = self.peers.get_mut(&subscriber) else {
            return;
        };
        peer.subs.retain(|s| s.track != sid);
        self.free_section(subscriber, sid, now);
    }

    /// The section of a track becomes inactive; its sender is dropped, so that the next one has a fresh source (ENGINE-6).
    fn free_section(&mut self, subscriber: PeerId, sid: &str, now: Instant) {
        let Some(peer) = self.peers.get_mut(&subscriber) else {
            return;
        };
        if let Some(mid) = peer.sections.release(sid) {
            if let Err(e) = peer.link.free_sender(Mid::from(mid.as_str())) {
                return self.link_failed(subscriber, &e, now);
            }
            self.pump(subscriber, now);
        }
        self.require_sections(subscriber, now);
    }

    /// The client wants a track, or not any more.
    pub(super) fn change_subscription(&mut self, id: PeerId, wish: &proto::UpdateSubscription, now: Instant) {
        let named = wish.participant_tracks.iter().flat_map(|p| &p.track_sids);
        let sids: Vec<String> = wish.track_sids.iter().chain(named).take(256).cloned().collect();
        for sid in sids {
            let Some(sub) = self.peers.get_mut(&id).and_then(|p| p.sub_mut(&sid)) else {
                continue;
            };
            sub.desired = wish.subscribe;
            if !wish.subscribe && sub.mid.take().is_some() {
                // The next section has a fresh source, so its numbers begin anew.
                (sub.forwarder, sub.sound) = Default::default();
                self.free_section(id, &sid, now);
            }
        }
        self.require_sections(id, now);
    }

    /// Size, quality and visibility of a received track (adaptive stream).
    pub(super) fn change_setting(&mut self, id: PeerId, setting: &proto::UpdateTrackSettings, now: Instant) {
        for sid in &setting.track_sids {
            let publisher = self.peers.get(&id).and_then(|p| p.subs.iter().find(|s| s.track == *sid)).map(|s| s.publisher);
            let Some(track) = publisher.and_then(|p| self.peers.get(&p)).and_then(|p| p.track(sid)) else {
                continue;
            };
            let wanted = if setting.width > 0 && setting.height > 0 {
                track.layer_for_size(setting.width, setting.height)
            } else {
                usize::try_from(setting.quality).unwrap_or(0)
            };
            if let Some(sub) = self.peers.get_mut(&id).and_then(|p| p.sub_mut(sid)) {
                sub.disabled = setting.disabled;
                sub.wanted = wanted;
            }
            self.retarget(id, sid, now);
        }
        self.ask_layers(now);
    }

    pub(super) fn mute_by_client(&mut self, id: PeerId, sid: &str, muted: bool, now: Instant) {
        let Some(track) = self.peers.get_mut(&id).and_then(|p| p.track_mut(sid)) else {
            return;
        };
        if track.muted == muted {
            return;
        }
        track.muted = muted;
        track.info.muted = muted;
        self.announce(id);
        if !muted {
            self.wake_receivers(id, sid, now);
        }
    }
}

/// Which track goes into which section.
fn pair(tracks: &[Track], unbound: &[OfferedSection]) -> Vec<(String, String)> {
    let mut pairs: Vec<(String, String)> = Vec::new();
    let waiting: Vec<&Track> = tracks.iter().filter(|t| !t.is_published()).collect();
    for track in &waiting {
        let own = unbound.iter().find(|s| s.kind == track.kind && s.track_id.as_deref() == Some(track.cid.as_str()));
        pairs.extend(own.map(|s| (track.sid.clone(), s.mid.clone())));
    }
    for kind in [crate::sdp::Kind::Audio, crate::sdp::Kind::Video] {
        let tracks: Vec<&&Track> =
            waiting.iter().filter(|t| t.kind == kind && !pairs.iter().any(|(sid, _)| *sid == t.sid)).collect();
        let sections: Vec<&OfferedSection> =
            unbound.iter().filter(|s| s.kind == kind && !pairs.iter().any(|(_, mid)| *mid == s.mid)).collect();
        // Only when the counts agree: otherwise a track or a section is still on its way.
        if tracks.len() == sections.len() {
            pairs.extend(tracks.iter().zip(sections).map(|(t, s)| (t.sid.clone(), s.mid.clone())));
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sdp::{Kind, OfferDirection};

    fn track(sid: &str, cid: &str, kind: Kind) -> Track {
        let wire = if kind == Kind::Audio { proto::TrackType::Audio } else { proto::TrackType::Video };
        let request = proto::AddTrackRequest { cid: cid.into(), r#type: wire as i32, ..Default::default() };
        Track::new(sid.into(), &request).expect("audio or video")
    }

    fn section(mid: &str, kind: Kind, track_id: &str) -> OfferedSection {
        OfferedSection {
            mid: mid.into(),
            kind,
            direction: OfferDirection::SendOnly,
            track_id: Some(track_id.into()),
            rids: Vec::new(),
            start_bitrate: None,
        }
    }

    // ENGINE-8
    #[test]
    fn chromium_is_matched_by_cid_and_firefox_by_kind_and_order() {
        let tracks = [track("TR_m", "mic", Kind::Audio), track("TR_c", "cam", Kind::Video), track("TR_s", "scr", Kind::Video)];
        let chromium = [section("7", Kind::Video, "scr"), section("8", Kind::Video, "cam"), section("9", Kind::Audio, "mic")];
        let pairs = pair(&tracks, &chromium);
        assert!(pairs.contains(&("TR_s".into(), "7".into())) && pairs.contains(&("TR_c".into(), "8".into())));
        let firefox = [section("7", Kind::Audio, "{a}"), section("8", Kind::Video, "{b}"), section("9", Kind::Video, "{c}")];
        let pairs = pair(&tracks, &firefox);
        assert_eq!(pairs, [("TR_m", "7"), ("TR_c", "8"), ("TR_s", "9")].map(|(a, b)| (a.to_string(), b.to_string())));
    }

    // ENGINE-8
    #[test]
    fn a_section_whose_track_is_not_announced_yet_waits() {
        let tracks = [track("TR_c", "cam", Kind::Video)];
        let two = [section("8", Kind::Video, "{b}"), section("9", Kind::Video, "{c}")];
        assert!(pair(&tracks, &two).is_empty());
        assert!(pair(&[], &two).is_empty());
    }
}
