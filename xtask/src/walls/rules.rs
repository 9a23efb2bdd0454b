//! The product's rules (`docs/rules`): each id stands once, every cited id exists, and a test names every rule.

use super::{Breaches, count};
use crate::{arch, tree};
use anyhow::Result;
use std::collections::{BTreeMap, BTreeSet};

const PAGES: &str = "docs/rules";
const FOLDERS: [&str; 8] = ["crates", "web/src", "web/external", "e2e", "xtask/src", "scripts", "docs", "bench"];
const EXTENSIONS: [&str; 9] = [".rs", ".ts", ".tsx", ".mjs", ".css", ".sh", ".md", ".py", ".typ"];

pub fn check(breaches: &mut Breaches) -> Result<()> {
    let mut defined: BTreeMap<String, String> = BTreeMap::new();
    for page in tree::files(PAGES, ".md")? {
        for id in tree::read(&page)?.lines().filter_map(definition) {
            if defined.insert(id.to_owned(), page.clone()).is_some() {
                count(breaches, "rule defined twice", &page, 1);
            }
        }
    }
    let prefixes: BTreeSet<&str> = defined.keys().filter_map(|id| id.split('-').next()).collect();
    let mut tested: BTreeSet<String> = BTreeSet::new();
    for folder in FOLDERS {
        for extension in EXTENSIONS {
            for file in tree::files(folder, extension)? {
                let text = tree::read(&file)?;
                let product = if is_test(&file) { 0 } else { arch::product(&text).len() };
                for (at, id) in ids(&text).filter(|(_, id)| prefixes.contains(id.split('-').next().unwrap_or_default())) {
                    if !defined.contains_key(id) {
                        count(breaches, "cites a rule that does not exist", &file, 1);
                    } else if at >= product {
                        tested.insert(id.to_owned());
                    }
                }
            }
        }
    }
    for (id, page) in defined.iter().filter(|(id, _)| !tested.contains(*id)) {
        count(breaches, "rule that no test names", format!("{page} {id}"), 1);
    }
    Ok(())
}

fn is_test(file: &str) -> bool {
    arch::is_test(file) || file.starts_with("e2e/")
}

/// The id of `- **CASE-12** …`.
fn definition(line: &str) -> Option<&str> {
    line.strip_prefix("- **")?.split_once("**").map(|(id, _)| id)
}

/// Ids in comments, and anywhere in prose, with their place in the text. A string that looks like one is none.
fn ids(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut start = 0;
    text.split_inclusive('\n').flat_map(move |line| {
        let from = start;
        start += line.len();
        let trimmed = line.trim_start();
        let prose = ["//", "*", "/*", "#", "-", "|"].iter().any(|mark| trimmed.starts_with(mark));
        let comment = if prose { 0 } else { line.find("// ").or_else(|| line.find("/* ")).unwrap_or(line.len()) };
        words(&line[comment..]).map(move |(at, id)| (from + comment + at, id))
    })
}

/// Words of three to eight capitals, a hyphen and a number.
fn words(line: &str) -> impl Iterator<Item = (usize, &str)> {
    line.match_indices('-').filter_map(|(hyphen, _)| {
        let capitals = line[..hyphen].bytes().rev().take_while(u8::is_ascii_uppercase).count();
        let digits = line[hyphen + 1..].bytes().take_while(u8::is_ascii_digit).count();
        let (from, to) = (hyphen - capitals, hyphen + 1 + digits);
        let joined = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
        let whole = !line[..from].ends_with(joined) && !line[to..].starts_with(joined);
        ((3..=8).contains(&capitals) && digits > 0 && whole).then(|| (from, &line[from..to]))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_read_from_comments_and_prose() {
        let found = |text| ids(text).map(|(_, id)| id).collect::<Vec<_>>();
        assert_eq!(found("/// As CASE-12 and HOOK-3 want.\n  let x = 1; // CASE-7"), ["CASE-12", "HOOK-3", "CASE-7"]);
        assert!(found("let name = \"CASE-1\";").is_empty());
        assert!(found("// UTF-8x SHA-256-A EXP-MAIN-1 CASE_1").is_empty());
        assert_eq!(definition("- **CASE-12** A case has a number."), Some("CASE-12"));
    }

    #[test]
    fn a_place_lies_behind_the_product() {
        let text = "fn f() {}\n#[cfg(test)]\nmod tests {\n    // CASE-2\n}\n";
        let (at, id) = ids(text).next().expect("an id");
        assert_eq!((id, at >= arch::product(text).len()), ("CASE-2", true));
    }
}
