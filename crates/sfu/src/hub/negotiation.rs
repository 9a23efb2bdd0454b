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
use str0m::media::Mid;

/// Sections of one offer at most (ENGINE-28): a dozen people with camera, microphone and screen, both ways. Answering
/// takes time for every pair of sections, and everybody else waits for it.
const MAX_SECTIONS: usize = 64;
/// Offers of one participant: a burst, then so many a second on average. An honest client waits for each answer.
const OFFER_BURST: f64 = 20.0;
const OFFERS_PER_SECOND: f64 = 4.0;

/// A bucket of offers.
#[derive(Debug)]
pub struct OfferPace {
    left: f64,
    at: Instant,
}

impl OfferPace {
    pub fn new(now: Instant) -> Self {
        Self { left: OFFER_BURST, at: now }
    }

    fn admits(&mut self, now: Instant) -> bool {
        let gained = now.saturating_duration_since(self.at).as_secs_f64() * OFFERS_PER_SECOND;
        self.at = now;
        self.left = (self.left + gained).min(OFFER_BURST) - 1.0;
        self.left >= 0.0
    }
}

/// Errors: too many sections in the offer, too many offers.
fn within_bounds(offer: &str, pace: &mut OfferPace, now: Instant) -> Result<(), LinkError> {
    if !pace.admits(now) {
        return Err(LinkError::Offer("too many offers".into()));
    }
    if offer.lines().filter(|line| line.starts_with("m=")).count() > MAX_SECTIONS {
        return Err(LinkError::Offer("too many sections".into()));
    }
    Ok(())
}

impl Hub {
    pub(super) fn offer(&mut self, id: PeerId, offer: &SessionDescription, now: Instant) {
        let Some(peer) = self.peers.get_mut(&id) else {
            return;
        };
        let admitted = within_bounds(&offer.sdp, &mut peer.offers, now);
        let answer = match admitted.and_then(|()| peer.link.accept_offer(&offer.sdp)) {
            Ok(answer) => answer,
            Err(e) => {
                self.counters.bad_offers += 1;
                tracing::warn!(media.participant = %peer.sid, error = %e, "an offer cannot be answered");
                return self.remove(id, LeaveReason::Protocol, now);
            }
        };
        let sections = offered_sections(&offer.sdp);
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
                sub.mid = Some(Mid::from(mid.as_str()));
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    // ENGINE-28
    #[test]
    fn a_flood_of_offers_is_not_answered_and_a_steady_pace_is() {
        let start = Instant::now();
        let mut wild = OfferPace::new(start);
        let answered = (0..100).filter(|_| within_bounds("v=0", &mut wild, start).is_ok()).count();
        assert_eq!(answered, 20, "the burst");
        let mut calm = OfferPace::new(start);
        assert!((0..1000).all(|n| within_bounds("v=0", &mut calm, start + Duration::from_millis(250 * n)).is_ok()));
    }
}
