//! One peer connection: the only module that drives str0m, whose 0.x API changes often.
//!
//! Called by `hub`. Time is passed in, bytes come and go as values.
//! *Invariant:* every change is followed by [`Link::drain`] before the next one (str0m's single-mutation rule; written
//! packets only wait in a queue, so a run of them is one change), and a panic inside str0m breaks only this link.

use crate::packet::{Packet, Payload, Vp8Head};
use crate::sdp::without_candidates;
use std::collections::HashMap;
use std::net::SocketAddr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};
use str0m::bwe::Bitrate;
use str0m::change::SdpOffer;
use str0m::channel::ChannelId;
use str0m::config::DtlsCert;
use str0m::format::Codec;
use str0m::media::{KeyframeRequestKind, Mid, Pt, Rid};
use str0m::net::{Protocol, Receive, Transmit};
use str0m::rtp::{Extension, ExtensionMap, ExtensionValues, RtpPacket, RtpWrite, Vp8Patch};
use str0m::{Candidate, Event, Input, Output, Rtc};

/// First estimate of the path's capacity, bit/s.
pub const INITIAL_ESTIMATE: u64 = 1_500_000;
/// How often str0m reports estimate, loss and round trip.
const STATS_INTERVAL: Duration = Duration::from_millis(200);
/// Time steps in one drain at most, one for each packet that leaves; more would mean that str0m asks for the same instant
/// forever.
const MAX_ROUNDS: usize = 1_024;

/// Errors of a link; its participant is disconnected.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LinkError {
    #[error("the session description cannot be used: {0}")]
    Offer(String),
    #[error("the peer connection failed: {0}")]
    Broken(String),
}

/// What a link wants after a change.
#[expect(clippy::large_enum_variant, reason = "short-lived; a box would cost an allocation for each packet")]
pub enum LinkOutput {
    Transmit(Transmit),
    Packet(Received),
    Event(Event),
}

/// A media packet and where it came from. Its layer is not known here.
pub struct Received {
    pub mid: Mid,
    pub rid: Option<Rid>,
    pub payload: Payload,
    pub packet: Packet,
}

/// How a packet is written to a subscriber.
pub struct PacketOut {
    pub mid: Mid,
    pub kind: Payload,
    pub seq: u64,
    pub time: u64,
    pub marker: bool,
    pub wallclock: Instant,
    pub payload: Arc<[u8]>,
    pub patch: Option<Vp8Patch>,
    pub audio_level: Option<i8>,
    pub voice: Option<bool>,
}

/// Payload types agreed with the peer.
#[derive(Default)]
struct PayloadTypes {
    opus: Option<Pt>,
    red: Option<Pt>,
    vp8: Option<Pt>,
}

pub struct Link {
    rtc: Rtc,
    broken: Option<String>,
    types: PayloadTypes,
    /// Section and layer of each source.
    sources: HashMap<u32, (Mid, Option<Rid>)>,
}

/// Extensions without `video-orientation`, so that phones rotate the picture themselves and recordings stand upright.
fn extensions() -> ExtensionMap {
    let mut map = ExtensionMap::empty();
    map.set(1, Extension::AudioLevel);
    map.set(2, Extension::AbsoluteSendTime);
    map.set(3, Extension::TransportSequenceNumber);
    map.set(4, Extension::RtpMid);
    map.set(10, Extension::RtpStreamId);
    map.set(11, Extension::RepairedRtpStreamId);
    map
}

impl Link {
    pub fn new(cert: &DtlsCert, candidates: &[Candidate], now: Instant) -> Self {
        let mut rtc = Rtc::builder()
            // Full ICE: a lite agent makes Chromium nominate only on its second check, some 50 ms later at every join.
            .set_ice_lite(false)
            .set_dtls_cert(cert.clone())
            .clear_codecs()
            .enable_opus(true, true)
            .enable_vp8(true)
            .set_extension_map(extensions())
            .set_stats_interval(Some(STATS_INTERVAL))
            // Packets are forwarded as they come; frames for recordings are assembled by us.
            .set_rtp_mode(true)
            .set_sctp_max_buffered_amount(1024 * 1024)
            .enable_bwe(Some(Bitrate::bps(INITIAL_ESTIMATE)))
            .build(now);
        for candidate in candidates {
            rtc.add_local_candidate(candidate.clone());
        }
        Self { rtc, broken: None, types: PayloadTypes::default(), sources: HashMap::new() }
    }

