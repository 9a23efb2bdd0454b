//! Nothing cites a document of the project that is not in the repository: a reader could not follow it.

use super::{Breaches, count};
use crate::tree;
use anyhow::Result;

const DOCUMENTS: [&str; 11] =
    ["SPEC", "DESIGN", "DOMAIN", "LOOK", "HOUSE", "MARKET", "PERF", "MEDIA", "CONGESTION", "DEPS", "ANCHORS"];
const FOLDERS: [&str; 10] =
    ["crates", "web/src", "web/external", "e2e/journeys", "e2e/engine", "xtask/src", "scripts", "docs", "bench", "deploy"];
const EXTENSIONS: [&str; 9] = [".rs", ".ts", ".tsx", ".mjs", ".css", ".sh", ".md", ".py", ".typ"];

pub fn check(breaches: &mut Breaches) -> Result<()> {
    for folder in FOLDERS {
        for extension in EXTENSIONS {
            for file in tree::files(folder, extension)? {
                if file.contains("node_modules") || file.contains("/generated/") || file.ends_with("walls/citations.rs") {
                    continue;
                }
                let lines = tree::read(&file)?.lines().filter(|line| cites(line)).count();
                count(breaches, "cites what is not here", file, lines);
            }
        }
    }
    Ok(())
}

/// A document's name followed by a section: `NAME §4`, `NAME 1.3`, `NAME.md`.
fn cites(line: &str) -> bool {
    DOCUMENTS.iter().any(|name| {
        line.match_indices(name).any(|(at, _)| {
            let (before, after) = (line[..at].chars().next_back(), &line[at + name.len()..]);
            let whole = !before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '-');
            let section = after.starts_with(" §") || after.starts_with(".md") || after.starts_with(" F");
            let number = after.strip_prefix(' ').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
            // A string such as `"MEDIA 1"` is data.
            whole && (section || (number && before != Some('"')))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_section_is_cited_and_a_word_is_not() {
        let name = DOCUMENTS[0];
        assert!(cites(&format!("as {name} §4 says")) && cites(&format!("({name} 1.3)")) && cites(&format!("{name}.md")));
        assert!(!cites("MEDIA files") && !cites("docs/SPEC-MAP") && !cites("RFC 3161"));
    }
}
