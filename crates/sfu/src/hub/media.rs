//! Packets from a publisher to everybody who receives them, and keyframe requests the other way.

use super::{Hub, HubOutput};
use crate::assembler::Frame;
use crate::congestion::{Admission, Cap};
use crate::flow::Step;
use crate::link::{LinkError, PacketOut, Received};
use crate::packet::{Packet, Payload};
use crate::participant::{Participant, PeerId};
use crate::recorder::{RecordTrack, RecordingSource, TapFrame};
use crate::sdp::Kind;
use crate::sound::Sound;
use livekit_protocol::signal_response::Message;
use livekit_protocol::{TrackSource, TrackSubscribed};
use std::sync::Arc;
use std::time::Instant;
use str0m::media::Mid;
use str0m::rtp::Vp8Patch;

/// Overhead counted per audio packet besides its bytes.
const AUDIO_OVERHEAD: u64 = 50;
/// Ticks per second.
const OPUS_CLOCK: u32 = 48_000;
const VIDEO_CLOCK: u32 = 90_000;

/// What is forwarded.
enum Parcel<'a> {
    Sound(&'a mut Sound),
    Picture(&'a Packet),
}

/// What goes to a recording.
struct Taken<'a> {
    layer: usize,
    keyframe: bool,
    time: u64,
    data: &'a Arc<[u8]>,
}

/// What became of a parcel at one subscriber.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Delivery {
    No,
    Written,
    /// It began a layer there.
    Started,
}

impl Hub {
    pub(super) fn packet(&mut self, id: PeerId, received: Received, now: Instant) {
        let Received { mid, rid, payload, mut packet } = received;
        let Some(peer) = self.peers.get_mut(&id) else {
            return;
        };
        let recorded = self.rooms.get(&peer.room).is_some_and(|r| r.recording.is_some());
        let Some(track) = peer.tracks.iter_mut().find(|t| t.mid == Some(mid) && !t.muted) else {
            return;
        };
        let Some(layer) = track.layer_of(rid) else {
            return;
        };
        packet.layer = layer;
        track.arrived(layer, packet.payload.len(), now);
        let number = track.number;
        match (track.kind, payload) {
            (Kind::Audio, Payload::Opus | Payload::Red) => {
                if let Some(level) = packet.audio_level {
                    track.loudness.heard(level);
                }
                let sounds = track.microphone.take(packet, payload);
                for mut sound in sounds.into_iter().flatten() {
                    self.forward(id, number, &mut Parcel::Sound(&mut sound), now);
                    if recorded && !sound.late {
                        self.record_sound(id, number, &sound, now);
                    }
                }
            }
            (Kind::Video, Payload::Vp8) => {
                let overtaken = track.overtaken(&packet);
                let assembled = track.keep(&packet, recorded, now);
                let starts = self.forward(id, number, &mut Parcel::Picture(&packet), now);
                for starter in starts {
                    for packet in &overtaken {
                        self.deliver(starter, number, &mut Parcel::Picture(packet), now);
                    }
                }
                if assembled.needs_keyframe {
                    self.repair(id, number, layer, now);
                }
                for frame in assembled.frames.iter().filter(|_| recorded) {
                    self.record_picture(id, number, layer, frame, now);
                }
            }
            _ => {}
        }
    }

    /// Something of a layer is missing for good: a keyframe is asked for, again until it comes.
    fn repair(&mut self, publisher: PeerId, number: u64, layer: usize, now: Instant) {
        let track = self.peers.get(&publisher).and_then(|p| p.tracks.iter().find(|t| t.number == number));
        if let Some(sid) = track.map(|t| t.sid.clone()) {
            self.request_keyframe(publisher, &sid, layer, now);
        }
    }

