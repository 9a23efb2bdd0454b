use super::*;

const Q: f64 = 155_000.0;
const H: f64 = 350_000.0;
const F: f64 = 850_000.0;

fn camera(key: &str) -> TrackView {
    TrackView { key: key.into(), screen: false, rates: [Some(Q), Some(H), Some(F)], wanted: 2 }
}

/// A path of fixed capacity: the estimate is never above it, nor far above what is asked for.
struct Bench {
    now: Instant,
    start: Instant,
    policy: Congestion,
    tracks: Vec<TrackView>,
    desired: f64,
    log: Vec<(u64, Vec<Cap>)>,
}

impl Bench {
    fn new(tracks: Vec<TrackView>) -> Self {
        let now = Instant::now();
        Self { now, start: now, policy: Congestion::new(now), tracks, desired: 1_500_000.0, log: Vec::new() }
    }

    fn caps(&self) -> Vec<Cap> {
        self.tracks.iter().map(|t| self.policy.cap(&t.key)).collect()
    }

    fn inputs(&self, raw: f64) -> Inputs<'_> {
        Inputs {
            now: self.now,
            raw,
            smooth: raw,
            loss: 0.0,
            rtt: Some(Duration::from_millis(40)),
            queue: Duration::ZERO,
            audio: 40_000.0,
            tracks: &self.tracks,
            dead: false,
            gate: false,
        }
    }

    fn run(&mut self, seconds: u64, mut capacity: impl FnMut(f64) -> f64) {
        for _ in 0..seconds * 10 {
            self.now += Duration::from_millis(100);
            let raw = capacity(self.desired);
            let inputs = Inputs { tracks: &self.tracks.clone(), ..self.inputs(raw) };
            let decision = self.policy.decide(&inputs);
            if let Some((_, desired)) = decision.bitrate {
                self.desired = desired as f64;
            }
            if decision.changed {
                self.log.push((self.now.duration_since(self.start).as_millis() as u64, self.caps()));
            }
        }
    }
}

// ENGINE-16
#[test]
fn a_free_path_climbs_to_the_top_within_three_seconds() {
    let mut bench = Bench::new(vec![camera("a")]);
    bench.run(3, |desired| desired.clamp(1_500_000.0, 5_000_000.0));
    assert_eq!(bench.caps(), [Cap::Layer(2)], "{:?}", bench.log);
    assert_eq!(bench.policy.tally.downs, 0);
}

// ENGINE-16
#[test]
fn a_drop_steps_down_once_and_does_not_flap() {
    let mut bench = Bench::new(vec![camera("a")]);
    bench.run(5, |_| 3_000_000.0);
    let before = bench.log.len();
    bench.run(20, |_| 700_000.0);
    assert_eq!(bench.caps(), [Cap::Layer(1)]);
    assert_eq!(bench.log.len() - before, 1, "one switch in 20 s: {:?}", bench.log);
    let at = bench.log[before].0;
    assert!((5_000..6_000).contains(&at), "within a second: {at}");
}

// ENGINE-16
#[test]
fn after_the_release_it_comes_back_within_twenty_seconds() {
    let mut bench = Bench::new(vec![camera("a")]);
    bench.run(5, |_| 3_000_000.0);
    bench.run(10, |_| 300_000.0);
    assert_eq!(bench.caps(), [Cap::Layer(0)]);
    bench.run(20, |desired| (desired * 1.2).max(500_000.0));
    assert_eq!(bench.caps(), [Cap::Layer(2)], "{:?}", bench.log);
}

// ENGINE-16
#[test]
fn a_trial_that_fails_is_not_seen() {
    let mut bench = Bench::new(vec![camera("a")]);
    bench.run(5, |_| 3_000_000.0);
    bench.run(5, |_| 450_000.0);
    let before = bench.log.len();
    // The probe misleads: the capacity seems to be there until traffic is sustained.
    let mut tick = 0;
    bench.run(30, |_| {
        tick += 1;
        if tick % 7 < 3 { 1_400_000.0 } else { 460_000.0 }
    });
    assert_eq!(bench.log.len(), before, "{:?}", bench.log);
    assert!(bench.policy.tally.failed_trials > 0);
}

