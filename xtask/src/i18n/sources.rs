//! What the sources say: which keys they name, and which texts stand in them that should be in a bundle.

use crate::tree;
use anyhow::Result;
use std::collections::HashSet;

const FOLDERS: [(&str, &str); 4] = [("web/src", ".ts"), ("web/src", ".tsx"), ("web/external", ".ts"), ("web/external", ".tsx")];
/// Attributes that people read.
const READ: [&str; 5] = ["label=\"", "title=\"", "placeholder=\"", "aria-label=\"", "alt=\""];
/// Names and examples that are the same in every language.
const NAMES: [&str; 4] = ["Atalaya", "SHA-256", "ES00 0000 0000 0000 0000 0000", "XXXXX-XXXXX-XXXXX-XXXXX"];

/// Strings and words of the product's sources, tests left out.
pub(super) struct Sources {
    quoted: HashSet<String>,
    /// Strings with places, as the pieces between them: `w_${step}_title` is `["w_", "_title"]`.
    patterns: HashSet<Vec<String>>,
    words: HashSet<String>,
}

impl Sources {
    pub fn read() -> Result<Self> {
        let mut all = Self { quoted: HashSet::new(), patterns: HashSet::new(), words: HashSet::new() };
        for (folder, ending) in FOLDERS.into_iter().chain([("crates", ".rs"), ("web", ".html")]) {
            for file in tree::files(folder, ending)?.into_iter().filter(|file| !is_test(file)) {
                all.take(&tree::read(&file)?);
            }
        }
        Ok(all)
    }

    fn take(&mut self, text: &str) {
        let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        self.words.extend(text.split(|c| !word(c)).filter(|word| !word.is_empty()).map(str::to_owned));
        for mark in ['"', '\'', '`'] {
            for line in text.lines() {
                // Every stretch between two marks, the ones outside of strings too: naming too much is no harm.
                for piece in line.split(mark).skip(1) {
                    self.string(piece);
                }
            }
        }
    }

    fn string(&mut self, text: &str) {
        if text.len() > 80 {
            return;
        }
        if !text.contains('{') {
            self.quoted.insert(text.to_owned());
            return;
        }
        let pieces: Vec<String> = text
            .split('{')
            .enumerate()
            .map(|(at, piece)| {
                let plain = if at == 0 { piece } else { piece.split_once('}').map_or("", |(_, rest)| rest) };
                plain.trim_end_matches('$').to_owned()
            })
            .collect();
        let plain = pieces.concat();
        let key_like = plain.chars().all(|c| c.is_ascii_alphanumeric() || "._-".contains(c));
        if plain.len() >= 2 && key_like {
            self.patterns.insert(pieces);
        }
    }

    /// Whether a key of a namespace is named: whole, alone, by a pattern; an error by its code, a message by its purpose.
    pub fn name(&self, space: &str, key: &str) -> bool {
        let base = key.strip_suffix("_one").or_else(|| key.strip_suffix("_other")).unwrap_or(key);
        let mut forms = vec![key.to_owned(), base.to_owned(), format!("{space}.{key}"), format!("{space}.{base}")];
        match space {
            "errors" if self.words.contains(&key.to_uppercase()) || self.words.contains(key) => return true,
            "messages" => {
                let purpose = key.rsplit_once('.').map_or(key, |(purpose, _)| purpose);
                forms.extend([purpose.to_owned(), purpose.rsplit('.').next().unwrap_or(purpose).to_owned()]);
            }
            _ => {}
        }
        forms.iter().any(|form| self.quoted.contains(form) || self.patterns.iter().any(|pattern| fits(pattern, form)))
    }
}

fn is_test(file: &str) -> bool {
    file.contains(".test.")
        || file.contains("/tests/")
        || file.contains("/testing/")
        || file.starts_with("web/src/test/")
        || file.starts_with("web/dist")
}

/// Whether the pieces stand in the text in this order, the first at its start and the last at its end, with something between.
fn fits(pattern: &[String], text: &str) -> bool {
    let [first, middle @ .., last] = pattern else { return false };
    let Some(mut rest) = text.strip_prefix(first.as_str()) else { return false };
    for piece in middle {
        match rest.char_indices().nth(1).and_then(|(at, _)| Some(at + rest.get(at..)?.find(piece.as_str())?)) {
            Some(at) => rest = &rest[at + piece.len()..],
            None => return false,
        }
    }
    rest.len() > last.len() && rest.ends_with(last.as_str())
}

/// Texts for people that stand in a component instead of a bundle: between tags, or in an attribute that is read.
pub(super) fn visible_texts() -> Result<Vec<String>> {
    let mut found = Vec::new();
    for (folder, ending) in FOLDERS.into_iter().filter(|(_, ending)| *ending == ".tsx") {
        for file in tree::files(folder, ending)?.into_iter().filter(|file| !is_test(file)) {
            for (at, line) in tree::read(&file)?.lines().enumerate() {
                found.extend(
                    texts_of(line).into_iter().map(|text| format!("{file}:{}: \"{text}\" belongs into a bundle", at + 1)),
                );
            }
        }
    }
    Ok(found)
}

fn texts_of(line: &str) -> Vec<&str> {
    let between = line.split('>').skip(1).filter_map(|piece| piece.split_once("</")).map(|(text, _)| text);
    let attributes = READ.iter().flat_map(|name| line.split(name).skip(1)).filter_map(|rest| Some(rest.split_once('"')?.0));
    between.chain(attributes).map(str::trim).filter(|text| is_prose(text) && !NAMES.contains(text)).collect()
}

/// Three letters in a row and no code.
fn is_prose(text: &str) -> bool {
    let word = text.split(|c: char| !c.is_alphabetic()).any(|word| word.chars().count() > 2);
    word && !text.contains(['{', '}', '(', ')', '=', ';', '<'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_name_their_keys() {
        let pattern = |pieces: &[&str]| pieces.iter().map(|piece| (*piece).to_owned()).collect::<Vec<_>>();
        assert!(fits(&pattern(&["w_", "_title"]), "w_opened_title"));
        assert!(!fits(&pattern(&["w_", "_title"]), "w__title"));
        assert!(fits(&pattern(&["sepa.out_", ""]), "sepa.out_NO_IBAN"));
        assert!(!fits(&pattern(&["sepa.out_", ""]), "sepa.out_"));
        assert!(fits(&pattern(&["a_", "_b_", ""]), "a_1_b_2"));
    }

    #[test]
    fn prose_is_told_from_code() {
        assert_eq!(texts_of("<b>Guardar cambios</b>"), ["Guardar cambios"]);
        assert_eq!(texts_of("<TextInput label=\"Nombre\" />"), ["Nombre"]);
        assert!(texts_of("<b>{t('common.save')}</b>").is_empty());
        assert!(texts_of("<span>12 · 4</span>").is_empty());
    }
}
