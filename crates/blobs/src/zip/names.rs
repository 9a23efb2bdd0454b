//! Names of entries: safe on every system, and unique.

use std::collections::{HashMap, HashSet};

/// Most systems keep 255 bytes of a name; this leaves room for ` (12)`.
const MAX_SEGMENT_BYTES: usize = 200;

/// Gives out unique names.
#[derive(Debug, Default)]
pub(super) struct Unique {
    taken: HashSet<String>,
    /// The number to try next for a name, so that a thousand equal names do not take a million tries.
    next: HashMap<String, u32>,
}

impl Unique {
    pub fn give(&mut self, wanted: &str) -> String {
        let name = clean(wanted);
        // Windows and macOS treat names that differ only in letter case as equal.
        let folded = name.to_lowercase();
        if self.taken.insert(folded.clone()) {
            return name;
        }
        let (stem, extension) = split_extension(&name);
        let next = self.next.entry(folded).or_insert(2);
        loop {
            let numbered = format!("{stem} ({next}){extension}");
            *next += 1;
            if self.taken.insert(numbered.to_lowercase()) {
                return numbered;
            }
        }
    }
}

/// Keeps folders, drops what would lead out of them, replaces what some system refuses in a name.
fn clean(wanted: &str) -> String {
    let segments = wanted.split('/').map(clean_segment).filter(|segment| !segment.is_empty());
    let name = segments.collect::<Vec<_>>().join("/");
    if name.is_empty() { "file".to_owned() } else { name }
}

fn clean_segment(segment: &str) -> String {
    let is_refused = |c: char| c.is_control() || r#"\:*?"<>|"#.contains(c) || ('\u{202A}'..='\u{202E}').contains(&c);
    let replaced: String = segment.chars().map(|c| if is_refused(c) { '_' } else { c }).collect();
    // A leading dot hides the file, a trailing dot or space is lost on Windows.
    let trimmed = replaced.trim_start_matches(['.', ' ']).trim_end_matches(['.', ' ']);
    if trimmed.len() <= MAX_SEGMENT_BYTES {
        return trimmed.to_owned();
    }
    let (stem, extension) = split_extension(trimmed);
    let extension = if extension.len() <= 20 { extension } else { "" };
    let mut end = MAX_SEGMENT_BYTES - extension.len();
    while !stem.is_char_boundary(end) {
        end -= 1;
    }
    format!("{}{extension}", stem[..end].trim_end())
}

/// `a/photo.jpg` is `a/photo` and `.jpg`.
fn split_extension(name: &str) -> (&str, &str) {
    let file_at = name.rfind('/').map_or(0, |slash| slash + 1);
    match name[file_at..].rfind('.') {
        Some(dot) if dot > 0 => name.split_at(file_at + dot),
        _ => (name, ""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    // STORE-11
    #[test]
    fn equal_names_are_numbered() {
        let mut unique = Unique::default();
        let given: Vec<_> = ["a.jpg", "a.jpg", "A.JPG", "a (2).jpg", "b/a.jpg", "b/a.jpg", "LEEME", "LEEME"]
            .iter()
            .map(|name| unique.give(name))
            .collect();
        let expected = ["a.jpg", "a (2).jpg", "A (3).JPG", "a (2) (2).jpg", "b/a.jpg", "b/a (2).jpg", "LEEME", "LEEME (2)"];
        assert_eq!(given, expected);
    }

    // STORE-11
    #[test]
    fn names_are_harmless() {
        for (wanted, given) in [
            ("../../etc/passwd", "etc/passwd"),
            ("/abs/one.pdf", "abs/one.pdf"),
            ("C:\\windows\\x.exe", "C__windows_x.exe"),
            ("peña \u{202E}gpj.exe", "peña _gpj.exe"),
            ("a\0b.txt", "a_b.txt"),
            (".hidden", "hidden"),
            ("trailing. ", "trailing"),
            ("", "file"),
            ("..", "file"),
        ] {
            assert_eq!(clean(wanted), given);
        }
        let long = clean(&format!("{}.jpeg", "ñ".repeat(300)));
        assert!(long.len() <= 200 && long.ends_with("ñ.jpeg"), "{long}");
        assert!(clean(&format!("x.{}", "y".repeat(400))).len() <= 200);
    }

    proptest! {
        #[test]
        fn no_two_alike_and_none_leads_out(wanted in prop::collection::vec("[aAbB./ ()2\\\\]{0,6}", 1..30)) {
            let mut unique = Unique::default();
            let mut seen = HashSet::new();
            for name in wanted {
                let given = unique.give(&name);
                prop_assert!(given.split('/').all(|segment| !matches!(segment, "" | "." | "..")), "{}", given);
                prop_assert!(!given.contains('\\'));
                prop_assert!(seen.insert(given.to_lowercase()), "{} twice", given);
            }
        }
    }
}