// ENGINE-10
#[test]
fn a_dead_path_changes_nothing() {
    let mut bench = Bench::new(vec![camera("a")]);
    bench.run(5, |_| 3_000_000.0);
    let caps = bench.caps();
    for _ in 0..100 {
        bench.now += Duration::from_millis(100);
        let tracks = bench.tracks.clone();
        let inputs = Inputs { dead: true, loss: 0.9, tracks: &tracks, ..bench.inputs(10_000.0) };
        assert_eq!(bench.policy.decide(&inputs), Decision::default());
    }
    assert_eq!(bench.caps(), caps);
}

// ENGINE-18
#[test]
fn a_long_queue_steps_down() {
    for (queue, rtt, gate) in [(300, 40, false), (0, 600, false), (0, 40, true)] {
        let mut bench = Bench::new(vec![camera("a")]);
        bench.run(5, |_| 3_000_000.0);
        let mut stepped = false;
        for _ in 0..6 {
            bench.now += Duration::from_millis(100);
            let tracks = bench.tracks.clone();
            let inputs = Inputs {
                queue: Duration::from_millis(queue),
                rtt: Some(Duration::from_millis(rtt)),
                gate,
                tracks: &tracks,
                ..bench.inputs(3_000_000.0)
            };
            stepped |= bench.policy.decide(&inputs).down;
        }
        assert!(stepped, "queue {queue} ms, rtt {rtt} ms, gate {gate}");
    }
}

// ENGINE-17
#[test]
fn the_screen_share_keeps_its_layer_before_the_cameras() {
    let screen = TrackView { key: "s".into(), screen: true, rates: [Some(200_000.0), Some(700_000.0), None], wanted: 2 };
    let mut bench = Bench::new(vec![camera("a"), screen]);
    bench.run(8, |_| 4_000_000.0);
    assert_eq!(bench.caps(), [Cap::Layer(2), Cap::Layer(1)]);
    bench.run(3, |_| 1_100_000.0);
    assert_eq!(bench.caps(), [Cap::Layer(0), Cap::Layer(1)], "{:?}", bench.log);
}

// ENGINE-17
#[test]
fn a_starved_path_pauses_the_last_camera_and_brings_it_back() {
    let mut bench = Bench::new(vec![camera("a"), camera("b")]);
    bench.run(8, |_| 4_000_000.0);
    bench.run(8, |_| 200_000.0);
    assert_eq!(bench.caps(), [Cap::Layer(0), Cap::Paused], "{:?}", bench.log);
    bench.run(20, |desired| (desired * 1.3).max(700_000.0));
    assert!(!bench.caps().contains(&Cap::Paused), "{:?}", bench.log);
}

// ENGINE-17
#[test]
fn nothing_is_taken_above_the_wish() {
    let mut bench = Bench::new(vec![TrackView { wanted: 1, ..camera("a") }]);
    bench.run(12, |_| 5_000_000.0);
    assert_eq!(bench.caps(), [Cap::Layer(1)]);
}

// ENGINE-26
#[test]
fn the_wish_never_falls_below_half_of_the_estimate() {
    let mut bench = Bench::new(vec![camera("a")]);
    let mut least = f64::INFINITY;
    for second in 0..20 {
        // A small window for ten seconds: little is used, and the good estimate must not be probed away.
        bench.tracks[0].wanted = if second < 10 { 0 } else { 2 };
        bench.run(1, |_| 2_000_000.0);
        least = least.min(bench.desired);
    }
    assert!(least >= 1_000_000.0, "{least}");
    assert_eq!(bench.caps(), [Cap::Layer(2)]);
}
