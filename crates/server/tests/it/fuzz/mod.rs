//! Every parser that eats strangers' bytes, thrown at with changed good inputs.
//!
//! In the Rust tests each target has a moment; `scripts/fuzz-parsers.sh` gives all of them a minute, or ten, by
//! `ATALAYA_FUZZ_SECONDS`, and then leaves the counts in `$ATALAYA_CACHE/results/fuzz.json`. An input that breaks something is
//! written to `seeds/TARGET`, from where every later run takes it first.
//!
//! Texts of languages and workbooks are made by the product and read by nobody here; requests of every call with generated
//! JSON are thrown by `scripts/fuzz-api.sh`.

mod doors;
mod mutator;
mod parsers;

use atalaya_testkit::{Engine, TestApp};
use mutator::Mutator;
use serde_json::{Value, json};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// For all targets together, where nobody says otherwise.
const SECONDS: f64 = 4.0;
const TARGETS: u32 = 18;
/// Nothing may take longer, on a busy machine and without optimisation.
const SLOW: Duration = Duration::from_secs(20);

/// What an input did that it must not.
type Found = String;

/// A parser without a door.
pub struct Target {
    pub name: &'static str,
    pub run: fn(&[u8]),
    pub seeds: Vec<Vec<u8>>,
    pub words: &'static [&'static [u8]],
}

/// What became of a target.
pub struct Tally {
    name: &'static str,
    inputs: u64,
    kept: usize,
    slowest: Duration,
    found: Vec<Found>,
}

/// The inputs of one target: the kept ones, the seeds, and changed ones until its time is over.
pub struct Throw<'a> {
    name: &'static str,
    until: Duration,
    began: Instant,
    mutator: Mutator,
    kept: Vec<Vec<u8>>,
    seeds: Vec<Vec<u8>>,
    words: &'a [&'a [u8]],
    first: usize,
    sent: Instant,
    tally: Tally,
}

impl<'a> Throw<'a> {
    fn new(name: &'static str, time: Duration, seed: u64) -> Self {
        let kept = kept(name);
        let tally = Tally { name, inputs: 0, kept: kept.len(), slowest: Duration::ZERO, found: Vec::new() };
        let now = Instant::now();
        Self {
            name,
            until: time,
            began: now,
            mutator: Mutator::new(seed),
            kept,
            seeds: Vec::new(),
            words: &[],
            first: 0,
            sent: now,
            tally,
        }
    }

    fn seeds(&mut self, seeds: impl IntoIterator<Item = Vec<u8>>, words: &'a [&'a [u8]]) {
        self.seeds = seeds.into_iter().collect();
        self.words = words;
        // What comes before is preparing.
        self.began = Instant::now();
    }

    fn next(&mut self) -> Option<Vec<u8>> {
        let unchanged = self.kept.iter().chain(&self.seeds).nth(self.first).cloned();
        self.first += 1;
        if unchanged.is_none() && self.began.elapsed() >= self.until {
            return None;
        }
        let input = unchanged.unwrap_or_else(|| {
            let all: Vec<&[u8]> = self.seeds.iter().chain(&self.kept).map(Vec::as_slice).collect();
            self.mutator.input(&all, self.words)
        });
        self.sent = Instant::now();
        Some(input)
    }

    fn judge(&mut self, input: &[u8], outcome: Result<(), Found>) {
        let took = self.sent.elapsed();
        self.tally.inputs += 1;
        self.tally.slowest = self.tally.slowest.max(took);
        let outcome = outcome.and_then(|()| if took > SLOW { Err(format!("took {took:?}")) } else { Ok(()) });
        if let Err(what) = outcome {
            let file = keep(self.name, input);
            // A target that is broken everywhere is told of ten times.
            if self.tally.found.len() < 10 {
                self.tally.found.push(format!("{}: {what} ({})", self.name, file.display()));
            }
        }
    }

    fn end(self) -> Tally {
        self.tally
    }
}

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/fuzz/seeds").join(name)
}

