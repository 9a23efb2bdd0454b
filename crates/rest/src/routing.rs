//! Paths: with and without a trailing slash alike, and unknown ones under `/api` are problems.

use crate::problem::Problem;
use axum::Router;
use axum::extract::Request;
use axum::http::uri::{PathAndQuery, Uri};
use axum::http::{Method, StatusCode};
use tower::ServiceBuilder;

/// Wraps a finished router so that `/x/` reaches the route `/x`.
pub fn tolerant(router: Router) -> Router {
    let service = ServiceBuilder::new().map_request(trim).service(router);
    Router::new().fallback_service(service)
}

fn trim(mut req: Request) -> Request {
    if let Some(uri) = trimmed(req.uri()) {
        *req.uri_mut() = uri;
    }
    req
}

fn trimmed(uri: &Uri) -> Option<Uri> {
    let path = uri.path();
    let shorter = path.trim_end_matches('/');
    if shorter.is_empty() || shorter.len() == path.len() {
        return None;
    }
    let text = uri.query().map_or_else(|| shorter.to_owned(), |query| format!("{shorter}?{query}"));
    let mut parts = uri.clone().into_parts();
    parts.path_and_query = Some(PathAndQuery::try_from(text).ok()?);
    Uri::from_parts(parts).ok()
}

/// Handler for what no route matches under `/api` and `/ext-api`.
pub async fn unknown_path() -> Problem {
    Problem::not_found("PATH_UNKNOWN")
}

/// Handler for a known path with another method.
pub async fn wrong_method(_: Method) -> Problem {
    Problem::new(StatusCode::METHOD_NOT_ALLOWED, "METHOD_NOT_ALLOWED")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_trailing_slash_goes() {
        let after = |s: &str| trimmed(&s.parse().unwrap()).map(|u| u.to_string());
        assert_eq!(after("/api/v1/x/?a=1/"), Some("/api/v1/x?a=1/".into()));
        assert_eq!(after("/api/v1/x//"), Some("/api/v1/x".into()));
        assert_eq!(after("/"), None);
        assert_eq!(after("/api/v1/x"), None);
    }
}
