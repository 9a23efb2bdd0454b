//! Load on a media engine: publishers and viewers over WebRTC and real UDP, signalling as LiveKit's, estimation on.
//!
//! `load [CASE…]` starts the engine in this process and counts only its media thread's CPU time.
//! `load --url ws://127.0.0.1:7880 --pid 123 --key devkey --secret … [CASE…]` puts the same load on another server.
//! A case is `50x250` (one publisher, 50 viewers, 250 packets/s) or `calls20` (20 rooms of two, voice and 60 packets/s
//! of video each); all three of the table in docs/benchmarks.md when none is given.
//! Settings: `ATALAYA_LOAD_S` (seconds measured, 10), `ATALAYA_LOAD_WARM_S` (seconds before, 8).

mod client;

use atalaya_sfu::{Engine, EngineConfig, NoRecording, RelayConfig, TokenKeys};
use client::Client;
use std::error::Error;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

type Failure = Box<dyn Error + Send + Sync>;

#[derive(Clone, Copy)]
struct Case {
    rooms: usize,
    viewers: usize,
    /// Frames a second and packets of each.
    video: (u64, u64),
    /// Everybody publishes, with voice.
    calls: bool,
}

impl Case {
    fn parse(name: &str) -> Option<Self> {
        if let Some(rooms) = name.strip_prefix("calls") {
            return Some(Self { rooms: rooms.parse().ok()?, viewers: 1, video: (30, 2), calls: true });
        }
        let (viewers, rate) = name.split_once('x')?;
        let rate: u64 = rate.parse().ok()?;
        Some(Self { rooms: 1, viewers: viewers.parse().ok()?, video: (25, rate / 25), calls: false })
    }
}

/// What the viewers saw while it was measured.
#[derive(Default)]
struct Seen {
    measuring: bool,
    video: u64,
    voice: u64,
    first: Vec<Duration>,
    frame: Vec<Duration>,
}

struct Target {
    url: String,
    keys: TokenKeys,
    pid: u32,
    /// Only this thread counts, when the engine is our own.
    thread: Option<&'static str>,
}

impl Target {
    /// Nanoseconds of CPU the server has used.
    fn cpu(&self) -> u64 {
        let tasks = std::fs::read_dir(format!("/proc/{}/task", self.pid)).into_iter().flatten().flatten();
        let read = |path: std::path::PathBuf| std::fs::read_to_string(path).unwrap_or_default();
        tasks
            .filter(|t| self.thread.is_none_or(|name| read(t.path().join("comm")).trim() == name))
            .filter_map(|t| read(t.path().join("schedstat")).split(' ').next()?.parse::<u64>().ok())
            .sum()
    }
}

fn quantile(values: &mut [Duration], share: f64) -> f64 {
    values.sort_unstable();
    let at = (values.len() as f64 * share) as usize;
    values.get(at.min(values.len().saturating_sub(1))).map_or(f64::NAN, |d| d.as_secs_f64() * 1_000.0)
}

fn seconds(name: &str, default: u64) -> Duration {
    Duration::from_secs(std::env::var(name).ok().and_then(|s| s.parse().ok()).unwrap_or(default))
}

async fn run(name: &str, case: Case, target: &Target, round: usize) -> Result<(), Failure> {
    let (seen, origin) = (Arc::new(Mutex::new(Seen::default())), Instant::now());
    let mut tasks = tokio::task::JoinSet::new();
    for room in 0..case.rooms {
        for person in 0..=case.viewers {
            let (room, publishes) = (format!("{name}-{round}-{room}"), person == 0 || case.calls);
            let client = Client::join(target, &room, &format!("p{person}"), publishes, case, seen.clone(), origin).await?;
            tasks.spawn(client.live());
            tokio::time::sleep(Duration::from_millis(if person == 0 { 200 } else { 20 })).await;
        }
    }
    tokio::time::sleep(seconds("ATALAYA_LOAD_WARM_S", 8)).await;
    let (cpu, began) = (target.cpu(), Instant::now());
    let measure = |on: bool| seen.lock().map(|mut s| s.measuring = on);
    let _ = measure(true);
    tokio::time::sleep(seconds("ATALAYA_LOAD_S", 10)).await;
    let _ = measure(false);
    let (cpu, took) = ((target.cpu() - cpu) as f64 / 1e9, began.elapsed().as_secs_f64());
    while let Some(ended) = tasks.try_join_next() {
        eprintln!("a client ended: {ended:?}");
    }
    tasks.shutdown().await;
    let Ok(mut seen) = seen.lock() else {
        return Err("a client broke".into());
    };
    let receivers = (case.rooms * if case.calls { 2 } else { case.viewers }) as f64;
    let offered = receivers * took * ((case.video.0 * case.video.1) as f64 + if case.calls { 50.0 } else { 0.0 });
    let forwarded = (seen.video + seen.voice) as f64;
    println!(
        "{name}: {:.0} packets per CPU second; {:.1} % of a core; delivered {:.1} %; first packet p50 {:.2} ms; frame p99 {:.1} ms",
        forwarded / cpu,
        cpu / took * 100.0,
        forwarded / offered * 100.0,
        quantile(&mut seen.first, 0.5),
        quantile(&mut seen.frame, 0.99),
    );
    Ok(())
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Failure> {
    let mut names = Vec::new();
    let (mut url, mut pid, mut key, mut secret) =
        (None, None, "devkey".to_string(), "devsecret-devsecret-devsecret-00".to_string());
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--url" => url = arguments.next(),
            "--pid" => pid = arguments.next().and_then(|p| p.parse().ok()),
            "--key" => key = arguments.next().unwrap_or_default(),
            "--secret" => secret = arguments.next().unwrap_or_default(),
            _ => names.push(argument),
        }
    }
    if names.is_empty() {
        names = ["50x250", "100x500", "calls20"].map(String::from).to_vec();
    }
    let keys = TokenKeys::new(key.clone(), secret.clone().into());
    let mut own = None;
    let target = match (url, pid) {
        (Some(url), Some(pid)) => Target { url, keys, pid, thread: None },
        _ => {
            let config = EngineConfig {
                udp_bind: ([127, 0, 0, 1], 0).into(),
                tcp_bind: None,
                announce: Vec::new(),
                api_key: key,
                api_secret: secret.into(),
                relay: RelayConfig::Off,
                empty_room_timeout: Duration::from_secs(5),
            };
            let (engine, events) = Engine::start(config, Arc::new(NoRecording)).await?;
            let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
            let url = format!("ws://{}", listener.local_addr()?);
            tokio::spawn(axum::serve(listener, engine.router()).into_future());
            own = Some((engine, events));
            Target { url, keys, pid: std::process::id(), thread: Some("atalaya-media") }
        }
    };
    println!("load average {}", std::fs::read_to_string("/proc/loadavg").unwrap_or_default().trim());
    for (round, name) in names.iter().enumerate() {
        let case = Case::parse(name).ok_or("a case is 50x250 or calls20")?;
        run(name, case, &target, round).await?;
    }
    if let Some((engine, events)) = own {
        drop(events);
        engine.shutdown().await;
    }
    Ok(())
}
