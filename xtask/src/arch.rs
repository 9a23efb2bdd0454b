//! What the compiler cannot see: who may import whom, calls that belong to one place, sizes.

use crate::tree;
use anyhow::{Result, bail};
use std::collections::BTreeMap;

/// Crates and what of ours each may depend on. Down only; a new line is a decision record.
const LAYERS: &[(&str, &[&str])] = &[
    ("kernel", &[]),
    ("checks", &[]),
    ("passwords", &["kernel"]),
    ("webm", &[]),
    ("turn", &[]),
    ("db", &["kernel"]),
    ("jobs", &["kernel", "db"]),
    ("ledger", &["kernel", "db"]),
    ("blobs", &["kernel"]),
    ("rest", &["kernel"]),
    ("sfu", &["kernel", "checks", "webm", "turn"]),
    ("pdf", &["kernel", "checks"]),
    ("messaging", &["kernel", "db", "jobs", "blobs"]),
    ("tariff", &["kernel"]),
    ("sepa", &["kernel", "checks", "tariff"]),
    ("einvoice", &["kernel", "checks", "tariff"]),
    ("content", &["kernel", "db", "rest", "tariff"]),
    ("documents", &["kernel", "checks", "content", "einvoice", "pdf", "tariff"]),
    ("identity", &["kernel", "db", "rest", "content", "checks", "messaging", "jobs", "ledger", "tariff", "passwords"]),
    ("outreach", &["kernel", "db", "rest", "content", "checks", "messaging", "jobs", "identity"]),
    ("fiscal", &["kernel", "checks", "db", "rest", "content", "messaging", "blobs", "tariff", "identity", "outreach"]),
    ("cases", &["kernel", "db", "rest", "content", "checks", "messaging", "identity", "blobs"]),
    (
        "assistance",
        &["kernel", "db", "rest", "content", "checks", "messaging", "identity", "outreach", "sfu", "blobs", "webm", "cases"],
    ),
    (
        "client_files",
        &["kernel", "db", "rest", "content", "checks", "messaging", "identity", "outreach", "blobs", "cases", "assistance"],
    ),
    (
        "records",
        &[
            "kernel",
            "db",
            "rest",
            "content",
            "checks",
            "jobs",
            "messaging",
            "identity",
            "outreach",
            "blobs",
            "pdf",
            "cases",
            "assistance",
            "client_files",
        ],
    ),
    (
        "privacy",
        &[
            "kernel",
            "db",
            "rest",
            "content",
            "checks",
            "messaging",
            "identity",
            "blobs",
            "pdf",
            "cases",
            "assistance",
            "client_files",
            "records",
        ],
    ),
    (
        "integrations",
        &["kernel", "db", "rest", "checks", "jobs", "identity", "outreach", "cases", "assistance", "client_files", "records"],
    ),
    (
        "billing",
        &[
            "kernel",
            "db",
            "rest",
            "content",
            "checks",
            "messaging",
            "jobs",
            "identity",
            "outreach",
            "fiscal",
            "cases",
            "blobs",
            "documents",
            "tariff",
            "sepa",
            "einvoice",
        ],
    ),
    ("bank_files", &["kernel", "db", "rest", "messaging", "jobs", "identity", "outreach", "blobs", "tariff", "sepa", "billing"]),
    ("server", &["*"]),
    ("testkit", &["*"]),
];

/// A text that may stand only in some files, with the reason.
struct Ban {
    text: &'static str,
    /// Parts of paths where it may stand.
    allowed: &'static [&'static str],
    why: &'static str,
}

const BANS: &[Ban] = &[
    Ban {
        text: "sea_orm::",
        allowed: &[
            "crates/db/",
            "/store.rs",
            "/store/",
            "/entity.rs",
            "crates/testkit/",
            // Fills a database for a measurement.
            "server/examples/million.rs",
        ],
        why: "queries live in a room's store.rs, tables in its entity.rs",
    },
    Ban { text: "sqlx::", allowed: &["crates/db/"], why: "only the db crate knows the driver" },
    Ban { text: "rusqlite::", allowed: &["crates/db/", "server/examples/sketch"], why: "only the db crate knows the drivers" },
    Ban {
        text: " axum::",
        allowed: &[
            "crates/rest/",
            "crates/server/",
            "crates/testkit/",
            "/http.rs",
            "/http/",
            "/twirp.rs",
            "/middleware.rs",
            "/cookies.rs",
            "/headers.rs",
            "/guards.rs",
            "/examples/",
        ],
        why: "HTTP types stay in http.rs and in rest",
    },
    Ban {
        text: "env::var",
        allowed: &["crates/server/src/cli/", "build.rs", "crates/testkit/", "xtask/", "/examples/"],
        why: "only the configuration reads the environment",
    },
    Ban { text: "Utc::now(", allowed: &["crates/kernel/src/sources.rs"], why: "time is a parameter (Sources)" },
    Ban { text: "SystemTime::now(", allowed: &["crates/kernel/src/sources.rs"], why: "time is a parameter (Sources)" },
    Ban { text: "Uuid::now_v7(", allowed: &["crates/kernel/src/sources.rs"], why: "ids come from Sources" },
    Ban { text: "Uuid::new_v4(", allowed: &["crates/kernel/src/sources.rs"], why: "ids come from Sources" },
    Ban { text: "rand::random", allowed: &["crates/kernel/src/sources.rs"], why: "chance comes from Sources" },
    Ban {
        text: "println!(",
        allowed: &["crates/server/src/cli/", "crates/server/src/serve.rs", "crates/testkit/", "build.rs", "xtask/", "/examples/"],
        why: "the server logs with tracing",
    },
];

