//! Logs and metrics of the running process.

use crate::config::LoggingConfig;
use axum::extract::{MatchedPath, Request};
use axum::middleware::Next;
use axum::response::Response;
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use std::io::IsTerminal;
use std::time::Instant;
use tracing_subscriber::{EnvFilter, fmt};

/// Starts logging to standard error. The filter was checked when the configuration was read.
pub fn start_logging(config: &LoggingConfig) {
    // What libraries tell at `info` is not for the operator; naming them in ATALAYA_LOG brings it back.
    let filter = format!("sea_orm_migration=warn,sqlx=warn,{}", config.filter);
    // It warns about every malformed message, which anybody may send by the million.
    let filter = format!("{filter},stun_types=off");
    // Never below: these libraries write tokens of handshakes and what is told to people at `debug`.
    let filter = EnvFilter::new(format!("{filter},socketioxide=warn,engineioxide=warn,socketioxide_postgres=warn"));
    let colours = std::io::stderr().is_terminal();
    let lines = fmt().with_env_filter(filter).with_writer(std::io::stderr).with_ansi(colours);
    // A second start in one process (tests) keeps the first subscriber.
    let _ = if config.json { lines.json().try_init() } else { lines.compact().try_init() };
}

/// Starts collecting metrics.
///
/// Errors: somebody in this process already does.
pub fn start_metrics() -> anyhow::Result<PrometheusHandle> {
    let buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0];
    let name = Matcher::Full("http_request_duration_seconds".into());
    Ok(PrometheusBuilder::new().set_buckets_for_metric(name, &buckets)?.install_recorder()?)
}

/// Middleware: counts requests by route pattern, so that ids never become label values.
pub async fn count_requests(request: Request, next: Next) -> Response {
    let started = Instant::now();
    let route = request.extensions().get::<MatchedPath>().map_or("other".to_owned(), |p| p.as_str().to_owned());
    let method = request.method().as_str().to_owned();
    let response = next.run(request).await;
    let status = response.status().as_u16().to_string();
    metrics::counter!("http_requests_total", "method" => method, "route" => route.clone(), "status" => status).increment(1);
    metrics::histogram!("http_request_duration_seconds", "route" => route).record(started.elapsed().as_secs_f64());
    response
}
