//! A room's rules answer its own error; only `http` (and the one file that holds the enum with its conversion) knows
//! how that looks outside.

use super::{Breaches, count, rooms};
use crate::{arch, tree};
use anyhow::Result;

/// Parts of paths where `Problem` may stand: handlers, what runs before them, and a room's error with its conversion.
const ALLOWED: [&str; 5] = ["/http.rs", "/http/", "/middleware.rs", "/guards.rs", "/error.rs"];

pub fn check(breaches: &mut Breaches) -> Result<()> {
    for krate in rooms::CRATES {
        for file in tree::files(&format!("crates/{krate}/src"), ".rs").unwrap_or_default() {
            if arch::is_test(&file) || ALLOWED.iter().any(|part| file.contains(part)) {
                continue;
            }
            let text = tree::read(&file)?;
            let lines = arch::product(&text).lines().filter(|line| names_problem(line)).count();
            count(breaches, "Problem outside http", file, lines);
        }
    }
    Ok(())
}

fn names_problem(line: &str) -> bool {
    let code = line.split("//").next().unwrap_or("");
    code.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == "Problem")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_type_counts_and_its_mention_does_not() {
        assert!(names_problem("    Err(Problem::invalid([field]))"));
        assert!(!names_problem("/// Answered as a Problem") && !names_problem("let problems = PdfProblem::new();"));
    }
}
