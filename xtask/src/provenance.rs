//! Where a binary comes from: an in-toto statement with SLSA's predicate (`https://slsa.dev/provenance/v1`), unsigned, without dates
//! or names of machines, so that whoever builds the same commit gets the same document.

use crate::tree;
use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::process::Command;

/// What is known of a build.
struct Build {
    binary: String,
    commit: String,
    /// Files differ from the commit.
    dirty: bool,
    /// What `rustc -vV` says.
    rustc: String,
    /// Files that pin what goes in, with their hashes.
    locks: Vec<(&'static str, String)>,
}

const LOCKS: [&str; 3] = ["Cargo.lock", "web/package-lock.json", "rust-toolchain.toml"];

/// Prints the statement about a binary.
pub fn run(binary: &str) -> Result<()> {
    let bytes = std::fs::read(binary).with_context(|| format!("reading {binary}"))?;
    let locks = LOCKS.iter().map(|name| -> Result<_> { Ok((*name, sha256(tree::read(name)?.as_bytes()))) });
    let build = Build {
        binary: sha256(&bytes),
        commit: said("git", &["rev-parse", "HEAD"])?,
        dirty: !said("git", &["status", "--porcelain", "--untracked-files=no"])?.is_empty(),
        rustc: said("rustc", &["-vV"])?,
        locks: locks.collect::<Result<_>>()?,
    };
    println!("{}", serde_json::to_string_pretty(&statement(&build)?)?);
    Ok(())
}

fn statement(build: &Build) -> Result<Value> {
    let told = |name: &str| {
        let line = build.rustc.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
        line.with_context(|| format!("rustc names its {name}"))
    };
    let mut materials = vec![json!({"name": "source", "uri": "git+urn:atalaya", "digest": {"gitCommit": build.commit}})];
    materials.push(json!({"name": "rustc", "uri": format!("pkg:generic/rust@{}", told("release")?),
        "digest": {"gitCommit": told("commit-hash")?}}));
    materials.extend(build.locks.iter().map(|(name, hash)| json!({"name": name, "digest": {"sha256": hash}})));
    Ok(json!({
        "_type": "https://in-toto.io/Statement/v1",
        "subject": [{"name": "atalaya", "digest": {"sha256": build.binary}}],
        "predicateType": "https://slsa.dev/provenance/v1",
        "predicate": {
            "buildDefinition": {
                "buildType": "urn:atalaya:build:scripts/build.sh",
                "externalParameters": {"command": "scripts/build.sh", "target": told("host")?},
                "internalParameters": {"filesDifferFromCommit": build.dirty},
                "resolvedDependencies": materials,
            },
            "runDetails": {"builder": {"id": "urn:atalaya:builder:local"}},
        },
    }))
}

fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn said(program: &str, arguments: &[&str]) -> Result<String> {
    let out = Command::new(program).args(arguments).current_dir(tree::root()).output();
    let out = out.with_context(|| format!("running {program}"))?;
    if !out.status.success() {
        bail!("{program} {}: {}", arguments.join(" "), String::from_utf8_lossy(&out.stderr));
    }
    Ok(String::from_utf8(out.stdout)?.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_statement_names_binary_commit_compiler_and_locks() {
        let rustc =
            "rustc 1.95.0 (abc 2026-04-14)\nbinary: rustc\ncommit-hash: abcdef\nhost: x86_64-unknown-linux-gnu\nrelease: 1.95.0";
        let build = Build {
            binary: sha256(b"abc"),
            commit: "0123".into(),
            dirty: false,
            rustc: rustc.into(),
            locks: vec![("Cargo.lock", sha256(b""))],
        };
        let statement = statement(&build).unwrap();
        assert_eq!(statement["_type"], "https://in-toto.io/Statement/v1");
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(statement["subject"][0]["digest"]["sha256"], abc);
        let definition = &statement["predicate"]["buildDefinition"];
        assert_eq!(definition["externalParameters"]["target"], "x86_64-unknown-linux-gnu");
        let materials = definition["resolvedDependencies"].as_array().unwrap();
        assert_eq!(materials[0]["digest"]["gitCommit"], "0123");
        assert_eq!(
            (&materials[1]["digest"]["gitCommit"], &materials[1]["uri"]),
            (&json!("abcdef"), &json!("pkg:generic/rust@1.95.0"))
        );
        assert_eq!(materials[2]["name"], "Cargo.lock");
    }
}
