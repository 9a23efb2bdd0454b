//! Sends requests into the router and reads the answers.

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::ConnectInfo;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, Request, header};
use axum::response::Response;
use serde_json::Value;
use std::net::SocketAddr;
use tower::ServiceExt;

/// Somebody with a browser: an address, perhaps a session, perhaps extra headers.
#[derive(Clone)]
pub struct Client {
    router: Router,
    pub token: Option<String>,
    address: SocketAddr,
    headers: HeaderMap,
}

impl Client {
    /// Somebody before any router.
    pub fn new(router: Router, token: Option<String>) -> Self {
        Self { router, token, address: ([192, 0, 2, 1], 40000).into(), headers: HeaderMap::new() }
    }

    /// The same from another address.
    pub fn from(mut self, address: [u8; 4]) -> Self {
        self.address = (address, 40000).into();
        self
    }

    /// The same from another address, also of IPv6.
    pub fn with_ip(mut self, address: std::net::IpAddr) -> Self {
        self.address = (address, 40000).into();
        self
    }

    /// The same with one more header.
    pub fn with(mut self, name: &'static str, value: &str) -> Self {
        self.headers.append(HeaderName::from_static(name), HeaderValue::from_str(value).expect("a header value"));
        self
    }

    /// The same with this session.
    pub fn with_token(mut self, token: impl Into<String>) -> Self {
        self.token = Some(token.into());
        self
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.send(Method::GET, path, None).await
    }

    pub async fn post(&self, path: &str, body: Value) -> Answer {
        self.send(Method::POST, path, Some(body)).await
    }

    pub async fn put(&self, path: &str, body: Value) -> Answer {
        self.send(Method::PUT, path, Some(body)).await
    }

    /// A request with a JSON body, or none.
    pub async fn send(&self, method: Method, path: &str, body: Option<Value>) -> Answer {
        let (kind, body) = match body {
            Some(value) => (Some("application/json"), Body::from(value.to_string())),
            None => (None, Body::empty()),
        };
        self.send_body(method, path, kind, body).await
    }

    /// A request with any body.
    pub async fn send_body(&self, method: Method, path: &str, kind: Option<&str>, body: impl Into<Body>) -> Answer {
        Answer::read(self.respond(method, path, kind, body.into()).await).await
    }

    /// Status, content type and problem code of an answer whose body may not end by itself (an event stream).
    pub async fn head_of(&self, path: &str) -> (u16, Option<String>, String) {
        let response = self.respond(Method::GET, path, None, Body::empty()).await;
        let status = response.status().as_u16();
        let kind = response.headers().get(header::CONTENT_TYPE).and_then(|v| v.to_str().ok()).map(str::to_owned);
        if kind.as_deref() == Some("text/event-stream") {
            return (status, kind, String::new());
        }
        let answer = Answer::read(response).await;
        (status, kind, answer.json()["code"].as_str().unwrap_or_default().to_owned())
    }

    async fn respond(&self, method: Method, path: &str, kind: Option<&str>, body: Body) -> Response {
        let mut request = Request::builder().method(method).uri(path).body(body).expect("a path of ours");
        *request.headers_mut() = self.headers.clone();
        if let Some(kind) = kind {
            request.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_str(kind).expect("a media type"));
        }
        if let Some(token) = &self.token {
            let value = HeaderValue::from_str(&format!("Bearer {token}")).expect("a token is ASCII");
            request.headers_mut().insert(header::AUTHORIZATION, value);
        }
        request.extensions_mut().insert(ConnectInfo(self.address));
        self.router.clone().oneshot(request).await.expect("the router always answers")
    }
}

/// What came back.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: HeaderMap,
    pub body: Bytes,
}

impl Answer {
    async fn read(response: Response) -> Self {
        let (parts, body) = response.into_parts();
        let body = axum::body::to_bytes(body, usize::MAX).await.expect("the answer's body is whole");
        Self { status: parts.status.as_u16(), headers: parts.headers, body }
    }

    /// The body as JSON; null when it is empty or something else.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or(Value::Null)
    }

    /// The body, after checking the status.
    #[track_caller]
    pub fn ok(&self) -> Value {
        self.expect(200)
    }

    #[track_caller]
    pub fn expect(&self, status: u16) -> Value {
        assert_eq!(self.status, status, "{}", String::from_utf8_lossy(&self.body));
        self.json()
    }

    /// Checks that this is a problem document with this status and code.
    #[track_caller]
    pub fn problem(&self, status: u16, code: &str) -> Value {
        let body = self.expect(status);
        assert_eq!(self.header("content-type"), Some("application/problem+json"));
        assert_eq!((body["status"].as_u64(), body["code"].as_str()), (Some(status.into()), Some(code)), "{body}");
        for field in ["type", "title", "detail", "requestId"] {
            assert!(body[field].as_str().is_some_and(|text| !text.is_empty()), "{field}: {body}");
        }
        body
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// The `Set-Cookie` lines of a cookie.
    pub fn cookies(&self, name: &str) -> Vec<String> {
        let lines = self.headers.get_all(header::SET_COOKIE).iter().filter_map(|value| value.to_str().ok());
        lines.filter(|line| line.starts_with(&format!("{name}="))).map(str::to_owned).collect()
    }
}
