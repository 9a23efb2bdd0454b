//! One peer connection: the only module that drives str0m, whose 0.x API changes often.
//!
//! Called by `hub`. Time is passed in, bytes come and go as values.
//! *Invariant:* every change is followed by [`Link::drain`] before the next one (str0m's single-mutation rule), and a
//! panic inside str0m breaks only this link.

use crate::sdp::without_candidates;
use std::net::SocketAddr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};
use str0m::bwe::Bitrate;
use str0m::change::SdpOffer;
use str0m::channel::ChannelId;
use str0m::config::DtlsCert;
use str0m::format::PayloadParams;
use str0m::media::{KeyframeRequestKind, MediaTime, Mid, Rid};
use str0m::net::{Protocol, Receive, Transmit};
use str0m::rtp::{Extension, ExtensionMap};
use str0m::{Candidate, Event, Input, Output, Rtc};

/// First estimate of the path's capacity, bit/s.
pub const INITIAL_ESTIMATE: u64 = 1_500_000;
/// How often str0m reports estimate, loss and round trip.
const STATS_INTERVAL: Duration = Duration::from_millis(200);
/// Time steps in one drain at most; more would mean that str0m asks for the same instant forever.
const MAX_ROUNDS: usize = 32;

/// Errors of a link; its participant is disconnected.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LinkError {
    #[error("the session description cannot be used: {0}")]
    Offer(String),
    #[error("the peer connection failed: {0}")]
    Broken(String),
}

/// What a link wants after a change.
#[expect(clippy::large_enum_variant, reason = "short-lived; a box would cost an allocation for each media frame")]
pub enum LinkOutput {
    Transmit(Transmit),
    Event(Event),
}

/// How a frame is written to a subscriber.
pub struct FrameOut {
    pub mid: Mid,
    pub params: PayloadParams,
    pub wallclock: Instant,
    pub time: MediaTime,
    pub data: Arc<[u8]>,
    pub audio_level: Option<i8>,
    pub voice: Option<bool>,
}

pub struct Link {
    rtc: Rtc,
    broken: Option<String>,
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
            // With more, one lost packet would stall a speaker for 300 ms.
            .set_reordering_size_audio(3)
            // A keyframe of a screen share is larger than the default of 30 packets.
            .set_reordering_size_video(400)
            .set_sctp_max_buffered_amount(1024 * 1024)
            .enable_bwe(Some(Bitrate::bps(INITIAL_ESTIMATE)))
            .build(now);
        for candidate in candidates {
            rtc.add_local_candidate(candidate.clone());
        }
        Self { rtc, broken: None }
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
                Ok(Output::Event(event)) => out.push(LinkOutput::Event(event)),
                Err(e) => {
                    self.broken = Some(e.to_string());
                    return Err(LinkError::Broken(e.to_string()));
                }
            }
        }
    }

    /// Writes a frame; `Ok(false)` = no such section or codec, the frame is not sent.
    pub fn write(&mut self, frame: FrameOut) -> Result<bool, LinkError> {
        let written = self.guard(|rtc| {
            let mut writer = rtc.writer(frame.mid)?;
            let pt = writer.match_params(frame.params)?;
            if let Some(level) = frame.audio_level {
                writer = writer.audio_level(level, frame.voice.unwrap_or(false));
            }
            writer.write(pt, frame.wallclock, frame.time, frame.data).ok()
        })?;
        Ok(written.is_some())
    }

    /// Asks the publisher behind this link for a keyframe.
    pub fn request_keyframe(&mut self, mid: Mid, rid: Option<Rid>) -> Result<(), LinkError> {
        self.guard(|rtc| {
            if let Some(mut writer) = rtc.writer(mid) {
                let _ = writer.request_keyframe(rid, KeyframeRequestKind::Pli);
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
