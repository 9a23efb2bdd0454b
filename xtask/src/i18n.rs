//! Languages: the same keys and placeholders everywhere.

use crate::tree;
use anyhow::{Context, Result, bail};
use serde_json::{Map, Value};
use std::collections::BTreeSet;

const SOURCE: &str = "es";
/// Compares every language with Spanish.
pub fn run() -> Result<()> {
    let mut breaches = Vec::new();
    for file in tree::files(&format!("locales/{SOURCE}"), ".json")? {
        let space = file.rsplit('/').next().unwrap_or("").trim_end_matches(".json").to_owned();
        let source = bundle(&file)?;
        for language in languages()? {
            let other = bundle(&format!("locales/{language}/{space}.json"))?;
            compare(&space, &language, &source, &other, &mut breaches);
        }
    }
    if !breaches.is_empty() {
        bail!("i18n: {} breach(es)\n{}", breaches.len(), breaches.join("\n"));
    }
    println!("i18n: every language has the same keys and placeholders");
    Ok(())
}

/// Languages besides the source.
fn languages() -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(tree::root().join("locales")).context("locales")? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if name != SOURCE {
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
