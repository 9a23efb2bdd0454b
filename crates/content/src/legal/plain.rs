//! A legal text without its markup, as blocks of words for comparing and printing. Pure.

/// The kind of a block in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockKind {
    Heading,
    Paragraph,
    /// Of a list.
    Item,
    /// Of a table; its cells are joined.
    Row,
}

/// A heading, a paragraph, an item of a list, a row of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextBlock {
    pub kind: BlockKind,
    /// One line, with white space collapsed.
    pub text: String,
}

/// The blocks of sanitised HTML, in order; empty ones are left out.
pub fn blocks(html: &str) -> Vec<TextBlock> {
    let mut reader = Reader { kind: BlockKind::Paragraph, text: String::new(), found: Vec::new() };
    let mut rest = html;
    while let Some(open) = rest.find('<') {
        reader.text.push_str(&rest[..open]);
        let Some(length) = rest[open..].find('>') else {
            rest = &rest[open..];
            break;
        };
        reader.tag(&rest[open + 1..open + length]);
        rest = &rest[open + length + 1..];
    }
    reader.text.push_str(rest);
    reader.close();
    reader.found
}

struct Reader {
    kind: BlockKind,
    text: String,
    found: Vec<TextBlock>,
}

impl Reader {
    fn tag(&mut self, tag: &str) {
        let (closing, name) = match tag.strip_prefix('/') {
            Some(name) => (true, name),
            None => (false, tag),
        };
        let name: String = name.chars().take_while(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase();
        let kind = match name.as_str() {
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "caption" => BlockKind::Heading,
            "li" => BlockKind::Item,
            "tr" => BlockKind::Row,
            "p" | "div" | "blockquote" | "pre" | "ul" | "ol" | "table" | "hr" => BlockKind::Paragraph,
            "td" | "th" => return self.text.push_str(if closing { " · " } else { "" }),
            "br" => return self.text.push(' '),
            _ => return,
        };
        // A paragraph inside an item does not begin a block of its own.
        let inside = matches!(self.kind, BlockKind::Item | BlockKind::Row) && name == "p";
        if !inside {
            self.close();
            self.kind = if closing { BlockKind::Paragraph } else { kind };
        }
    }

    fn close(&mut self) {
        let text = unescape(&std::mem::take(&mut self.text));
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let text = text.trim_end_matches(" ·").to_owned();
        if !text.is_empty() {
            self.found.push(TextBlock { kind: self.kind, text });
        }
    }
}

/// The entities that our sanitiser writes.
fn unescape(text: &str) -> String {
    let named = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&nbsp;", " ")];
    // The ampersand comes last, so that its result is not decoded again.
    named.iter().fold(text.to_owned(), |text, (name, letter)| text.replace(name, letter)).replace("&amp;", "&")
}

#[cfg(test)]
mod tests {
    use super::*;
    use BlockKind::*;

    #[test]
    fn markup_becomes_blocks_of_words() {
        let html = "<h3>1.  Objeto</h3>\n<p>El <b>servicio</b> &amp; lo demás,<br>sin más.</p><ul><li><p>uno</p></li><li>dos</li></ul>\
                    <table><tr><td>a</td><td>b</td></tr></table><p> </p>suelto &lt;x&gt; <";
        let found: Vec<_> = blocks(html).into_iter().map(|block| (block.kind, block.text)).collect();
        let expected = [
            (Heading, "1. Objeto"),
            (Paragraph, "El servicio & lo demás, sin más."),
            (Item, "uno"),
            (Item, "dos"),
            (Row, "a · b"),
            (Paragraph, "suelto <x> <"),
        ];
        assert_eq!(found, expected.map(|(kind, text)| (kind, text.to_owned())));
        assert_eq!(blocks(""), []);
    }
}
