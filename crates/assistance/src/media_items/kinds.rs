//! The kind of a file, decided by its bytes and never by its name (STORE-5). Pure.

use serde::{Deserialize, Serialize};

/// Media types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum MediaType {
    Picture,
    Video,
    Document,
}

impl MediaType {
    pub fn wire(self) -> &'static str {
        match self {
            MediaType::Picture => "PICTURE",
            MediaType::Video => "VIDEO",
            MediaType::Document => "DOCUMENT",
        }
    }

    pub fn parse(wire: &str) -> Option<Self> {
        [Self::Picture, Self::Video, Self::Document].into_iter().find(|t| t.wire() == wire)
    }

    /// Path prefix under which its files are served (STORE-14).
    pub fn folder(self) -> &'static str {
        if self == MediaType::Document { "uploads-documents" } else { "uploads" }
    }
}

/// An accepted kind of file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileKind {
    pub media_type: MediaType,
    pub mime: &'static str,
    pub extension: &'static str,
}

const fn kind(media_type: MediaType, mime: &'static str, extension: &'static str) -> FileKind {
    FileKind { media_type, mime, extension }
}

const ACCEPTED: [FileKind; 8] = [
    kind(MediaType::Picture, "image/jpeg", "jpg"),
    kind(MediaType::Picture, "image/png", "png"),
    kind(MediaType::Picture, "image/webp", "webp"),
    kind(MediaType::Picture, "image/heif", "heic"),
    kind(MediaType::Video, "video/webm", "webm"),
    kind(MediaType::Video, "video/mp4", "mp4"),
    kind(MediaType::Video, "video/quicktime", "mov"),
    kind(MediaType::Document, "application/pdf", "pdf"),
];

impl FileKind {
    /// The kind of these bytes; `None` for anything that is not accepted, active content included.
    pub fn of(bytes: &[u8]) -> Option<Self> {
        let mime = infer::get(bytes)?.mime_type();
        let mime = if mime == "image/heic" { "image/heif" } else { mime };
        ACCEPTED.into_iter().find(|k| k.mime == mime)
    }

    pub fn of_mime(mime: &str) -> Option<Self> {
        ACCEPTED.into_iter().find(|k| k.mime == mime)
    }
}

/// A name to show and to save a file under: no path, no control or reserved characters, at most 120 characters.
pub fn tidy_name(raw: &str, extension: &str) -> String {
    let base = raw.rsplit(['/', '\\']).next().unwrap_or_default();
    let clean: String = base
        .chars()
        .map(|c| if c.is_control() || "<>:\"|?*\u{202e}\u{202d}\u{200e}\u{200f}".contains(c) { '_' } else { c })
        .collect();
    let stem = clean.rsplit_once('.').map_or(clean.as_str(), |(stem, _)| stem).trim_matches([' ', '.']);
    let stem: String = stem.chars().take(120).collect();
    if stem.is_empty() { format!("archivo.{extension}") } else { format!("{stem}.{extension}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    // STORE-5
    #[test]
    fn kinds_come_from_the_bytes() {
        for (bytes, expected) in [
            (&b"\xff\xd8\xff\xe0\0\x10JFIF\0"[..], Some("image/jpeg")),
            (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", Some("image/png")),
            (b"%PDF-1.7\n", Some("application/pdf")),
            (b"<html><script>alert(1)</script>", None),
            (b"<svg xmlns='http://www.w3.org/2000/svg'/>", None),
            (b"MZ\x90\0", None),
            (b"PK\x03\x04", None),
            (b"", None),
        ] {
            assert_eq!(FileKind::of(bytes).map(|k| k.mime), expected);
        }
    }

    // STORE-5
    #[test]
    fn names_lose_paths_and_lies() {
        for (raw, expected) in [
            ("foto.JPG", "foto.jpg"),
            ("../../etc/passwd", "passwd.jpg"),
            ("C:\\x\\daño lateral.png", "daño lateral.jpg"),
            ("a\u{202e}gpj.exe", "a_gpj.jpg"),
            ("", "archivo.jpg"),
            (".htaccess", "archivo.jpg"),
            ("in\r\nvoice\".pdf", "in__voice_.jpg"),
        ] {
            assert_eq!(tidy_name(raw, "jpg"), expected, "{raw}");
        }
        assert_eq!(tidy_name(&"x".repeat(300), "jpg").len(), 124);
    }
}
