//! `cargo xtask rust-tests`: builds and runs every Rust test, several at a time, and names the slowest.
//!
//! The harness tells how long a test took only behind an unstable flag, so the binaries that cargo built are run from here.

use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

/// Tests at a time. Most of a test is waiting for a database, so there are more than processors.
const THREADS: &str = "5";
const SLOWEST: usize = 20;

struct Binary {
    path: String,
    /// The package's folder, in which cargo runs its tests.
    folder: String,
    name: String,
}

#[derive(Default)]
struct Tally {
    passed: usize,
    failed: Vec<String>,
    ignored: usize,
    /// Seconds and name.
    times: Vec<(f64, String)>,
}

/// Runs the tests of the packages that `selection` (arguments of cargo) names, and of those only the ones that `filter` names.
pub fn run(selection: &[&str], filter: &[&str]) -> Result<()> {
    let binaries = build(selection)?;
    let mut tally = Tally::default();
    for binary in &binaries {
        run_one(binary, filter, &mut tally)?;
    }
    tally.times.sort_by(|a, b| b.0.total_cmp(&a.0));
    println!("\nthe slowest Rust tests:");
    for (seconds, name) in tally.times.iter().take(SLOWEST) {
        println!("{seconds:7.1} s  {name}");
    }
    for name in &tally.failed {
        println!("FAILED {name}");
    }
    println!("\n{} passed, {} failed, {} skipped", tally.passed, tally.failed.len(), tally.ignored);
    if tally.passed == 0 || !tally.failed.is_empty() {
        bail!("rust-tests: {} of {} test binaries' tests failed", tally.failed.len(), binaries.len());
    }
    Ok(())
}

/// Builds what is tested, and the binaries and examples that other steps use.
fn build(selection: &[&str]) -> Result<Vec<Binary>> {
    let mut cargo = Command::new("cargo");
    cargo.args(["test", "--no-run", "--quiet", "--message-format=json-render-diagnostics"]).args(selection);
    let output = cargo.stderr(Stdio::inherit()).output().context("cargo starts")?;
    if !output.status.success() {
        bail!("rust-tests: the tests do not compile");
    }
    let mut binaries = Vec::new();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let message: Value = serde_json::from_str(line).context("cargo prints JSON")?;
        let (Some(path), true) = (message["executable"].as_str(), message["profile"]["test"] == true) else { continue };
        let manifest = message["manifest_path"].as_str().unwrap_or_default();
        let folder = Path::new(manifest).parent().map(|folder| folder.display().to_string()).unwrap_or_default();
        let package = folder.rsplit('/').next().unwrap_or_default().to_owned();
        let target = message["target"]["name"].as_str().unwrap_or_default().to_owned();
        binaries.push(Binary { path: path.to_owned(), folder, name: format!("{package}/{target}") });
    }
    Ok(binaries)
}

fn run_one(binary: &Binary, filter: &[&str], tally: &mut Tally) -> Result<()> {
    let mut child = Command::new(&binary.path)
        .args(["--report-time", "-Zunstable-options", "--test-threads", THREADS])
        .args(filter)
        .current_dir(&binary.folder)
        .env("CARGO_MANIFEST_DIR", &binary.folder)
        // Lets the harness of a stable compiler take the flag.
        .env("RUSTC_BOOTSTRAP", "1")
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| binary.path.clone())?;
    let (mut ran, before, failed) = (0, tally.passed, tally.failed.len());
    let mut rest = Vec::new();
    for line in BufReader::new(child.stdout.take().expect("piped")).lines() {
        let line = line?;
        match parse(&line) {
            Some((name, Outcome::Passed, seconds)) => {
                tally.passed += 1;
                tally.times.push((seconds, format!("{}: {name}", binary.name)));
            }
            Some((name, Outcome::Failed, _)) => tally.failed.push(format!("{}: {name}", binary.name)),
            Some((_, Outcome::Ignored, _)) => tally.ignored += 1,
            None => {
                rest.push(line);
                continue;
            }
        }
        ran += 1;
    }
    let status = child.wait()?;
    if ran > 0 {
        println!("{}: {} of {ran} passed", binary.name, tally.passed - before);
    }
    if !status.success() {
        println!("{}", rest.join("\n"));
        if tally.failed.len() == failed {
            tally.failed.push(format!("{}: ended with {status}", binary.name));
        }
    }
    Ok(())
}

#[derive(Debug, PartialEq)]
enum Outcome {
    Passed,
    Failed,
    Ignored,
}

/// Reads `test a::b ... ok <0.123s>`; `None` for any other line.
fn parse(line: &str) -> Option<(&str, Outcome, f64)> {
    let (name, rest) = line.strip_prefix("test ")?.rsplit_once(" ... ")?;
    let (word, time) = rest.split_once(" <").unwrap_or((rest, "0s>"));
    let outcome = match word {
        "ok" => Outcome::Passed,
        "FAILED" => Outcome::Failed,
        _ if word.starts_with("ignored") => Outcome::Ignored,
        _ => return None,
    };
    let seconds = time.trim_end_matches("s>").parse().unwrap_or(0.0);
    Some((name.trim_end_matches(" - should panic"), outcome, seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_the_harness_are_read() {
        assert_eq!(parse("test a::b ... ok <1.250s>"), Some(("a::b", Outcome::Passed, 1.25)));
        assert_eq!(parse("test a - should panic ... ok <0.001s>"), Some(("a", Outcome::Passed, 0.001)));
        assert_eq!(parse("test a ... FAILED <2.000s>"), Some(("a", Outcome::Failed, 2.0)));
        assert_eq!(parse("test a ... ignored, because"), Some(("a", Outcome::Ignored, 0.0)));
        assert_eq!(parse("test result: ok. 3 passed"), None);
        assert_eq!(parse("running 3 tests"), None);
    }
}
