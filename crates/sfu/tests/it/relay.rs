//! TURN inside the engine: what clients are told, and its doors on the media port and behind TLS.

use crate::world::{claims, world, world_with};
use atalaya_sfu::proto::signal_response::Message;
use atalaya_sfu::proto::{IceServer, TrackSource};
use atalaya_sfu::{Engine, EngineConfig, EngineEvent, NoRecording, RelayCheck, RelayConfig, RelayOffer, Route};
use atalaya_turn::SharedSecret;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;
use str0m::media::MediaKind;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpStream, UdpSocket};

/// An Allocate request that proves nothing, with REQUESTED-TRANSPORT = UDP.
const ALLOCATE: [u8; 28] =
    [0, 3, 0, 8, 0x21, 0x12, 0xa4, 0x42, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 0, 0x19, 0, 4, 17, 0, 0, 0];
/// The type of its refusal.
const REFUSED: [u8; 2] = [0x01, 0x13];

async fn engine(relay: RelayConfig) -> Engine {
    let config = EngineConfig {
        udp_bind: "127.0.0.1:0".parse().expect("an address"),
        tcp_bind: Some("127.0.0.1:0".parse().expect("an address")),
        announce: Vec::new(),
        api_key: "key".into(),
        api_secret: "secret".to_string().into(),
        relay,
        empty_room_timeout: Duration::from_secs(5),
    };
    Engine::start(config, Arc::new(NoRecording)).await.expect("started").0
}

fn media_port(engine: &Engine) -> SocketAddr {
    (Ipv4Addr::LOCALHOST, engine.media_port()).into()
}

async fn refusal(mut stream: impl AsyncRead + AsyncWrite + Unpin) -> Option<Vec<u8>> {
    let mut answer = vec![0; 20];
    stream.read_exact(&mut answer).await.ok()?;
    answer.resize(20 + usize::from(u16::from_be_bytes([answer[2], answer[3]])), 0);
    stream.read_exact(&mut answer[20..]).await.ok()?;
    Some(answer)
}

// TURN-1
#[tokio::test]
async fn the_media_port_answers_turn_by_udp_and_by_tcp() {
    let engine = engine(RelayConfig::BuiltIn { tls: None }).await;
    let socket = UdpSocket::bind("127.0.0.1:0").await.expect("a port");
    socket.send_to(&ALLOCATE, media_port(&engine)).await.expect("sent");
    let mut answer = [0; 256];
    let count =
        tokio::time::timeout(Duration::from_secs(5), socket.recv(&mut answer)).await.expect("in time").expect("an answer");
    assert!(answer[..2] == REFUSED && count <= 128, "{count} bytes");
    assert_eq!(answer[8..20], ALLOCATE[8..20], "the transaction");

    let mut stream = TcpStream::connect(media_port(&engine)).await.expect("open");
    for piece in ALLOCATE.chunks(5) {
        stream.write_all(piece).await.expect("sent");
        stream.flush().await.expect("sent");
    }
    assert_eq!(refusal(stream).await.expect("an answer")[..2], REFUSED);
    engine.shutdown().await;
}

// TURN-1
#[tokio::test]
async fn a_connection_inside_tls_is_carried_and_other_bytes_end_it() {
    let engine = engine(RelayConfig::BuiltIn { tls: Some("atalaya.example:443".into()) }).await;
    let door = engine.turn_door().expect("a relay");
    let peer: SocketAddr = "198.51.100.9:40000".parse().expect("an address");
    let (mut client, server) = tokio::io::duplex(4_096);
    let carrying = tokio::spawn({
        let door = door.clone();
        async move { door.serve_tls(server, peer, &ALLOCATE[..9]).await }
    });
    client.write_all(&ALLOCATE[9..]).await.expect("sent");
    assert_eq!(refusal(&mut client).await.expect("an answer")[..2], REFUSED);
    client.write_all(b"GET / HTTP/1.1\r\n\r\n").await.expect("sent");
    carrying.await.expect("ended");
    engine.shutdown().await;
}

