//! How much video one subscriber gets: which layer of each track fits their path (ENGINE-16).
//!
//! Called by `hub::pace` every 100 ms. Pure: measurements and time in, caps and a bitrate wish out.
//! *Invariant:* a step up is tried before it is shown; a step down is not followed by a step up within the hold.

mod policy;
mod queue;
#[cfg(test)]
mod tests;

pub use policy::{Congestion, Decision};
pub use queue::{Admission, PacerQueue};

use crate::track::MAX_LAYERS;
use std::time::{Duration, Instant};

/// Highest layer a track may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cap {
    Paused,
    Layer(usize),
}

/// A video track as the policy sees it, in order of importance.
#[derive(Debug, Clone, PartialEq)]
pub struct TrackView {
    pub key: String,
    pub screen: bool,
    /// Bit/s of the layers that arrive.
    pub rates: [Option<f64>; MAX_LAYERS],
    /// Highest layer the subscriber asked for.
    pub wanted: usize,
}

impl TrackView {
    /// The layer that flows under a cap, and its rate.
    fn under(&self, limit: usize) -> Option<(usize, f64)> {
        let limit = limit.min(self.wanted);
        let rate = |l: usize| self.rates.get(l).copied().flatten().map(|r| (l, r));
        (0..=limit.min(MAX_LAYERS - 1)).rev().find_map(rate).or_else(|| (0..MAX_LAYERS).find_map(rate))
    }

    fn rate_under(&self, cap: Cap) -> f64 {
        match cap {
            Cap::Paused => 0.0,
            Cap::Layer(limit) => self.under(limit).map_or(0.0, |(_, rate)| rate),
        }
    }

    /// The next live layer above what flows under `cap`.
    fn above(&self, cap: Cap) -> Option<(usize, f64)> {
        let from = match cap {
            Cap::Paused => 0,
            Cap::Layer(limit) => self.under(limit).map_or(limit, |(l, _)| l) + 1,
        };
        (from..=self.wanted.min(MAX_LAYERS - 1)).find_map(|l| self.rates[l].map(|r| (l, r)))
    }
}

/// One set of measurements.
#[derive(Debug, Clone)]
pub struct Inputs<'a> {
    pub now: Instant,
    /// Raw estimate, bit/s (`PeerStats.bwe_tx`).
    pub raw: f64,
    /// Smoothed estimate, bit/s.
    pub smooth: f64,
    /// Egress loss of the last second, 0 … 1.
    pub loss: f64,
    pub rtt: Option<Duration>,
    /// Age of the oldest frame not yet out of the pacer.
    pub queue: Duration,
    /// Audio on its way, bit/s.
    pub audio: f64,
    pub tracks: &'a [TrackView],
    /// Nothing was received from the peer for 1.5 s.
    pub dead: bool,
    /// The admission gate closed since the last call.
    pub gate: bool,
}
