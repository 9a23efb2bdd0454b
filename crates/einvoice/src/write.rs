//! XML written element by element. Every text is cleaned and escaped here, nowhere else.

use quick_xml::escape::escape;
use std::fmt::Write;

/// A growing document; each call writes a whole element, so that what is opened is closed.
#[derive(Default)]
pub(crate) struct Xml(String);

impl Xml {
    pub(crate) fn with_declaration() -> Self {
        Self("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".to_owned())
    }

    /// `<name>value</name>`.
    pub(crate) fn text(&mut self, name: &str, value: &str) {
        self.0.push('<');
        self.0.push_str(name);
        self.0.push('>');
        self.0.push_str(&escape(value));
        self.close(name);
    }

    /// The same with attributes; their values are constants of ours.
    pub(crate) fn with(&mut self, name: &str, attributes: &[(&str, &str)], value: &str) {
        self.element(name, attributes, |xml| xml.0.push_str(&escape(value)));
    }

    /// `<name>value</name>`, or nothing.
    pub(crate) fn maybe(&mut self, name: &str, value: Option<&str>) {
        if let Some(value) = value {
            self.text(name, value);
        }
    }

    /// An element with elements in it.
    pub(crate) fn inside(&mut self, name: &str, content: impl FnOnce(&mut Self)) {
        self.element(name, &[], content);
    }

    /// The same with attributes; their values are constants of ours.
    pub(crate) fn element(&mut self, name: &str, attributes: &[(&str, &str)], content: impl FnOnce(&mut Self)) {
        self.0.push('<');
        self.0.push_str(name);
        for (key, value) in attributes {
            write!(self.0, " {key}=\"{value}\"").expect("a string takes what is written");
        }
        self.0.push('>');
        content(self);
        self.close(name);
    }

    /// XML that was written by us before.
    pub(crate) fn raw(&mut self, xml: &str) {
        self.0.push_str(xml);
    }

    fn close(&mut self, name: &str) {
        self.0.push_str("</");
        self.0.push_str(name);
        self.0.push('>');
    }

    pub(crate) fn finish(self) -> String {
        self.0
    }
}

/// Without what XML cannot hold, with single spaces, trimmed, cut to so many characters.
pub(crate) fn clean(text: &str, max: usize) -> String {
    let mut out = String::with_capacity(text.len());
    let mut count = 0;
    for word in text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty()) {
        let space = usize::from(count > 0);
        if count + space >= max {
            break;
        }
        out.push_str(&" "[..space]);
        count += space;
        for letter in word.chars().filter(|c| !matches!(u32::from(*c), 0xFFFE | 0xFFFF)).take(max - count) {
            out.push(letter);
            count += 1;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    // EINV-6
    #[test]
    fn texts_are_cleaned_and_cut_by_characters() {
        for (text, max, expected) in [
            ("  Talleres\tNúñez \u{0}&\r\n Peña ", 100, "Talleres Núñez & Peña"),
            ("ñññññ", 3, "ñññ"),
            ("ab cd", 3, "ab"),
            ("ab cd", 4, "ab c"),
            ("\u{FFFE}\u{1}", 9, ""),
        ] {
            assert_eq!(clean(text, max), expected, "{text:?}");
        }
    }
}