/// The inputs that broke something once.
fn kept(name: &str) -> Vec<Vec<u8>> {
    let Ok(entries) = std::fs::read_dir(folder(name)) else { return Vec::new() };
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| entry.ok().map(|entry| entry.path())).collect();
    files.sort();
    files.iter().map(|file| std::fs::read(file).expect("a kept seed can be read")).collect()
}

fn keep(name: &str, input: &[u8]) -> PathBuf {
    let file = folder(name).join(format!("{}.bin", &crate::support::sha256(input)[..16]));
    std::fs::create_dir_all(folder(name)).expect("the folder of seeds");
    std::fs::write(&file, input).expect("the seed is kept");
    file
}

/// What a panic said.
fn words_of(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
    format!("panicked: {}", text.unwrap_or("without a word"))
}

fn parse(target: Target, mut throw: Throw<'_>) -> Tally {
    throw.seeds(target.seeds, target.words);
    while let Some(input) = throw.next() {
        let outcome = catch_unwind(AssertUnwindSafe(|| (target.run)(&input)));
        throw.judge(&input, outcome.map_err(|panic| words_of(&*panic)));
    }
    throw.end()
}

/// Leaves the counts where `docs/reliability.md` is made from.
fn write_down(seconds: f64, tallies: &[Tally]) {
    let Ok(cache) = std::env::var("ATALAYA_CACHE") else { return };
    let one = |tally: &Tally| {
        json!({"name": tally.name, "inputs": tally.inputs, "keptSeeds": tally.kept, "found": tally.found,
            "slowestMs": u64::try_from(tally.slowest.as_millis()).unwrap_or(u64::MAX)})
    };
    let targets: Vec<Value> = tallies.iter().map(one).collect();
    let inputs: u64 = tallies.iter().map(|tally| tally.inputs).sum();
    let found: usize = tallies.iter().map(|tally| tally.found.len()).sum();
    let result = json!({"seconds": seconds, "inputs": inputs, "found": found, "targets": targets});
    let folder = Path::new(&cache).join("results");
    std::fs::create_dir_all(&folder).expect("the folder of results");
    let text = serde_json::to_string_pretty(&result).expect("plain data");
    std::fs::write(folder.join("fuzz.json"), text + "\n").expect("the result is written");
}

// ENGINE-5, BANK-9
#[tokio::test]
async fn foreign_bytes_break_nothing() {
    let asked = std::env::var("ATALAYA_FUZZ_SECONDS").ok().and_then(|text| text.parse::<f64>().ok());
    let seconds = asked.unwrap_or(SECONDS);
    // Longer runs try other inputs, and the same ones again when they are repeated.
    let seed = asked.map_or(7, f64::to_bits);
    let time = Duration::from_secs_f64(seconds) / TARGETS;
    let app = TestApp::on(Engine::Sqlite).await.expect("SQLite needs nothing");
    let mut tallies = Vec::new();
    for target in parsers::all(&app).await {
        let throw = Throw::new(target.name, time, seed);
        tallies.push(parse(target, throw));
    }
    let throw = |name| Throw::new(name, time, seed);
    tallies.push(doors::forms(&app, throw("http-form")).await);
    tallies.push(doors::uploads(&app, throw("http-upload")).await);
    tallies.push(doors::receipts(throw("http-receipt")).await);
    tallies.push(doors::sessions(&app, throw("http-session")).await);
    tallies.push(doors::drawings(&app, throw("http-drawing")).await);
    tallies.push(doors::passkeys(&app, throw("http-passkey")).await);
    assert_eq!(tallies.len(), usize::try_from(TARGETS).expect("a few"), "each has its share of the time");
    let found: Vec<&Found> = tallies.iter().flat_map(|tally| &tally.found).collect();
    for tally in &tallies {
        eprintln!("{:>14}: {} inputs, {} kept, slowest {:?}", tally.name, tally.inputs, tally.kept, tally.slowest);
    }
    if asked.is_some() {
        write_down(seconds, &tallies);
    }
    assert!(found.is_empty(), "{found:#?}");
    assert!(tallies.iter().all(|tally| tally.inputs > 2), "every target was tried");
}
