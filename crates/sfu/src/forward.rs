//! One video track on its way to one subscriber: which layer flows, when it switches, the timestamps of its frames.
//!
//! Called by `hub::media`. Pure: frames and time in, a verdict out.
//! *Invariant:* the time of written frames never goes back, and a layer begins with a keyframe (ENGINE-19).

use std::time::Instant;

/// Video clock, ticks per second.
const CLOCK: u128 = 90_000;
/// Least distance between two written frames around a switch, ticks.
const MIN_STEP: u64 = 1;

/// What to do with a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    Drop,
    /// Write it with this time (90 kHz). `started` = it begins a layer.
    Write {
        time: u64,
        started: bool,
    },
}

#[derive(Debug, Default)]
pub struct Forwarder {
    target: Option<usize>,
    current: Option<usize>,
    /// The layer the offset belongs to, and output minus input time.
    offset: Option<(usize, i128)>,
    last: Option<(u64, Instant)>,
}

impl Forwarder {
    /// Layer that should flow; `None` stops the track.
    pub fn set_target(&mut self, target: Option<usize>) {
        self.target = target;
        if target.is_none() {
            self.current = None;
        }
    }

    pub fn target(&self) -> Option<usize> {
        self.target
    }

    pub fn current(&self) -> Option<usize> {
        self.current
    }

    /// The layer whose keyframe is waited for.
    pub fn awaited(&self) -> Option<usize> {
        self.target.filter(|t| self.current != Some(*t))
    }

    /// Drops frames until a keyframe: the path is dead or its queue too long.
    pub fn interrupt(&mut self) {
        self.current = None;
    }

    /// A frame of `layer` with its publisher's time (90 kHz). Call [`Forwarder::written`] once it was really written.
    pub fn judge(&self, layer: usize, keyframe: bool, time: u64, now: Instant) -> Verdict {
        let Some(target) = self.target else {
            return Verdict::Drop;
        };
        let starts = keyframe && self.current != Some(layer) && (layer == target || (self.current.is_none() && layer < target));
        if self.current != Some(layer) && !starts {
            return Verdict::Drop;
        }
        Verdict::Write { time: self.output_time(layer, time, now), started: starts }
    }

    fn output_time(&self, layer: usize, time: u64, now: Instant) -> u64 {
        let Some((last, at)) = self.last else {
            return time;
        };
        if let Some((known, offset)) = self.offset
            && known == layer
            && let Ok(out) = u64::try_from(i128::from(time) + offset)
            && out > last
        {
            return out;
        }
        // Another layer has another time base: continue with the wall clock since the last frame.
        let gap = now.saturating_duration_since(at).as_micros() * CLOCK / 1_000_000;
        last.saturating_add(u64::try_from(gap).unwrap_or(0).max(MIN_STEP))
    }

    /// The frame judged [`Verdict::Write`] was written.
    pub fn written(&mut self, layer: usize, time: u64, out: u64, now: Instant) {
        self.current = Some(layer);
        self.offset = Some((layer, i128::from(out) - i128::from(time)));
        self.last = Some((out, now));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::time::Duration;

    fn feed(f: &mut Forwarder, layer: usize, key: bool, time: u64, now: Instant) -> Option<u64> {
        match f.judge(layer, key, time, now) {
            Verdict::Drop => None,
            Verdict::Write { time: out, .. } => {
                f.written(layer, time, out, now);
                Some(out)
            }
        }
    }

    // ENGINE-19
    #[test]
    fn a_switch_happens_on_a_keyframe_and_time_goes_on_by_the_wall_clock() {
        let start = Instant::now();
        let mut f = Forwarder::default();
        f.set_target(Some(0));
        assert_eq!(feed(&mut f, 0, false, 500, start), None, "no start without a keyframe");
        assert_eq!(feed(&mut f, 0, true, 1_000, start), Some(1_000));
        f.set_target(Some(2));
        assert_eq!(f.awaited(), Some(2));
        let later = start + Duration::from_millis(50);
        assert_eq!(feed(&mut f, 2, false, 9_000_000, later), None, "delta frames of the new layer are not shown");
        assert_eq!(feed(&mut f, 0, false, 5_500, later), Some(5_500), "the old layer flows until then");
        let key = start + Duration::from_millis(100);
        assert_eq!(feed(&mut f, 2, true, 9_004_500, key), Some(5_500 + 4_500), "50 ms later in 90 kHz");
        assert_eq!(feed(&mut f, 2, false, 9_009_000, key + Duration::from_millis(33)), Some(5_500 + 9_000));
        assert_eq!(feed(&mut f, 0, false, 20_000, key), None, "the old layer has ended");
    }

    // ENGINE-19
    #[test]
    fn a_lower_layer_fills_in_until_the_target_comes() {
        let now = Instant::now();
        let mut f = Forwarder::default();
        f.set_target(Some(2));
        assert!(feed(&mut f, 0, true, 10, now).is_some());
        assert_eq!((f.current(), f.awaited()), (Some(0), Some(2)));
        f.set_target(None);
        assert_eq!(feed(&mut f, 0, true, 20, now), None);
    }

    proptest! {
        // ENGINE-19
        #[test]
        fn written_time_always_rises(
            steps in proptest::collection::vec((0usize..3, any::<bool>(), 0u64..5_000_000_000, 0u64..200, proptest::option::of(0usize..3)), 1..200)
        ) {
            let mut now = Instant::now();
            let mut f = Forwarder::default();
            let mut last = None;
            for (layer, key, time, wait, target) in steps {
                now += Duration::from_millis(wait);
                f.set_target(target.or(f.target()));
                if let Some(out) = feed(&mut f, layer, key, time, now) {
                    prop_assert!(last.is_none_or(|l| out > l));
                    last = Some(out);
                }
            }
        }
    }
}
