//! Walls that are being put up: each rule counts its breaches per place, and a list of what is allowed can only shrink.
//!
//! `xtask/walls-allowed.txt` holds a line per rule and place with the number of breaches there. More of them fail, and so
//! do fewer: then `cargo xtask walls --shrink` lowers the numbers. It refuses to raise one or to add a line.

mod citations;
mod imports;
mod problems;
mod rooms;
mod rules;
mod sizes;
mod web;
mod workbooks;

use crate::tree;
use anyhow::{Context, Result, bail};
use std::collections::BTreeMap;

const FILE: &str = "xtask/walls-allowed.txt";

/// How often a rule is broken in a place: (rule, place) and a count.
pub type Breaches = BTreeMap<(String, String), usize>;

/// Counts one more breach.
fn count(breaches: &mut Breaches, rule: &str, place: impl Into<String>, times: usize) {
    if times > 0 {
        *breaches.entry((rule.to_owned(), place.into())).or_default() += times;
    }
}

fn found() -> Result<Breaches> {
    let mut breaches = Breaches::new();
    rooms::check(&mut breaches)?;
    web::check(&mut breaches)?;
    sizes::check(&mut breaches)?;
    citations::check(&mut breaches)?;
    problems::check(&mut breaches)?;
    rules::check(&mut breaches)?;
    workbooks::check(&mut breaches)?;
    Ok(breaches)
}

/// Fails when the code and the list differ, in either direction.
pub fn run() -> Result<()> {
    let (found, allowed) = (found()?, allowed()?);
    let wrong = differences(&found, &allowed);
    if !wrong.is_empty() {
        bail!("walls: {} difference(s) from {FILE}\n{}", wrong.len(), wrong.join("\n"));
    }
    let mut totals: BTreeMap<&str, usize> = BTreeMap::new();
    for ((rule, _), times) in &found {
        *totals.entry(rule).or_default() += times;
    }
    println!("walls: as allowed; still to go: {totals:?}");
    Ok(())
}

/// Writes the list anew, provided that no number rises. Moved files may take their numbers along: `total` compares sums per rule.
pub fn shrink(total: bool) -> Result<()> {
    let (found, allowed) = (found()?, allowed()?);
    let sum = |list: &Breaches, rule: &str| list.iter().filter(|((of, _), _)| of == rule).map(|(_, times)| times).sum::<usize>();
    let worse: Vec<String> = found
        .iter()
        .filter(|((rule, place), times)| {
            let (now, before) = if total {
                (sum(&found, rule), sum(&allowed, rule))
            } else {
                (**times, allowed.get(&(rule.clone(), place.clone())).copied().unwrap_or(0))
            };
            // A rule that nobody was held to yet starts with what there is.
            now > before && sum(&allowed, rule) > 0
        })
        .map(|((rule, place), times)| format!("{rule}\t{place}\t{times}"))
        .collect();
    if !worse.is_empty() {
        bail!("walls: the list only shrinks; mend these:\n{}", worse.join("\n"));
    }
    let lines: Vec<String> = found.iter().map(|((rule, place), times)| format!("{rule}\t{place}\t{times}\n")).collect();
    std::fs::write(tree::root().join(FILE), lines.concat()).context(FILE)
}

fn allowed() -> Result<Breaches> {
    let mut allowed = Breaches::new();
    for line in std::fs::read_to_string(tree::root().join(FILE)).unwrap_or_default().lines() {
        let parts: Vec<&str> = line.split('\t').collect();
        let [rule, place, times] = parts[..] else { bail!("{FILE}: `{line}` is no rule, place and number") };
        allowed.insert((rule.to_owned(), place.to_owned()), times.parse().with_context(|| line.to_owned())?);
    }
    Ok(allowed)
}

fn differences(found: &Breaches, allowed: &Breaches) -> Vec<String> {
    let mut wrong = Vec::new();
    for (key @ (rule, place), times) in found {
        let limit = allowed.get(key).copied().unwrap_or(0);
        if *times > limit {
            wrong.push(format!("{rule}: {place}: {times}, allowed {limit}"));
        }
    }
    for (key @ (rule, place), limit) in allowed {
        let times = found.get(key).copied().unwrap_or(0);
        if times < *limit {
            wrong.push(format!("{rule}: {place}: only {times} of {limit} are left; run `cargo xtask walls --shrink`"));
        }
    }
    wrong
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(entries: &[(&str, usize)]) -> Breaches {
        entries.iter().map(|(place, times)| (("rule".to_owned(), (*place).to_owned()), *times)).collect()
    }

    #[test]
    fn more_than_allowed_and_less_than_listed_are_both_told() {
        assert!(differences(&list(&[("a", 2)]), &list(&[("a", 2)])).is_empty());
        assert_eq!(differences(&list(&[("a", 3)]), &list(&[("a", 2)])), ["rule: a: 3, allowed 2"]);
        assert_eq!(differences(&list(&[("b", 1)]), &list(&[])), ["rule: b: 1, allowed 0"]);
        assert_eq!(differences(&list(&[]), &list(&[("a", 2)])).len(), 1);
    }
}
