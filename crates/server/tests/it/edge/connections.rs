//! Connections that never become a request.

use atalaya_server::serve;
use axum::Router;
use axum::routing::get;
use axum_server::Handle;
use std::net::SocketAddr;
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

const HEAD: Duration = Duration::from_millis(500);

async fn listening() -> (SocketAddr, Handle<SocketAddr>) {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    listener.set_nonblocking(true).expect("a socket");
    let (address, handle) = (listener.local_addr().expect("bound"), Handle::new());
    let router = Router::new().route("/", get(|| async { "here" }));
    tokio::spawn(serve::answer(router, listener, None, HEAD, handle.clone()));
    (address, handle)
}

/// How long the server keeps a connection after these bytes.
async fn kept(address: SocketAddr, bytes: &[u8]) -> Duration {
    let mut socket = TcpStream::connect(address).await.expect("the port is open");
    socket.write_all(bytes).await.expect("taken");
    let started = Instant::now();
    let mut rest = Vec::new();
    let _ = tokio::time::timeout(Duration::from_secs(10), socket.read_to_end(&mut rest)).await;
    started.elapsed()
}

// EDGE-6
#[tokio::test]
async fn a_connection_without_a_whole_head_is_closed() {
    let (address, handle) = listening().await;
    for bytes in
        [&b""[..], b"P", b"PRI * HTTP/2.0\r\n", b"GET", b"GET / HTTP/1.1\r\nhost: x\r\n", b"GET / HTTP/1.1\r\nhost: x\r\n\r\n"]
    {
        let kept = kept(address, bytes).await;
        assert!(kept >= HEAD / 2 && kept < HEAD * 8, "{:?}: {kept:?}", String::from_utf8_lossy(bytes));
    }
    handle.shutdown();
}

// EDGE-6
#[tokio::test]
async fn a_head_in_two_pieces_is_answered() {
    let (address, handle) = listening().await;
    let mut socket = TcpStream::connect(address).await.expect("the port is open");
    socket.write_all(b"P").await.expect("taken");
    tokio::time::sleep(HEAD / 4).await;
    socket.write_all(b"UT / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").await.expect("taken");
    let mut text = String::new();
    socket.read_to_string(&mut text).await.expect("an answer");
    assert!(text.starts_with("HTTP/1.1 405"), "{text}");
    handle.shutdown();
}
