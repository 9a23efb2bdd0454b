//! `GET /healthz` (the process), `GET /readyz` (what it depends on) and `GET /metrics`.

use async_trait::async_trait;
use atalaya_assistance::calls::MediaEngine;
use atalaya_blobs::BlobStore;
use atalaya_db::{Db, Statements};
use atalaya_rest::address::UnlistedProxy;
use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Extension, Json, Router};
use metrics_exporter_prometheus::PrometheusHandle;
use serde_json::{Map, Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Something the server cannot do its work without.
#[async_trait]
pub trait Check: Send + Sync {
    /// A word for the answer: `database`, `storage`, `media`.
    fn name(&self) -> &'static str;
    /// Whether it works now. The error's text goes to our log only.
    async fn check(&self) -> Result<(), String>;
}

/// Checks longer than this count as failed: 2 s budget.
const BUDGET: Duration = Duration::from_secs(2);

/// The readiness of this process. Cheap to clone.
#[derive(Clone)]
pub struct Health {
    checks: Arc<[Box<dyn Check>]>,
    stopping: Arc<AtomicBool>,
}

impl Health {
    /// Of what every server needs.
    pub fn of(db: &Db, blobs: &BlobStore, engine: &Arc<dyn MediaEngine>) -> Self {
        let storage = StorageCheck(blobs.clone());
        Self::new(vec![Box::new(DatabaseCheck(db.clone())), Box::new(storage), Box::new(MediaCheck(engine.clone()))])
    }

    pub fn new(checks: Vec<Box<dyn Check>>) -> Self {
        Self { checks: checks.into(), stopping: Arc::default() }
    }

    /// From now on `/readyz` says 503, so that a balancer sends nobody here any more.
    pub fn stop(&self) {
        self.stopping.store(true, Ordering::SeqCst);
    }

    /// Runs every check; answers the failed ones.
    pub async fn run(&self) -> Vec<(&'static str, Result<(), String>)> {
        let runs = self.checks.iter().map(|check| async move {
            let outcome = tokio::time::timeout(BUDGET, check.check()).await;
            (check.name(), outcome.unwrap_or_else(|_| Err("no answer within two seconds".into())))
        });
        futures::future::join_all(runs).await
    }
}

/// The two probes. `/healthz` needs nothing but a living process.
pub fn routes(health: Health) -> Router {
    Router::new().route("/healthz", get(alive)).merge(Router::new().route("/readyz", get(ready)).with_state(health))
}

/// Says as well whether the request came through a proxy that is not listed, so that `doctor` sees one (EDGE-5).
async fn alive(unlisted: Option<Extension<UnlistedProxy>>) -> Response {
    let body = match unlisted {
        Some(_) => json!({"status": "ok", "proxy": "unlisted"}),
        None => json!({"status": "ok"}),
    };
    no_store(Json(body))
}

async fn ready(State(health): State<Health>) -> Response {
    if health.stopping.load(Ordering::SeqCst) {
        return (StatusCode::SERVICE_UNAVAILABLE, no_store(Json(json!({"status": "stopping"})))).into_response();
    }
    let mut checks = Map::new();
    let mut good = true;
    for (name, outcome) in health.run().await {
        if let Err(error) = &outcome {
            tracing::warn!(check = name, %error, "not ready");
            good = false;
        }
        checks.insert(name.to_owned(), Value::from(if outcome.is_ok() { "ok" } else { "failed" }));
    }
    let status = if good { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    let word = if good { "ready" } else { "not ready" };
    (status, no_store(Json(json!({"status": word, "checks": checks})))).into_response()
}

fn no_store(body: impl IntoResponse) -> Response {
    let mut response = body.into_response();
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// `GET /metrics` in Prometheus' text format.
pub fn metrics_routes(handle: PrometheusHandle, statements: Statements) -> Router {
    let render = move || {
        metrics::counter!("database_statements_total").absolute(statements.count());
        let text = handle.render();
        async move { ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], text) }
    };
    Router::new().route("/metrics", get(render))
}

struct DatabaseCheck(Db);

#[async_trait]
impl Check for DatabaseCheck {
    fn name(&self) -> &'static str {
        "database"
    }
    async fn check(&self) -> Result<(), String> {
        self.0.ping().await.map_err(|error| atalaya_rest::problem::chain(&error))
    }
}

struct StorageCheck(BlobStore);

#[async_trait]
impl Check for StorageCheck {
    fn name(&self) -> &'static str {
        "storage"
    }
    async fn check(&self) -> Result<(), String> {
        self.0.check().await.map_err(|error| atalaya_rest::problem::chain(&error))
    }
}

struct MediaCheck(Arc<dyn MediaEngine>);

#[async_trait]
impl Check for MediaCheck {
    fn name(&self) -> &'static str {
        "media"
    }
    async fn check(&self) -> Result<(), String> {
        self.0.healthy().await.map_err(|error| atalaya_rest::problem::chain(&error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::Body;
    use axum::http::Request;
    use tower::ServiceExt as _;

    struct Fixed(&'static str, bool);

    #[async_trait]
    impl Check for Fixed {
        fn name(&self) -> &'static str {
            self.0
        }
        async fn check(&self) -> Result<(), String> {
            if self.1 { Ok(()) } else { Err("password of the database: hunter2".into()) }
        }
    }

    async fn get(health: &Health, path: &str) -> (u16, String) {
        let request = Request::builder().uri(path).body(Body::empty()).unwrap();
        let response = routes(health.clone()).oneshot(request).await.unwrap();
        let status = response.status().as_u16();
        let body = axum::body::to_bytes(response.into_body(), 4096).await.unwrap();
        (status, String::from_utf8(body.to_vec()).unwrap())
    }

    #[tokio::test]
    async fn ready_only_when_everything_is_and_nobody_stops_us() {
        let health = Health::new(vec![Box::new(Fixed("database", true)), Box::new(Fixed("storage", true))]);
        let expected = r#"{"checks":{"database":"ok","storage":"ok"},"status":"ready"}"#;
        assert_eq!(get(&health, "/readyz").await, (200, expected.into()));
        health.stop();
        assert_eq!(get(&health, "/readyz").await.0, 503);
        assert_eq!(get(&health, "/healthz").await.0, 200, "the process still lives");
    }

    #[tokio::test]
    async fn a_failed_check_is_named_and_its_error_kept_to_ourselves() {
        let health = Health::new(vec![Box::new(Fixed("database", false)), Box::new(Fixed("storage", true))]);
        let (status, body) = get(&health, "/readyz").await;
        assert_eq!(status, 503);
        assert!(body.contains(r#""database":"failed""#) && !body.contains("hunter2"), "{body}");
    }
}