// TURN-10
#[tokio::test]
async fn without_a_relay_of_our_own_nothing_answers() {
    let external = RelayConfig::External { urls: vec!["turn:turn.example:3478".into()], secret: "north".to_string().into() };
    for relay in [RelayConfig::Off, external] {
        let engine = engine(relay).await;
        assert!(engine.turn_door().is_none());
        let mut stream = TcpStream::connect(media_port(&engine)).await.expect("open");
        stream.write_all(&ALLOCATE).await.expect("sent");
        assert_eq!(refusal(stream).await, None);
        engine.shutdown().await;
    }
}

fn told(messages: &[Message]) -> Vec<IceServer> {
    let found = messages.iter().find_map(|m| match m {
        Message::Join(join) => Some(join.ice_servers.clone()),
        Message::Reconnect(reconnect) => Some(reconnect.ice_servers.clone()),
        _ => None,
    });
    found.expect("a first message")
}

// TURN-3
#[test]
fn each_participant_is_told_credentials_of_its_own() {
    let urls = vec!["turn:192.0.2.2:7882?transport=udp".to_owned()];
    let mut world = world_with(Some(RelayOffer { urls: urls.clone(), secret: SharedSecret::new(b"north") }));
    let (alice, bob) = (world.join(claims("r", "alice"), 1, 1), world.join(claims("r", "bob"), 1, 1));
    world.run(Duration::from_millis(100));
    let [first, second] = [alice, bob].map(|client| told(&world.clients[client].inbox));
    assert_eq!((first.len(), &first[0].urls), (1, &urls));
    assert_ne!(first[0].username, second[0].username);
    assert_ne!(first[0].credential, second[0].credential);
    let (expiry, sid) = first[0].username.split_once(':').expect("expiry and subject");
    assert!(sid.starts_with("PA_") && world.hub.has_participant(sid));
    let expiry_s: i64 = expiry.parse().expect("a number");
    assert_eq!(SharedSecret::new(b"north").issue(sid, expiry_s, 0).password, first[0].credential);
}

// TURN-6
#[test]
fn the_way_of_the_media_is_told_once() {
    let mut world = world();
    let alice = world.connect(claims("r", "alice"), 1, 1);
    let (mic, _) = world.publish(alice, MediaKind::Audio, TrackSource::Microphone);
    world.stream(alice, Some(mic), None, 5, 0);
    world.relayed.push(alice);
    world.stream(alice, Some(mic), None, 5, 5_000);
    let routes: Vec<Route> = world
        .events
        .iter()
        .filter_map(|event| match event {
            EngineEvent::RouteChanged { identity, route, .. } if identity == "alice" => Some(*route),
            _ => None,
        })
        .collect();
    assert_eq!(routes, [Route::Udp, Route::RelayTls]);
}

// TURN-11
#[tokio::test]
async fn the_relay_is_handed_out_for_a_check_only_where_it_is_ours() {
    let ours = engine(RelayConfig::BuiltIn { tls: Some("atalaya.example:443".into()) }).await;
    let RelayCheck::Try { urls, username, expires_in_s, .. } = ours.relay_check() else { panic!("a relay") };
    assert_eq!(expires_in_s, 60);
    assert!(urls.contains(&"turns:atalaya.example:443?transport=tcp".to_owned()), "{urls:?}");
    assert!(username.contains(":check-"), "{username}");
    let secret = "x".repeat(32).into();
    let elsewhere = engine(RelayConfig::External { urls: vec!["turn:192.0.2.1:3478".into()], secret }).await;
    assert!(elsewhere.relay_check() == RelayCheck::Elsewhere);
    let off = engine(RelayConfig::Off).await;
    assert!(off.relay_check() == RelayCheck::Off);
    for engine in [ours, elsewhere, off] {
        engine.shutdown().await;
    }
}
