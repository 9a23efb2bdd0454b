//! What every request passes: address, id, log, panics, language of problems, security headers.

use crate::address::{self, TrustedProxies};
use crate::caller::Caller;
use crate::extract::accept_language;
use crate::headers::{self, HeaderOptions, SecurityHeaders};
use crate::pace::{self, PaceLimits};
use crate::problem::Problem;
use crate::routing;
use crate::uploads::{UploadLimits, Uploads};
use crate::xsrf::{self, Xsrf};
use atalaya_kernel::{Language, Sources};
use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Router};
use std::any::Any;
use std::time::Instant;
use tower_http::catch_panic::CatchPanicLayer;

pub const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The request's id, in its extensions.
#[derive(Clone, Debug)]
pub struct RequestId(pub String);

/// The language of the logged-in user, put into the answer by the authenticating middleware.
#[derive(Clone, Copy, Debug)]
pub struct UserLanguage(pub Language);

/// What the edge needs.
#[derive(Clone)]
pub struct Edge {
    pub sources: Sources,
    pub headers: HeaderOptions,
    pub trusted_proxies: TrustedProxies,
    pub pace: PaceLimits,
    pub uploads: UploadLimits,
}

impl Edge {
    /// Wraps the whole router, fallbacks included.
    pub fn wrap(self, router: Router) -> Router {
        let secure = self.headers.tls;
        let router = router
            .layer(CatchPanicLayer::custom(on_panic))
            .layer(Extension(Uploads::new(self.uploads)))
            .layer(from_fn_with_state(self.pace, pace::guard))
            .layer(from_fn_with_state(Xsrf { sources: self.sources.clone(), secure }, xsrf::issue))
            .layer(from_fn_with_state(self.sources, observe))
            .layer(from_fn_with_state(SecurityHeaders::new(&self.headers), headers::add))
            .layer(from_fn_with_state(self.trusted_proxies, address::resolve));
        routing::tolerant(router)
    }
}

/// A panic in a handler is a problem for one request, not for the process.
fn on_panic(payload: Box<dyn Any + Send>) -> Response {
    let text = payload.downcast_ref::<&str>().map(|s| (*s).to_owned());
    let text = text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_default();
    Problem::internal(format!("panic: {text}")).into_response()
}

/// Middleware: gives the request its id, logs it once, and writes problems in the request's language.
///
/// The log has the route's pattern, never the path or the query, which may hold tokens.
pub async fn observe(State(sources): State<Sources>, mut req: Request, next: Next) -> Response {
    let id = sources.uuid().to_string();
    let started = Instant::now();
    let method = req.method().clone();
    let route = req.extensions().get::<MatchedPath>().map_or("-".to_owned(), |p| p.as_str().to_owned());
    let is_api = req.uri().path().starts_with("/api/") || req.uri().path().starts_with("/ext-api/");
    let accepted = accept_language(req.headers());
    req.extensions_mut().insert(RequestId(id.clone()));

    let mut response = next.run(req).await;
    let problem = response.extensions_mut().remove::<Problem>().or_else(|| bare_problem(is_api, &response));
    let code = problem.as_ref().map(|p| p.code().to_owned());
    let cause = problem.as_ref().and_then(|p| p.cause().map(str::to_owned));
    if let Some(problem) = problem {
        let language = accepted.or_else(|| response.extensions().get::<UserLanguage>().map(|l| l.0));
        let mut rendered = problem.respond(language.unwrap_or_default(), Some(&id));
        keep_headers(response.headers(), rendered.headers_mut());
        response = rendered;
    }
    if let Ok(value) = HeaderValue::from_str(&id) {
        response.headers_mut().insert(REQUEST_ID, value);
    }
    log(&Line { id: &id, method: method.as_str(), route: &route, started, code: code.as_deref(), cause }, &response);
    response
}

