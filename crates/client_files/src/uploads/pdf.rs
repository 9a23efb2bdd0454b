//! What a PDF must not contain: scripts, programs, other files (FILES-22; ISO 32000-1 §7.3.5 names, §12.6.4 actions). Pure.

/// Names that make a document run or contain something. No camera or printer driver writes them.
const ACTIVE: [&[u8]; 5] = [b"/JavaScript", b"/JS", b"/Launch", b"/EmbeddedFile", b"/EmbeddedFiles"];
/// Longer names do not occur by chance in compressed bytes.
const TELLING: usize = 6;

/// Whether the document contains something active. Reads the raw bytes, including names with `#` escapes; in streams, which
/// may be compressed, it looks for the long names only.
pub fn is_active(bytes: &[u8]) -> bool {
    let mut rest = bytes;
    loop {
        let (plain, stream) = match find(rest, b"stream") {
            Some(at) => (&rest[..at], &rest[at..]),
            None => (rest, &[][..]),
        };
        if names(plain).any(|name| ACTIVE.contains(&name.as_slice())) {
            return true;
        }
        if stream.is_empty() {
            return false;
        }
        let end = find(stream, b"endstream").unwrap_or(stream.len());
        let long = |name: &Vec<u8>| name.len() > TELLING && ACTIVE.contains(&name.as_slice());
        if names(&stream[..end]).any(|name| long(&name)) {
            return true;
        }
        rest = stream.get(end + b"endstream".len()..).unwrap_or_default();
    }
}

fn find(bytes: &[u8], needle: &[u8]) -> Option<usize> {
    bytes.windows(needle.len()).position(|window| window == needle)
}

/// The names of a piece, their escapes resolved. At most 32 characters of each: none of ours is longer.
fn names(bytes: &[u8]) -> impl Iterator<Item = Vec<u8>> + '_ {
    let starts = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'/').map(|(at, _)| at);
    starts.map(|at| name(&bytes[at..]))
}

fn name(bytes: &[u8]) -> Vec<u8> {
    let mut name = vec![b'/'];
    let mut rest = &bytes[1..];
    while name.len() < 32 {
        match rest {
            [b'#', high, low, tail @ ..] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => {
                let digit = |byte: u8| char::from(byte).to_digit(16).unwrap_or(0) as u8;
                name.push(digit(*high) << 4 | digit(*low));
                rest = tail;
            }
            [byte, tail @ ..] if !byte.is_ascii_whitespace() && *byte != 0 && !b"()<>[]{}/%".contains(byte) => {
                name.push(*byte);
                rest = tail;
            }
            _ => break,
        }
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn document(body: &str) -> Vec<u8> {
        format!("%PDF-1.7\n1 0 obj<</Type/Catalog {body}>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n").into_bytes()
    }

    // FILES-22
    #[test]
    fn active_documents_are_seen() {
        for body in [
            "/OpenAction<</S/JavaScript/JS(app.alert(1))>>",
            "/OpenAction 3 0 R>>endobj 3 0 obj<</S /JavaScript /JS 4 0 R",
            "/AA<</O<</S/Launch/F(cmd.exe)>>>>",
            "/Names<</EmbeddedFiles<</Names[(a)2 0 R]>>>>",
            "/Names<</J#61vaScript 3 0 R>>",
            "/#4a#53 (x)",
            ">>endobj 5 0 obj<</Type/EmbeddedFile/Length 3>>stream\nabc\nendstream endobj 6 0 obj<<",
            ">>endobj 5 0 obj<</Type/ObjStm/Length 40>>stream\n7 0 <</S/JavaScript>>\nendstream endobj 6 0 obj<<",
            ">>endobj 5 0 obj<</Length 1>>stream\n/JS endstream /JS (after the stream",
            "/Length 9 >> stream never ends /JavaScript",
        ] {
            assert!(is_active(&document(body)), "{body}");
        }
    }

    // FILES-22
    #[test]
    fn plain_documents_pass() {
        for body in [
            "",
            "/OpenAction[3 0 R/Fit]",
            "/JSON(x)/Launched/JavaScripts/Embedded",
            "/Title(Informe de JavaScript)",
            ">>endobj 5 0 obj<</Length 9>>stream\nx/JS \u{1}q/JS(\nendstream endobj 6 0 obj<<",
        ] {
            assert!(!is_active(&document(body)), "{body}");
        }
        assert!(!is_active(b"") && !is_active(b"/") && !is_active(b"stream"));
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_to_their_end(bytes in prop::collection::vec(any::<u8>(), 0..2000)) {
            is_active(&bytes);
        }

        #[test]
        fn a_script_is_found_wherever_it_lies(before in "[ a-z/<>()0-9]{0,80}", after in "[ a-z/<>()0-9]{0,80}") {
            let text = format!("{before} /JavaScript {after}");
            prop_assert!(is_active(text.as_bytes()));
        }
    }
}