    /// Writes a parcel to everybody who receives it; those for whom it began a layer.
    fn forward(&mut self, publisher: PeerId, number: u64, parcel: &mut Parcel, now: Instant) -> Vec<PeerId> {
        let mut receivers = std::mem::take(&mut self.receivers);
        receivers.clear();
        let room = self.peers.get(&publisher).and_then(|p| self.rooms.get(&p.room));
        receivers.extend(room.iter().flat_map(|r| &r.members).filter(|m| **m != publisher));
        let (mut flows, mut starts) = (false, Vec::new());
        for receiver in &receivers {
            let delivery = self.deliver(*receiver, number, parcel, now);
            flows |= delivery != Delivery::No;
            if delivery == Delivery::Started {
                starts.push(*receiver);
            }
        }
        self.receivers = receivers;
        if flows {
            self.tell_subscribed(publisher, number);
        }
        starts
    }

    /// A subscriber's connection is up: it gets the packets since the last keyframe instead of waiting for the next
    /// (ENGINE-14).
    pub(super) fn replay(&mut self, subscriber: PeerId, now: Instant) {
        let Some(peer) = self.peers.get(&subscriber) else {
            return;
        };
        let waiting: Vec<(PeerId, u64, usize)> = peer
            .subs
            .iter()
            .filter(|s| s.kind == Kind::Video)
            .filter_map(|s| s.forwarder.awaited().map(|layer| (s.publisher, s.number, layer)))
            .collect();
        for (publisher, number, layer) in waiting {
            let track = self.peers.get(&publisher).and_then(|p| p.tracks.iter().find(|t| t.number == number));
            let packets = track.map(|t| t.recent(layer, now)).unwrap_or_default();
            let mut flows = false;
            for packet in packets {
                flows |= self.deliver(subscriber, number, &mut Parcel::Picture(&packet), now) != Delivery::No;
            }
            if flows {
                self.tell_subscribed(publisher, number);
            }
        }
    }

    /// Writes a parcel to one subscriber; it leaves with the next [`Hub::poll`].
    fn deliver(&mut self, subscriber: PeerId, number: u64, parcel: &mut Parcel, now: Instant) -> Delivery {
        let Some(peer) = self.peers.get_mut(&subscriber).filter(|p| p.is_active()) else {
            return Delivery::No;
        };
        let result = match parcel {
            Parcel::Sound(sound) => write_sound(peer, number, sound, now),
            Parcel::Picture(packet) => write_picture(peer, number, packet, now),
        };
        match result {
            Ok(Delivery::No) => Delivery::No,
            Ok(delivery) => {
                self.touch(subscriber);
                delivery
            }
            Err(e) => {
                self.link_failed(subscriber, &e, now);
                Delivery::No
            }
        }
    }

    fn tell_subscribed(&mut self, publisher: PeerId, number: u64) {
        let track = self.peers.get_mut(&publisher).and_then(|p| p.tracks.iter_mut().find(|t| t.number == number));
        let Some(track) = track.filter(|t| !t.subscription_told) else {
            return;
        };
        track.subscription_told = true;
        let track_sid = track.sid.clone();
        self.send(publisher, Message::TrackSubscribed(TrackSubscribed { track_sid }));
    }

    /// A subscriber lost the picture (PLI): its publisher sends a new keyframe.
    pub(super) fn keyframe_wanted(&mut self, subscriber: PeerId, mid: Mid, now: Instant) {
        let Some(peer) = self.peers.get(&subscriber) else {
            return;
        };
        let sub = peer.subs.iter().find(|s| s.mid == Some(mid));
        let Some(sub) = sub.filter(|s| s.kind == Kind::Video) else {
            return;
        };
        let layer = sub.forwarder.current().or(sub.forwarder.target());
        let (publisher, sid) = (sub.publisher, sub.track.clone());
        if let Some(layer) = layer {
            self.request_keyframe(publisher, &sid, layer, now);
        }
    }

    /// Asks a publisher for a keyframe, at most every 400 ms per layer (ENGINE-20).
    pub(super) fn request_keyframe(&mut self, publisher: PeerId, sid: &str, layer: usize, now: Instant) {
        let Some(peer) = self.peers.get_mut(&publisher) else {
            return;
        };
        let Some(track) = peer.track_mut(sid).filter(|t| !t.muted) else {
            return;
        };
        let Some((mid, rid)) = track.mid.zip(track.layers.get(layer).map(|l| l.rid)) else {
            return;
        };
        if !track.may_request_keyframe(layer, now) {
            return;
        }
        match peer.link.request_keyframe(mid, rid) {
            Ok(()) => self.pump(publisher, now),
            Err(e) => self.link_failed(publisher, &e, now),
        }
    }

