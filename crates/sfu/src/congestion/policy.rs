//! The decision taken every 100 ms. Its numbers were measured on real browsers behind narrow, lossy and slow paths.

use super::{Cap, Inputs, TrackView};
use crate::link::INITIAL_ESTIMATE;
use std::collections::HashMap;
use std::time::{Duration, Instant};

const MS: fn(u64) -> Duration = Duration::from_millis;
const RAMP: Duration = Duration::from_secs(10);
const HOLD: Duration = Duration::from_secs(6);
const HOLD_MAX: Duration = Duration::from_secs(24);
const TRIAL: Duration = Duration::from_millis(1_500);
/// Head-room wanted before a step up.
const HEADROOM: f64 = 1.15;

/// What the hub does after a decision.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Decision {
    /// Minimum and desired rate for str0m, bit/s, when they change.
    pub bitrate: Option<(u64, u64)>,
    /// Some cap changed.
    pub changed: bool,
    pub down: bool,
}

/// How long a condition has held without a break.
#[derive(Debug, Default)]
struct Since(Option<Instant>);

impl Since {
    fn held(&mut self, condition: bool, now: Instant, for_at_least: Duration) -> bool {
        self.0 = if condition { self.0.or(Some(now)) } else { None };
        self.0.is_some_and(|since| now.saturating_duration_since(since) >= for_at_least)
    }
}

#[derive(Debug)]
struct Trial {
    key: String,
    cap: Cap,
    need: f64,
    until: Instant,
}

/// Counters for the log.
#[derive(Debug, Default, Clone, Copy, PartialEq)]
pub struct Tally {
    pub ups: u32,
    pub downs: u32,
    pub failed_trials: u32,
}

#[derive(Debug)]
pub struct Congestion {
    started: Instant,
    caps: HashMap<String, Cap>,
    min_rtt: Option<f64>,
    last_down: Option<Instant>,
    last_up: Option<Instant>,
    infl_at_down: f64,
    hold: Duration,
    hold_until: Option<Instant>,
    backoff: Duration,
    trial: Option<Trial>,
    probe_until: Option<Instant>,
    next_probe: Option<Instant>,
    probe_pause: Duration,
    below: Since,
    far_below: Since,
    queued: Since,
    lossy: Since,
    starved: Since,
    bitrate: (f64, f64),
    seen_used: f64,
    seen_infl: f64,
    /// Highest rate used since the last step down, bit/s: capacity that was proven and is kept warm.
    proven: f64,
    /// The first ten seconds, until the first step down.
    ramp: bool,
    pub tally: Tally,
}

fn within(at: Option<Instant>, now: Instant, age: Duration) -> bool {
    at.is_some_and(|at| now.saturating_duration_since(at) < age)
}

/// Measurements derived once per decision.
struct Seen {
    est: f64,
    infl: f64,
    used: f64,
    clean: bool,
}

impl Congestion {
    pub fn new(now: Instant) -> Self {
        Self {
            started: now,
            caps: HashMap::new(),
            min_rtt: None,
            last_down: None,
            last_up: None,
            infl_at_down: 0.0,
            hold: HOLD,
            hold_until: None,
            backoff: HOLD,
            trial: None,
            probe_until: None,
            next_probe: None,
            probe_pause: MS(3_000),
            below: Since::default(),
            far_below: Since::default(),
            queued: Since::default(),
            lossy: Since::default(),
            starved: Since::default(),
            bitrate: (0.0, INITIAL_ESTIMATE as f64),
            seen_used: 0.0,
            seen_infl: 0.0,
            proven: 0.0,
            ramp: true,
            tally: Tally::default(),
        }
    }

    /// Present cap of a track; the lowest layer before the first decision.
    pub fn cap(&self, key: &str) -> Cap {
        self.caps.get(key).copied().unwrap_or(Cap::Layer(0))
    }

