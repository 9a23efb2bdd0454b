//! What every request meets before its handler: paths, the pace of bodies, room for uploads.

use crate::support::Case;
use atalaya_testkit::{TestApp, both_engines};
use axum::http::Method;
use serde_json::json;
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

mod connections;
mod turn;

/// Opens a connection and sends the head of a request with a body of this length.
async fn head(app: &TestApp, path: &str, headers: &[(&str, &str)], length: usize) -> TcpStream {
    let address = app.listen().await;
    let mut socket = TcpStream::connect(address).await.expect("the port is open");
    let mut text = format!("POST {path} HTTP/1.1\r\nhost: {address}\r\ncontent-length: {length}\r\n");
    for (name, value) in headers {
        text.push_str(&format!("{name}: {value}\r\n"));
    }
    socket.write_all(format!("{text}\r\n").as_bytes()).await.expect("the head is taken");
    socket
}

/// The status of the answer and its whole text; `None` when the connection broke before one.
async fn answer(socket: &mut TcpStream) -> Option<(u16, String)> {
    let mut bytes = Vec::new();
    let mut chunk = [0; 4096];
    let reading = async {
        while !String::from_utf8_lossy(&bytes).contains("\r\n\r\n{") {
            match socket.read(&mut chunk).await {
                Ok(0) | Err(_) => return,
                Ok(n) => bytes.extend_from_slice(&chunk[..n]),
            }
        }
    };
    tokio::time::timeout(Duration::from_secs(20), reading).await.expect("an answer in time");
    let text = String::from_utf8_lossy(&bytes).into_owned();
    Some((text.split(' ').nth(1)?.parse().ok()?, text))
}

both_engines! {
    // EDGE-1
    async fn unknown_paths_of_calls_and_files_are_problems_by_any_method(app) {
        let client = app.anonymous();
        for folder in [".well-known", "api", "api/v1", "ext-api/v1", "hooks", "rtc", "rtc/v1", "twirp", "uploads"] {
            for path in [format!("/{folder}/nothing"), format!("/{folder}/nothing/"), format!("/{folder}/a/b/c.html")] {
                for method in [Method::GET, Method::POST, Method::PUT, Method::DELETE] {
                    let answer = client.send(method.clone(), &path, None).await;
                    // `/uploads/{name}` is a call: it asks first who calls, and by which method.
                    if path.starts_with("/uploads/nothing") && matches!(answer.status, 401 | 405) {
                        continue;
                    }
                    assert_eq!(answer.status, 404, "{method} {path}");
                    answer.problem(404, "PATH_UNKNOWN");
                }
            }
        }
        for page in ["/nothing", "/login/nothing", "/ext-api", "/well-known/x"] {
            assert_ne!(client.get(page).await.status, 404, "{page} is the web app's");
        }
    }

    // EDGE-3
    async fn whoever_is_refused_while_sending_gets_the_answer(app) {
        let path = format!("/api/v1/conference-media/{}", app.sources.uuid());
        for _ in 0..10 {
            let (size, chunk) = (8 << 20, vec![b'x'; 64 << 10]);
            let kind = ("content-type", "multipart/form-data; boundary=x");
            let mut socket = head(app, &path, &[kind], size).await;
            for _ in 0..size / chunk.len() {
                socket.write_all(&chunk).await.expect("the connection holds while the client sends");
            }
            let (status, text) = answer(&mut socket).await.expect("an answer");
            assert!(status == 401 && text.contains("SESSION_REQUIRED"), "{text}");
        }
    }
}

fn quick(config: &mut atalaya_server::config::Config) {
    config.guards.pace.silence = Duration::from_millis(1500);
    config.guards.pace.grace = Duration::from_millis(1500);
}

/// Silent connections take nothing from anybody, and end by themselves.
///
/// Rules: EDGE-2, EDGE-4.
async fn silent_connections(app: &TestApp) {
    let case = Case::open(app).await;
    let key = case.accept().await;
    let upload = format!("/api/v1/external/{}/media", case.hash);
    let token = case.staff.token.clone().expect("logged in");
    let bearer = format!("Bearer {token}");
    let form = ("content-type", "multipart/form-data; boundary=x");
    let mut silent = Vec::new();
    for _ in 0..12 {
        silent.push(head(app, &upload, &[("x-client-key", &key), form], 26_000_000).await);
        let json = ("content-type", "application/json");
        silent.push(head(app, "/api/v1/send-incidence", &[("authorization", &bearer), json], 40_000_000).await);
        silent.push(head(app, "/api/v1/prelogin", &[json], 100).await);
    }
    tokio::time::sleep(Duration::from_millis(100)).await;
    let started = Instant::now();
    case.capture(&key, &json!({"method": "takePhoto"}), &crate::support::png()).await.ok();
    let incidence = json!({"incidence": {"type": 2, "reason": 5, "comments": "Hola"}});
    assert_ne!(case.staff.post("/api/v1/send-incidence", incidence).await.status, 429);
    assert!(started.elapsed() < Duration::from_millis(1300), "nobody waits for those who are silent");
    for (nth, socket) in silent.iter_mut().enumerate() {
        let (status, text) = answer(socket).await.expect("an answer");
        let code = if nth % 3 == 0 { "UPLOAD_STALLED" } else { "REQUEST_TIMEOUT" };
        assert!(status == 408 && text.contains(code), "{nth}: {text}");
    }
}

#[tokio::test]
async fn silent_connections_stop_nobody() {
    let app = TestApp::configured(atalaya_db::Engine::Sqlite, quick).await.expect("SQLite is always there");
    silent_connections(&app).await;
}
