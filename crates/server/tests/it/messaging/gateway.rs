//! A test gateway over real HTTP: it records requests and gives the answers that a test sets.

use axum::body::Bytes;
use axum::extract::{OriginalUri, State};
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::{Json, Router};
use serde_json::Value;
use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

/// A received request.
#[derive(Clone, Debug)]
pub struct Asked {
    pub method: Method,
    /// Path and query.
    pub path: String,
    pub headers: HeaderMap,
    pub body: String,
}

impl Asked {
    pub fn header(&self, name: &str) -> String {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default().to_owned()
    }

    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).expect("a JSON body")
    }

    /// A value of a form.
    pub fn form(&self, name: &str) -> Option<String> {
        url::form_urlencoded::parse(self.body.as_bytes()).find(|(key, _)| key == name).map(|(_, value)| value.into_owned())
    }
}

/// What it answers next.
#[derive(Clone, Debug)]
pub enum Say {
    Json(u16, Value),
    Page(u16, &'static str),
    Picture(Vec<u8>),
    /// Nothing, ever.
    Hang,
}

#[derive(Clone)]
pub struct Gateway(Arc<Inner>);

struct Inner {
    address: SocketAddr,
    asked: Mutex<Vec<Asked>>,
    /// By the beginning of the path; each is used once, the last of a path is repeated.
    says: Mutex<Vec<(&'static str, VecDeque<Say>)>>,
}

impl Gateway {
    pub async fn start() -> Self {
        let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.expect("a free port");
        let address = listener.local_addr().expect("bound");
        let gateway = Self(Arc::new(Inner { address, asked: Mutex::default(), says: Mutex::default() }));
        let router = Router::new().fallback(answer).with_state(gateway.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        gateway
    }

    /// `host:port`.
    pub fn host(&self) -> String {
        self.0.address.to_string()
    }

    /// Sets the answers to paths that begin so, in this order; the last one is repeated.
    pub fn says(&self, path: &'static str, says: impl IntoIterator<Item = Say>) {
        let mut all = self.0.says.lock().unwrap();
        all.retain(|(known, _)| *known != path);
        all.push((path, says.into_iter().collect()));
    }

    pub fn asked(&self) -> Vec<Asked> {
        self.0.asked.lock().unwrap().clone()
    }

    fn next(&self, path: &str) -> Say {
        let mut all = self.0.says.lock().unwrap();
        let found = all.iter_mut().filter(|(known, _)| path.starts_with(known)).max_by_key(|(known, _)| known.len());
        let Some((_, says)) = found else { return Say::Json(404, Value::Null) };
        if says.len() > 1 { says.pop_front().expect("two") } else { says.front().cloned().expect("one") }
    }
}

async fn answer(
    State(gateway): State<Gateway>,
    method: Method,
    OriginalUri(uri): OriginalUri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let path = uri.to_string();
    let body = String::from_utf8_lossy(&body).into_owned();
    gateway.0.asked.lock().unwrap().push(Asked { method, path: path.clone(), headers, body });
    let status = |number| StatusCode::from_u16(number).expect("a status");
    match gateway.next(&path) {
        Say::Json(number, value) => (status(number), Json(value)).into_response(),
        Say::Page(number, text) => (status(number), [(header::CONTENT_TYPE, "text/html")], text).into_response(),
        Say::Picture(bytes) => ([(header::CONTENT_TYPE, "image/png")], bytes).into_response(),
        Say::Hang => std::future::pending().await,
    }
}