    /// For the log: caps, wish, inflation, trial, counters.
    pub fn summary(&self) -> String {
        let (minimum, desired) = self.bitrate;
        format!(
            "caps {:?} used {:.0}k wish {:.0}k/{:.0}k infl {:.0}ms trial {} hold {:?} tally {:?}",
            self.caps.values().collect::<Vec<_>>(),
            self.seen_used / 1_000.0,
            minimum / 1_000.0,
            desired / 1_000.0,
            self.seen_infl,
            self.trial.is_some(),
            self.hold,
            self.tally
        )
    }

    /// Takes the measurements of this moment and says what changes.
    pub fn decide(&mut self, i: &Inputs) -> Decision {
        self.caps.retain(|key, _| i.tracks.iter().any(|t| t.key == *key));
        for track in i.tracks {
            self.caps.entry(track.key.clone()).or_insert(Cap::Layer(0));
        }
        // A dead path says nothing about capacity, so nothing changes (ENGINE-10).
        if i.dead {
            self.trial = None;
            return Decision::default();
        }
        let seen = self.look(i);
        (self.seen_used, self.seen_infl) = (seen.used, seen.infl);
        self.proven = self.proven.max(seen.used.min(seen.est));
        self.ramp = i.now.saturating_duration_since(self.started) < RAMP && self.tally.downs == 0;
        if i.tracks.is_empty() {
            return Decision { bitrate: self.wish(0.0, self.resting(&seen), false), ..Decision::default() };
        }
        if self.must_step_down(i, &seen) {
            return self.step_down(i, &seen);
        }
        if self.must_pause(i, &seen) {
            return self.pause_last(i);
        }
        self.hold_or_rise(i, &seen)
    }

    fn look(&mut self, i: &Inputs) -> Seen {
        let infl = match i.rtt.map(|r| r.as_secs_f64() * 1_000.0) {
            None => 0.0,
            Some(rtt) => {
                // Raised slowly (0.25 ms/s), so that a longer path does not look like a queue forever.
                let least = self.min_rtt.map_or(rtt, |m| (m + 0.025).min(rtt));
                self.min_rtt = Some(least);
                rtt - least
            }
        };
        let used = i.audio + i.tracks.iter().map(|t| t.rate_under(self.cap(&t.key))).sum::<f64>();
        Seen { est: i.raw.min(i.smooth), infl, used, clean: i.loss < 0.05 && i.queue < MS(100) && infl < 150.0 }
    }

    fn must_step_down(&mut self, i: &Inputs, seen: &Seen) -> bool {
        // In the first 3 s after a step down the old queue still drains; only a growing one counts.
        let draining = within(self.last_down, i.now, MS(3_000));
        let grows = !draining || seen.infl > self.infl_at_down + 20.0;
        let queue = (i.queue > MS(250) && !draining) || (seen.infl > 350.0 && grows);
        let reasons = [
            self.below.held(i.raw < 0.95 * seen.used, i.now, MS(600)),
            self.far_below.held(i.raw < 0.7 * seen.used, i.now, MS(150)),
            self.queued.held(queue, i.now, MS(300)),
            self.lossy.held(i.loss > 0.15 && i.raw < 1.6 * seen.used, i.now, MS(1_500)),
            i.gate,
        ];
        reasons.contains(&true) && !within(self.last_down, i.now, MS(1_000)) && self.can_go_lower(i)
    }

    fn can_go_lower(&self, i: &Inputs) -> bool {
        i.tracks.iter().any(|t| t.rate_under(self.cap(&t.key)) > t.rate_under(Cap::Layer(0)))
    }

    fn step_down(&mut self, i: &Inputs, seen: &Seen) -> Decision {
        let budget = (0.92 * seen.est).min(0.85 * seen.used) - i.audio;
        self.allocate(i.tracks, budget);
        if within(self.last_down, i.now, MS(5_000)) {
            // Still the same drop: the hold is not prolonged.
        } else if within(self.last_up, i.now, MS(8_000)) {
            self.hold = (self.hold * 2).min(HOLD_MAX);
        } else {
            self.hold = HOLD;
        }
        self.last_down = Some(i.now);
        self.proven = 0.0;
        self.hold_until = Some(i.now + self.hold);
        self.infl_at_down = seen.infl;
        self.trial = None;
        self.probe_until = None;
        self.tally.downs += 1;
        let used = self.used(i);
        let desired = used.min(self.bitrate.1).max(0.55 * seen.est);
        Decision { bitrate: self.wish(0.0, desired, true), changed: true, down: true }
    }

