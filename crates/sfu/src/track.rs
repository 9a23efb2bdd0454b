//! A published track: its announcement, its layers and their rates, its loudness.
//!
//! Called by `hub`. Pure: arrivals and time in, numbers out.

use crate::assembler::Assembled;
use crate::layer::{Layer, RATE_WINDOW};
use crate::packet::Packet;
use crate::sdp::Kind;
use crate::sound::Microphone;
use livekit_protocol::{AddTrackRequest, SimulcastCodecInfo, TrackInfo, TrackSource, TrackType, VideoLayer};
use std::time::{Duration, Instant};
use str0m::media::{Mid, Rid};

/// Layers of a simulcast track: q, h, f.
pub const MAX_LAYERS: usize = 3;
/// Overhead counted per packet besides its bytes.
const PACKET_OVERHEAD: u64 = 10;
/// Below this a layer is only starting or ending, bit/s.
const MIN_RATE: f64 = 5_000.0;
/// A layer counts in the budget when a frame came this recently.
const RATED: Duration = Duration::from_millis(2_500);
/// A layer is sent when a frame came this recently; a still screen share has few frames.
const LIVE_CAMERA: Duration = Duration::from_millis(1_500);
const LIVE_SCREEN: Duration = Duration::from_millis(4_000);
/// At most one keyframe request per layer in this time (ENGINE-20).
const KEYFRAME_PAUSE: Duration = Duration::from_millis(400);

/// Smoothed loudness of a microphone.
#[derive(Debug, Default, Clone)]
pub struct Loudness {
    sum: f64,
    count: u32,
    /// 0 silent … 1 loud.
    level: f64,
}

impl Loudness {
    /// `level_db` as in RFC 6464: 0 loudest, -127 silent.
    pub fn heard(&mut self, level_db: i8) {
        let db = f64::from(level_db.unsigned_abs().min(127));
        self.sum += ((60.0 - db) / 60.0).clamp(0.0, 1.0);
        self.count += 1;
    }

    /// Ends an interval; returns the smoothed level.
    pub fn settle(&mut self) -> f64 {
        let fresh = if self.count == 0 { 0.0 } else { self.sum / f64::from(self.count) };
        self.sum = 0.0;
        self.count = 0;
        self.level += (fresh - self.level) * if fresh > self.level { 0.7 } else { 0.35 };
        self.level
    }
}

pub struct Track {
    pub sid: String,
    /// Its number in the hub, by which subscriptions find it.
    pub number: u64,
    pub cid: String,
    pub kind: Kind,
    pub source: TrackSource,
    pub info: TrackInfo,
    /// Section of the publisher's connection; `None` until the offer with it came.
    pub mid: Option<Mid>,
    pub muted: bool,
    pub layers: Vec<Layer>,
    pub loudness: Loudness,
    pub microphone: Microphone,
    /// Highest layer the publisher was asked for, and when a lower wish was first seen (dynacast).
    pub asked_layer: Option<usize>,
    pub lower_since: Option<Instant>,
    /// The publisher was notified that somebody subscribed.
    pub subscription_told: bool,
}

#[expect(deprecated, reason = "clients still read the older fields")]
fn track_info(sid: &str, request: &AddTrackRequest, kind: Kind) -> TrackInfo {
    let mime = if kind == Kind::Audio { "audio/opus" } else { "video/VP8" };
    let layers = layers_of(request);
    TrackInfo {
        sid: sid.to_string(),
        r#type: request.r#type,
        name: request.name.clone(),
        muted: request.muted,
        width: request.width,
        height: request.height,
        simulcast: layers.len() > 1,
        disable_dtx: request.disable_dtx,
        source: request.source,
        layers: layers.clone(),
        mime_type: mime.into(),
        codecs: vec![SimulcastCodecInfo { mime_type: mime.into(), cid: request.cid.clone(), layers, ..Default::default() }],
        stereo: request.stereo,
        disable_red: false,
        encryption: request.encryption,
        stream: stream_of(request),
        audio_features: request.audio_features.clone(),
        ..Default::default()
    }
}