    /// Sets the layer a subscriber gets: the best arriving one under wish and path; asks for its keyframe.
    pub(super) fn retarget(&mut self, subscriber: PeerId, sid: &str, now: Instant) {
        let Some(peer) = self.peers.get(&subscriber) else {
            return;
        };
        let Some(sub) = peer.subs.iter().find(|s| s.track == sid && s.kind == Kind::Video) else {
            return;
        };
        let limit = match peer.congestion.cap(sid) {
            Cap::Layer(cap) if sub.desired && !sub.disabled && sub.mid.is_some() => Some(cap.min(sub.wanted)),
            _ => None,
        };
        // A dead path gets no video, so it needs no keyframe either; this must be checked first (ENGINE-10). A joining one
        // does: the keyframe is on its way while the connection is made.
        let asks = !peer.is_dead(now);
        let publisher = sub.publisher;
        let track = self.peers.get(&publisher).and_then(|p| p.track(sid));
        let target = limit.zip(track).map(|(limit, track)| track.best_layer(limit, now));
        let Some(sub) = self.peers.get_mut(&subscriber).and_then(|p| p.sub_mut(sid)) else {
            return;
        };
        sub.forwarder.set_target(target);
        if let Some(layer) = sub.forwarder.awaited().filter(|_| asks) {
            self.request_keyframe(publisher, sid, layer, now);
        }
    }

    /// A track got its section.
    pub(super) fn start_forwarding(&mut self, subscriber: PeerId, sid: &str, now: Instant) {
        self.retarget(subscriber, sid, now);
        self.ask_layers(now);
    }

    /// An unmuted camera sends again: everybody starts with a keyframe.
    pub(super) fn wake_receivers(&mut self, publisher: PeerId, sid: &str, now: Instant) {
        let layers = self.peers.get(&publisher).and_then(|p| p.track(sid)).map_or(0, |t| t.layers.len());
        // What was sent while it was muted is missing everywhere.
        self.peers.values_mut().filter_map(|p| p.sub_mut(sid)).for_each(|s| s.forwarder.interrupt());
        (0..layers).for_each(|layer| self.request_keyframe(publisher, sid, layer, now));
    }

    fn record_sound(&mut self, publisher: PeerId, number: u64, sound: &Sound, now: Instant) {
        let packet = &sound.packet;
        let heard = Taken { layer: 0, keyframe: true, time: packet.time, data: &packet.payload };
        self.record(publisher, number, RecordTrack::Audio, &heard, now);
    }

    fn record_picture(&mut self, publisher: PeerId, number: u64, layer: usize, frame: &Frame, now: Instant) {
        let seen = Taken { layer, keyframe: frame.keyframe, time: frame.time, data: &frame.data };
        self.record(publisher, number, RecordTrack::Video, &seen, now);
    }

    fn record(&mut self, publisher: PeerId, number: u64, kind: RecordTrack, taken: &Taken, now: Instant) {
        let Some(peer) = self.peers.get(&publisher) else {
            return;
        };
        let recording = self.rooms.get_mut(&peer.room).and_then(|r| r.recording.as_mut());
        let track = peer.tracks.iter().find(|t| t.number == number);
        let (Some(recording), Some(track)) = (recording, track) else {
            return;
        };
        let source = match track.source {
            TrackSource::ScreenShare | TrackSource::ScreenShareAudio => RecordingSource::ScreenShare,
            _ => RecordingSource::Participant,
        };
        let ops = recording.frame(&TapFrame {
            identity: peer.identity(),
            source,
            track_sid: &track.sid,
            kind,
            layer: taken.layer,
            best_layer: track.best_layer(usize::MAX, now),
            keyframe: taken.keyframe,
            time: taken.time,
            clock: if kind == RecordTrack::Audio { OPUS_CLOCK } else { VIDEO_CLOCK },
            data: taken.data,
            now,
            wall: self.config.sources.now(),
        });
        self.out.extend(ops.into_iter().map(HubOutput::Record));
    }
}

