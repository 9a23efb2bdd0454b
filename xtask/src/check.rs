//! `cargo xtask check`: what a change touches, and what depends on it. It shortens the wait, `make test` decides.

use crate::{arch, i18n, rust_tests, walls};
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::collections::BTreeSet;
use std::process::Command;
use std::time::Instant;

/// Files that differ from `main` where it was pushed to last, or from the commit before the last one.
fn changed() -> Result<Vec<String>> {
    let base = ["origin/main", "HEAD~1"].into_iter().find(|name| git(&["rev-parse", "--verify", "--quiet", name]).is_ok());
    let base = base.context("there is a commit to compare with")?;
    let mut files = git(&["diff", "--name-only", base])?;
    files.extend(git(&["ls-files", "--others", "--exclude-standard"])?);
    Ok(files)
}

fn git(words: &[&str]) -> Result<Vec<String>> {
    let output = Command::new("git").args(words).output()?;
    if !output.status.success() {
        bail!("git {words:?} failed");
    }
    Ok(String::from_utf8(output.stdout)?.lines().map(str::to_owned).collect())
}

/// The crates of these files and every crate that depends on one of them, but those whose tests run apart.
fn touched(files: &[String]) -> Result<BTreeSet<String>> {
    let output = Command::new("cargo").args(["metadata", "--no-deps", "--format-version", "1"]).output()?;
    let metadata: Value = serde_json::from_slice(&output.stdout).context("cargo prints JSON")?;
    let packages = metadata["packages"].as_array().context("packages")?;
    let root = metadata["workspace_root"].as_str().context("a root")?;
    let mut found: BTreeSet<String> = BTreeSet::new();
    for package in packages {
        let folder = package["manifest_path"].as_str().unwrap_or_default().trim_end_matches("Cargo.toml");
        let folder = folder.trim_start_matches(root).trim_start_matches('/');
        if files.iter().any(|file| file.starts_with(folder)) {
            found.insert(package["name"].as_str().unwrap_or_default().to_owned());
        }
    }
    // Until nothing is added: a crate depends on what its dependencies depend on.
    loop {
        let above: Vec<String> = packages
            .iter()
            .filter(|package| {
                let uses = package["dependencies"].as_array().map(Vec::as_slice).unwrap_or_default();
                uses.iter().any(|one| found.contains(one["name"].as_str().unwrap_or_default()))
            })
            .map(|package| package["name"].as_str().unwrap_or_default().to_owned())
            .filter(|name| !found.contains(name))
            .collect();
        if above.is_empty() {
            return Ok(found);
        }
        found.extend(above);
    }
}

/// Modules of the API tests that carry the name of a changed room, so that a room's tests run and not all of them.
fn rooms(files: &[String]) -> BTreeSet<String> {
    let mut rooms = BTreeSet::new();
    for file in files {
        let parts: Vec<&str> = file.split('/').collect();
        match parts.as_slice() {
            // The tests of some crates are one module, whatever the room.
            ["crates", name, "src", room, _, ..] => rooms.insert(format!("{name}::")) | rooms.insert(format!("{room}::")),
            ["crates", "server", "tests", "it", module, ..] => rooms.insert(format!("{}::", module.trim_end_matches(".rs"))),
            _ => false,
        };
    }
    if !rooms.is_empty() {
        // Whatever changed may have changed these.
        rooms.extend(["openapi::".to_owned(), "spec_map::".to_owned(), "errors::".to_owned()]);
    }
    rooms
}

/// Runs the checks and fails with the names of those that failed.
pub fn run() -> Result<()> {
    let files = changed()?;
    println!("check: {} changed files", files.len());
    let mut failed = Vec::new();
    let mut step = |name: &'static str, body: &dyn Fn() -> Result<()>| {
        let began = Instant::now();
        let result = body();
        println!("=== {name}: {}, {} s", if result.is_ok() { "ok" } else { "FAILED" }, began.elapsed().as_secs());
        if let Err(error) = result {
            println!("{error:#}");
            failed.push(name);
        }
    };
    step("format", &|| command("cargo", &["fmt", "--all", "--check"], "."));
    step("arch", &|| arch::run().and(walls::run()));
    step("i18n", &i18n::run);
    if files.iter().any(|file| file.starts_with("web/") || file.starts_with("locales/")) {
        step("web-lint", &|| command("npm", &["run", "--silent", "lint"], "web"));
        step("web-types", &|| command("npm", &["run", "--silent", "typecheck"], "web"));
        step("web-unit", &|| command("npx", &["vitest", "run", "--changed", "HEAD~1"], "web"));
    }
    let crates = touched(&files)?;
    if !crates.is_empty() {
        let packages: Vec<&str> = crates.iter().flat_map(|name| ["-p", name.as_str()]).collect();
        let clippy = [&["clippy", "--quiet", "--all-targets"], packages.as_slice(), &["--", "-D", "warnings"]].concat();
        step("clippy", &|| command("cargo", &clippy, "."));
        step("tests", &|| test(&crates, &files));
    }
    if failed.is_empty() { Ok(()) } else { bail!("check: failed: {}", failed.join(", ")) }
}

/// The unit tests of every touched crate whole, of the server's API tests those of the changed rooms.
fn test(crates: &BTreeSet<String>, files: &[String]) -> Result<()> {
    let below: Vec<&str> =
        crates.iter().filter(|name| name.as_str() != "atalaya-server").flat_map(|name| ["-p", name.as_str()]).collect();
    if !below.is_empty() {
        rust_tests::run(&below, &[])?;
    }
    let rooms = rooms(files);
    let filter: Vec<&str> = rooms.iter().map(String::as_str).collect();
    if crates.contains("atalaya-server") {
        rust_tests::run(&["-p", "atalaya-server", "--test", "it"], &filter)?;
    }
    Ok(())
}

fn command(program: &str, words: &[&str], folder: &str) -> Result<()> {
    let status = Command::new(program).args(words).current_dir(folder).status()?;
    if status.success() { Ok(()) } else { bail!("{program} {} failed", words.join(" ")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changed_room_selects_its_api_tests() {
        let of = |file: &str| rooms(&[file.to_owned()]).into_iter().next();
        assert!(rooms(&["crates/billing/src/invoices/http.rs".to_owned()]).contains("invoices::"));
        assert!(rooms(&["crates/server/tests/it/users.rs".to_owned()]).contains("users::"));
        assert_eq!(of("web/src/app/main.tsx"), None);
    }
}
