//! Double-submit protection: the page gets a readable `XSRF-TOKEN` cookie and sends it back as
//! `X-XSRF-TOKEN`; checked wherever a cookie authenticates a change.

use atalaya_kernel::Sources;
use atalaya_kernel::cookies::{known_names, sent_name};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::Response;
use subtle::ConstantTimeEq;

pub const COOKIE: &str = atalaya_kernel::cookies::XSRF;
pub const HEADER: &str = "x-xsrf-token";

/// What [`issue`] needs.
#[derive(Clone)]
pub struct Xsrf {
    pub sources: Sources,
    /// Set `Secure`, when the public address is https.
    pub secure: bool,
}

/// The value of a cookie, as sent.
pub fn cookie<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|line| line.to_str().ok())
        .flat_map(|line| line.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find_map(|(key, value)| (key == name).then_some(value))
}

/// The value of a cookie of ours, by the name with the strongest prefix that came (SESSION-15).
pub fn own_cookie<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    known_names(name).iter().find_map(|name| cookie(headers, name))
}

/// Whether the header repeats the cookie.
pub fn matches(headers: &HeaderMap) -> bool {
    let Some(sent) = headers.get(HEADER) else { return false };
    match own_cookie(headers, COOKIE) {
        Some(expected) if !expected.is_empty() => sent.as_bytes().ct_eq(expected.as_bytes()).into(),
        _ => false,
    }
}

/// Whether a request by this method changes nothing and so needs no proof.
pub fn is_safe(method: &Method) -> bool {
    matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS)
}

/// A fresh cookie line.
pub fn set_cookie(xsrf: &Xsrf) -> HeaderValue {
    let secure = if xsrf.secure { "; Secure" } else { "" };
    let name = sent_name(COOKIE, "/", xsrf.secure);
    let line = format!("{name}={}; Path=/; SameSite=Strict{secure}", xsrf.sources.hex::<16>());
    HeaderValue::from_str(&line).expect("hex and fixed text")
}

/// Middleware: gives every page that comes without the cookie one.
pub async fn issue(State(xsrf): State<Xsrf>, req: Request, next: Next) -> Response {
    let has = cookie(req.headers(), &sent_name(COOKIE, "/", xsrf.secure)).is_some();
    let mut response = next.run(req).await;
    let is_page = response.headers().get(header::CONTENT_TYPE).is_some_and(|kind| kind.as_bytes().starts_with(b"text/html"));
    if !has && is_page {
        response.headers_mut().append(header::SET_COOKIE, set_cookie(&xsrf));
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(cookie: Option<&'static str>, sent: Option<&'static str>) -> HeaderMap {
        let mut headers = HeaderMap::new();
        if let Some(cookie) = cookie {
            headers.insert(header::COOKIE, HeaderValue::from_static(cookie));
        }
        if let Some(sent) = sent {
            headers.insert(HEADER, HeaderValue::from_static(sent));
        }
        headers
    }

    #[test]
    fn the_header_must_repeat_the_cookie() {
        assert!(matches(&headers(Some("a=1; XSRF-TOKEN=abc"), Some("abc"))));
        assert!(!matches(&headers(Some("XSRF-TOKEN=abc"), Some("abd"))));
        assert!(!matches(&headers(Some("XSRF-TOKEN=abc"), None)));
        assert!(!matches(&headers(None, Some("abc"))));
        assert!(!matches(&headers(Some("XSRF-TOKEN="), Some(""))));
        // SESSION-15: a neighbour's host can set the plain name, and gains nothing by it.
        assert!(matches(&headers(Some("XSRF-TOKEN=theirs; __Host-XSRF-TOKEN=abc"), Some("abc"))));
        assert!(!matches(&headers(Some("XSRF-TOKEN=theirs; __Host-XSRF-TOKEN=abc"), Some("theirs"))));
    }

    // SESSION-15
    #[test]
    fn over_https_names_have_their_prefix() {
        let named = |secure| {
            let xsrf = Xsrf { sources: Sources::system(), secure };
            set_cookie(&xsrf).to_str().unwrap().to_owned()
        };
        assert!(named(false).starts_with("XSRF-TOKEN="));
        let secure = named(true);
        assert!(secure.starts_with("__Host-XSRF-TOKEN=") && secure.contains("; Path=/;") && secure.ends_with("; Secure"));
        assert_eq!(sent_name("atalaya_media", "/uploads", true), "__Secure-atalaya_media");
    }
}
