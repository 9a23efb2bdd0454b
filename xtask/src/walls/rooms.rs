//! Rooms of a crate: no circles among them, and each keeps its `store` and `entity` to itself.

use super::{Breaches, count, imports};
use crate::tree;
use anyhow::Result;
use std::collections::{BTreeMap, BTreeSet};

/// Crates that are made of rooms.
pub const CRATES: &[&str] = &[
    "identity",
    "outreach",
    "content",
    "cases",
    "assistance",
    "client_files",
    "records",
    "privacy",
    "integrations",
    "billing",
    "bank_files",
];

/// References from one room to another, per crate.
type Graph = BTreeMap<(String, String), usize>;

pub fn check(breaches: &mut Breaches) -> Result<()> {
    for krate in CRATES {
        let folder = format!("crates/{krate}/src");
        if !tree::root().join(&folder).is_dir() {
            continue;
        }
        let mut graph = Graph::new();
        for file in tree::files(&folder, ".rs")? {
            let text = tree::read(&file)?;
            let Some(room) = room_of(&file) else { continue };
            for path in imports::paths(&text, |word| word == "crate") {
                let Some(other) = path.get(1).filter(|other| **other != room && is_room(&folder, other)) else { continue };
                *graph.entry((room.clone(), other.clone())).or_default() += 1;
            }
            foreign_tables(breaches, krate, &room, &file, &text);
            open_doors(breaches, &file, &text);
        }
        circles(breaches, krate, &graph);
    }
    Ok(())
}

/// The room of `crates/x/src/room/…` or `crates/x/src/room.rs`; none for what composes rooms.
fn room_of(file: &str) -> Option<String> {
    let name = file.split('/').nth(3)?.trim_end_matches(".rs");
    (!matches!(name, "lib" | "deps" | "tasks" | "demo" | "error")).then(|| name.to_owned())
}

fn is_room(folder: &str, name: &str) -> bool {
    tree::root().join(folder).join(name).is_dir()
}

/// `crate::other::store::…` and `atalaya_x::other::entity::…`.
fn foreign_tables(breaches: &mut Breaches, krate: &str, room: &str, file: &str, text: &str) {
    for path in imports::paths(text, |word| word == "crate" || word.starts_with("atalaya_")) {
        let [root, other, part, ..] = path.as_slice() else { continue };
        let own = other == room && (root == "crate" || *root == format!("atalaya_{krate}"));
        if !own && matches!(part.as_str(), "store" | "entity") {
            count(breaches, &format!("foreign {part}"), file, 1);
        }
    }
}

fn open_doors(breaches: &mut Breaches, file: &str, text: &str) {
    for line in text.lines().map(str::trim) {
        let Some(rest) = line.strip_prefix("pub ").or_else(|| line.strip_prefix("pub(crate) ")) else { continue };
        if let Some(name @ ("store" | "entity")) = rest.strip_prefix("mod ").map(|name| name.trim_end_matches([';', ' ', '{'])) {
            count(breaches, &format!("{name} not private"), file, 1);
        }
    }
}

fn circles(breaches: &mut Breaches, krate: &str, graph: &Graph) {
    for ((from, to), times) in graph {
        // An edge is part of a circle when there is a way back.
        if reachable(graph, to).contains(from.as_str()) {
            count(breaches, "rooms in a circle", format!("{krate}: {from} -> {to}"), *times);
        }
    }
}

fn reachable<'a>(graph: &'a Graph, start: &'a str) -> BTreeSet<&'a str> {
    let (mut seen, mut next) = (BTreeSet::new(), vec![start]);
    while let Some(room) = next.pop() {
        if seen.insert(room) {
            next.extend(graph.keys().filter(|(from, _)| from == room).map(|(_, to)| to.as_str()));
        }
    }
    seen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_edges_with_a_way_back_are_in_a_circle() {
        let edge = |from: &str, to: &str| ((from.to_owned(), to.to_owned()), 1);
        let graph = Graph::from([edge("a", "b"), edge("b", "c"), edge("c", "a"), edge("c", "d")]);
        let mut breaches = Breaches::new();
        circles(&mut breaches, "x", &graph);
        let places: Vec<&str> = breaches.keys().map(|(_, place)| place.as_str()).collect();
        assert_eq!(places, ["x: a -> b", "x: b -> c", "x: c -> a"]);
    }
}