fn layers_of(request: &AddTrackRequest) -> Vec<VideoLayer> {
    let own = &request.layers;
    let codec = request.simulcast_codecs.first().map(|c| &c.layers);
    let layers = if own.is_empty() { codec.unwrap_or(own) } else { own };
    layers.iter().take(MAX_LAYERS).cloned().collect()
}

/// Camera and microphone share a stream, so that the browser plays them in sync.
fn stream_of(request: &AddTrackRequest) -> String {
    match TrackSource::try_from(request.source) {
        _ if !request.stream.is_empty() => request.stream.clone(),
        Ok(TrackSource::ScreenShare | TrackSource::ScreenShareAudio) => "screen_share".into(),
        _ => "camera".into(),
    }
}

impl Track {
    pub fn new(sid: String, request: &AddTrackRequest) -> Option<Self> {
        let kind = match TrackType::try_from(request.r#type).ok()? {
            TrackType::Audio => Kind::Audio,
            TrackType::Video => Kind::Video,
            TrackType::Data => return None,
        };
        Some(Self {
            info: track_info(&sid, request, kind),
            sid,
            number: 0,
            cid: request.cid.clone(),
            kind,
            source: TrackSource::try_from(request.source).unwrap_or(TrackSource::Unknown),
            mid: None,
            muted: request.muted,
            layers: vec![Layer::default()],
            loudness: Loudness::default(),
            microphone: Microphone::default(),
            asked_layer: None,
            lower_since: None,
            subscription_told: false,
        })
    }

    pub fn is_published(&self) -> bool {
        self.mid.is_some()
    }

    pub fn is_screen(&self) -> bool {
        self.source == TrackSource::ScreenShare
    }

    /// Binds the track to a section of the publisher's offer and its layers.
    pub fn bind(&mut self, mid: &str, rids: &[String]) {
        self.mid = Some(Mid::from(mid));
        self.info.mid = mid.to_string();
        if rids.is_empty() || self.kind == Kind::Audio {
            self.layers = vec![Layer::default()];
            return;
        }
        self.layers = rids.iter().take(MAX_LAYERS).map(|r| Layer::new(Some(Rid::from(r.as_str())))).collect();
    }

    /// Layer a packet belongs to.
    pub fn layer_of(&self, rid: Option<Rid>) -> Option<usize> {
        if self.layers.len() == 1 { Some(0) } else { self.layers.iter().position(|l| l.rid == rid) }
    }

    pub fn arrived(&mut self, layer: usize, bytes: usize, now: Instant) {
        if let Some(layer) = self.layers.get_mut(layer) {
            layer.last_seen = Some(now);
            layer.rate.add(bytes, PACKET_OVERHEAD, now);
        }
    }

    /// Keeps a video packet for newcomers, and puts frames together (with their bytes when `wanted`).
    pub fn keep(&mut self, packet: &Packet, wanted: bool, now: Instant) -> Assembled {
        let Some(layer) = self.layers.get_mut(packet.layer) else {
            return Assembled::default();
        };
        layer.remember(packet, now);
        let assembled = layer.frames.take(packet, wanted);
        if assembled.lost {
            layer.forget();
        }
        assembled
    }

    /// The packets that came before the beginning of their keyframe, if this is it.
    pub fn overtaken(&self, packet: &Packet) -> Vec<Packet> {
        let layer = self.layers.get(packet.layer).filter(|l| l.begins_late(packet));
        layer.map(|l| l.recent.iter().filter(|p| p.seq > packet.seq).cloned().collect()).unwrap_or_default()
    }

    /// The packets since a young keyframe of the best layer up to `limit`, so that a newcomer sees a picture at once.
    pub fn recent(&self, limit: usize, now: Instant) -> Vec<Packet> {
        let top = limit.min(self.layers.len().saturating_sub(1));
        let young = |l: &&Layer| l.recent_fits(now) && l.seen_within(RATE_WINDOW, now);
        self.layers.iter().take(top + 1).rev().find(young).map(|l| l.recent.iter().cloned().collect()).unwrap_or_default()
    }

