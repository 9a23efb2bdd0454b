//! Headers of tus 1.0.0, read strictly: what does not follow the protocol is refused, never guessed (FILES-16). Pure.

use crate::FilesError;
use axum::http::HeaderMap;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use std::collections::BTreeMap;

pub const VERSION: &str = "1.0.0";
pub const EXTENSIONS: &str = "creation,termination,checksum";
pub const ALGORITHMS: &str = "sha1,sha256";
/// Characters of an `Upload-Metadata` header at most; file names are far shorter.
const METADATA_MAX: usize = 8192;
const PAIRS_MAX: usize = 32;

const INVALID: FilesError = FilesError::Protocol("TUS_HEADER_INVALID");

fn text<'a>(headers: &'a HeaderMap, name: &str) -> Result<Option<&'a str>, FilesError> {
    let mut all = headers.get_all(name).iter();
    match (all.next(), all.next()) {
        (None, _) => Ok(None),
        (Some(value), None) => Ok(Some(value.to_str().map_err(|_| INVALID)?)),
        (Some(_), Some(_)) => Err(INVALID),
    }
}

/// Every request but `OPTIONS` names the protocol's version. Errors: `TUS_VERSION_NOT_SUPPORTED`.
pub fn require_version(headers: &HeaderMap) -> Result<(), FilesError> {
    match text(headers, "tus-resumable") {
        Ok(Some(VERSION)) => Ok(()),
        _ => Err(FilesError::Protocol("TUS_VERSION_NOT_SUPPORTED")),
    }
}

/// A count of bytes: digits and nothing else. Errors: `TUS_HEADER_INVALID`, also when it is missing.
pub fn bytes(headers: &HeaderMap, name: &str) -> Result<i64, FilesError> {
    parse_bytes(text(headers, name)?.ok_or(INVALID)?)
}

fn parse_bytes(text: &str) -> Result<i64, FilesError> {
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(INVALID);
    }
    text.parse().map_err(|_| INVALID)
}

/// What the client says about its file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Metadata(BTreeMap<String, String>);

impl Metadata {
    /// Reads `Upload-Metadata`; empty without the header. Errors: `TUS_HEADER_INVALID`.
    pub fn read(headers: &HeaderMap) -> Result<Self, FilesError> {
        text(headers, "upload-metadata")?.map_or(Ok(Self::default()), Self::parse)
    }

    /// Pairs of a key and a value in base64, joined by commas; a value may be missing.
    pub fn parse(header: &str) -> Result<Self, FilesError> {
        if header.len() > METADATA_MAX {
            return Err(INVALID);
        }
        let mut all = BTreeMap::new();
        if header.trim().is_empty() {
            return Ok(Self(all));
        }
        for pair in header.split(',') {
            let mut words = pair.split_ascii_whitespace();
            let key = words.next().filter(|key| key.is_ascii()).ok_or(INVALID)?;
            let value = STANDARD.decode(words.next().unwrap_or_default()).map_err(|_| INVALID)?;
            let value = String::from_utf8(value).map_err(|_| INVALID)?;
            if words.next().is_some() || all.len() == PAIRS_MAX || all.insert(key.to_owned(), value).is_some() {
                return Err(INVALID);
            }
        }
        Ok(Self(all))
    }

    /// A value that is not empty.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.0.get(key).map(|value| value.trim()).filter(|value| !value.is_empty())
    }
}

/// An algorithm and the sum that the bytes of a `PATCH` must have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checksum {
    pub sha256: bool,
    pub sum: Vec<u8>,
}

impl Checksum {
    /// Reads `Upload-Checksum`. Errors: `TUS_HEADER_INVALID`, also for an unsupported algorithm.
    pub fn read(headers: &HeaderMap) -> Result<Option<Self>, FilesError> {
        text(headers, "upload-checksum")?.map(Self::parse).transpose()
    }

    pub fn parse(header: &str) -> Result<Self, FilesError> {
        let (algorithm, sum) = header.split_once(' ').ok_or(INVALID)?;
        let (sha256, length) = match algorithm {
            "sha1" => (false, 20),
            "sha256" => (true, 32),
            _ => return Err(INVALID),
        };
        let sum = STANDARD.decode(sum.trim()).map_err(|_| INVALID)?;
        if sum.len() == length { Ok(Self { sha256, sum }) } else { Err(INVALID) }
    }
}

