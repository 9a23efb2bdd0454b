//! axum's extractors with our answers: 400 malformed, 404 bad path, 413 too large, 415 wrong type, 422 wrong fields.

use crate::problem::Problem;
use atalaya_kernel::Language;
use axum::extract::multipart::{Field, MultipartError};
use axum::extract::rejection::{BytesRejection, JsonRejection};
use axum::extract::{FromRequest, FromRequestParts, OptionalFromRequest, Request};
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::convert::Infallible;

/// A JSON body, in or out.
#[derive(Debug, Clone, Copy, Default)]
pub struct Json<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Json<T> {
    type Rejection = Problem;

    async fn from_request(req: Request, state: &S) -> Result<Self, Problem> {
        match <axum::Json<T> as FromRequest<S>>::from_request(req, state).await {
            Ok(axum::Json(value)) => Ok(Self(value)),
            Err(rejection) => Err(json_problem(rejection)),
        }
    }
}

impl<S: Send + Sync, T: DeserializeOwned> OptionalFromRequest<S> for Json<T> {
    type Rejection = Problem;

    async fn from_request(req: Request, state: &S) -> Result<Option<Self>, Problem> {
        if req.headers().get(header::CONTENT_TYPE).is_none() {
            return Ok(None);
        }
        <Self as FromRequest<S>>::from_request(req, state).await.map(Some)
    }
}

impl<T: Serialize> IntoResponse for Json<T> {
    fn into_response(self) -> Response {
        axum::Json(self.0).into_response()
    }
}

fn json_problem(rejection: JsonRejection) -> Problem {
    match rejection {
        JsonRejection::MissingJsonContentType(_) => {
            Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "JSON_CONTENT_TYPE_REQUIRED")
        }
        JsonRejection::JsonDataError(error) => {
            let (field, code) = wrong_field(&error.body_text());
            Problem::invalid([]).field(field, code)
        }
        JsonRejection::JsonSyntaxError(_) => Problem::malformed("MALFORMED_JSON"),
        JsonRejection::BytesRejection(error) => bytes_problem(&error),
        _ => Problem::malformed("MALFORMED_JSON"),
    }
}

/// Why a body could not be read.
pub fn bytes_problem(rejection: &BytesRejection) -> Problem {
    match rejection.status() {
        StatusCode::PAYLOAD_TOO_LARGE => Problem::too_large("BODY_TOO_LARGE"),
        _ => Problem::malformed("BODY_UNREADABLE"),
    }
}

/// Finds the field in axum's message `Failed to …: path.to.field: what serde says`.
fn wrong_field(text: &str) -> (String, &'static str) {
    let text = text.split_once("target type: ").map_or(text, |(_, rest)| rest);
    let missing = |s: &str| s.strip_prefix("missing field `").and_then(|s| s.split('`').next()).map(str::to_owned);
    if let Some(field) = missing(text) {
        return (field, "REQUIRED");
    }
    let Some((path, rest)) = text.split_once(": ").filter(|(path, _)| !path.contains(' ')) else {
        return (String::new(), "INVALID");
    };
    match missing(rest) {
        Some(field) => (format!("{path}.{field}"), "REQUIRED"),
        None => (path.to_owned(), "INVALID"),
    }
}

/// Path parameters. A malformed id is answered with 404, like any unknown id.
#[derive(Debug, Clone, Copy)]
pub struct Path<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned + Send> FromRequestParts<S> for Path<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        match axum::extract::Path::<T>::from_request_parts(parts, state).await {
            Ok(axum::extract::Path(value)) => Ok(Self(value)),
            Err(rejection) if rejection.status().is_server_error() => Err(Problem::internal(rejection.body_text())),
            Err(_) => Err(Problem::not_found("NOT_FOUND")),
        }
    }
}

/// The query string.
#[derive(Debug, Clone, Copy)]
pub struct Query<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Query<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        match axum::extract::Query::<T>::from_request_parts(parts, state).await {
            Ok(axum::extract::Query(value)) => Ok(Self(value)),
            Err(_) => Err(Problem::malformed("MALFORMED_QUERY")),
        }
    }
}

/// A multipart body, read part by part.
pub struct Multipart(axum::extract::Multipart);

impl<S: Send + Sync> FromRequest<S> for Multipart {
    type Rejection = Problem;

    async fn from_request(req: Request, state: &S) -> Result<Self, Problem> {
        match <axum::extract::Multipart as FromRequest<S>>::from_request(req, state).await {
            Ok(multipart) => Ok(Self(multipart)),
            Err(_) => Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "MULTIPART_REQUIRED")),
        }
    }
}

impl Multipart {
    /// The next part; `None` at the end. Errors: `MALFORMED_MULTIPART` (400), `BODY_TOO_LARGE` (413).
    pub async fn next_field(&mut self) -> Result<Option<Field<'_>>, Problem> {
        self.0.next_field().await.map_err(multipart_problem)
    }
}

/// The same for errors of reading one field's bytes.
pub fn multipart_problem(error: MultipartError) -> Problem {
    match error.status() {
        StatusCode::PAYLOAD_TOO_LARGE => Problem::too_large("BODY_TOO_LARGE"),
        _ => Problem::malformed("MALFORMED_MULTIPART"),
    }
}

/// The request's language: `Accept-Language`, else the user's, else Spanish.
#[derive(Debug, Clone, Copy)]
pub struct RequestLanguage(pub Language);

impl<S: Send + Sync> FromRequestParts<S> for RequestLanguage {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        let accepted = accept_language(&parts.headers);
        let of_user = || parts.extensions.get::<crate::Caller>().and_then(|caller| caller.language);
        Ok(Self(accepted.or_else(of_user).unwrap_or_default()))
    }
}

pub(crate) fn accept_language(headers: &axum::http::HeaderMap) -> Option<Language> {
    Language::from_accept(headers.get(header::ACCEPT_LANGUAGE)?.to_str().ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wrong_field_is_named() {
        let at = |s: &str| wrong_field(&format!("Failed to deserialize the JSON body into the target type: {s}"));
        assert_eq!(at("missing field `userName` at line 1 column 2"), ("userName".into(), "REQUIRED"));
        assert_eq!(at("user.phone: invalid type: map, expected a string"), ("user.phone".into(), "INVALID"));
        assert_eq!(at("user: missing field `name` at line 1"), ("user.name".into(), "REQUIRED"));
        assert_eq!(at("invalid type: integer `1`, expected struct X"), (String::new(), "INVALID"));
    }
}
