//! The values of a document, ready to be rendered: every text is already in its language.

use crate::letters::printable;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

/// A document of numbered sections with a code that leads to its verification.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Document {
    /// Two letters.
    pub language: String,
    pub title: String,
    /// One line under the title.
    pub subtitle: String,
    /// Its own number, in the header of every page.
    pub number: String,
    /// Becomes the creation date in the file; no clock is read.
    pub issued_at: DateTime<Utc>,
    /// In the footer of every page.
    pub code: String,
    /// The address in the footer's QR code.
    pub url: String,
    pub words: Words,
    pub sections: Vec<Section>,
}

/// The few words printed on every page.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Words {
    /// With `{n}` and `{m}`.
    pub page: String,
    /// Over the code.
    pub code: String,
    /// The alternative text of the QR code.
    pub qr: String,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Section {
    pub title: String,
    pub blocks: Vec<Block>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Block {
    /// Labels left, values right.
    Facts {
        heading: Option<String>,
        facts: Vec<Fact>,
    },
    Table {
        columns: Vec<Column>,
        rows: Vec<Vec<Cell>>,
    },
    Text {
        text: String,
        strong: bool,
    },
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Fact {
    pub label: String,
    pub value: Cell,
}

/// A column of a table; without a width it takes the remaining space.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Column {
    pub title: String,
    pub width_mm: Option<u32>,
    pub right: bool,
}

/// A value of one or more lines.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Cell {
    pub lines: Vec<String>,
    /// Smaller and quieter, under the lines.
    pub detail: Option<String>,
    /// Monospaced, for hashes and codes.
    pub mono: bool,
    /// The detail is marked, because it needs a look.
    #[serde(default)]
    pub marked: bool,
}

impl Cell {
    pub fn new(text: impl Into<String>) -> Self {
        Self { lines: vec![text.into()], ..Self::default() }
    }

    pub fn with_detail(text: impl Into<String>, detail: impl Into<String>) -> Self {
        Self { lines: vec![text.into()], detail: Some(detail.into()), ..Self::default() }
    }

    /// A code in one line.
    pub fn mono(text: impl Into<String>) -> Self {
        Self { lines: vec![text.into()], mono: true, ..Self::default() }
    }

    /// A hash of 64 characters in two lines of 32.
    pub fn hash(hex: &str) -> Self {
        let (first, second) = hex.split_at_checked(32).unwrap_or((hex, ""));
        let lines = [first, second].into_iter().filter(|line| !line.is_empty()).map(str::to_owned).collect();
        Self { lines, mono: true, ..Self::default() }
    }
}

/// Characters without a space after which a line may be broken; a longer run would leave its column (DOC-5).
const UNBROKEN_MAX: usize = 48;
/// The same in the narrow columns of tables.
const UNBROKEN_IN_TABLE: usize = 18;

/// The text with break points inside words that are too long for a column.
pub(crate) fn breakable(text: &str, most: usize) -> String {
    let mut out = String::with_capacity(text.len());
    let mut run = 0;
    for letter in text.chars() {
        run = if letter.is_whitespace() || matches!(letter, '-' | '/') { 0 } else { run + 1 };
        if run > most {
            out.push('\u{200b}');
            run = 1;
        }
        out.push(letter);
    }
    out
}

impl Document {
    /// The same with only characters that our fonts have, and every long word made breakable.
    pub(crate) fn prepared(&self) -> Self {
        let wrapped = |text: &str, most| breakable(&printable(text, false), most);
        let cell = |cell: &Cell, most| Cell {
            lines: cell.lines.iter().map(|l| if cell.mono { printable(l, true) } else { wrapped(l, most) }).collect(),
            detail: cell.detail.as_deref().map(|detail| wrapped(detail, most)),
            mono: cell.mono,
            marked: cell.marked,
        };
        let wide = |text: &str| wrapped(text, UNBROKEN_MAX);
        let mut copy = self.clone();
        copy.subtitle = wide(&copy.subtitle);
        for block in copy.sections.iter_mut().flat_map(|section| &mut section.blocks) {
            match block {
                Block::Facts { heading, facts } => {
                    *heading = heading.as_deref().map(wide);
                    facts.iter_mut().for_each(|fact| fact.value = cell(&fact.value, UNBROKEN_MAX));
                }
                Block::Table { rows, .. } => rows.iter_mut().flatten().for_each(|c| *c = cell(c, UNBROKEN_IN_TABLE)),
                Block::Text { text, .. } => *text = wide(text),
            }
        }
        copy
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // DOC-4
    #[test]
    fn hashes_are_two_lines_of_32() {
        let cell = Cell::hash(&"ab".repeat(32));
        assert_eq!(cell.lines.iter().map(String::len).collect::<Vec<_>>(), [32, 32]);
        assert_eq!(Cell::hash("abc").lines, ["abc"]);
    }

    // DOC-5
    #[test]
    fn only_long_words_are_touched() {
        assert_eq!(breakable("Calle de Alcalá 14, 28014 Madrid", 18), "Calle de Alcalá 14, 28014 Madrid");
        assert_eq!(breakable(&"x".repeat(40), 18).matches('\u{200b}').count(), 2);
    }
}
