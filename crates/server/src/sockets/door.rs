//! The door that sockets come through: its path, whose pages may, and that it does not hold a stop up.

use atalaya_rest::Problem;
use axum::Router;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, Uri, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use hyper::upgrade::OnUpgrade;
use std::convert::Infallible;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;
use tower::Service;

#[derive(Clone)]
struct Door {
    /// Scheme, host and port of the public address.
    origin: Arc<str>,
    stop: CancellationToken,
}

/// The path, with and without its slash, answered by one service: sessions of polling live in it. (Its layer would make a
/// new one for every request.)
pub(super) fn routes<S>(service: S) -> Router
where
    S: Service<Request, Error = Infallible> + Clone + Send + Sync + 'static,
    S::Response: IntoResponse,
    S::Future: Send + 'static,
{
    Router::new().route_service("/socket.io", service.clone()).route_service("/socket.io/", service)
}

pub(super) fn guarded(routes: Router, public_url: &str, stop: &CancellationToken) -> Router {
    let origin: String = public_url.splitn(4, '/').take(3).collect::<Vec<_>>().join("/");
    let door = Door { origin: origin.into(), stop: stop.clone() };
    routes.layer(from_fn_with_state(door, pass))
}

/// Middleware: pages of other origins are sent away, which a websocket would let in; a poll ends when the process stops.
async fn pass(State(door): State<Door>, request: Request, next: Next) -> Response {
    if is_foreign(&door.origin, request.headers(), request.uri()) {
        return Problem::forbidden("ORIGIN_REFUSED").into_response();
    }
    let request = lean(request);
    tokio::select! {
        response = next.run(request) => response,
        () = door.stop.cancelled() => StatusCode::SERVICE_UNAVAILABLE.into_response(),
    }
}

/// Headers of a request that the other side of the door reads.
const READ: [HeaderName; 5] =
    [header::UPGRADE, header::CONNECTION, header::SEC_WEBSOCKET_KEY, header::SEC_WEBSOCKET_VERSION, header::CONTENT_TYPE];

/// The request with nothing but what is read of it. A socket keeps its request as long as it is open; headers and address are
/// slices of the buffer that the connection was read into, of which each would hold the whole 8 KB.
fn lean(request: Request) -> Request {
    let (mut parts, body) = request.into_parts();
    let mut lean = Request::new(body);
    *lean.method_mut() = parts.method;
    *lean.version_mut() = parts.version;
    *lean.uri_mut() = parts.uri.to_string().parse().unwrap_or(parts.uri);
    for name in READ {
        if let Some(value) = parts.headers.get(&name).and_then(|value| HeaderValue::from_bytes(value.as_bytes()).ok()) {
            lean.headers_mut().insert(name, value);
        }
    }
    if let Some(upgrade) = parts.extensions.remove::<OnUpgrade>() {
        lean.extensions_mut().insert(upgrade);
    }
    lean
}

/// Whether a request names an origin that is neither the public address nor the one that was asked for. Programs that are
/// no browser name none.
fn is_foreign(public: &str, headers: &HeaderMap, uri: &Uri) -> bool {
    let Some(origin) = headers.get(header::ORIGIN) else { return false };
    let Ok(origin) = origin.to_str() else { return true };
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    let host = host.or_else(|| uri.authority().map(|authority| authority.as_str()));
    let own = origin.split_once("://").map(|(_, rest)| rest).zip(host);
    !origin.eq_ignore_ascii_case(public) && !own.is_some_and(|(rest, host)| rest.eq_ignore_ascii_case(host))
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::Body;
    use bytes::Bytes;

    #[test]
    fn a_socket_keeps_nothing_of_the_buffer_that_its_request_was_read_into() {
        let buffer = Bytes::from(vec![b'x'; 8192]);
        let key = HeaderValue::from_maybe_shared(buffer.slice(..24)).unwrap();
        let agent = HeaderValue::from_maybe_shared(buffer.slice(24..200)).unwrap();
        let request = Request::get("/socket.io/?EIO=4&transport=websocket")
            .header(header::SEC_WEBSOCKET_KEY, key)
            .header(header::USER_AGENT, agent)
            .extension(7_u8)
            .body(Body::empty())
            .unwrap();
        assert!(!buffer.is_unique());
        let kept = lean(request);
        assert!(buffer.is_unique(), "the buffer is freed");
        assert_eq!((kept.uri().query(), kept.headers().len()), (Some("EIO=4&transport=websocket"), 1));
        assert!(kept.extensions().is_empty());
    }

    #[test]
    fn origins_are_ours_or_none() {
        let foreign = |origin: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::HOST, HeaderValue::from_static("127.0.0.1:8080"));
            headers.insert(header::ORIGIN, HeaderValue::from_static(origin));
            is_foreign("https://atalaya.example", &headers, &Uri::from_static("/socket.io/"))
        };
        assert!(!is_foreign("https://atalaya.example", &HeaderMap::new(), &Uri::from_static("/socket.io/")));
        assert!(!foreign("https://atalaya.example") && !foreign("http://127.0.0.1:8080"));
        for origin in ["https://atalaya.example.evil", "http://atalaya.example", "null", "http://127.0.0.1:9", "https://", ""] {
            assert!(foreign(origin), "{origin}");
        }
    }
}