    /// Runs `change` so that a panic in str0m ends this link and nothing else.
    fn guard<T>(&mut self, change: impl FnOnce(&mut Rtc) -> T) -> Result<T, LinkError> {
        if let Some(why) = &self.broken {
            return Err(LinkError::Broken(why.clone()));
        }
        let rtc = &mut self.rtc;
        catch_unwind(AssertUnwindSafe(|| change(rtc))).map_err(|_| {
            self.broken = Some("panic".into());
            LinkError::Broken("panic".into())
        })
    }

    fn guarded(&mut self, change: impl FnOnce(&mut Rtc) -> Result<(), str0m::RtcError>) -> Result<(), LinkError> {
        let result = self.guard(change)?;
        result.map_err(|e| {
            self.broken = Some(e.to_string());
            LinkError::Broken(e.to_string())
        })
    }

    /// Answers an offer; the text is str0m's, not yet patched. Errors: unusable SDP, which does not break the link.
    ///
    /// str0m would send a check to every candidate in it, so it sees none: a peer's addresses are those it calls from.
    pub fn accept_offer(&mut self, sdp: &str) -> Result<String, LinkError> {
        let offer = SdpOffer::from_sdp_string(&without_candidates(sdp)).map_err(|e| LinkError::Offer(e.to_string()))?;
        let answer = self.guard(|rtc| rtc.sdp_api().accept_offer(offer))?;
        self.sources.clear();
        let params = self.rtc.codec_config().params();
        let of = |codec: Codec| params.iter().find(|p| p.spec().codec == codec);
        self.types = PayloadTypes {
            opus: of(Codec::Opus).map(|p| p.pt()),
            red: of(Codec::Opus).and_then(|p| p.red()),
            vp8: of(Codec::Vp8).map(|p| p.pt()),
        };
        answer.map(|a| a.to_sdp_string()).map_err(|e| LinkError::Offer(e.to_string()))
    }

    /// The ICE user fragment the peer addresses; changes with an ICE restart.
    pub fn local_ufrag(&mut self) -> String {
        self.rtc.direct_api().local_ice_credentials().ufrag
    }

    /// Whether the bytes are for this link (STUN integrity, or a known address). Unreadable bytes are not.
    pub fn accepts(&self, now: Instant, proto: Protocol, source: SocketAddr, destination: SocketAddr, bytes: &[u8]) -> bool {
        match Receive::new(proto, source, destination, bytes) {
            Ok(receive) => self.broken.is_none() && self.rtc.accepts(&Input::Receive(now, receive)),
            Err(_) => false,
        }
    }

    pub fn receive(
        &mut self,
        now: Instant,
        proto: Protocol,
        source: SocketAddr,
        destination: SocketAddr,
        bytes: &[u8],
    ) -> Result<(), LinkError> {
        let Ok(receive) = Receive::new(proto, source, destination, bytes) else {
            return Ok(());
        };
        self.guarded(|rtc| rtc.handle_input(Input::Receive(now, receive)))
    }

    /// Drains str0m and advances its time until it waits for a later instant, which is returned.
    pub fn drain(&mut self, now: Instant, out: &mut Vec<LinkOutput>) -> Result<Instant, LinkError> {
        let mut deadline = now;
        for _ in 0..MAX_ROUNDS {
            deadline = self.drain_once(out)?;
            if deadline > now {
                return Ok(deadline);
            }
            self.guarded(|rtc| rtc.handle_input(Input::Timeout(now)))?;
        }
        Ok(deadline.max(now + Duration::from_millis(1)))
    }

    fn drain_once(&mut self, out: &mut Vec<LinkOutput>) -> Result<Instant, LinkError> {
        loop {
            let output = self.guard(Rtc::poll_output)?;
            match output {
                Ok(Output::Timeout(at)) => return Ok(at),
                Ok(Output::Transmit(transmit)) => out.push(LinkOutput::Transmit(transmit)),
                Ok(Output::Event(Event::RtpPacket(packet))) => {
                    out.extend(self.received(packet).map(LinkOutput::Packet));
                }
                Ok(Output::Event(event)) => out.push(LinkOutput::Event(event)),
                Err(e) => {
                    self.broken = Some(e.to_string());
                    return Err(LinkError::Broken(e.to_string()));
                }
            }
        }
    }

