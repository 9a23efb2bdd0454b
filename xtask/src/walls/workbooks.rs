//! A list that is handed over as a workbook has all of its rows, or is refused: whoever answers one has asked
//! `ListQuery::wants_workbook`, `wants_streamed_workbook` or `page::workbook_holds` before.

use super::{Breaches, count};
use crate::{arch, tree};
use anyhow::Result;

const CHECKS: [&str; 3] = ["wants_workbook", "wants_streamed_workbook", "workbook_holds"];
/// Functions that answer one.
const ANSWERS: [&str; 2] = ["attachment", "streamed"];
/// Lists that cannot grow long: administrators enter the insurers by hand.
const BOUNDED: [&str; 1] = ["crates/identity/src/insurers/http.rs"];

pub fn check(breaches: &mut Breaches) -> Result<()> {
    for file in tree::files("crates", ".rs")? {
        if arch::is_test(&file) || file.starts_with("crates/rest/") || BOUNDED.contains(&file.as_str()) {
            continue;
        }
        let text = tree::read(&file)?;
        count(breaches, "workbook without a check of its length", &file, unchecked(arch::product(&text)).len());
    }
    Ok(())
}

/// Functions that answer a workbook whose length nobody has checked: neither they nor all of their callers in the file.
fn unchecked(text: &str) -> Vec<&str> {
    if !text.contains("xlsx") && !text.contains("sheet_stream") {
        return Vec::new();
    }
    let functions = functions(text);
    let answers = functions.iter().filter(|one| ANSWERS.iter().any(|answer| calls(one.body, answer)));
    answers.filter(|one| !is_checked(one, &functions, 0)).map(|one| one.name).collect()
}

fn is_checked(function: &Function<'_>, all: &[Function<'_>], depth: usize) -> bool {
    if CHECKS.iter().any(|check| calls(function.body, check)) {
        return true;
    }
    let callers: Vec<_> = all.iter().filter(|one| one.name != function.name && calls(one.body, function.name)).collect();
    depth < all.len() && !callers.is_empty() && callers.into_iter().all(|one| is_checked(one, all, depth + 1))
}

struct Function<'a> {
    name: &'a str,
    body: &'a str,
}

/// A file's functions; what stands between two of them counts for the first.
fn functions(text: &str) -> Vec<Function<'_>> {
    let mut starts = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if let Some(name) = defined(line) {
            starts.push((at, at + line.len(), name));
        }
        at += line.len();
    }
    let ends = starts.iter().skip(1).map(|(start, ..)| *start).chain([text.len()]);
    starts.iter().zip(ends).map(|((_, body, name), end)| Function { name, body: &text[*body..end] }).collect()
}

/// The name of the function that this line begins.
fn defined(line: &str) -> Option<&str> {
    let (before, rest) = line.split_once("fn ")?;
    let words = before.split_whitespace().all(|word| word == "async" || word.starts_with("pub"));
    rest.split(|c: char| !is_word(c)).next().filter(|name| words && !name.is_empty())
}

/// Whether the code calls `name`, as a function or a method.
fn calls(code: &str, name: &str) -> bool {
    let lines = code.lines().map(|line| line.split("//").next().unwrap_or(""));
    lines.flat_map(|line| line.match_indices(name).map(move |(at, _)| (line, at))).any(|(line, at)| {
        let before = line[..at].chars().next_back();
        line[at + name.len()..].starts_with('(') && !before.is_some_and(is_word)
    })
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    const LISTS: &str = "use atalaya_rest::xlsx::attachment;
async fn one(query: Query) -> Answer {
    if query.wants_workbook(total)? {
        return book(rows).await;
    }
}
pub(super) async fn other(query: Query) -> Answer {
    workbook_holds(total)?;
    book(rows).await
}
fn book(rows: Vec<Row>) -> Answer {
    attachment(\"filas\", rows)
}
";

    #[test]
    fn every_way_to_a_workbook_is_checked() {
        assert_eq!(unchecked(LISTS), [""; 0]);
        let removed = LISTS.replace("if query.wants_workbook(total)?", "if query.format == Some(\"xlsx\")");
        assert_eq!(unchecked(&removed), ["book"]);
        assert_eq!(unchecked(&LISTS.replace("    workbook_holds(total)?;\n", "    // workbook_holds(total)\n")), ["book"]);
        let alone = "use xlsx;\nfn book() {\n    xlsx::attachment(rows)\n}\n";
        assert_eq!(unchecked(alone), ["book"]);
        assert_eq!(unchecked(&alone.replace("use xlsx;\n", "").replace("xlsx::", "zip::")), [""; 0]);
    }
}
