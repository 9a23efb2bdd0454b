//! Frames from a publisher to everybody who receives them, and keyframe requests the other way.

use super::{Hub, HubOutput};
use crate::congestion::{Admission, Cap};
use crate::forward::Verdict;
use crate::link::{FrameOut, LinkError};
use crate::participant::{Participant, PeerId};
use crate::recorder::{RecordTrack, RecordingSource, TapFrame};
use crate::sdp::Kind;
use crate::track::Frame;
use livekit_protocol::signal_response::Message;
use livekit_protocol::{TrackSource, TrackSubscribed};
use std::time::Instant;
use str0m::format::CodecExtra;
use str0m::media::{MediaData, MediaTime, Mid};

/// Overhead counted per audio packet besides its bytes.
const AUDIO_OVERHEAD: u64 = 50;

/// A frame and whose it is.
struct Arrived {
    publisher: PeerId,
    sid: String,
    kind: Kind,
    contiguous: bool,
    frame: Frame,
}

impl Hub {
    pub(super) fn media(&mut self, id: PeerId, data: MediaData, now: Instant) {
        let Some((arrived, room)) = self.arrived(id, data, now) else {
            return;
        };
        if arrived.kind == Kind::Video && !arrived.contiguous {
            self.request_keyframe(id, &arrived.sid, arrived.frame.layer, now);
        }
        let mut flows = false;
        for other in self.others(&room, id) {
            flows |= self.forward(other, &arrived, now);
        }
        if flows {
            self.tell_subscribed(id, &arrived.sid);
        }
        self.record(&room, &arrived, now);
    }

    fn arrived(&mut self, id: PeerId, data: MediaData, now: Instant) -> Option<(Arrived, String)> {
        let peer = self.peers.get_mut(&id)?;
        let room = peer.room.clone();
        let track = peer.tracks.iter_mut().find(|t| t.mid == Some(data.mid))?;
        if track.muted {
            return None;
        }
        let layer = track.layer_of(data.rid)?;
        track.arrived(layer, data.data.len(), now);
        if let Some(level) = data.ext_vals.audio_level {
            track.loudness.heard(level);
        }
        let frame = Frame {
            layer,
            keyframe: data.is_keyframe(),
            discardable: matches!(data.codec_extra, CodecExtra::Vp8(vp8) if vp8.discardable),
            params: data.params,
            network_time: data.network_time,
            time: data.time,
            audio_level: data.ext_vals.audio_level,
            voice: data.ext_vals.voice_activity,
            data: data.data,
        };
        if track.kind == Kind::Video {
            track.remember(&frame, data.contiguous, now);
        }
        let arrived = Arrived { publisher: id, sid: track.sid.clone(), kind: track.kind, contiguous: data.contiguous, frame };
        Some((arrived, room))
    }

    /// A subscriber's connection is up: it gets the frames since the last keyframe instead of waiting for the next
    /// (ENGINE-14).
    pub(super) fn replay(&mut self, subscriber: PeerId, now: Instant) {
        let Some(peer) = self.peers.get(&subscriber) else {
            return;
        };
        let waiting: Vec<(PeerId, String, usize)> = peer
            .subs
            .iter()
            .filter(|s| s.kind == Kind::Video)
            .filter_map(|s| s.forwarder.awaited().map(|layer| (s.publisher, s.track.clone(), layer)))
            .collect();
        for (publisher, sid, layer) in waiting {
            let frames = self.peers.get(&publisher).and_then(|p| p.track(&sid)).map(|t| t.recent(layer, now));
            for frame in frames.unwrap_or_default() {
                let arrived = Arrived { publisher, sid: sid.clone(), kind: Kind::Video, contiguous: true, frame };
                self.forward(subscriber, &arrived, now);
            }
        }
    }

    /// Writes a frame to one subscriber; whether it was written.
    fn forward(&mut self, subscriber: PeerId, arrived: &Arrived, now: Instant) -> bool {
        let Some(peer) = self.peers.get_mut(&subscriber) else {
            return false;
        };
        let result = match arrived.kind {
            Kind::Audio => write_audio(peer, &arrived.sid, &arrived.frame, now),
            Kind::Video => write_video(peer, &arrived.sid, &arrived.frame, now),
        };
        match result {
            Ok(true) => {
                self.pump(subscriber, now);
                true
            }
            Ok(false) => false,
            Err(e) => {
                self.link_failed(subscriber, &e, now);
                false
            }
        }
    }

