//! Errors as the outside sees them: RFC 9457 problem documents with a stable code.

use crate::texts;
use atalaya_kernel::Language;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

/// What is wrong with one field of the request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldError {
    /// Name as on the wire, dotted when nested.
    pub field: Cow<'static, str>,
    /// Stable upper-case code; its lower-cased form is the key of the text.
    pub code: Cow<'static, str>,
    pub params: BTreeMap<&'static str, String>,
}

impl FieldError {
    pub fn new(field: impl Into<Cow<'static, str>>, code: impl Into<Cow<'static, str>>) -> Self {
        Self { field: field.into(), code: code.into(), params: BTreeMap::new() }
    }

    /// Fills `{name}` of the text.
    pub fn param(mut self, name: &'static str, value: impl fmt::Display) -> Self {
        self.params.insert(name, value.to_string());
        self
    }
}

/// An error answer. It gets its language and request id at the edge (`edge::observe`), so that rooms need neither.
#[derive(Clone, Debug)]
pub struct Problem(Box<Inner>);

#[derive(Clone, Debug)]
struct Inner {
    status: StatusCode,
    code: Cow<'static, str>,
    params: BTreeMap<&'static str, String>,
    errors: Vec<FieldError>,
    retry_after_s: Option<u64>,
    /// For our log only, never sent.
    cause: Option<String>,
}

impl Problem {
    pub fn new(status: StatusCode, code: impl Into<Cow<'static, str>>) -> Self {
        Self(Box::new(Inner {
            status,
            code: code.into(),
            params: BTreeMap::new(),
            errors: Vec::new(),
            retry_after_s: None,
            cause: None,
        }))
    }

    /// 400: the request cannot be read at all.
    pub fn malformed(code: &'static str) -> Self {
        Self::new(StatusCode::BAD_REQUEST, code)
    }

    /// 401: no session, or one that expired or was revoked. It ends the session in the web app, so nothing else may answer it.
    pub fn unauthenticated(code: &'static str) -> Self {
        Self::new(StatusCode::UNAUTHORIZED, code)
    }

    /// 403: the role is not allowed.
    pub fn forbidden(code: &'static str) -> Self {
        Self::new(StatusCode::FORBIDDEN, code)
    }

    /// 404: not there, or another tenant's.
    pub fn not_found(code: &'static str) -> Self {
        Self::new(StatusCode::NOT_FOUND, code)
    }

    pub fn conflict(code: &'static str) -> Self {
        Self::new(StatusCode::CONFLICT, code)
    }

    /// 422 about the request as a whole.
    pub fn unprocessable(code: &'static str) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, code)
    }

    /// 422 `INVALID_FIELDS` with what is wrong with each field.
    pub fn invalid(errors: impl IntoIterator<Item = FieldError>) -> Self {
        let mut problem = Self::unprocessable("INVALID_FIELDS");
        problem.0.errors.extend(errors);
        problem
    }

