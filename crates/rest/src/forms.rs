//! Files in both directions: a form with one, an answer that is one.

use crate::extract::{Multipart, multipart_problem};
use crate::page::{ListQuery, PageQuery, Slice};
use crate::problem::{FieldError, Problem};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;

/// Characters of a form's text that count, unless a route says otherwise.
const TEXT_CHARS: usize = 120;
/// Bytes of a form around its file.
pub const FORM_BYTES: usize = 64 * 1024;

/// The media type of PDF, JPEG and PNG by their first bytes, whatever the file is called; `None` for anything else.
pub fn kind_of(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [b'%', b'P', b'D', b'F', b'-', ..] => Some("application/pdf"),
        [0xff, 0xd8, 0xff, ..] => Some("image/jpeg"),
        [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => Some("image/png"),
        _ => None,
    }
}

/// An answer with a file that no proxy may keep. Its name is of our making and ASCII; `disposition` is `inline` or
/// `attachment`.
pub fn file(bytes: impl IntoResponse, kind: &'static str, disposition: &str, name: &str) -> Response {
    let mut response = bytes.into_response();
    let headers = response.headers_mut();
    let disposition = format!("{disposition}; filename=\"{name}\"");
    let disposition = HeaderValue::from_str(&disposition).unwrap_or(HeaderValue::from_static("attachment"));
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(header::CONTENT_DISPOSITION, disposition);
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
    response
}

/// A file of a form with the texts that came beside it.
pub struct FormFile {
    pub name: String,
    pub bytes: Bytes,
    texts: Vec<(String, String)>,
}

impl FormFile {
    /// Reads the form; its part `file` may have `max` bytes, and each text counts with its first 120 characters.
    ///
    /// Errors: 422 `FILE_EMPTY` at `file`, 413 `FILE_TOO_LARGE`.
    pub async fn read(form: Multipart, max: usize) -> Result<Self, Problem> {
        Self::read_long(form, max, TEXT_CHARS).await
    }

    /// The same with texts of so many characters. Errors: those of [`FormFile::read`].
    pub async fn read_long(mut form: Multipart, max: usize, chars: usize) -> Result<Self, Problem> {
        let large = || Problem::too_large("FILE_TOO_LARGE");
        let limit = |problem: Problem| if problem.code() == "BODY_TOO_LARGE" { large() } else { problem };
        let (mut file, mut texts) = (None, Vec::new());
        while let Some(field) = form.next_field().await.map_err(limit)? {
            let field_name = field.name().unwrap_or_default().to_owned();
            let file_name = clean(field.file_name().unwrap_or_default(), TEXT_CHARS);
            let bytes = field.bytes().await.map_err(|error| limit(multipart_problem(error)))?;
            match field_name.as_str() {
                "file" if bytes.len() > max => return Err(large()),
                "file" => file = Some((file_name, bytes)).filter(|(_, bytes)| !bytes.is_empty()),
                _ => texts.push((field_name, clean(&String::from_utf8_lossy(&bytes), chars))),
            }
        }
        let (name, bytes) = file.ok_or_else(|| Problem::invalid([FieldError::new("file", "FILE_EMPTY")]))?;
        Ok(Self { name, bytes, texts })
    }

    /// A text of the form, unless it is empty.
    pub fn text(&self, field: &str) -> Option<String> {
        let (_, text) = self.texts.iter().rev().find(|(name, _)| name == field)?;
        Some(text.trim().to_owned()).filter(|text| !text.is_empty())
    }
}

fn clean(text: &str, chars: usize) -> String {
    text.chars().filter(|c| !c.is_control()).take(chars).collect()
}

/// The part of a list that a page asks for. Errors: 422 at `cursor`.
pub fn slice(page: PageQuery) -> Result<Slice, Problem> {
    ListQuery { limit: page.limit, cursor: page.cursor, ..ListQuery::default() }.slice()
}
