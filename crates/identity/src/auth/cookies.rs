//! The media cookies: HttpOnly, for reading files only (SESSION-5).

use super::service::COOKIE_LIFE_S;
use atalaya_kernel::cookies::sent_name;
use axum::http::{HeaderMap, HeaderValue, header};

pub(crate) const MEDIA: &str = atalaya_kernel::cookies::MEDIA;

/// Where the cookie is sent. A path matches whole segments only, so each folder needs its own.
pub(crate) const PATHS: [&str; 3] = ["/uploads", "/uploads-documents", "/api/v1/incidence-image"];

fn line(value: &str, path: &str, max_age_s: i64, secure: bool) -> HeaderValue {
    let name = sent_name(MEDIA, path, secure);
    let secure = if secure { "; Secure" } else { "" };
    let line = format!("{name}={value}; Path={path}; Max-Age={max_age_s}; HttpOnly; SameSite=Strict{secure}");
    HeaderValue::from_str(&line).expect("a token is base64url and dots")
}

/// Sets the cookie of each folder.
pub(crate) fn set(headers: &mut HeaderMap, media_token: &str, secure: bool) {
    for path in PATHS {
        headers.append(header::SET_COOKIE, line(media_token, path, COOKIE_LIFE_S, secure));
    }
}

/// Deletes the cookie of each folder.
pub(crate) fn clear(headers: &mut HeaderMap, secure: bool) {
    for path in PATHS {
        headers.append(header::SET_COOKIE, line("", path, 0, secure));
    }
}
