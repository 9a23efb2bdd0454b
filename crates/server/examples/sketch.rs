//! What the reads of `bench/reads.mjs` cost at least: axum, one SQLite connection per thread, the same queries, rows written
//! as JSON while they are read. No rooms, no tenants beyond the query's, no middleware.
//!
//! Started by the bench with the options of `bench/peer/server.mjs` as its one argument; prints its port.

mod sketch {
    pub mod json;
    pub mod queries;
    pub mod session;
}

use axum::Router;
use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde::Deserialize;
use serde_json::Value;
use sketch::queries::{self, Found};
use sketch::session;
use std::sync::Arc;
use uuid::Uuid;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Options {
    database: String,
    token_key: String,
    public_url: String,
    links: Value,
    menu: Value,
}

/// The options as they are needed.
struct Sketch {
    database: String,
    keys: session::Key,
    public_url: String,
    links: String,
    menu: String,
}

fn answer(found: Found) -> Response {
    match found {
        Ok(Some(body)) => (
            [
                (header::CONTENT_TYPE, "application/json"),
                (header::CACHE_CONTROL, "no-store"),
                (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
                (header::X_FRAME_OPTIONS, "DENY"),
                (header::REFERRER_POLICY, "no-referrer"),
            ],
            Body::from(body),
        )
            .into_response(),
        Ok(None) => StatusCode::NOT_FOUND.into_response(),
        Err(error) => (StatusCode::INTERNAL_SERVER_ERROR, error.to_string()).into_response(),
    }
}

/// Runs on the thread of the request: a read takes microseconds.
fn admitted(of: &Sketch, headers: &HeaderMap, read: impl FnOnce(&rusqlite::Connection, &session::Account) -> Found) -> Response {
    queries::on_connection(&of.database, |db| match session::account(db, &of.keys, headers) {
        Ok(Some(account)) => answer(read(db, &account)),
        Ok(None) => StatusCode::UNAUTHORIZED.into_response(),
        Err(error) => answer(Err(error)),
    })
}

async fn links(State(of): State<Arc<Sketch>>, headers: HeaderMap) -> Response {
    admitted(&of, &headers, |_, _| Ok(Some(of.links.clone().into_bytes())))
}

async fn me(State(of): State<Arc<Sketch>>, headers: HeaderMap) -> Response {
    admitted(&of, &headers, |db, account| queries::me(db, account, &of.menu))
}

async fn customer(State(of): State<Arc<Sketch>>, Path(id): Path<Uuid>, headers: HeaderMap) -> Response {
    admitted(&of, &headers, |db, account| queries::customer(db, account, id))
}

async fn list(State(of): State<Arc<Sketch>>, Path(id): Path<Uuid>, headers: HeaderMap, _body: String) -> Response {
    admitted(&of, &headers, |db, account| queries::list(db, account, id))
}

async fn details(State(of): State<Arc<Sketch>>, Path(id): Path<Uuid>, headers: HeaderMap) -> Response {
    admitted(&of, &headers, |db, account| queries::details(db, account, id, &of.public_url))
}

#[tokio::main]
async fn main() {
    let text = std::env::args().nth(1).expect("usage: sketch OPTIONS, see bench/peer/server.mjs");
    let options: Options = serde_json::from_str(&text).expect("the options are JSON");
    let of = Sketch {
        database: options.database,
        keys: session::Key::new(&hex::decode(&options.token_key).expect("the key is in hexadecimal")),
        public_url: options.public_url,
        links: options.links.to_string(),
        menu: options.menu.to_string(),
    };
    let app = Router::new()
        .route("/api/v1/get-links", get(links))
        .route("/api/v1/me", get(me))
        .route("/api/v1/customer/{id}", get(customer))
        .route("/api/v1/conferences-div-details/{id}", post(list))
        .route("/api/v1/conferences-details/{id}", get(details))
        .with_state(Arc::new(of));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("there is a free port");
    println!("{}", listener.local_addr().expect("it is bound").port());
    axum::serve(listener, app).await.expect("it serves until it is killed");
}