/// Sound is sent whatever the path is like.
fn write_sound(peer: &mut Participant, number: u64, sound: &mut Sound, now: Instant) -> Result<Delivery, LinkError> {
    let sub = peer.subs.iter_mut().find(|s| s.number == number && s.desired && !s.disabled);
    let Some((sub, mid)) = sub.and_then(|s| s.mid.map(|mid| (s, mid))) else {
        return Ok(Delivery::No);
    };
    let Some(place) = sub.sound.place(&sound.packet, now) else {
        return Ok(Delivery::No);
    };
    sub.flowing = true;
    let (kind, payload) = match peer.link.redundancy() {
        Some(opus) => (Payload::Red, sound.with_redundancy(opus)),
        None => (Payload::Opus, sound.packet.payload.clone()),
    };
    peer.audio_out.add(payload.len(), AUDIO_OVERHEAD, now);
    let packet = &sound.packet;
    let written = peer.link.write(PacketOut {
        mid,
        kind,
        seq: place.seq,
        time: place.time,
        marker: packet.marker,
        wallclock: packet.at,
        payload,
        patch: None,
        audio_level: packet.audio_level,
        voice: packet.voice,
    })?;
    Ok(if written { Delivery::Written } else { Delivery::No })
}

fn write_picture(peer: &mut Participant, number: u64, packet: &Packet, now: Instant) -> Result<Delivery, LinkError> {
    let dead = peer.is_dead(now);
    let sub = peer.subs.iter_mut().find(|s| s.number == number);
    let Some((sub, mid)) = sub.and_then(|s| s.mid.map(|mid| (s, mid))) else {
        return Ok(Delivery::No);
    };
    if dead {
        sub.forwarder.interrupt();
        return Ok(Delivery::No);
    }
    let (mut place, mut delivery) = (None, Delivery::Written);
    match (sub.forwarder.judge(packet, now), packet.vp8) {
        (Step::Go(at), _) => place = Some(at),
        (Step::Begins { time, started }, Some(head)) => {
            let restarts = started && sub.forwarder.current().is_none();
            match peer.pacer.admit(head.keyframe, head.discardable, restarts, now) {
                Admission::Send => place = sub.forwarder.open(packet, &head, time, now),
                Admission::Skip => sub.forwarder.leave_out(packet),
                Admission::Gate => {
                    sub.forwarder.interrupt();
                    peer.gate = true;
                }
            }
            if started {
                delivery = Delivery::Started;
            }
        }
        _ => {}
    }
    let Some(place) = place else {
        return Ok(Delivery::No);
    };
    sub.flowing = true;
    let written = peer.link.write(PacketOut {
        mid,
        kind: Payload::Vp8,
        seq: place.seq,
        time: place.time,
        marker: packet.marker,
        wallclock: packet.at,
        payload: packet.payload.clone(),
        patch: patch(packet, place.picture, place.tl0),
        audio_level: None,
        voice: None,
    })?;
    if written && packet.marker {
        peer.pacer.wrote(place.time as u32, now);
    }
    Ok(if written { delivery } else { Delivery::No })
}

/// The bytes of the descriptor to change on the way; `None` = none.
fn patch(packet: &Packet, picture: u16, tl0: u8) -> Option<Vp8Patch> {
    let head = packet.vp8?;
    let picture = picture & head.picture_mask;
    if head.picture.is_none_or(|p| p == picture) && head.tl0.is_none_or(|t| t == tl0) {
        return None;
    }
    let mut patch = head.descriptor.patch();
    if head.picture.is_some() {
        patch = patch.picture_id(picture);
    }
    if head.tl0.is_some() {
        patch = patch.tl0_pic_idx(tl0);
    }
    patch.build().ok()
}