    /// Whether frames of a layer arrive.
    pub fn is_live(&self, layer: usize, now: Instant) -> bool {
        let age = if self.is_screen() { LIVE_SCREEN } else { LIVE_CAMERA };
        self.layers.get(layer).is_some_and(|l| l.seen_within(age, now))
    }

    /// Rates of the layers that count, bit/s.
    pub fn rates(&mut self, now: Instant) -> [Option<f64>; MAX_LAYERS] {
        let mut rates = [None; MAX_LAYERS];
        for (slot, layer) in rates.iter_mut().zip(&mut self.layers) {
            let counts = layer.seen_within(RATED, now);
            *slot = layer.rate.rate(now).filter(|rate| counts && *rate > MIN_RATE);
        }
        rates
    }

    /// Whether a keyframe of this layer may be asked for now; remembers that it was.
    pub fn may_request_keyframe(&mut self, layer: usize, now: Instant) -> bool {
        let Some(layer) = self.layers.get_mut(layer) else {
            return false;
        };
        let recent = layer.last_request.is_some_and(|at| now.saturating_duration_since(at) < KEYFRAME_PAUSE);
        if !recent {
            layer.last_request = Some(now);
        }
        !recent
    }

    /// Best layer not above `limit` that arrives; the lowest arriving one when all are above; 0 when none arrives.
    pub fn best_layer(&self, limit: usize, now: Instant) -> usize {
        let live = |l: &usize| self.is_live(*l, now);
        let top = self.layers.len().saturating_sub(1);
        (0..=limit.min(top)).rev().find(live).or_else(|| (0..=top).find(live)).unwrap_or(0)
    }

    /// Layer that suits a requested picture size; by the announced sizes, else the top (ENGINE-21).
    pub fn layer_for_size(&self, width: u32, height: u32) -> usize {
        let top = self.layers.len().saturating_sub(1);
        let wish = width.max(height);
        #[expect(deprecated, reason = "clients still announce layers here")]
        let mut sizes: Vec<u32> = self.info.layers.iter().map(|l| l.width.max(l.height)).collect();
        sizes.sort_unstable();
        sizes.iter().position(|size| *size >= wish).unwrap_or(top).min(top)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn camera() -> Track {
        let layers =
            [(320, 180), (640, 360), (1280, 720)].map(|(width, height)| VideoLayer { width, height, ..Default::default() });
        let request = AddTrackRequest {
            r#type: TrackType::Video as i32,
            source: TrackSource::Camera as i32,
            layers: layers.to_vec(),
            ..Default::default()
        };
        let mut track = Track::new("TR_1".into(), &request).expect("a video track");
        track.bind("5", &["q".into(), "h".into(), "f".into()]);
        track
    }

    // ENGINE-21
    #[test]
    fn the_best_layer_is_one_that_arrives() {
        let mut track = camera();
        let now = Instant::now();
        assert_eq!(track.best_layer(2, now), 0, "nothing arrives");
        track.arrived(1, 100, now);
        assert_eq!(track.best_layer(2, now), 1, "f is off: never wait for it");
        assert_eq!(track.best_layer(0, now), 1, "only h arrives");
        track.arrived(0, 100, now);
        assert_eq!(track.best_layer(0, now), 0);
        assert_eq!(track.best_layer(2, now + Duration::from_secs(2)), 0);
    }

    // ENGINE-21
    #[test]
    fn a_small_element_gets_the_small_layer_and_a_large_one_the_top() {
        let track = camera();
        assert_eq!(track.layer_for_size(300, 150), 0);
        assert_eq!(track.layer_for_size(640, 360), 1);
        assert_eq!(track.layer_for_size(360, 640), 1, "portrait");
        assert_eq!(track.layer_for_size(1920, 1080), 2);
    }

    // ENGINE-20
    #[test]
    fn keyframes_are_asked_for_at_most_every_400_ms_per_layer() {
        let mut track = camera();
        let now = Instant::now();
        assert!(track.may_request_keyframe(0, now));
        assert!(!track.may_request_keyframe(0, now + Duration::from_millis(399)));
        assert!(track.may_request_keyframe(1, now));
        assert!(track.may_request_keyframe(0, now + Duration::from_millis(400)));
        assert!(!track.may_request_keyframe(7, now));
    }
}
