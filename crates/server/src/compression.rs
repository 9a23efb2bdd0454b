//! Which answers of calls are compressed on their way.
//!
//! Files of the web app were compressed when they were built, pages of the client are compressed by their own layer. Of the
//! calls' answers only those that do not fit a connection's first packets gain anything; the fastest level makes a list a tenth
//! of its size. Workbooks, archives and media are compressed in themselves, event streams must not wait for a block to fill.

use axum::http::{Extensions, HeaderMap, HeaderValue, StatusCode, Version, header};
use tower_http::CompressionLevel;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{Predicate, SizeAbove};

/// Bytes that a fresh connection takes at once: ten packets (RFC 6928) less the headers. What is smaller is there no sooner
/// when it is compressed, and is where secrets are answered.
const FIRST_PACKETS: u64 = 13_000;

/// The layer of calls.
pub fn of_calls() -> CompressionLayer<impl Predicate> {
    let is_json = |_: StatusCode, _: Version, headers: &HeaderMap, _: &Extensions| {
        let kind = headers.get(header::CONTENT_TYPE).and_then(|kind: &HeaderValue| kind.to_str().ok());
        kind.is_some_and(|kind| kind.starts_with("application/json"))
    };
    CompressionLayer::new().no_br().quality(CompressionLevel::Fastest).compress_when(SizeAbove::new(FIRST_PACKETS).and(is_json))
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::Router;
    use axum::body::{Body, to_bytes};
    use axum::extract::Request;
    use axum::routing::get;
    use tower::ServiceExt;

    // EDGE-14
    #[tokio::test]
    async fn long_answers_of_calls_are_compressed_and_short_ones_are_not() {
        let answer =
            |kind: &'static str, bytes: usize| get(move || async move { ([(header::CONTENT_TYPE, kind)], vec![b'a'; bytes]) });
        let router = Router::new()
            .route("/long", answer("application/json", 50_000))
            .route("/short", answer("application/json", 12_000))
            .route("/book", answer("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", 50_000))
            .layer(of_calls());
        for (path, accepted, encoding) in [
            ("/long", "br, gzip", Some("gzip")),
            ("/long", "br", None),
            ("/short", "br, gzip", None),
            ("/book", "br, gzip", None),
        ] {
            let request = Request::get(path).header(header::ACCEPT_ENCODING, accepted).body(Body::empty()).unwrap();
            let answer = router.clone().oneshot(request).await.unwrap();
            let found = answer.headers().get(header::CONTENT_ENCODING).map(|encoding| encoding.to_str().unwrap().to_owned());
            assert_eq!(found.as_deref(), encoding, "{path} for {accepted}");
            let sent = to_bytes(answer.into_body(), usize::MAX).await.unwrap().len();
            assert_eq!(sent < 1_000, encoding.is_some(), "{path}: {sent} bytes");
        }
    }
}
