//! Links that open something are printed without the code that opens it: a certificate is passed on (CERT-23).

use atalaya_pdf::{Block, Cell};

/// What stands before the code in the links of calls and of requests for files, short and long.
const DOORS: [&str; 4] = ["/external/files/", "/external/", "/c/", "/f/"];
/// Shorter ones are words.
const CODE_MIN: usize = 8;
/// What is printed instead.
const HIDDEN: &str = "…";

/// The text up to a code, the code's length, and what follows; `None` without a code.
fn split(text: &str) -> Option<(&str, &str)> {
    let mut codes = text.match_indices('/').filter_map(|(at, _)| {
        let door = DOORS.iter().find(|door| text[at..].starts_with(**door))?;
        let begin = at + door.len();
        let length = text[begin..].bytes().take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_')).count();
        (length >= CODE_MIN).then_some((begin, begin + length))
    });
    let (begin, end) = codes.next()?;
    Some((&text[..begin], &text[end..]))
}

/// Whether a text holds a link with its code.
pub(super) fn has_code(text: &str) -> bool {
    split(text).is_some()
}

fn hide(text: &mut String) {
    let mut shown = String::new();
    let mut rest = text.as_str();
    while let Some((before, after)) = split(rest) {
        shown.push_str(before);
        shown.push_str(HIDDEN);
        rest = after;
    }
    if !shown.is_empty() {
        shown.push_str(rest);
        *text = shown;
    }
}

fn hide_in(cell: &mut Cell) {
    cell.lines.iter_mut().chain(&mut cell.detail).for_each(hide);
}

/// Takes the codes out of every text of a block, whoever wrote it.
pub(super) fn without_codes(block: &mut Block) {
    match block {
        Block::Facts { heading, facts } => {
            heading.iter_mut().for_each(hide);
            facts.iter_mut().for_each(|fact| hide_in(&mut fact.value));
        }
        Block::Table { rows, .. } => rows.iter_mut().flatten().for_each(hide_in),
        Block::Text { text, .. } => hide(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // CERT-23
    #[test]
    fn codes_of_links_are_hidden_and_nothing_else() {
        for (text, shown) in [
            ("Fotos, por favor. https://a.example/f/aB3dE5gH7j", "Fotos, por favor. https://a.example/f/…"),
            ("https://a.example/c/aB3dE5gH7j?x=1 y a.example/f/0123456789.", "https://a.example/c/…?x=1 y a.example/f/…."),
            ("(https://a.example/external/files/0190-ab_cdef)", "(https://a.example/external/files/…)"),
            ("/api/v1/external/0123456789abcdef/track", "/api/v1/external/…/track"),
            ("https://a.example/verificar/7H2KQ-9VX0M", "https://a.example/verificar/7H2KQ-9VX0M"),
            ("y/c/ corto, 3/f/abc, ñ/f/ñandúñandú", "y/c/ corto, 3/f/abc, ñ/f/ñandúñandú"),
            ("", ""),
        ] {
            let mut printed = text.to_owned();
            hide(&mut printed);
            assert_eq!(printed, shown);
            assert_eq!(has_code(text), text != shown);
        }
    }

    // CERT-23
    #[test]
    fn every_part_of_a_block_is_looked_at() {
        let cell = || Cell::with_detail("https://a.example/f/aB3dE5gH7j", "UA https://a.example/c/aB3dE5gH7j");
        let fact = atalaya_pdf::Fact { label: "Texto".into(), value: cell() };
        let heading = Some("SMS /f/aB3dE5gH7j".to_owned());
        let blocks = [
            Block::Facts { heading, facts: vec![fact] },
            Block::Table { columns: Vec::new(), rows: vec![vec![cell()]] },
            Block::Text { text: "/f/aB3dE5gH7j".into(), strong: false },
        ];
        for mut block in blocks {
            without_codes(&mut block);
            let printed = format!("{block:?}");
            assert!(!printed.contains("aB3dE5gH7j") && printed.contains('…'), "{printed}");
        }
    }
}
