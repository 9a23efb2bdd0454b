//! A small XML document as a tree: what the tax office answers, and our own records when they are checked.

use quick_xml::NsReader;
use quick_xml::events::{BytesRef, Event};

/// Elements of a document at most; an answer about 1,000 records has some 12,000.
const MOST: usize = 60_000;
/// How deep elements may stand in each other.
const DEEPEST: usize = 40;

/// An element without its prefix and attributes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Element {
    pub name: String,
    /// Trimmed.
    pub text: String,
    pub children: Vec<Element>,
}

/// Why a document was not read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TreeError {
    #[error("not well-formed: {0}")]
    Broken(String),
    /// A document type, an entity of its own, or more elements than any answer has.
    #[error("not accepted: {0}")]
    Refused(&'static str),
}

/// Reads a document. Document types and entities beyond XML's five are refused.
///
/// Errors: [`TreeError`].
pub fn parse(xml: &str) -> Result<Element, TreeError> {
    let broken = |error: &dyn std::fmt::Display| TreeError::Broken(error.to_string());
    let mut reader = NsReader::from_str(xml);
    let mut stack = vec![Element::default()];
    let mut count = 0;
    loop {
        match reader.read_event().map_err(|error| broken(&error))? {
            Event::Start(start) => {
                count += 1;
                if count > MOST || stack.len() > DEEPEST {
                    return Err(TreeError::Refused("too many elements"));
                }
                let name = start.local_name();
                let name = std::str::from_utf8(name.as_ref()).map_err(|error| broken(&error))?;
                stack.push(Element { name: name.to_owned(), ..Element::default() });
            }
            Event::Empty(start) => {
                count += 1;
                let name = start.local_name();
                let name = std::str::from_utf8(name.as_ref()).map_err(|error| broken(&error))?;
                let element = Element { name: name.to_owned(), ..Element::default() };
                stack.last_mut().ok_or(TreeError::Refused("no root"))?.children.push(element);
            }
            Event::End(_) => {
                let mut done = stack.pop().ok_or(TreeError::Refused("no root"))?;
                done.text = done.text.trim().to_owned();
                stack.last_mut().ok_or(TreeError::Refused("no root"))?.children.push(done);
            }
            Event::Text(text) => {
                let text = text.decode().map_err(|error| broken(&error))?;
                stack.last_mut().ok_or(TreeError::Refused("no root"))?.text.push_str(&text);
            }
            Event::CData(data) => {
                let text = data.decode().map_err(|error| broken(&error))?;
                stack.last_mut().ok_or(TreeError::Refused("no root"))?.text.push_str(&text);
            }
            Event::GeneralRef(entity) => {
                let letter = letter(&entity)?;
                stack.last_mut().ok_or(TreeError::Refused("no root"))?.text.push(letter);
            }
            Event::DocType(_) => return Err(TreeError::Refused("a document type")),
            Event::Eof => break,
            Event::Comment(_) | Event::Decl(_) | Event::PI(_) => {}
        }
    }
    match stack.pop().filter(|_| stack.is_empty()) {
        Some(mut outside) if outside.children.len() == 1 => Ok(outside.children.remove(0)),
        _ => Err(TreeError::Broken("cut off, or without a root".into())),
    }
}

fn letter(entity: &BytesRef<'_>) -> Result<char, TreeError> {
    let refused = TreeError::Refused("an entity");
    if let Ok(Some(letter)) = entity.resolve_char_ref() {
        return Ok(letter);
    }
    match &**entity {
        b"amp" => Ok('&'),
        b"lt" => Ok('<'),
        b"gt" => Ok('>'),
        b"quot" => Ok('"'),
        b"apos" => Ok('\''),
        _ => Err(refused),
    }
}

impl Element {
    /// The first child of that name.
    pub fn child(&self, name: &str) -> Option<&Element> {
        self.children.iter().find(|child| child.name == name)
    }

    /// The element at the end of a path of names.
    pub fn at(&self, path: &[&str]) -> Option<&Element> {
        path.iter().try_fold(self, |element, name| element.child(name))
    }

    /// The text at the end of a path; empty without it.
    pub fn text_at(&self, path: &[&str]) -> &str {
        self.at(path).map_or("", |element| &element.text)
    }

    /// The first element of that name, here or below.
    pub fn find(&self, name: &str) -> Option<&Element> {
        if self.name == name {
            return Some(self);
        }
        self.children.iter().find_map(|child| child.find(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lose_their_prefix_and_texts_their_escapes() {
        let tree = parse("<?xml version='1.0'?><a:r xmlns:a='x'><a:n> A&amp;B&#241; </a:n><e/></a:r>").expect("it is read");
        assert_eq!((tree.name.as_str(), tree.text_at(&["n"]), tree.children.len()), ("r", "A&Bñ", 2));
        assert_eq!(tree.find("e").map(|element| element.text.as_str()), Some(""));
    }

    // EINV-8
    #[test]
    fn hostile_documents_are_refused() {
        let bomb = "<!DOCTYPE r [<!ENTITY a 'aaaa'>]><r>&a;</r>";
        assert_eq!(parse(bomb), Err(TreeError::Refused("a document type")));
        assert_eq!(parse("<r>&a;</r>"), Err(TreeError::Refused("an entity")));
        assert_eq!(parse(&"<r>".repeat(200)), Err(TreeError::Refused("too many elements")));
        for cut in ["", "<r>", "<r><a></r>", "text", "<r/><r/>"] {
            assert!(matches!(parse(cut), Err(TreeError::Broken(_))), "{cut}");
        }
    }
}
