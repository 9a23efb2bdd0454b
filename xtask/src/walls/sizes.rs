//! Sizes of crates, rooms and TypeScript files, in lines without tests and without the headers of modules, which hold the
//! rooms' documentation. Rust files and components: see `arch`.

use super::{Breaches, count, rooms};
use crate::{arch, tree};
use anyhow::Result;
use std::collections::BTreeMap;

const CRATE: usize = 14_000;
/// The crates that `assistance` is cut into.
const SMALL_CRATES: [&str; 6] = ["cases", "assistance", "client_files", "records", "privacy", "integrations"];
const SMALL_CRATE: usize = 11_000;
const ROOM: usize = 2_000;
const TS_FILE: usize = 400;
/// Longer for a reason: generated, or a table.
const LONG_TS: [&str; 1] = ["web/src/api/generated/"];

pub fn check(breaches: &mut Breaches) -> Result<()> {
    let mut sizes: BTreeMap<String, usize> = BTreeMap::new();
    for file in tree::files("crates", ".rs")? {
        let parts: Vec<&str> = file.split('/').collect();
        let [_, krate, "src", room, ..] = parts[..] else { continue };
        if arch::is_test(&file) {
            continue;
        }
        let lines = arch::product(&tree::read(&file)?).lines().filter(|line| !line.starts_with("//!")).count();
        *sizes.entry((*krate).to_owned()).or_default() += lines;
        if rooms::CRATES.contains(&krate) && !room.ends_with(".rs") {
            *sizes.entry(format!("{krate}/{room}")).or_default() += lines;
        }
    }
    for (place, lines) in sizes {
        let limit = match place.as_str() {
            room if room.contains('/') => ROOM,
            krate if SMALL_CRATES.contains(&krate) => SMALL_CRATE,
            _ => CRATE,
        };
        count(breaches, "lines too many", place, lines.saturating_sub(limit));
    }
    for folder in ["web/src", "web/external"] {
        for file in tree::files(folder, ".ts")? {
            if arch::is_test(&file) || LONG_TS.iter().any(|part| file.contains(part)) {
                continue;
            }
            let lines = tree::read(&file)?.lines().count();
            count(breaches, "lines too many", file, lines.saturating_sub(TS_FILE));
        }
    }
    Ok(())
}