/// The body of a `PATCH` must be declared as bytes of an upload. Errors: `TUS_CONTENT_TYPE`.
pub fn require_bytes(headers: &HeaderMap) -> Result<(), FilesError> {
    match text(headers, "content-type") {
        Ok(Some("application/offset+octet-stream")) => Ok(()),
        _ => Err(FilesError::Protocol("TUS_CONTENT_TYPE")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;
    use proptest::prelude::*;

    fn encoded(pairs: &[(&str, &str)]) -> String {
        let pairs: Vec<String> = pairs.iter().map(|(key, value)| format!("{key} {}", STANDARD.encode(value))).collect();
        pairs.join(",")
    }

    // FILES-16
    #[test]
    fn metadata_is_read() {
        let header = encoded(&[("filename", "daño lateral.jpg"), ("filetype", "image/jpeg"), ("item", "")]);
        let meta = Metadata::parse(&header).unwrap();
        assert_eq!((meta.get("filename"), meta.get("filetype")), (Some("daño lateral.jpg"), Some("image/jpeg")));
        assert_eq!((meta.get("item"), meta.get("other")), (None, None));
        assert_eq!(Metadata::parse("is_confidential").unwrap().get("is_confidential"), None, "a key may stand alone");
        assert_eq!(Metadata::parse(" ").unwrap(), Metadata::default());
    }

    // FILES-16
    #[test]
    fn broken_metadata_is_refused() {
        for header in [
            "filename not-base64!",
            "filename YQ==,filename Yg==",
            "filename YQ== extra",
            ",",
            "filename YQ==,,x",
            "filename /w==",
            &"x".repeat(8193),
            &["k"; 2].join(","),
            &(0..33).map(|n| format!("k{n}")).collect::<Vec<_>>().join(","),
        ] {
            assert!(Metadata::parse(header).is_err(), "{header:.60}");
        }
    }

    #[test]
    fn counts_are_digits() {
        for (text, expected) in [
            ("0", Some(0)),
            ("007", Some(7)),
            ("9223372036854775807", Some(i64::MAX)),
            ("9223372036854775808", None),
            ("-1", None),
            ("+1", None),
            ("1.0", None),
            ("1e3", None),
            ("", None),
            (" 1", None),
            ("٣", None),
        ] {
            assert_eq!(parse_bytes(text).ok(), expected, "{text}");
        }
    }

    #[test]
    fn a_header_twice_is_none_at_all() {
        let mut headers = HeaderMap::new();
        headers.append("upload-offset", HeaderValue::from_static("1"));
        assert_eq!(bytes(&headers, "upload-offset").ok(), Some(1));
        headers.append("upload-offset", HeaderValue::from_static("2"));
        assert!(bytes(&headers, "upload-offset").is_err());
        assert!(bytes(&headers, "upload-length").is_err());
    }

    #[test]
    fn sums_have_their_length() {
        let sum = |n: usize| STANDARD.encode(vec![7; n]);
        assert!(!Checksum::parse(&format!("sha1 {}", sum(20))).unwrap().sha256);
        assert!(Checksum::parse(&format!("sha256 {}", sum(32))).unwrap().sha256);
        for bad in ["sha1", "sha1 ", "md5 AAAA", &format!("sha1 {}", sum(19)), &format!("sha256 {}", sum(20)), "sha1 ???"] {
            assert!(Checksum::parse(bad).is_err(), "{bad}");
        }
    }

    proptest! {
        #[test]
        fn any_header_is_answered(text in any::<String>(), raw in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = (Metadata::parse(&text), parse_bytes(&text), Checksum::parse(&text));
            if let Ok(value) = HeaderValue::from_bytes(&raw) {
                let mut headers = HeaderMap::new();
                for name in ["upload-metadata", "upload-offset", "upload-length", "upload-checksum", "tus-resumable", "content-type"] {
                    headers.insert(name, value.clone());
                }
                let _ = (Metadata::read(&headers), bytes(&headers, "upload-offset"), Checksum::read(&headers));
                prop_assert!(require_version(&headers).is_ok() == (raw == VERSION.as_bytes()));
                let _ = require_bytes(&headers);
            }
        }

        #[test]
        fn what_was_encoded_is_read(pairs in prop::collection::btree_map("[a-zA-Z]{1,12}", "\\PC{0,40}", 0..10)) {
            let list: Vec<(&str, &str)> = pairs.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect();
            let meta = Metadata::parse(&encoded(&list)).unwrap();
            for (key, value) in &pairs {
                prop_assert_eq!(meta.get(key).unwrap_or_default(), value.trim());
            }
        }

        #[test]
        fn counts_come_back(count in 0i64..) {
            prop_assert_eq!(parse_bytes(&count.to_string()).ok(), Some(count));
        }
    }
}