const RUST_LINES: usize = 400;
const TSX_LINES: usize = 250;
/// Longer files, each with its reason.
const LONG: &[(&str, &str)] =
    &[("web/src/shared/ui/icons.tsx", "a table of drawings"), ("web/src/app/routes.tsx", "the table of pages, an entry each")];

/// Runs all rules and lists every breach.
pub fn run() -> Result<()> {
    let mut breaches = Vec::new();
    layers(&mut breaches)?;
    bans(&mut breaches)?;
    sizes(&mut breaches)?;
    schemas(&mut breaches)?;
    if breaches.is_empty() {
        println!("arch: layers, calls and sizes are in order");
        return Ok(());
    }
    bail!("arch: {} breach(es)\n{}", breaches.len(), breaches.join("\n"));
}

fn layers(breaches: &mut Vec<String>) -> Result<()> {
    for file in tree::files("crates", "Cargo.toml")? {
        let crate_name = file.split('/').nth(1).unwrap_or_default().to_owned();
        let Some((_, allowed)) = LAYERS.iter().find(|(name, _)| *name == crate_name) else {
            breaches.push(format!("{file}: crate `{crate_name}` has no storey in xtask/src/arch.rs"));
            continue;
        };
        let text = tree::read(&file)?;
        let dependencies = text.split("[dependencies]").nth(1).unwrap_or("").split("\n[").next().unwrap_or("");
        for line in dependencies.lines() {
            let Some(used) = line.strip_prefix("atalaya-").and_then(|rest| rest.split(['.', ' ', '=']).next()) else {
                continue;
            };
            if !allowed.contains(&"*") && !allowed.contains(&used) {
                breaches.push(format!("{file}: `{crate_name}` may not depend on `{used}`"));
            }
            if matches!(used, "server" | "testkit") && crate_name != "testkit" {
                breaches.push(format!("{file}: nobody may depend on `{used}`"));
            }
        }
    }
    Ok(())
}

fn bans(breaches: &mut Vec<String>) -> Result<()> {
    for file in tree::files("crates", ".rs")? {
        if is_test(&file) {
            continue;
        }
        let text = tree::read(&file)?;
        for (number, line) in product(&text).lines().enumerate() {
            let code = line.split("//").next().unwrap_or("");
            let spaced = format!(" {}", code.replace(['(', '<', '&', ','], " "));
            for ban in BANS {
                let hit = if ban.text.starts_with(' ') { spaced.contains(ban.text) } else { code.contains(ban.text) };
                if hit && !ban.allowed.iter().any(|part| file.contains(part)) {
                    breaches.push(format!("{file}:{}: `{}`: {}", number + 1, ban.text.trim(), ban.why));
                }
            }
        }
    }
    Ok(())
}

fn sizes(breaches: &mut Vec<String>) -> Result<()> {
    let rust = tree::files("crates", ".rs")?.into_iter().map(|file| (file, RUST_LINES));
    let tsx = ["web/src", "web/external"].into_iter().map(|folder| tree::files(folder, ".tsx"));
    let tsx = tsx.collect::<Result<Vec<_>>>()?.into_iter().flatten().map(|file| (file, TSX_LINES));
    for (file, limit) in rust.chain(tsx) {
        if is_test(&file) || LONG.iter().any(|(name, _)| *name == file) {
            continue;
        }
        let lines = product(&tree::read(&file)?).lines().count();
        if lines > limit {
            breaches.push(format!("{file}: {lines} lines, at most {limit} (or an exception with its reason)"));
        }
    }
    Ok(())
}

pub fn is_test(file: &str) -> bool {
    file.contains("/tests/") || file.ends_with("/tests.rs") || file.contains(".test.ts")
}

/// A file without its test module.
pub fn product(text: &str) -> &str {
    text.split("#[cfg(test)]\nmod ").next().unwrap_or(text)
}

/// Two shapes of one name would become one in the API description, silently; `#[schema(as = …)]` names one of them apart.
fn schemas(breaches: &mut Vec<String>) -> Result<()> {
    let mut known: BTreeMap<String, String> = BTreeMap::new();
    for file in tree::files("crates", ".rs")? {
        if !file.contains("/src/") {
            continue;
        }
        let (mut described, mut alias) = (false, None);
        for line in tree::read(&file)?.lines().map(str::trim) {
            if line.starts_with("#[derive(") {
                (described, alias) = (line.contains("ToSchema"), None);
            } else if let Some(name) = line.strip_prefix("#[schema(as = ") {
                alias = name.split([')', ',']).next().map(str::to_owned);
            } else if let Some(name) = type_name(line).filter(|name| described && !name.starts_with('$')) {
                let name = alias.take().unwrap_or(name);
                if let Some(other) = known.insert(name.clone(), file.clone()) {
                    breaches.push(format!("{file}: the API description already has a `{name}`, of {other}"));
                }
                described = false;
            }
        }
    }
    Ok(())
}

/// The name in `pub struct Name {`.
fn type_name(line: &str) -> Option<String> {
    let words: Vec<&str> = line.split([' ', '(', '{', '<', ';']).filter(|word| !word.is_empty()).collect();
    let at = words.iter().position(|word| matches!(*word, "struct" | "enum"))?;
    let visible = words[..at].iter().all(|word| word.starts_with("pub") || matches!(*word, "crate)" | "super)"));
    words.get(at + 1).filter(|_| visible).map(|name| (*name).to_owned())
}