    fn tell_subscribed(&mut self, publisher: PeerId, sid: &str) {
        let track = self.peers.get_mut(&publisher).and_then(|p| p.track_mut(sid));
        if track.is_some_and(|t| !std::mem::replace(&mut t.subscription_told, true)) {
            self.send(publisher, Message::TrackSubscribed(TrackSubscribed { track_sid: sid.to_string() }));
        }
    }

    /// A subscriber lost the picture (PLI): its publisher sends a new keyframe.
    pub(super) fn keyframe_wanted(&mut self, subscriber: PeerId, mid: &str, now: Instant) {
        let Some(peer) = self.peers.get(&subscriber) else {
            return;
        };
        let sub = peer.subs.iter().find(|s| s.mid.as_deref() == Some(mid));
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
        (0..layers).for_each(|layer| self.request_keyframe(publisher, sid, layer, now));
    }

    fn record(&mut self, room: &str, arrived: &Arrived, now: Instant) {
        let Some(room) = self.rooms.get_mut(room) else {
            return;
        };
        let (Some(recording), Some(peer)) = (&mut room.recording, self.peers.get(&arrived.publisher)) else {
            return;
        };
        let Some(track) = peer.track(&arrived.sid) else {
            return;
        };
        let source = match track.source {
            TrackSource::ScreenShare | TrackSource::ScreenShareAudio => RecordingSource::ScreenShare,
            _ => RecordingSource::Participant,
        };
        let frame = &arrived.frame;
        let is_video = arrived.kind == Kind::Video;
        let ops = recording.frame(&TapFrame {
            identity: peer.identity(),
            source,
            track_sid: &arrived.sid,
            kind: if is_video { RecordTrack::Video } else { RecordTrack::Audio },
            layer: frame.layer,
            best_layer: track.best_layer(usize::MAX, now),
            keyframe: frame.keyframe,
            time: frame.time.numer(),
            clock: frame.time.denom(),
            data: &frame.data,
            now,
            wall: self.config.sources.now(),
        });
        self.out.extend(ops.into_iter().map(HubOutput::Record));
    }
}

/// Audio is sent whatever the path is like; `Ok(false)` = not subscribed.
fn write_audio(peer: &mut Participant, sid: &str, frame: &Frame, now: Instant) -> Result<bool, LinkError> {
    if !peer.is_active() {
        return Ok(false);
    }
    let sub = peer.subs.iter_mut().find(|s| s.track == sid && s.desired && !s.disabled);
    let Some((sub, mid)) = sub.and_then(|s| s.mid.clone().map(|m| (s, m))) else {
        return Ok(false);
    };
    sub.flowing = true;
    peer.audio_out.add(frame.data.len(), AUDIO_OVERHEAD, now);
    peer.link.write(FrameOut {
        mid: Mid::from(mid.as_str()),
        params: frame.params,
        wallclock: frame.network_time,
        time: frame.time,
        data: frame.data.clone(),
        audio_level: frame.audio_level,
        voice: frame.voice,
    })
}

fn write_video(peer: &mut Participant, sid: &str, frame: &Frame, now: Instant) -> Result<bool, LinkError> {
    let dead = peer.is_dead(now);
    if !peer.is_active() {
        return Ok(false);
    }
    let sub = peer.subs.iter_mut().find(|s| s.track == sid);
    let Some((sub, mid)) = sub.and_then(|s| s.mid.clone().map(|m| (s, m))) else {
        return Ok(false);
    };
    if dead {
        sub.forwarder.interrupt();
        return Ok(false);
    }
    let input = frame.time.numer();
    let Verdict::Write { time, started } = sub.forwarder.judge(frame.layer, frame.keyframe, input, now) else {
        return Ok(false);
    };
    let restarts = started && sub.forwarder.current().is_none();
    match peer.pacer.admit(frame.keyframe, frame.discardable, restarts, now) {
        Admission::Send => {}
        Admission::Skip => return Ok(false),
        Admission::Gate => {
            sub.forwarder.interrupt();
            peer.gate = true;
            return Ok(false);
        }
    }
    sub.forwarder.written(frame.layer, input, time, now);
    sub.flowing = true;
    let written = peer.link.write(FrameOut {
        mid: Mid::from(mid.as_str()),
        params: frame.params,
        wallclock: frame.network_time,
        time: MediaTime::from_90khz(time),
        data: frame.data.clone(),
        audio_level: None,
        voice: None,
    })?;
    if written {
        // The wire carries the lower 32 bits.
        peer.pacer.wrote(time as u32, now);
    }
    Ok(written)
}
