//! Licences, banned crates and registries by `deny.toml`, over what cargo compiles for each target there. `cargo deny` says the
//! same and more (`scripts/test.sh --long`), but takes minutes to build; this needs nothing but cargo.

use crate::tree;
use anyhow::{Context, Result, anyhow, bail};
use spdx::{Expression, Licensee, ParseMode};
use std::collections::BTreeSet;
use std::process::Command;

/// `deny.toml`, as far as it is checked here.
struct Rules {
    targets: Vec<String>,
    banned: Vec<(String, String)>,
    allowed: Vec<Licensee>,
}

/// A crate that is compiled, its version and its licence.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Part {
    name: String,
    version: String,
    license: String,
}

/// The one registry that is allowed.
const REGISTRY: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// Fails with everything that breaks a rule.
pub fn run() -> Result<()> {
    let rules = Rules::parse(&tree::read("deny.toml")?).context("deny.toml")?;
    let mut parts = BTreeSet::new();
    for target in &rules.targets {
        parts.extend(compiled(target)?);
    }
    let mut wrong = rules.broken(&parts);
    wrong.extend(foreign(&tree::read("Cargo.lock")?));
    if wrong.is_empty() {
        println!("deny: {} crates, licences, bans and registries as deny.toml has them", parts.len());
        return Ok(());
    }
    bail!("{}", wrong.join("\n"))
}

impl Rules {
    fn parse(text: &str) -> Result<Self> {
        let table: toml::Table = text.parse()?;
        let texts = |section: &str, key: &str| -> Result<Vec<String>> {
            let list = table.get(section).and_then(|section| section.get(key)).and_then(toml::Value::as_array);
            let list = list.with_context(|| format!("[{section}] has a list {key}"))?;
            Ok(list.iter().filter_map(|one| one.as_str().map(str::to_owned)).collect())
        };
        let bans = table.get("bans").and_then(|bans| bans.get("deny")).and_then(toml::Value::as_array);
        let text = |ban: &toml::Value, key: &str| ban.get(key).and_then(toml::Value::as_str).unwrap_or_default().to_owned();
        let licensee = |text: &String| Licensee::parse(text).map_err(|error| anyhow!("{text}: {error}"));
        Ok(Self {
            targets: texts("graph", "targets")?,
            banned: bans.into_iter().flatten().map(|ban| (text(ban, "crate"), text(ban, "reason"))).collect(),
            allowed: texts("licenses", "allow")?.iter().map(licensee).collect::<Result<_>>()?,
        })
    }

    fn broken(&self, parts: &BTreeSet<Part>) -> Vec<String> {
        parts.iter().filter_map(|part| self.reason(part)).collect()
    }

    /// Why a crate must not be there.
    fn reason(&self, part: &Part) -> Option<String> {
        let Part { name, version, license } = part;
        if let Some((_, reason)) = self.banned.iter().find(|(banned, _)| banned == name) {
            return Some(format!("error: {name} {version} is banned: {reason}"));
        }
        let Ok(expression) = Expression::parse_mode(license, ParseMode::LAX) else {
            return Some(format!("error: {name} {version} has a licence that cannot be read: \"{license}\""));
        };
        let good = expression.evaluate(|wanted| self.allowed.iter().any(|allowed| allowed.satisfies(wanted)));
        (!good).then(|| format!("error: {name} {version} has a licence that deny.toml does not allow: {license}"))
    }
}

/// What cargo compiles for a target, tests and build scripts too.
fn compiled(target: &str) -> Result<Vec<Part>> {
    let arguments = ["tree", "--workspace", "--locked", "--edges", "normal,build,dev", "--prefix", "none"];
    let mut command = Command::new("cargo");
    command.args(arguments).args(["--format", "{p}|{l}", "--target", target]).current_dir(tree::root());
    let out = command.output().context("running cargo tree")?;
    if !out.status.success() {
        bail!("cargo tree: {}", String::from_utf8_lossy(&out.stderr));
    }
    let text = String::from_utf8(out.stdout)?;
    text.lines().filter(|line| !line.is_empty()).map(part).collect()
}

/// A line of `cargo tree`: `name v1.0.0 (proc-macro)|MIT (*)`.
fn part(line: &str) -> Result<Part> {
    let line = line.strip_suffix(" (*)").unwrap_or(line);
    let (package, license) = line.split_once('|').with_context(|| format!("cargo tree said {line}"))?;
    let mut words = package.split(' ');
    let (name, version) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    Ok(Part { name: name.to_owned(), version: version.trim_start_matches('v').to_owned(), license: license.to_owned() })
}

/// Sources in `Cargo.lock` beside the one registry.
fn foreign(lock: &str) -> BTreeSet<String> {
    let sources = lock.lines().filter_map(|line| line.strip_prefix("source = "));
    let foreign = sources.map(|source| source.trim_matches('"')).filter(|source| *source != REGISTRY);
    foreign.map(|source| format!("error: Cargo.lock takes something from {source}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: &str = r#"
        [graph]
        targets = ["x86_64-unknown-linux-gnu"]
        [bans]
        deny = [{ crate = "ring", reason = "another one is there" }]
        [licenses]
        allow = ["MIT", "Apache-2.0", "Apache-2.0 WITH LLVM-exception", "Unicode-3.0"]
    "#;

    fn said(lines: &[&str]) -> Vec<String> {
        let parts = lines.iter().map(|line| part(line).unwrap()).collect();
        Rules::parse(RULES).unwrap().broken(&parts)
    }

    #[test]
    fn allowed_licences_pass_however_they_are_written() {
        let good = [
            "a v1.0.0|MIT",
            "b v1.0.0 (proc-macro)|MIT/Apache-2.0 (*)",
            "c v1.0.0 (/work/c)|Apache-2.0",
            "d v1.0.0|Apache-2.0 WITH LLVM-exception",
            "e v1.0.0|(GPL-3.0-only OR MIT) AND Unicode-3.0",
        ];
        assert_eq!(said(&good), Vec::<String>::new());
    }

    #[test]
    fn others_and_banned_crates_are_named() {
        let wrong = said(&["a v1.0.0|GPL-3.0-only", "b v2.0.0|MIT AND GPL-3.0-only", "c v3.0.0|", "ring v0.17.0|MIT"]);
        assert_eq!(wrong.len(), 4, "{wrong:?}");
        assert!(wrong[3].contains("ring 0.17.0 is banned: another one is there"), "{wrong:?}");
    }

    #[test]
    fn other_registries_are_named() {
        let lock = format!("source = \"{REGISTRY}\"\nsource = \"git+https://example.org/x#1\"\n");
        assert_eq!(
            foreign(&lock).into_iter().collect::<Vec<_>>(),
            ["error: Cargo.lock takes something from git+https://example.org/x#1"]
        );
    }
}