/// Replaces errors that a library answered in its own words by our problems.
fn bare_problem(is_api: bool, response: &Response) -> Option<Problem> {
    let status = response.status();
    let has_kind = response.headers().get(header::CONTENT_TYPE).is_some_and(|kind| !kind.as_bytes().starts_with(b"text/plain"));
    if !is_api || has_kind || !(status.is_client_error() || status.is_server_error()) {
        return None;
    }
    Some(match status {
        StatusCode::NOT_FOUND => Problem::not_found("PATH_UNKNOWN"),
        StatusCode::METHOD_NOT_ALLOWED => Problem::new(status, "METHOD_NOT_ALLOWED"),
        StatusCode::PAYLOAD_TOO_LARGE => Problem::too_large("BODY_TOO_LARGE"),
        StatusCode::REQUEST_TIMEOUT => Problem::new(status, "REQUEST_TIMEOUT"),
        status if status.is_server_error() => Problem::new(status, "INTERNAL"),
        status => Problem::new(status, "REQUEST_REFUSED"),
    })
}

/// What an answer keeps when its body becomes a problem.
pub(crate) fn keep_headers(from: &HeaderMap, to: &mut HeaderMap) {
    for name in [header::ALLOW, header::SET_COOKIE, header::CONTENT_RANGE] {
        for value in from.get_all(&name) {
            to.append(&name, value.clone());
        }
    }
    // The tus protocol asks for its version on every answer.
    for (name, value) in from.iter().filter(|(name, _)| name.as_str().starts_with("tus-")) {
        to.append(name, value.clone());
    }
}

struct Line<'a> {
    id: &'a str,
    method: &'a str,
    route: &'a str,
    started: Instant,
    code: Option<&'a str>,
    cause: Option<String>,
}

fn log(line: &Line<'_>, response: &Response) {
    let status = response.status().as_u16();
    let ms = u64::try_from(line.started.elapsed().as_millis()).unwrap_or(u64::MAX);
    let code = line.code.unwrap_or("-");
    let Line { id, method, route, cause, .. } = line;
    match cause {
        Some(cause) if status >= 500 => tracing::error!(
            request.id = id, http.method = method, http.route = route, http.status = status, duration_ms = ms,
            error.code = code, error.cause = %cause, "request failed"
        ),
        Some(cause) => tracing::warn!(
            request.id = id, http.method = method, http.route = route, http.status = status, duration_ms = ms,
            error.code = code, error.cause = %cause, "request refused"
        ),
        None => tracing::info!(
            request.id = id,
            http.method = method,
            http.route = route,
            http.status = status,
            duration_ms = ms,
            error.code = code,
            "request"
        ),
    }
}

/// Marks an answer with its caller's language, for problems of requests that name none.
pub fn mark_language(response: &mut Response, caller: &Caller) {
    if let Some(language) = caller.language {
        response.extensions_mut().insert(UserLanguage(language));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::Body;
    use axum::routing::get;
    use tower::ServiceExt as _;

    async fn breaks() -> &'static str {
        panic!("the password is hunter2")
    }

    // DEEP-12
    #[tokio::test]
    async fn a_panic_is_a_problem_of_one_request() {
        let edge = Edge {
            sources: Sources::system(),
            headers: HeaderOptions { tls: false, preload: false, connect: Vec::new() },
            trusted_proxies: TrustedProxies::new(&[]),
            pace: PaceLimits::default(),
            uploads: UploadLimits::default(),
        };
        let router = edge.wrap(Router::new().route("/api/v1/breaks", get(breaks)).route("/api/v1/works", get(|| async { "ok" })));
        for (path, expected) in [("/api/v1/breaks", 500), ("/api/v1/works", 200), ("/api/v1/breaks", 500)] {
            let request = axum::http::Request::builder().uri(path).body(Body::empty()).expect("a request");
            let answer = router.clone().oneshot(request).await.expect("an answer");
            assert_eq!(answer.status().as_u16(), expected, "{path}");
            let id = answer.headers().get(REQUEST_ID).and_then(|id| id.to_str().ok()).expect("its id").to_owned();
            let body = axum::body::to_bytes(answer.into_body(), 4096).await.expect("a body");
            let text = String::from_utf8_lossy(&body);
            assert!(!text.contains("hunter2") && !text.contains("panic"), "{text}");
            assert!(expected == 200 || (text.contains("INTERNAL") && text.contains(&id)), "{text}");
        }
    }
}
