//! Languages: the same keys and placeholders everywhere, nothing left in Spanish, nothing unused, no text outside.

mod sources;

use crate::tree;
use anyhow::{Context, Result, bail};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};

const SOURCE: &str = "es";
/// Keys whose text is the same word as in Spanish, by language; looked through by a translator. A new one fails.
const SAME: &str = "xtask/i18n-same.json";
/// Languages of the end client's pages alone, and the bundles that they have.
const CLIENT_ONLY: [&str; 4] = ["ar", "de", "it", "ro"];
const CLIENT_SPACES: [&str; 5] = ["check", "client", "messages", "upload", "visit"];
/// Beginnings of the messages to end clients; these languages have no others.
const CLIENT_MESSAGES: [&str; 10] = [
    "email.",
    "page.",
    "session.",
    "appointment.",
    "appointment-reminder.",
    "appointment-cancelled.",
    "calendar.",
    "files-request.",
    "files-reminder.",
    "files-rejected.",
];
/// Keys that no source names in full: `namespace.key`, or `namespace.*`.
const UNNAMED: &str = include_str!("unnamed.txt");

/// Compares every language with Spanish, and Spanish with what the sources use.
pub fn run() -> Result<()> {
    let mut breaches = Vec::new();
    let same: BTreeMap<String, BTreeSet<String>> = serde_json::from_str(&tree::read(SAME)?).context(SAME)?;
    let sources = sources::Sources::read()?;
    for file in tree::files(&format!("locales/{SOURCE}"), ".json")? {
        let space = file.rsplit('/').next().unwrap_or("").trim_end_matches(".json").to_owned();
        let source = bundle(&file)?;
        unused(&space, &source, &sources, &mut breaches);
        let whole = source;
        for language in languages(&space)? {
            let source = expected(&space, &language, &whole);
            let other = bundle(&format!("locales/{language}/{space}.json"))?;
            compare(&space, &language, &source, &other, &mut breaches);
            let allowed = same.get(&language);
            untranslated(&space, &language, &source, &other, |key| allowed.is_some_and(|keys| keys.contains(key)), &mut breaches);
        }
    }
    breaches.extend(sources::visible_texts()?);
    if !breaches.is_empty() {
        bail!("i18n: {} breach(es)\n{}", breaches.len(), breaches.join("\n"));
    }
    println!("i18n: every language has the same keys and placeholders; every key is used and translated");
    Ok(())
}

/// What a language has of a namespace: everything, or of the messages only those to end clients.
fn expected(space: &str, language: &str, whole: &Map<String, Value>) -> Map<String, Value> {
    let part = space == "messages" && CLIENT_ONLY.contains(&language);
    let has = |key: &str| !part || CLIENT_MESSAGES.iter().any(|start| key.starts_with(start));
    whole.iter().filter(|(key, _)| has(key)).map(|(key, text)| (key.clone(), text.clone())).collect()
}

/// Writes down which texts are the same as in Spanish today; for whoever has looked through them.
pub fn write_same() -> Result<()> {
    let mut same: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for file in tree::files(&format!("locales/{SOURCE}"), ".json")? {
        let space = file.rsplit('/').next().unwrap_or("").trim_end_matches(".json").to_owned();
        let source = bundle(&file)?;
        for language in languages(&space)? {
            let other = bundle(&format!("locales/{language}/{space}.json"))?;
            let keys = source.iter().filter(|(key, text)| is_words(text) && other.get(*key) == Some(*text));
            same.entry(language).or_default().extend(keys.map(|(key, _)| format!("{space}.{key}")));
        }
    }
    std::fs::write(tree::root().join(SAME), serde_json::to_string_pretty(&same)? + "\n").context(SAME)
}

/// Whether there is anything to translate: more than places, digits and signs.
fn is_words(text: &Value) -> bool {
    let mut depth = 0;
    let mut letters = 0;
    for c in text.as_str().unwrap_or("").chars() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            c if depth == 0 && c.is_alphabetic() => letters += 1,
            _ => {}
        }
    }
    letters > 2
}

fn untranslated(
    space: &str,
    language: &str,
    source: &Map<String, Value>,
    other: &Map<String, Value>,
    allowed: impl Fn(&str) -> bool,
    breaches: &mut Vec<String>,
) {
    for (key, text) in source {
        let name = format!("{space}.{key}");
        if is_words(text) && other.get(key) == Some(text) && !allowed(&name) {
            breaches.push(format!("{language}: {name} is as in Spanish: translate it, or add it to {SAME}"));
        }
    }
}

fn unused(space: &str, source: &Map<String, Value>, sources: &sources::Sources, breaches: &mut Vec<String>) {
    for key in source.keys() {
        let unnamed = UNNAMED.lines().any(|line| line == format!("{space}.{key}") || line == format!("{space}.*"));
        if !unnamed && !sources.name(space, key) {
            breaches.push(format!("{space}.{key} is used nowhere"));
        }
    }
}

/// Languages besides the source that have this namespace.
fn languages(space: &str) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(tree::root().join("locales")).context("locales")? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        let whole = !CLIENT_ONLY.contains(&name.as_str());
        if name != SOURCE && (whole || CLIENT_SPACES.contains(&space)) {
            names.push(name);
        }
    }
    names.sort();
    Ok(names)
}

fn bundle(file: &str) -> Result<Map<String, Value>> {
    serde_json::from_str(&tree::read(file)?).with_context(|| file.to_owned())
}

fn compare(space: &str, language: &str, source: &Map<String, Value>, other: &Map<String, Value>, breaches: &mut Vec<String>) {
    for (key, text) in source {
        match other.get(key) {
            None => breaches.push(format!("{language}: {space}.{key} is missing")),
            Some(translated) if placeholders(text) != placeholders(translated) => {
                breaches.push(format!("{language}: {space}.{key} has other placeholders"));
            }
            Some(_) => {}
        }
    }
    for key in other.keys().filter(|key| !source.contains_key(*key)) {
        breaches.push(format!("{language}: {space}.{key} is not in {SOURCE}"));
    }
}

/// Names inside braces.
fn placeholders(text: &Value) -> BTreeSet<String> {
    let text = text.as_str().unwrap_or("");
    let inside = text.split('{').skip(1).filter_map(|rest| rest.split('}').next());
    inside.map(|name| name.trim().to_owned()).filter(|name| !name.is_empty() && !name.starts_with('%')).collect()
}
