//! What the rooms' endpoints have in common: faults as the outside sees them, files in both directions.

use crate::BillingError;
use atalaya_db::DbError;
use atalaya_rest::extract::multipart_problem;
use atalaya_rest::page::{ListQuery, PageQuery, Slice};
use atalaya_rest::{FieldError, Multipart, Problem};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;

/// Bytes of a form around its file.
pub(crate) const FORM_BYTES: usize = 64 * 1024;

impl From<BillingError> for Problem {
    fn from(error: BillingError) -> Problem {
        match error {
            BillingError::Db(ref db) => Problem::database(matches!(db, DbError::Unavailable(_)), db),
            BillingError::Identity(error) => error.into(),
            BillingError::Content(error) => error.into(),
            BillingError::Invoice(error) => error.into(),
            BillingError::Issuing(error) => error.into(),
            BillingError::Rectification(error) => error.into(),
            BillingError::Mandate(error) => error.into(),
            BillingError::Remittance(error) => error.into(),
            BillingError::BankFile(error) => error.into(),
            BillingError::InvoiceProcess(error) => error.into(),
            BillingError::Verifactu(error) => error.into(),
            fault @ (BillingError::Text(_)
            | BillingError::Tariff(_)
            | BillingError::Document(_)
            | BillingError::Corrupt(_)
            | BillingError::Internal(_)) => Problem::internal(fault),
        }
    }
}

/// An answer with a file that no proxy may keep. Its name is of our making and ASCII; `disposition` is `inline` or
/// `attachment`.
pub(crate) fn file(bytes: impl IntoResponse, kind: &'static str, disposition: &str, name: &str) -> Response {
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
pub(crate) struct FormFile {
    pub name: String,
    pub bytes: Bytes,
    texts: Vec<(String, String)>,
}

impl FormFile {
    /// Reads the form; its part `file` may have `max` bytes, and each text counts with its first 120 characters.
    ///
    /// Errors: 422 `FILE_EMPTY` at `file`, 413 `FILE_TOO_LARGE`.
    pub(crate) async fn read(mut form: Multipart, max: usize) -> Result<Self, Problem> {
        let large = || Problem::too_large("FILE_TOO_LARGE");
        let limit = |problem: Problem| if problem.code() == "BODY_TOO_LARGE" { large() } else { problem };
        let (mut file, mut texts) = (None, Vec::new());
        while let Some(field) = form.next_field().await.map_err(limit)? {
            let field_name = field.name().unwrap_or_default().to_owned();
            let file_name = clean(field.file_name().unwrap_or_default());
            let bytes = field.bytes().await.map_err(|error| limit(multipart_problem(error)))?;
            match field_name.as_str() {
                "file" if bytes.len() > max => return Err(large()),
                "file" => file = Some((file_name, bytes)).filter(|(_, bytes)| !bytes.is_empty()),
                _ => texts.push((field_name, clean(&String::from_utf8_lossy(&bytes)))),
            }
        }
        let (name, bytes) = file.ok_or_else(|| Problem::invalid([FieldError::new("file", "FILE_EMPTY")]))?;
        Ok(Self { name, bytes, texts })
    }

    /// A text of the form, unless it is empty.
    pub(crate) fn text(&self, field: &str) -> Option<String> {
        let (_, text) = self.texts.iter().rev().find(|(name, _)| name == field)?;
        Some(text.trim().to_owned()).filter(|text| !text.is_empty())
    }
}

fn clean(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(120).collect()
}

/// The part of a list that a page asks for. Errors: 422 at `cursor`.
pub(crate) fn slice(page: PageQuery) -> Result<Slice, Problem> {
    ListQuery { limit: page.limit, cursor: page.cursor, ..ListQuery::default() }.slice()
}
