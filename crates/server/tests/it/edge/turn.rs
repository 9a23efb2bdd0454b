//! TURN and HTTPS on one port (TURN-1).

use atalaya_server::serve;
use atalaya_sfu::{Engine, EngineConfig, NoRecording, RelayConfig};
use axum::Router;
use axum::routing::get;
use axum_server::Handle;
use axum_server::tls_rustls::RustlsConfig;
use rustls::crypto::aws_lc_rs::default_provider;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ClientConfig, ClientConnection, RootCertStore, ServerConfig, StreamOwned};
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::time::Duration;

/// An Allocate request that proves nothing.
const ALLOCATE: [u8; 28] =
    [0, 3, 0, 8, 0x21, 0x12, 0xa4, 0x42, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 0, 0x19, 0, 4, 17, 0, 0, 0];
const HEAD: Duration = Duration::from_secs(2);

struct Server {
    address: SocketAddr,
    certificate: CertificateDer<'static>,
    engine: Engine,
    handle: Handle<SocketAddr>,
}

async fn listening() -> Server {
    let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).expect("a certificate");
    let certificate = made.cert.der().clone();
    let key = PrivateKeyDer::try_from(made.signing_key.serialize_der()).expect("a key");
    let config = ServerConfig::builder_with_provider(Arc::new(default_provider()))
        .with_safe_default_protocol_versions()
        .expect("versions")
        .with_no_client_auth()
        .with_single_cert(vec![certificate.clone()], key)
        .expect("they belong together");
    let engine = EngineConfig {
        udp_bind: "127.0.0.1:0".parse().expect("an address"),
        tcp_bind: None,
        announce: Vec::new(),
        api_key: "key".into(),
        api_secret: "secret".to_owned().into(),
        relay: RelayConfig::BuiltIn { tls: None },
        empty_room_timeout: HEAD,
    };
    let engine = Engine::start(engine, Arc::new(NoRecording)).await.expect("started").0;
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    listener.set_nonblocking(true).expect("a socket");
    let (address, handle) = (listener.local_addr().expect("bound"), Handle::new());
    let router = Router::new().route("/", get(|| async { "here" }));
    let tls = (RustlsConfig::from_config(Arc::new(config)), engine.turn_door());
    tokio::spawn(serve::answer(router, listener, Some(tls), HEAD, handle.clone()));
    Server { address, certificate, engine, handle }
}

/// What comes back inside TLS until the server has nothing more to say for a while.
fn talk(address: SocketAddr, certificate: CertificateDer<'static>, pieces: &[&[u8]]) -> Vec<u8> {
    let mut roots = RootCertStore::empty();
    roots.add(certificate).expect("a certificate");
    let config = ClientConfig::builder_with_provider(Arc::new(default_provider()))
        .with_safe_default_protocol_versions()
        .expect("versions")
        .with_root_certificates(roots)
        .with_no_client_auth();
    let name = "localhost".try_into().expect("a name");
    let connection = ClientConnection::new(Arc::new(config), name).expect("a client");
    let socket = TcpStream::connect(address).expect("the port is open");
    socket.set_read_timeout(Some(HEAD)).expect("a socket");
    let mut stream = StreamOwned::new(connection, socket);
    for piece in pieces {
        stream.write_all(piece).expect("taken");
        stream.flush().expect("taken");
    }
    let mut answer = vec![0; 1_024];
    let count = stream.read(&mut answer).unwrap_or(0);
    answer.truncate(count);
    answer
}

// TURN-1
#[tokio::test]
async fn the_web_port_speaks_https_and_turn() {
    let Server { address, certificate, engine, handle } = listening().await;
    let answers = tokio::task::spawn_blocking(move || {
        let talk = |pieces: &[&[u8]]| talk(address, certificate.clone(), pieces);
        let http = talk(&[b"GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n"]);
        (http, talk(&[&ALLOCATE]), talk(&[&ALLOCATE[..1], &ALLOCATE[1..9], &ALLOCATE[9..]]), talk(&[&[1; 64]]))
    });
    let (http, whole, pieces, garbage) = answers.await.expect("no panic");
    assert!(http.starts_with(b"HTTP/1.1 200"), "{}", String::from_utf8_lossy(&http));
    for answer in [whole, pieces] {
        assert!(answer.starts_with(&[0x01, 0x13]) && answer.len() <= 128, "{answer:?}");
        assert_eq!(answer[8..20], ALLOCATE[8..20], "the transaction");
    }
    assert_eq!(garbage, b"", "no answer to what is neither");
    handle.shutdown();
    engine.shutdown().await;
}