    fn received(&mut self, packet: RtpPacket) -> Option<Received> {
        let source = packet.header.ssrc;
        let (mid, rid) = match self.sources.get(&*source) {
            Some(known) => *known,
            None => {
                let stream = self.rtc.direct_api().stream_rx(&source).map(|s| (s.mid(), s.rid()))?;
                self.sources.insert(*source, stream);
                stream
            }
        };
        let pt = Some(packet.header.payload_type);
        let payload = match pt {
            _ if pt == self.types.vp8 => Payload::Vp8,
            _ if pt == self.types.red => Payload::Red,
            _ if pt == self.types.opus => Payload::Opus,
            _ => return None,
        };
        let packet = Packet {
            layer: 0,
            source: *source,
            seq: *packet.seq_no,
            time: packet.time.numer(),
            clock: packet.time.denom(),
            marker: packet.header.marker,
            at: packet.timestamp,
            vp8: if payload == Payload::Vp8 { Vp8Head::parse(&packet.payload) } else { None },
            audio_level: packet.header.ext_vals.audio_level,
            voice: packet.header.ext_vals.voice_activity,
            payload: packet.payload,
        };
        Some(Received { mid, rid, payload, packet })
    }

    /// The payload type of Opus inside redundancy, if the peer understands redundancy.
    pub fn redundancy(&self) -> Option<u8> {
        self.types.red.and(self.types.opus).map(|pt| *pt)
    }

    /// Queues a packet, which leaves with the next [`Link::drain`]; `Ok(false)` = no such section or codec.
    pub fn write(&mut self, out: PacketOut) -> Result<bool, LinkError> {
        let pt = match out.kind {
            Payload::Opus => self.types.opus,
            Payload::Red => self.types.red,
            Payload::Vp8 => self.types.vp8,
        };
        let Some(pt) = pt else {
            return Ok(false);
        };
        self.guard(|rtc| {
            let mut api = rtc.direct_api();
            let Some(stream) = api.stream_tx_by_mid(out.mid, None) else {
                return false;
            };
            // Both or none are written.
            let voice_activity = out.audio_level.map(|_| out.voice.unwrap_or(false));
            let extensions = ExtensionValues { audio_level: out.audio_level, voice_activity, ..ExtensionValues::default() };
            // The wire carries the lower 32 bits of the time.
            let write = RtpWrite::new(pt, out.seq.into(), out.time as u32, out.wallclock, out.payload)
                .marker(out.marker)
                .nackable(out.kind == Payload::Vp8)
                .ext_vals(extensions);
            stream.write_rtp(match out.patch {
                Some(patch) => write.vp8_patch(patch),
                None => write,
            });
            true
        })
    }

    /// Asks the publisher behind this link for a keyframe.
    pub fn request_keyframe(&mut self, mid: Mid, rid: Option<Rid>) -> Result<(), LinkError> {
        self.guard(|rtc| {
            if let Some(stream) = rtc.direct_api().stream_rx_by_mid(mid, rid) {
                stream.request_keyframe(KeyframeRequestKind::Pli);
            }
        })
    }

    /// Drops the sender of a section, so that its next use has a fresh source (ENGINE-6).
    pub fn free_sender(&mut self, mid: Mid) -> Result<(), LinkError> {
        self.guard(|rtc| {
            let ssrc = rtc.direct_api().stream_tx_by_mid(mid, None).map(|s| s.ssrc());
            if let Some(ssrc) = ssrc {
                rtc.direct_api().remove_stream_tx(ssrc);
            }
        })
    }

    /// Queues a data message; `Ok(false)` = the channel is full or not there.
    pub fn send_data(&mut self, channel: ChannelId, bytes: &[u8]) -> Result<bool, LinkError> {
        self.guard(|rtc| rtc.channel(channel).and_then(|mut c| c.write(true, bytes).ok()).unwrap_or(false))
    }

    /// Rate to sustain and rate to probe for, bit/s.
    pub fn set_bitrate(&mut self, minimum: u64, desired: u64) -> Result<(), LinkError> {
        self.guard(|rtc| rtc.bwe().set_bitrate(Bitrate::bps(minimum), Bitrate::bps(desired)))
    }
}
