//! Opens the workbooks we write: the few parts of a ZIP and of SpreadsheetML that they use.

use flate2::read::DeflateDecoder;
use std::io::Read;

/// A sheet as somebody reads it; numbers and dates as Excel stores them.
#[derive(Debug)]
pub struct Sheet {
    pub name: String,
    pub rows: Vec<Vec<String>>,
}

/// The first sheet of a workbook.
pub fn open(bytes: &[u8]) -> Sheet {
    let text = |name: &str| String::from_utf8(entry(bytes, name).unwrap_or_else(|| panic!("{name} is in it"))).expect("UTF-8");
    let names: Vec<String> =
        elements(&text("xl/workbook.xml"), "sheet").into_iter().map(|(tag, _)| attribute(&tag, "name")).collect();
    let shared: Vec<String> = match entry(bytes, "xl/sharedStrings.xml") {
        Some(bytes) => {
            elements(&String::from_utf8(bytes).expect("UTF-8"), "si").into_iter().map(|(_, body)| inner(&body)).collect()
        }
        None => Vec::new(),
    };
    let sheet = text("xl/worksheets/sheet1.xml");
    assert!(!sheet.contains("<f>") && !sheet.contains("<f "), "no cell of ours is a formula");
    let rows = elements(&sheet, "row").into_iter().map(|(_, body)| row(&body, &shared)).collect();
    assert_eq!(names.len(), 1, "one sheet");
    Sheet { name: names[0].clone(), rows }
}

fn row(body: &str, shared: &[String]) -> Vec<String> {
    let mut cells = Vec::new();
    for (tag, body) in elements(body, "c") {
        let column =
            attribute(&tag, "r").bytes().take_while(u8::is_ascii_uppercase).fold(0, |n, b| n * 26 + usize::from(b - b'A') + 1);
        cells.resize(column - 1, String::new());
        let value = elements(&body, "v").into_iter().next().map(|(_, value)| value).unwrap_or_default();
        cells.push(match attribute(&tag, "t").as_str() {
            "s" => shared[value.parse::<usize>().expect("an index")].clone(),
            "str" => plain(&value),
            _ => value,
        });
    }
    cells
}

/// Opening tag and body of every element of this name; ours do not nest.
fn elements(xml: &str, name: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut rest = xml;
    while let Some(at) = rest.find(&format!("<{name}")) {
        rest = &rest[at..];
        let end = rest.find('>').expect("a tag ends");
        let tag = rest[..end].to_owned();
        let is_it = matches!(tag.as_bytes().get(name.len() + 1), None | Some(b' ' | b'/'));
        rest = &rest[end + 1..];
        if !is_it {
            continue;
        }
        let body = match tag.ends_with('/') {
            true => String::new(),
            false => rest[..rest.find(&format!("</{name}>")).expect("it is closed")].to_owned(),
        };
        found.push((tag, body));
    }
    found
}

fn attribute(tag: &str, name: &str) -> String {
    let Some(at) = tag.find(&format!(" {name}=\"")) else { return String::new() };
    let value = &tag[at + name.len() + 3..];
    plain(&value[..value.find('"').expect("a quote closes")])
}

/// The text of `<t>`.
fn inner(body: &str) -> String {
    elements(body, "t").into_iter().map(|(_, text)| plain(&text)).collect()
}

fn plain(text: &str) -> String {
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&")
}

/// A file of a ZIP, found by its central directory (APPNOTE 4.3.12).
fn entry(zip: &[u8], name: &str) -> Option<Vec<u8>> {
    let half = |at: usize| usize::from(u16::from_le_bytes([zip[at], zip[at + 1]]));
    let word = |at: usize| u32::from_le_bytes([zip[at], zip[at + 1], zip[at + 2], zip[at + 3]]) as usize;
    let end = zip.windows(4).rposition(|bytes| bytes == b"PK\x05\x06").expect("a ZIP has an end");
    let mut at = word(end + 16);
    for _ in 0..half(end + 10) {
        assert_eq!(&zip[at..at + 4], b"PK\x01\x02");
        let (method, size, length) = (half(at + 10), word(at + 20), half(at + 28));
        let local = word(at + 42);
        if &zip[at + 46..at + 46 + length] == name.as_bytes() {
            let from = local + 30 + half(local + 26) + half(local + 28);
            let packed = &zip[from..from + size];
            let mut bytes = Vec::new();
            match method {
                0 => bytes.extend_from_slice(packed),
                8 => _ = DeflateDecoder::new(packed).read_to_end(&mut bytes).expect("it is deflated"),
                other => panic!("method {other}"),
            }
            return Some(bytes);
        }
        at += 46 + length + half(at + 30) + half(at + 32);
    }
    None
}
