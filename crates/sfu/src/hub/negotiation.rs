//! Offers and answers: the client offers, we only answer, and ask for offers when tracks wait (ENGINE-7).

use super::Hub;
use crate::events::LeaveReason;
use crate::link::LinkError;
use crate::participant::PeerId;
use crate::sdp::{Kind, OfferedSection, SectionUse, offered_sections, patch_answer};
use crate::signal::messages;
use livekit_protocol::SessionDescription;
use livekit_protocol::signal_response::Message;
use std::collections::HashMap;
use std::time::Instant;

/// More sections than this in one offer are not honest.
const MAX_SECTIONS: usize = 256;

impl Hub {
    pub(super) fn offer(&mut self, id: PeerId, offer: &SessionDescription, now: Instant) {
        let sections = offered_sections(&offer.sdp);
        let Some(peer) = self.peers.get_mut(&id) else {
            return;
        };
        let answer = if sections.len() > MAX_SECTIONS {
            Err(LinkError::Offer("too many sections".into()))
        } else {
            peer.link.accept_offer(&offer.sdp)
        };
        let answer = match answer {
            Ok(answer) => answer,
            Err(e) => {
                self.counters.bad_offers += 1;
                tracing::warn!(media.participant = %peer.sid, error = %e, "an offer cannot be answered");
                return self.remove(id, LeaveReason::Protocol, now);
            }
        };
        // An ICE restart changes the fragment by which datagrams find this peer.
        let ufrag = peer.link.local_ufrag();
        self.ufrags.retain(|_, of| *of != id);
        self.ufrags.insert(ufrag, id);
        self.bind_sections(id, &sections, now);
        let started = self.fill_sections(id, &sections, now);
        self.send_answer(id, offer.id, &answer, &sections);
        self.pump(id, now);
        for track in started {
            self.start_forwarding(id, &track, now);
        }
        self.require_sections(id, now);
    }

    /// Puts waiting tracks into free receiving sections; the tracks that got one.
    fn fill_sections(&mut self, id: PeerId, sections: &[OfferedSection], _now: Instant) -> Vec<String> {
        let Some(peer) = self.peers.get_mut(&id) else {
            return Vec::new();
        };
        let receiving: Vec<(String, Kind)> = sections
            .iter()
            .filter(|s| s.direction == crate::sdp::OfferDirection::RecvOnly)
            .map(|s| (s.mid.clone(), s.kind))
            .collect();
        let usable: Vec<String> =
            peer.sections.offer(&receiving).into_iter().filter(|mid| receiving.iter().any(|(m, _)| m == mid)).collect();
        let mut started = Vec::new();
        for sub in peer.subs.iter_mut().filter(|s| s.waits()) {
            if let Some(mid) = peer.sections.assign(&sub.track, sub.kind, &usable) {
                sub.mid = Some(mid);
                started.push(sub.track.clone());
            }
        }
        started
    }

    fn send_answer(&mut self, id: PeerId, offer_id: u32, answer: &str, sections: &[OfferedSection]) {
        let Some(peer) = self.peers.get(&id) else {
            return;
        };
        let carried: HashMap<String, String> =
            peer.sections.carried().map(|(mid, track)| (mid.to_string(), track.to_string())).collect();
        let use_of = |mid: &str| match carried.get(mid) {
            Some(track) => SectionUse::Forward { stream: self.stream_id(id, track), track: track.clone() },
            None => match sections.iter().find(|s| s.mid == mid && s.sends()) {
                Some(section) => SectionUse::Publish(section.start_bitrate),
                None => SectionUse::Unused,
            },
        };
        let description = SessionDescription {
            r#type: "answer".into(),
            sdp: patch_answer(answer, use_of),
            id: offer_id,
            mid_to_track_id: carried.clone(),
        };
        self.send(id, Message::Answer(description));
    }

    /// `PA_…|stream`: tracks of one stream are played in sync. Firefox derives the track from it.
    fn stream_id(&self, subscriber: PeerId, track: &str) -> String {
        let firefox = self.peers.get(&subscriber).is_some_and(|p| p.is_firefox);
        let sub = self.peers.get(&subscriber).and_then(|p| p.subs.iter().find(|s| s.track == track));
        let publisher = sub.and_then(|s| self.peers.get(&s.publisher));
        let stream = publisher.and_then(|p| p.track(track)).map(|t| t.info.stream.clone());
        match (publisher, stream) {
            (Some(p), Some(stream)) if !firefox => format!("{}|{}", p.sid, stream),
            (Some(p), _) => format!("{}|{}", p.sid, track),
            _ => track.to_string(),
        }
    }

    /// Asks the client for an offer when tracks wait for a section or one must be shown inactive.
    pub(super) fn require_sections(&mut self, id: PeerId, now: Instant) {
        let Some(peer) = self.peers.get_mut(&id) else {
            return;
        };
        if peer.conn.is_none() {
            return;
        }
        let waiting: Vec<Kind> = peer.subs.iter().filter(|s| s.waits()).map(|s| s.kind).collect();
        if let Some(requirement) = peer.sections.requirement(&waiting, now) {
            self.send(id, messages::requirement(requirement));
        }
    }
}
