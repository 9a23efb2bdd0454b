//! One layer of a published track: its rate, its latest packets, its frames.
//!
//! Called by `track`. Pure.

use crate::assembler::Assembler;
use crate::packet::Packet;
use std::collections::VecDeque;
use std::time::{Duration, Instant};
use str0m::media::Rid;

pub const RATE_WINDOW: Duration = Duration::from_millis(500);
/// A newcomer is given what came since a keyframe not older than this, and not more than so many packets and bytes.
const RECENT: Duration = Duration::from_millis(1_500);
const MAX_RECENT_PACKETS: usize = 1_024;
const MAX_RECENT_BYTES: usize = 512 * 1024;
/// Packets kept while no keyframe has begun: its first packet may come after its others.
const MAX_EARLY_PACKETS: usize = 64;

/// Rate of a stream of packets, bit/s, over half seconds and smoothed.
#[derive(Debug, Default, Clone)]
pub struct RateMeter {
    window: Option<Instant>,
    bytes: u64,
    rate: Option<f64>,
}

impl RateMeter {
    pub fn add(&mut self, bytes: usize, overhead: u64, now: Instant) {
        self.roll(now);
        self.bytes += bytes as u64 + overhead;
    }

    /// Bit/s; `None` before the first window is full.
    pub fn rate(&mut self, now: Instant) -> Option<f64> {
        self.roll(now);
        self.rate
    }

    fn roll(&mut self, now: Instant) {
        let start = *self.window.get_or_insert(now);
        let elapsed = now.saturating_duration_since(start);
        if elapsed < RATE_WINDOW {
            return;
        }
        let fresh = self.bytes as f64 * 8.0 / elapsed.as_secs_f64();
        self.rate = Some(self.rate.map_or(fresh, |old| old + (fresh - old) / 3.0));
        self.bytes = 0;
        self.window = Some(now);
    }
}

#[derive(Debug, Default, Clone)]
pub struct Layer {
    pub rid: Option<Rid>,
    pub rate: RateMeter,
    pub last_seen: Option<Instant>,
    pub last_request: Option<Instant>,
    /// The packets since the last keyframe, in order and as long as they are few; before one, the last few.
    pub recent: VecDeque<Packet>,
    recent_bytes: usize,
    /// `recent` begins with a keyframe.
    begun: bool,
    pub frames: Assembler,
}

impl Layer {
    pub fn new(rid: Option<Rid>) -> Self {
        Self { rid, ..Self::default() }
    }

    /// Whether a packet begins a keyframe of which later packets came before it.
    pub fn begins_late(&self, packet: &Packet) -> bool {
        packet.is_key_start() && self.recent.back().is_some_and(|l| l.source == packet.source && l.seq > packet.seq)
    }

    pub fn remember(&mut self, packet: &Packet, now: Instant) {
        if self.recent.back().is_some_and(|last| last.source != packet.source) {
            self.forget();
        }
        if packet.is_key_start() {
            self.recent.retain(|p| p.seq > packet.seq);
            self.recent_bytes = self.recent.iter().map(|p| p.payload.len()).sum();
            self.begun = true;
        } else if self.begun && !self.recent_fits(now) {
            self.forget();
        }
        if self.begun && self.recent.front().is_some_and(|first| !packet.is_key_start() && packet.seq < first.seq) {
            return;
        }
        let later = self.recent.iter().rev().take_while(|p| p.seq > packet.seq).count();
        self.recent.insert(self.recent.len() - later, packet.clone());
        self.recent_bytes += packet.payload.len();
        while !self.begun && self.recent.len() > MAX_EARLY_PACKETS {
            self.recent.pop_front();
        }
    }

    pub fn forget(&mut self) {
        (self.recent, self.recent_bytes, self.begun) = Default::default();
    }

    pub fn recent_fits(&self, now: Instant) -> bool {
        let young = self.recent.front().is_some_and(|p| now.saturating_duration_since(p.at) <= RECENT);
        self.begun && young && self.recent.len() < MAX_RECENT_PACKETS && self.recent_bytes < MAX_RECENT_BYTES
    }

    pub fn seen_within(&self, age: Duration, now: Instant) -> bool {
        self.last_seen.is_some_and(|at| now.saturating_duration_since(at) <= age)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packet::testing::vp8;

    fn numbers(layer: &Layer) -> Vec<u64> {
        layer.recent.iter().map(|p| p.seq).collect()
    }

    // ENGINE-14
    #[test]
    fn a_newcomer_is_given_what_came_since_the_keyframe_in_order() {
        let (mut layer, now) = (Layer::default(), Instant::now());
        layer.remember(&vp8(1, 0, 1, true, false, true), now);
        assert!(!layer.recent_fits(now), "no keyframe");
        let overtaken = vp8(4, 10, 2, false, false, true);
        layer.remember(&overtaken, now);
        let key = vp8(3, 10, 2, true, true, false);
        assert!(layer.begins_late(&key));
        layer.remember(&key, now);
        layer.remember(&vp8(6, 20, 3, true, false, true), now);
        layer.remember(&vp8(5, 20, 3, true, false, false), now);
        layer.remember(&vp8(2, 5, 1, true, false, true), now);
        assert_eq!(numbers(&layer), [3, 4, 5, 6]);
        assert!(layer.recent_fits(now) && !layer.recent_fits(now + Duration::from_secs(2)), "not an old one");
        layer.remember(&vp8(7, 30, 4, true, false, true), now + Duration::from_secs(2));
        assert_eq!(numbers(&layer), [7]);
        let other = Packet { source: 9, ..vp8(900, 0, 1, true, true, true) };
        layer.remember(&other, now);
        assert_eq!(numbers(&layer), [900], "of one source only");
    }

    #[test]
    fn the_rate_follows_the_frames() {
        let mut meter = RateMeter::default();
        let start = Instant::now();
        for frame in 0..100u64 {
            meter.add(1_000, 0, start + Duration::from_millis(frame * 50));
        }
        let rate = meter.rate(start + Duration::from_millis(5_000)).expect("measured");
        assert!((150_000.0..170_000.0).contains(&rate), "{rate}");
    }
}
