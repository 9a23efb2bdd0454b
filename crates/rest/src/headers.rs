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
    /// HSTS asks to be put on the browsers' list, which nobody leaves soon.
    pub preload: bool,
    /// Origins besides our own that pages connect to, for instance `wss://media.example` of a LiveKit cluster.
    pub connect: Vec<String>,
}

/// The headers, computed once.
#[derive(Clone)]
pub struct SecurityHeaders(Arc<[(HeaderName, HeaderValue)]>);

/// The header that says which of the browser's powers a document has.
pub const PERMISSIONS: HeaderName = HeaderName::from_static("permissions-policy");

/// What documents may be given. Everything that is not given is named, so that no frame gets it either.
const POWERS: [&str; 18] = [
    "camera",
    "microphone",
    "geolocation",
    "display-capture",
    "screen-wake-lock",
    "fullscreen",
    "accelerometer",
    "autoplay",
    "gyroscope",
    "hid",
    "magnetometer",
    "midi",
    "payment",
    "publickey-credentials-create",
    "publickey-credentials-get",
    "serial",
    "usb",
    "xr-spatial-tracking",
];

/// A policy that gives these powers to documents of ours and none to anybody else (EDGE-12).
pub fn permissions(given: &[&str]) -> HeaderValue {
    let list = POWERS.map(|power| format!("{power}={}", if given.contains(&power) { "(self)" } else { "()" }));
    HeaderValue::from_str(&list.join(", ")).expect("names of powers are ASCII")
}

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
            (PERMISSIONS, permissions(&[])),
        ];
        if options.tls {
            let hsts = match options.preload {
                true => "max-age=63072000; includeSubDomains; preload",
                false => "max-age=31536000; includeSubDomains",
            };
            all.push((header::STRICT_TRANSPORT_SECURITY, fixed(hsts)));
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
         form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
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
        // EDGE-11
        assert!(text.ends_with("require-trusted-types-for 'script'; trusted-types 'none'"));
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

    // EDGE-13
    #[test]
    fn hsts_only_with_tls() {
        let sent = |tls, preload| {
            let headers = SecurityHeaders::new(&HeaderOptions { tls, preload, connect: vec![] });
            let found = headers.0.iter().find(|(name, _)| *name == header::STRICT_TRANSPORT_SECURITY);
            found.map(|(_, value)| value.to_str().unwrap().to_owned())
        };
        assert_eq!(sent(false, true), None);
        assert_eq!(sent(true, false).as_deref(), Some("max-age=31536000; includeSubDomains"));
        assert_eq!(sent(true, true).as_deref(), Some("max-age=63072000; includeSubDomains; preload"));
    }

    // EDGE-12
    #[test]
    fn what_is_not_given_is_taken() {
        let none = permissions(&[]);
        let none = none.to_str().unwrap();
        assert!(POWERS.iter().all(|power| none.contains(&format!("{power}=()"))), "{none}");
        let some = permissions(&["camera", "microphone"]);
        let some = some.to_str().unwrap();
        assert!(some.contains("camera=(self), microphone=(self), geolocation=()"), "{some}");
    }
}
