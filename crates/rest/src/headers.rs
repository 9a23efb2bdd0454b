//! Headers every answer carries.

use axum::extract::{Request, State};
use axum::http::{HeaderName, HeaderValue, header};
use axum::middleware::Next;
use axum::response::Response;
use std::sync::Arc;

/// What the headers depend on.
#[derive(Clone, Debug, Default)]
pub struct HeaderOptions {
    /// The public address is https: send HSTS.
    pub tls: bool,
    /// Origins besides our own that pages connect to, for instance `wss://media.example` of a LiveKit cluster.
    pub connect: Vec<String>,
}

/// The headers, computed once.
#[derive(Clone)]
pub struct SecurityHeaders(Arc<[(HeaderName, HeaderValue)]>);

const PERMISSIONS: HeaderName = HeaderName::from_static("permissions-policy");

impl SecurityHeaders {
    pub fn new(options: &HeaderOptions) -> Self {
        let fixed = |text: &'static str| HeaderValue::from_static(text);
        let mut all = vec![
            (header::CONTENT_SECURITY_POLICY, policy(&options.connect)),
            (header::X_CONTENT_TYPE_OPTIONS, fixed("nosniff")),
            (header::X_FRAME_OPTIONS, fixed("DENY")),
            (header::REFERRER_POLICY, fixed("no-referrer")),
            (HeaderName::from_static("cross-origin-opener-policy"), fixed("same-origin")),
            (HeaderName::from_static("cross-origin-resource-policy"), fixed("same-origin")),
            (
                PERMISSIONS,
                fixed(
                    "camera=(self), microphone=(self), geolocation=(self), display-capture=(self), \
                     screen-wake-lock=(self), fullscreen=(self), payment=(), usb=(), interest-cohort=()",
                ),
            ),
        ];
        if options.tls {
            all.push((header::STRICT_TRANSPORT_SECURITY, fixed("max-age=31536000; includeSubDomains")));
        }
        Self(all.into())
    }
}

/// Nothing inline, nothing from elsewhere. `blob:` is what a browser calls its own pictures and recordings.
fn policy(connect: &[String]) -> HeaderValue {
    let connect = connect.iter().fold("'self'".to_owned(), |list, origin| format!("{list} {origin}"));
    let text = format!(
        "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; media-src 'self' blob:; \
         font-src 'self'; worker-src 'self' blob:; connect-src {connect}; object-src 'none'; base-uri 'none'; \
         form-action 'self'; frame-ancestors 'none'"
    );
    HeaderValue::from_str(&text).unwrap_or(HeaderValue::from_static("default-src 'self'; frame-ancestors 'none'"))
}

/// Where answers are somebody's data, so that no cache keeps what says nothing else (EDGE-7).
const PRIVATE: [&str; 5] = ["/api", "/ext-api", "/uploads", "/rtc", "/twirp"];

fn is_private(path: &str) -> bool {
    PRIVATE.iter().any(|prefix| path.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with('/')))
}

/// Middleware: adds each header that the answer has not set itself.
pub async fn add(State(headers): State<SecurityHeaders>, req: Request, next: Next) -> Response {
    let private = is_private(req.uri().path());
    let mut response = next.run(req).await;
    if private {
        response.headers_mut().entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    }
    for (name, value) in headers.0.iter() {
        response.headers_mut().entry(name).or_insert_with(|| value.clone());
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_policy_allows_nothing_unsafe() {
        let text = policy(&["wss://media.example".into()]);
        let text = text.to_str().unwrap();
        assert!(!text.contains("unsafe"));
        assert!(text.contains("connect-src 'self' wss://media.example;"));
        assert!(text.contains("frame-ancestors 'none'"));
    }

    // EDGE-7
    #[test]
    fn pages_and_scripts_are_nobody_s_data() {
        for path in ["/api/v1/me", "/ext-api", "/ext-api/v1/account", "/uploads/1", "/rtc/v1", "/twirp/livekit.RoomService"] {
            assert!(is_private(path), "{path}");
        }
        for path in ["/", "/api-doc", "/apis/v1", "/assets/app.js", "/uploadsx"] {
            assert!(!is_private(path), "{path}");
        }
    }

    #[test]
    fn hsts_only_with_tls() {
        let has = |tls| {
            let headers = SecurityHeaders::new(&HeaderOptions { tls, connect: vec![] });
            headers.0.iter().any(|(name, _)| *name == header::STRICT_TRANSPORT_SECURITY)
        };
        assert!(has(true) && !has(false));
    }
}