    /// 413 for a body or file over its limit.
    pub fn too_large(code: &'static str) -> Self {
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, code)
    }

    /// 429 with `Retry-After`.
    pub fn too_many(code: &'static str, retry_after_s: u64) -> Self {
        Self::new(StatusCode::TOO_MANY_REQUESTS, code).retry_after(retry_after_s)
    }

    /// 503: something we depend on is down.
    pub fn unavailable(code: &'static str) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, code)
    }

    /// 500. The cause is logged once at the edge and never sent.
    pub fn internal(cause: impl fmt::Display) -> Self {
        let mut problem = Self::new(StatusCode::INTERNAL_SERVER_ERROR, "INTERNAL");
        problem.0.cause = Some(cause.to_string());
        problem
    }

    /// A failure of the database: 503 `DATABASE_UNAVAILABLE` when trying again may help, else 500.
    pub fn database(unavailable: bool, error: &dyn std::error::Error) -> Self {
        if unavailable { Self::unavailable("DATABASE_UNAVAILABLE").because(chain(error)) } else { Self::internal(chain(error)) }
    }

    /// Adds an error about one field.
    pub fn field(mut self, field: impl Into<Cow<'static, str>>, code: impl Into<Cow<'static, str>>) -> Self {
        self.0.errors.push(FieldError::new(field, code));
        self
    }

    /// The same with values for its text.
    pub fn field_error(mut self, error: FieldError) -> Self {
        self.0.errors.push(error);
        self
    }

    /// Fills `{name}` of the detail text.
    pub fn param(mut self, name: &'static str, value: impl fmt::Display) -> Self {
        self.0.params.insert(name, value.to_string());
        self
    }

    /// Seconds after which the same request may be tried again.
    pub fn retry_after(mut self, seconds: u64) -> Self {
        self.0.retry_after_s = Some(seconds.max(1));
        self
    }

    /// What happened, for our log only.
    pub fn because(mut self, cause: impl fmt::Display) -> Self {
        self.0.cause = Some(cause.to_string());
        self
    }

    pub fn status(&self) -> StatusCode {
        self.0.status
    }

    pub fn code(&self) -> &str {
        &self.0.code
    }

    pub fn errors(&self) -> &[FieldError] {
        &self.0.errors
    }

    pub fn cause(&self) -> Option<&str> {
        self.0.cause.as_deref()
    }

    /// The document in one language.
    pub fn document(&self, language: Language, request_id: Option<&str>) -> ProblemDocument {
        let inner = &self.0;
        let title = texts::title(language, inner.status);
        ProblemDocument {
            kind: "about:blank".into(),
            detail: texts::message(language, &inner.code, &inner.params).unwrap_or_else(|| title.clone()),
            title,
            status: inner.status.as_u16(),
            code: inner.code.to_string(),
            request_id: request_id.map(str::to_owned),
            errors: inner
                .errors
                .iter()
                .map(|e| FieldDocument {
                    field: e.field.to_string(),
                    code: e.code.to_string(),
                    message: texts::message(language, &e.code, &e.params)
                        .or_else(|| texts::message(language, "INVALID", &e.params))
                        .unwrap_or_default(),
                })
                .collect(),
        }
    }

    /// The answer in one language, carrying the problem for the edge to log.
    pub fn respond(self, language: Language, request_id: Option<&str>) -> Response {
        let body = serde_json::to_vec(&self.document(language, request_id)).expect("a problem is plain data");
        let mut response = (self.0.status, body).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        headers.insert(header::CONTENT_LANGUAGE, HeaderValue::from_static(language.code()));
        if let Some(seconds) = self.0.retry_after_s {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        if self.0.status == StatusCode::UNAUTHORIZED {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response.extensions_mut().insert(self);
        response
    }
}

/// An error and everything below it, for the log.
pub fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut next = error.source();
    while let Some(source) = next {
        text.push_str(": ");
        text.push_str(&source.to_string());
        next = source.source();
    }
    text
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        self.respond(Language::default(), None)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.0.status.as_u16(), self.0.code)
    }
}

/// An RFC 9457 problem document.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[schema(as = Problem)]
#[serde(rename_all = "camelCase")]
pub struct ProblemDocument {
    #[serde(rename = "type")]
    pub kind: String,
    /// What the status means, in the request's language.
    pub title: String,
    pub status: u16,
    /// What happened, in the request's language.
    pub detail: String,
    /// Stable upper-case code.
    pub code: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub errors: Vec<FieldDocument>,
}

/// What is wrong with one field.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[schema(as = FieldProblem)]
pub struct FieldDocument {
    pub field: String,
    pub code: String,
    pub message: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_names_the_field_in_the_request_s_language() {
        let problem = Problem::invalid([FieldError::new("phoneNumber", "REQUIRED")]);
        let es = problem.document(Language::Es, Some("r1"));
        let en = problem.document(Language::En, None);
        assert_eq!((es.status, es.code.as_str()), (422, "INVALID_FIELDS"));
        assert_eq!(es.errors[0].message, "Campo obligatorio");
        assert_eq!(en.errors[0].message, "This field is required");
        assert_eq!(es.request_id.as_deref(), Some("r1"));
    }

    #[test]
    fn an_internal_cause_is_never_sent() {
        let problem = Problem::internal("secret table missing");
        let text = serde_json::to_string(&problem.document(Language::En, None)).unwrap();
        assert!(!text.contains("secret table"));
        assert_eq!(problem.cause(), Some("secret table missing"));
    }

    #[test]
    fn a_code_without_a_text_falls_back_to_the_title() {
        let document = Problem::conflict("NOBODY_WROTE_THIS").document(Language::En, None);
        assert_eq!(document.detail, document.title);
    }
}
