//! XML as a tree of elements, without document types, entities or namespace prefixes.

use super::ReadError;
use quick_xml::Reader;
use quick_xml::XmlVersion;
use quick_xml::events::{BytesStart, Event};
use std::borrow::Cow;

/// Deeper than any bank message goes.
const MAX_DEPTH: usize = 40;
/// A statement of ten thousand returns has about half of it.
const MAX_NODES: usize = 1_000_000;

/// An element: its local name, attributes, elements inside and text, trimmed by whoever reads it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Node {
    pub name: String,
    pub attributes: Vec<(String, String)>,
    pub children: Vec<Node>,
    pub text: String,
}

impl Node {
    pub fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    pub fn child(&self, name: &str) -> Option<&Node> {
        self.children.iter().find(|child| child.name == name)
    }

    pub fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Node> {
        self.children.iter().filter(move |child| child.name == name)
    }

    pub fn at(&self, path: &[&str]) -> Option<&Node> {
        path.iter().try_fold(self, |node, name| node.child(name))
    }

    /// The text at a path, trimmed; `None` when it is empty.
    pub fn text_at(&self, path: &[&str]) -> Option<&str> {
        self.at(path).map(|node| node.text.trim()).filter(|text| !text.is_empty())
    }
}

/// UTF-8, or Latin letters where the declaration says so.
pub(super) fn decode(bytes: &[u8]) -> Result<Cow<'_, str>, ReadError> {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(200)]).to_ascii_lowercase();
    let declared = head.split("?>").next().unwrap_or_default();
    if ["iso-8859-1", "iso-8859-15", "windows-1252"].iter().any(|name| declared.contains(name)) {
        return Ok(bytes.iter().map(|byte| char::from(*byte)).collect::<String>().into());
    }
    std::str::from_utf8(bytes).map(Cow::Borrowed).map_err(|_| ReadError::Malformed("letters".into()))
}

/// Reads a document.
///
/// Errors: [`ReadError::Malformed`] for what is cut or wrong, and for document types and entities;
/// [`ReadError::TooLarge`] beyond the limits of depth and nodes.
pub fn parse(text: &str) -> Result<Node, ReadError> {
    let wrong = |what: &str| ReadError::Malformed(what.to_owned());
    let mut reader = Reader::from_str(text);
    let mut open: Vec<Node> = Vec::new();
    let mut root = None;
    let mut nodes = 0;
    loop {
        let event = reader.read_event().map_err(|_| wrong("not well formed"))?;
        match event {
            Event::Start(ref start) | Event::Empty(ref start) => {
                nodes += 1;
                if nodes > MAX_NODES || open.len() >= MAX_DEPTH {
                    return Err(ReadError::TooLarge);
                }
                if root.is_some() {
                    return Err(wrong("more than one document"));
                }
                open.push(element(start)?);
                if matches!(event, Event::Empty(_)) {
                    close(&mut open, &mut root);
                }
            }
            Event::End(_) => close(&mut open, &mut root),
            Event::Text(text) => {
                let text = text.decode().map_err(|_| wrong("letters"))?;
                match open.last_mut() {
                    Some(node) => node.text.push_str(&text),
                    None if text.trim().is_empty() => {}
                    None => return Err(wrong("text outside the document")),
                }
            }
            Event::CData(data) => {
                let node = open.last_mut().ok_or_else(|| wrong("text outside the document"))?;
                node.text.push_str(&data.decode().map_err(|_| wrong("letters"))?);
            }
            Event::GeneralRef(name) => {
                let node = open.last_mut().ok_or_else(|| wrong("entity"))?;
                let name_text = name.decode().map_err(|_| wrong("letters"))?;
                match name.resolve_char_ref().map_err(|_| wrong("entity"))? {
                    Some(letter) => node.text.push(letter),
                    None => node
                        .text
                        .push_str(quick_xml::escape::resolve_predefined_entity(&name_text).ok_or_else(|| wrong("entity"))?),
                }
            }
            Event::DocType(_) => return Err(wrong("document type")),
            Event::Eof => break,
            Event::Decl(_) | Event::Comment(_) | Event::PI(_) => {}
        }
    }
    if !open.is_empty() {
        return Err(wrong("cut"));
    }
    root.ok_or_else(|| wrong("empty"))
}

fn element(start: &BytesStart<'_>) -> Result<Node, ReadError> {
    let wrong = || ReadError::Malformed("attribute".to_owned());
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).map_err(|_| ReadError::Malformed("letters".to_owned()));
    let mut node = Node { name: text(start.local_name().as_ref())?, ..Node::default() };
    for attribute in start.attributes() {
        let attribute = attribute.map_err(|_| wrong())?;
        let key = text(attribute.key.as_ref())?;
        // A prefix bound to the message's namespace serves as the default one.
        let prefix = start.name().prefix().map(|prefix| format!("xmlns:{}", String::from_utf8_lossy(prefix.as_ref())));
        let key = if prefix.as_deref() == Some(key.as_str()) { "xmlns".to_owned() } else { key };
        let value = attribute.normalized_value(XmlVersion::Implicit1_0).map_err(|_| wrong())?;
        node.attributes.push((key, value.into_owned()));
    }
    Ok(node)
}

/// The reader has checked that the end fits the start.
fn close(open: &mut Vec<Node>, root: &mut Option<Node>) {
    let Some(done) = open.pop() else { return };
    match open.last_mut() {
        Some(parent) => parent.children.push(done),
        None => *root = Some(done),
    }
}