    /// All at the lowest layer, then as much as fits, screen share first, never above the current layer (ENGINE-17).
    fn allocate(&mut self, tracks: &[TrackView], budget: f64) {
        let mut left = budget - tracks.iter().map(|t| t.rate_under(Cap::Layer(0))).sum::<f64>();
        let mut order: Vec<&TrackView> = tracks.iter().collect();
        order.sort_by_key(|t| !t.screen);
        for track in order {
            let Cap::Layer(present) = self.cap(&track.key) else {
                continue;
            };
            let base = track.rate_under(Cap::Layer(0));
            let fits = (0..=present).rev().find(|l| track.rate_under(Cap::Layer(*l)) - base <= left.max(0.0));
            let chosen = fits.unwrap_or(0);
            left -= track.rate_under(Cap::Layer(chosen)) - base;
            self.caps.insert(track.key.clone(), Cap::Layer(chosen));
        }
    }

    fn must_pause(&mut self, i: &Inputs, seen: &Seen) -> bool {
        let at_lowest = !self.can_go_lower(i);
        self.starved.held(at_lowest && i.raw < 0.8 * seen.used, i.now, MS(3_000))
    }

    /// Stops the last track that is no screen share and still flows, as long as another one flows.
    fn pause_last(&mut self, i: &Inputs) -> Decision {
        let flowing = |t: &&TrackView| self.cap(&t.key) != Cap::Paused;
        let count = i.tracks.iter().filter(flowing).count();
        let last = i.tracks.iter().rev().filter(|t| !t.screen).find(flowing);
        let Some(last) = last.filter(|_| count > 1) else {
            return Decision::default();
        };
        self.caps.insert(last.key.clone(), Cap::Paused);
        self.starved = Since::default();
        self.proven = 0.0;
        self.last_down = Some(i.now);
        self.hold_until = Some(i.now + self.hold);
        self.tally.downs += 1;
        let used = self.used(i);
        Decision { bitrate: self.wish(0.0, used, true), changed: true, down: true }
    }

    fn used(&self, i: &Inputs) -> f64 {
        i.audio + i.tracks.iter().map(|t| t.rate_under(self.cap(&t.key))).sum::<f64>()
    }

    /// The next step: a paused track first, then the first track with a higher live layer.
    fn next_step(&self, i: &Inputs, used: f64) -> Option<(String, Cap, f64)> {
        let mut order: Vec<&TrackView> = i.tracks.iter().collect();
        order.sort_by_key(|t| (self.cap(&t.key) != Cap::Paused, !t.screen));
        order.iter().find_map(|t| {
            let cap = self.cap(&t.key);
            let (layer, rate) = t.above(cap)?;
            Some((t.key.clone(), Cap::Layer(layer), used - t.rate_under(cap) + rate))
        })
    }

    fn hold_or_rise(&mut self, i: &Inputs, seen: &Seen) -> Decision {
        let step = self.next_step(i, seen.used);
        if let Some(trial) = self.trial.take() {
            return self.judge_trial(trial, i, seen);
        }
        let ramp = self.ramp;
        let need_h = step.as_ref().map_or(f64::INFINITY, |s| s.2 * HEADROOM);
        if self.holds(i.now, ramp, seen, need_h) {
            return Decision { bitrate: self.wish(0.0, self.resting(seen), false), ..Decision::default() };
        }
        self.hold_until = None;
        let Some((key, cap, need)) = step else {
            return Decision { bitrate: self.wish(0.0, self.resting(seen), false), ..Decision::default() };
        };
        if seen.est >= need_h && seen.clean {
            if ramp {
                return self.step_up(&key, cap, i, seen);
            }
            self.trial = Some(Trial { key, cap, need, until: i.now + TRIAL });
            let desired = need_h.max(self.resting(seen));
            return Decision { bitrate: self.wish(need, desired, true), ..Decision::default() };
        }
        self.probe(i, seen, need, ramp)
    }

