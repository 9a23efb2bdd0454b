//! The HTTP routes of a running engine, with real sockets on loopback.

use atalaya_sfu::proto;
use atalaya_sfu::{Claims, Engine, EngineConfig, NoRecording, RelayConfig, VideoGrants};
use axum::body::{Body, to_bytes};
use axum::http::{Request, StatusCode, header};
use prost::Message;
use std::sync::Arc;
use std::time::Duration;
use tower::ServiceExt;

async fn engine() -> Engine {
    let config = EngineConfig {
        udp_bind: "127.0.0.1:0".parse().expect("an address"),
        tcp_bind: Some("127.0.0.1:0".parse().expect("an address")),
        announce: Vec::new(),
        api_key: "key".into(),
        api_secret: "secret".to_string().into(),
        relay: RelayConfig::BuiltIn { tls: None },
        empty_room_timeout: Duration::from_secs(5),
    };
    Engine::start(config, Arc::new(NoRecording)).await.expect("started").0
}

fn token(engine: &Engine, video: VideoGrants) -> String {
    let now = chrono::Utc::now().timestamp();
    let claims = Claims { sub: "user:1".into(), video, ..Default::default() };
    engine.keys().mint(claims, now, 60).expect("minted")
}

async fn get(engine: &Engine, path: String) -> (StatusCode, String) {
    let response = engine.router().oneshot(Request::get(path).body(Body::empty()).expect("a request")).await.expect("answered");
    let status = response.status();
    let body = to_bytes(response.into_body(), 1 << 20).await.expect("a body");
    (status, String::from_utf8_lossy(&body).into_owned())
}

async fn twirp(engine: &Engine, method: &str, token: &str, kind: &str, body: Vec<u8>) -> (StatusCode, Vec<u8>) {
    let request = Request::post(format!("/twirp/livekit.RoomService/{method}"))
        .header(header::AUTHORIZATION, format!("Bearer {token}"))
        .header(header::CONTENT_TYPE, kind)
        .body(Body::from(body))
        .expect("a request");
    let response = engine.router().oneshot(request).await.expect("answered");
    let status = response.status();
    (status, to_bytes(response.into_body(), 1 << 20).await.expect("a body").to_vec())
}

// ENGINE-2
#[tokio::test]
async fn validation_is_never_404_and_names_the_reason() {
    let engine = engine().await;
    let good = token(&engine, VideoGrants { room_join: true, room: "r".into(), ..Default::default() });
    let no_join = token(&engine, VideoGrants { room: "r".into(), ..Default::default() });
    assert_eq!(get(&engine, format!("/rtc/v1/validate?access_token={good}")).await.0, StatusCode::OK);
    let (status, body) = get(&engine, "/rtc/v1/validate?access_token=forged".into()).await;
    assert_eq!(status, StatusCode::UNAUTHORIZED);
    assert!(body.contains("MEDIA_TOKEN_INVALID"), "{body}");
    let (status, body) = get(&engine, format!("/rtc/v1/validate?access_token={no_join}")).await;
    assert_eq!((status, body.contains("MEDIA_TOKEN_NOT_ALLOWED")), (StatusCode::FORBIDDEN, true));
    for path in ["/rtc/validate".to_string(), format!("/rtc/validate?access_token={good}")] {
        let status = get(&engine, path).await.0;
        assert!(status.is_client_error() && status != StatusCode::NOT_FOUND, "{status}");
    }
    engine.shutdown().await;
}

// ENGINE-3
#[tokio::test]
async fn the_signalling_door_refuses_with_a_code_before_anything_happens() {
    let engine = engine().await;
    let good = token(&engine, VideoGrants { room_join: true, room: "r".into(), ..Default::default() });
    let (status, body) = get(&engine, "/rtc/v1?join_request=x".into()).await;
    assert_eq!((status, body.contains("MEDIA_TOKEN_MISSING")), (StatusCode::UNAUTHORIZED, true));
    let (status, body) = get(&engine, format!("/rtc/v1?access_token={good}&join_request=%00%00")).await;
    assert_eq!((status, body.contains("JOIN_REQUEST_INVALID")), (StatusCode::BAD_REQUEST, true));
    assert!(engine.list_rooms(Vec::new()).await.expect("running").is_empty(), "no room was opened");
    engine.shutdown().await;
    assert!(engine.list_rooms(Vec::new()).await.is_err(), "stopped");
}

// ENGINE-23
#[tokio::test]
async fn the_room_service_speaks_json_and_protobuf_and_asks_for_the_right_grant() {
    let engine = engine().await;
    let admin = token(
        &engine,
        VideoGrants { room_create: true, room_list: true, room_admin: true, room: "r".into(), ..Default::default() },
    );
    let guest = token(&engine, VideoGrants { room_join: true, room: "r".into(), ..Default::default() });
    let (status, body) =
        twirp(&engine, "CreateRoom", &admin, "application/json", br#"{"name":"r","emptyTimeout":60}"#.to_vec()).await;
    assert_eq!(status, StatusCode::OK);
    assert!(String::from_utf8_lossy(&body).contains("RM_"));
    let (status, body) = twirp(&engine, "ListRooms", &admin, "application/protobuf", Vec::new()).await;
    assert_eq!(status, StatusCode::OK);
    let rooms = proto::ListRoomsResponse::decode(&body[..]).expect("protobuf").rooms;
    assert_eq!((rooms.len(), rooms[0].empty_timeout), (1, 60));
    for method in ["CreateRoom", "ListRooms", "DeleteRoom", "ListParticipants", "SendData", "RemoveParticipant"] {
        let (status, body) = twirp(&engine, method, &guest, "application/json", br#"{"room":"r","name":"r"}"#.to_vec()).await;
        assert_eq!(status, StatusCode::FORBIDDEN, "{method}: {}", String::from_utf8_lossy(&body));
    }
    let (status, _) =
        twirp(&engine, "GetParticipant", &admin, "application/json", br#"{"room":"r","identity":"x"}"#.to_vec()).await;
    assert_eq!(status, StatusCode::NOT_FOUND);
    let (status, _) = twirp(&engine, "CreateRoom", &admin, "application/json", b"{".to_vec()).await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
    let (status, _) = twirp(&engine, "CreateRoom", &admin, "text/plain", Vec::new()).await;
    assert_eq!(status, StatusCode::UNSUPPORTED_MEDIA_TYPE);
    let (status, _) = twirp(&engine, "Nothing", &admin, "application/json", Vec::new()).await;
    assert_eq!(status, StatusCode::NOT_FOUND);
    engine.shutdown().await;
}
