//! The room service as LiveKit's server clients call it: twirp over HTTP, protobuf or JSON (ENGINE-23).
//!
//! Source: LiveKit RoomService; errors as twirp documents (`code`, `msg`) with our code in `meta`.

use crate::engine::Engine;
use crate::error::EngineError;
use crate::token::{Claims, TokenError};
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use livekit_protocol as proto;
use livekit_protocol::data_packet::Kind;
use prost::Message;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// A refusal as a twirp error.
struct Fault {
    status: StatusCode,
    twirp: &'static str,
    code: &'static str,
    message: String,
}

impl Fault {
    fn new(status: StatusCode, twirp: &'static str, code: &'static str, message: impl Into<String>) -> Self {
        Self { status, twirp, code, message: message.into() }
    }

    fn malformed() -> Self {
        Self::new(StatusCode::BAD_REQUEST, "malformed", "MEDIA_REQUEST_MALFORMED", "the request cannot be read")
    }
}

impl IntoResponse for Fault {
    fn into_response(self) -> Response {
        let body = serde_json::json!({ "code": self.twirp, "msg": self.message, "meta": { "code": self.code } });
        (self.status, axum::Json(body)).into_response()
    }
}

impl From<TokenError> for Fault {
    fn from(error: TokenError) -> Self {
        let (status, twirp) = match error {
            TokenError::NotAllowed => (StatusCode::FORBIDDEN, "permission_denied"),
            TokenError::Unknown => (StatusCode::SERVICE_UNAVAILABLE, "unavailable"),
            _ => (StatusCode::UNAUTHORIZED, "unauthenticated"),
        };
        Self::new(status, twirp, error.code(), error.to_string())
    }
}

impl From<EngineError> for Fault {
    fn from(error: EngineError) -> Self {
        use EngineError as E;
        let (status, twirp) = match &error {
            E::RoomNotFound | E::ParticipantNotFound | E::TrackNotFound => (StatusCode::NOT_FOUND, "not_found"),
            E::RoomFull => (StatusCode::TOO_MANY_REQUESTS, "resource_exhausted"),
            E::RemoteUnmute | E::RecordingState => (StatusCode::PRECONDITION_FAILED, "failed_precondition"),
            E::RoomName | E::DataTooLarge => (StatusCode::BAD_REQUEST, "invalid_argument"),
            E::Bind(_) | E::NoAddress | E::Stopped => (StatusCode::SERVICE_UNAVAILABLE, "unavailable"),
        };
        Self::new(status, twirp, error.code(), error.to_string())
    }
}

/// The body of a call and how to answer it.
struct Body {
    bytes: Bytes,
    json: bool,
}

impl Body {
    fn new(headers: &HeaderMap, bytes: Bytes) -> Result<Self, Fault> {
        let kind = headers.get(header::CONTENT_TYPE).and_then(|v| v.to_str().ok()).unwrap_or_default();
        match kind.split(';').next().map(str::trim) {
            Some("application/json") => Ok(Self { bytes, json: true }),
            Some("application/protobuf") => Ok(Self { bytes, json: false }),
            _ => Err(Fault::new(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "malformed",
                "MEDIA_REQUEST_MALFORMED",
                "the content type must be application/json or application/protobuf",
            )),
        }
    }

    fn read<T: Message + Default + DeserializeOwned>(&self) -> Result<T, Fault> {
        if !self.json {
            return T::decode(&self.bytes[..]).map_err(|_| Fault::malformed());
        }
        let text: &[u8] = if self.bytes.is_empty() { b"{}" } else { &self.bytes };
        serde_json::from_slice(text).map_err(|_| Fault::malformed())
    }

    fn answer<T: Message + Serialize>(&self, message: &T) -> Response {
        if self.json {
            return axum::Json(message).into_response();
        }
        ([(header::CONTENT_TYPE, "application/protobuf")], message.encode_to_vec()).into_response()
    }
}

/// `POST /twirp/livekit.RoomService/{method}`.
pub(crate) async fn call(State(engine): State<Engine>, Path(method): Path<String>, headers: HeaderMap, bytes: Bytes) -> Response {
    match dispatch(&engine, &method, &headers, bytes).await {
        Ok(response) => response,
        Err(fault) => fault.into_response(),
    }
}

async fn dispatch(engine: &Engine, method: &str, headers: &HeaderMap, bytes: Bytes) -> Result<Response, Fault> {
    let claims = engine.claims("", headers)?;
    let body = Body::new(headers, bytes)?;
    match method {
        "CreateRoom" | "ListRooms" | "DeleteRoom" => rooms(engine, method, &claims, &body).await,
        "SendData" => send_data(engine, &claims, &body).await,
        _ => participants(engine, method, &claims, &body).await,
    }
}

fn allowed(yes: bool) -> Result<(), TokenError> {
    if yes { Ok(()) } else { Err(TokenError::NotAllowed) }
}

async fn rooms(engine: &Engine, method: &str, claims: &Claims, body: &Body) -> Result<Response, Fault> {
    match method {
        "CreateRoom" => {
            allowed(claims.video.room_create)?;
            Ok(body.answer(&engine.create_room(body.read()?).await?))
        }
        "ListRooms" => {
            allowed(claims.video.room_list)?;
            let request: proto::ListRoomsRequest = body.read()?;
            Ok(body.answer(&proto::ListRoomsResponse { rooms: engine.list_rooms(request.names).await? }))
        }
        _ => {
            allowed(claims.video.room_create)?;
            let request: proto::DeleteRoomRequest = body.read()?;
            engine.delete_room(&request.room).await?;
            Ok(body.answer(&proto::DeleteRoomResponse::default()))
        }
    }
}

async fn participants(engine: &Engine, method: &str, claims: &Claims, body: &Body) -> Result<Response, Fault> {
    match method {
        "ListParticipants" => {
            let request: proto::ListParticipantsRequest = body.read()?;
            claims.require_admin(&request.room)?;
            let participants = engine.list_participants(&request.room).await?;
            Ok(body.answer(&proto::ListParticipantsResponse { participants }))
        }
        "GetParticipant" | "RemoveParticipant" => {
            let request: proto::RoomParticipantIdentity = body.read()?;
            claims.require_admin(&request.room)?;
            if method == "GetParticipant" {
                return Ok(body.answer(&engine.get_participant(&request.room, &request.identity).await?));
            }
            engine.remove_participant(&request.room, &request.identity).await?;
            Ok(body.answer(&proto::RemoveParticipantResponse::default()))
        }
        "MutePublishedTrack" => {
            let r: proto::MuteRoomTrackRequest = body.read()?;
            claims.require_admin(&r.room)?;
            let track = engine.mute_published_track(&r.room, &r.identity, &r.track_sid, r.muted).await?;
            Ok(body.answer(&proto::MuteRoomTrackResponse { track: Some(track) }))
        }
        _ => Err(Fault::new(StatusCode::NOT_FOUND, "bad_route", "MEDIA_METHOD_UNKNOWN", "no such method")),
    }
}

async fn send_data(engine: &Engine, claims: &Claims, body: &Body) -> Result<Response, Fault> {
    let r: proto::SendDataRequest = body.read()?;
    claims.require_admin(&r.room)?;
    let reliable = r.kind == Kind::Reliable as i32;
    engine.send_data(&r.room, r.data, r.topic, r.destination_identities, reliable).await?;
    Ok(body.answer(&proto::SendDataResponse::default()))
}