    fn holds(&mut self, now: Instant, ramp: bool, seen: &Seen, need_h: f64) -> bool {
        let after_up = if ramp { MS(400) } else { MS(2_000) };
        if within(self.last_up, now, after_up) {
            return true;
        }
        let Some(until) = self.hold_until else {
            return false;
        };
        let early = !within(self.last_down, now, MS(4_000)) && seen.clean && seen.est > 1.5 * need_h;
        now < until && !early
    }

    fn judge_trial(&mut self, trial: Trial, i: &Inputs, seen: &Seen) -> Decision {
        if seen.est < trial.need || i.loss > 0.08 || seen.infl > 250.0 {
            self.hold_until = Some(i.now + self.backoff.mul_f64(0.7));
            self.backoff = self.backoff.mul_f64(1.6).min(Duration::from_secs(20));
            self.tally.failed_trials += 1;
            return Decision { bitrate: self.wish(0.0, self.resting(seen), true), ..Decision::default() };
        }
        if i.now >= trial.until {
            self.backoff = HOLD;
            return self.step_up(&trial.key, trial.cap, i, seen);
        }
        self.trial = Some(trial);
        Decision::default()
    }

    fn step_up(&mut self, key: &str, cap: Cap, i: &Inputs, seen: &Seen) -> Decision {
        self.caps.insert(key.to_string(), cap);
        self.last_up = Some(i.now);
        self.probe_pause = MS(3_000);
        self.probe_until = None;
        self.tally.ups += 1;
        let used = self.used(i);
        let desired = (1.1 * used).max(self.resting(seen));
        Decision { bitrate: self.wish(0.0, desired, true), changed: true, down: false }
    }

    /// A deliberate pulse of `desired`, so that str0m looks for the capacity of the next step.
    fn probe(&mut self, i: &Inputs, seen: &Seen, need: f64, ramp: bool) -> Decision {
        if let Some(until) = self.probe_until {
            if i.now < until {
                return Decision::default();
            }
            self.probe_until = None;
            let pause = if ramp { MS(500) } else { self.probe_pause };
            self.next_probe = Some(i.now + pause);
            // A path that was never too narrow is probed more often.
            let most = if self.tally.downs == 0 { MS(3_000) } else { MS(8_000) };
            self.probe_pause = self.probe_pause.mul_f64(1.3).min(most);
            return Decision { bitrate: self.wish(0.0, self.resting(seen), true), ..Decision::default() };
        }
        if self.next_probe.is_some_and(|at| i.now < at) {
            return Decision::default();
        }
        self.probe_until = Some(i.now + MS(1_000));
        let desired = (1.27 * need).min(2.5 * i.raw).max(self.resting(seen));
        Decision { bitrate: self.wish(0.0, desired, true), ..Decision::default() }
    }

    /// `desired` between steps: a little more than is used, or the proven capacity that is currently unused, so that a
    /// larger picture can come at once when it is wanted again. Never below half of the estimate (ENGINE-26): str0m probes
    /// at twice `desired` and trusts the result, so that a low value would pull a good estimate down.
    fn resting(&self, seen: &Seen) -> f64 {
        let start = if self.ramp { INITIAL_ESTIMATE as f64 } else { 0.0 };
        (1.1 * seen.used).max(self.proven).max(0.55 * seen.est).max(start)
    }

    /// `desired` is sticky: lower at once, higher only by more than a quarter, unless `deliberate`.
    fn wish(&mut self, minimum: f64, desired: f64, deliberate: bool) -> Option<(u64, u64)> {
        let desired = desired.max(50_000.0);
        let (old_min, old) = self.bitrate;
        let moves = deliberate || desired < 0.98 * old || desired > 1.25 * old || minimum != old_min;
        if !moves || (minimum, desired) == self.bitrate {
            return None;
        }
        self.bitrate = (minimum, desired);
        Some((minimum as u64, desired as u64))
    }
}
