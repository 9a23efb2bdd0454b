//! The engine's HTTP routes: the signalling websocket, its two validation addresses, and the room service.
//!
//! Called by `server`'s router. *Invariant:* a refusal is a problem document with a code, and `/rtc/validate` never
//! answers 404 (ENGINE-2).

use crate::driver::{Command, ToClient};
use crate::engine::Engine;
use crate::gate::Verdict;
use crate::hub::JoinInput;
use crate::signal::{MAX_SIGNAL_FRAME, SignalError, decode_join_request, decode_request};
use crate::token::{Claims, TokenError};
use axum::Router;
use axum::extract::ws::{CloseFrame, Message, WebSocket, close_code};
use axum::extract::{Query, State, WebSocketUpgrade};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde::Deserialize;
use tokio::sync::mpsc;

/// Frames waiting for one client; a client that reads nothing is disconnected.
const MAX_WAITING: usize = 512;
/// Frames a client may send in one second, on average over its burst.
const FRAMES_PER_SECOND: u32 = 100;
const FRAME_BURST: u32 = 400;

/// A refusal on the wire: problem+json (RFC 9457).
pub(crate) struct Refusal {
    pub status: StatusCode,
    pub code: &'static str,
    pub detail: String,
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let body = serde_json::json!({
            "type": "about:blank",
            "title": self.status.canonical_reason().unwrap_or_default(),
            "status": self.status.as_u16(),
            "detail": self.detail,
            "code": self.code,
        });
        (self.status, [(header::CONTENT_TYPE, "application/problem+json")], body.to_string()).into_response()
    }
}

impl From<TokenError> for Refusal {
    fn from(error: TokenError) -> Self {
        let status = match error {
            TokenError::NotAllowed => StatusCode::FORBIDDEN,
            TokenError::Unknown => StatusCode::SERVICE_UNAVAILABLE,
            _ => StatusCode::UNAUTHORIZED,
        };
        Self { status, code: error.code(), detail: error.to_string() }
    }
}

impl From<SignalError> for Refusal {
    fn from(error: SignalError) -> Self {
        Self { status: StatusCode::BAD_REQUEST, code: error.code(), detail: error.to_string() }
    }
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct JoinQuery {
    access_token: String,
    join_request: String,
}

impl Engine {
    /// The routes of the engine; mount them at the root of the origin clients are given.
    pub fn router(&self) -> Router {
        Router::new()
            .route("/rtc/v1", get(open_signal))
            .route("/rtc/v1/validate", get(validate))
            .route("/rtc/validate", get(validate_v0))
            .route("/twirp/livekit.RoomService/{method}", post(crate::twirp::call))
            .with_state(self.clone())
    }

    /// The claims of a request: query value first, else the bearer header.
    pub(crate) fn claims(&self, token: &str, headers: &HeaderMap) -> Result<Claims, TokenError> {
        let bearer = headers.get(header::AUTHORIZATION).and_then(|v| v.to_str().ok());
        let bearer = bearer.and_then(|v| v.strip_prefix("Bearer ")).unwrap_or_default();
        let token = if token.is_empty() { bearer } else { token };
        let result = self.keys.verify(token, self.sources.now().timestamp());
        if let Err(e) = result {
            tracing::info!(code = e.code(), "a media token was refused");
        }
        result
    }

    /// The claims of a request that may join now, token and gate being asked (ENGINE-29).
    async fn admitted(&self, token: &str, headers: &HeaderMap) -> Result<Claims, TokenError> {
        let claims = self.claims(token, headers)?;
        claims.require_join()?;
        let verdict = match self.gate.get() {
            Some(gate) => gate.admits(&claims).await,
            None => Verdict::Admitted,
        };
        match verdict {
            Verdict::Admitted => Ok(claims),
            Verdict::Revoked => Err(TokenError::Revoked),
            Verdict::Unknown => Err(TokenError::Unknown),
        }
    }
}

async fn validate(State(engine): State<Engine>, Query(query): Query<JoinQuery>, headers: HeaderMap) -> Response {
    match engine.admitted(&query.access_token, &headers).await {
        Ok(_) => "success".into_response(),
        Err(e) => Refusal::from(e).into_response(),
    }
}

async fn validate_v0() -> Response {
    Refusal {
        status: StatusCode::FORBIDDEN,
        code: "SIGNAL_VERSION_UNSUPPORTED",
        detail: "only the single peer connection signalling is served".into(),
    }
    .into_response()
}

async fn open_signal(
    State(engine): State<Engine>,
    Query(query): Query<JoinQuery>,
    headers: HeaderMap,
    upgrade: Result<WebSocketUpgrade, axum::extract::ws::rejection::WebSocketUpgradeRejection>,
) -> Response {
    let joining = async || -> Result<_, Refusal> {
        let claims = engine.admitted(&query.access_token, &headers).await?;
        let request = decode_join_request(&query.join_request).inspect_err(|e| {
            tracing::info!(code = e.code(), "a join request was refused");
        })?;
        Ok((claims, request))
    };
    let (claims, request) = match joining().await {
        Ok(joining) => joining,
        Err(refusal) => return refusal.into_response(),
    };
    let upgrade = match upgrade {
        Ok(upgrade) => upgrade,
        Err(rejection) => return rejection.into_response(),
    };
    let conn = engine.next_conn();
    let input = JoinInput { conn, claims, request };
    upgrade
        .max_message_size(MAX_SIGNAL_FRAME)
        .max_frame_size(MAX_SIGNAL_FRAME)
        .on_upgrade(move |socket| serve(engine, socket, input))
}

/// Carries frames between one websocket and the engine until either ends.
async fn serve(engine: Engine, mut socket: WebSocket, input: JoinInput) {
    let conn = input.conn;
    let (to_client, mut outbox) = mpsc::channel(MAX_WAITING);
    if engine.commands.send(Command::Join { input: Box::new(input), to_client }).await.is_err() {
        return close(&mut socket, close_code::AWAY, "the media engine has stopped").await;
    }
    let mut pace = FramePace::default();
    loop {
        tokio::select! {
            message = outbox.recv() => match message {
                Some(ToClient::Frame(bytes)) => {
                    if socket.send(Message::Binary(bytes.into())).await.is_err() {
                        break;
                    }
                }
                Some(ToClient::Close(reason)) => return close(&mut socket, close_code::NORMAL, reason).await,
                None => return close(&mut socket, close_code::AWAY, "the media engine let go").await,
            },
            received = socket.recv() => {
                let Some(Ok(message)) = received else {
                    break;
                };
                if let Err((code, reason)) = take(&engine, conn, message, &mut pace).await {
                    tracing::info!(reason, "a signalling connection was closed");
                    close(&mut socket, code, reason).await;
                    break;
                }
            }
        }
    }
    let _ = engine.commands.send(Command::SignalClosed { conn }).await;
}

async fn take(engine: &Engine, conn: u64, message: Message, pace: &mut FramePace) -> Result<(), (u16, &'static str)> {
    if !pace.admits(tokio::time::Instant::now()) {
        return Err((close_code::POLICY, "SIGNAL_TOO_MANY_FRAMES"));
    }
    match message {
        Message::Binary(bytes) => {
            let request = decode_request(&bytes).map_err(|e| (close_code::INVALID, e.code()))?;
            if let Some(request) = request {
                let command = Command::Signal { conn, request: Box::new(request) };
                engine.commands.send(command).await.map_err(|_| (close_code::AWAY, "MEDIA_ENGINE_STOPPED"))?;
            }
            Ok(())
        }
        Message::Text(_) => Err((close_code::UNSUPPORTED, "SIGNAL_TEXT_UNSUPPORTED")),
        Message::Close(_) => Err((close_code::NORMAL, "bye")),
        Message::Ping(_) | Message::Pong(_) => Ok(()),
    }
}

async fn close(socket: &mut WebSocket, code: u16, reason: &'static str) {
    let _ = socket.send(Message::Close(Some(CloseFrame { code, reason: reason.into() }))).await;
}

/// A bucket of frames: a burst, then an average.
struct FramePace {
    left: f64,
    at: Option<tokio::time::Instant>,
}

impl Default for FramePace {
    fn default() -> Self {
        Self { left: f64::from(FRAME_BURST), at: None }
    }
}

impl FramePace {
    fn admits(&mut self, now: tokio::time::Instant) -> bool {
        let gained = self.at.map_or(0.0, |at| (now - at).as_secs_f64() * f64::from(FRAMES_PER_SECOND));
        self.at = Some(now);
        self.left = (self.left + gained).min(f64::from(FRAME_BURST)) - 1.0;
        self.left >= 0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    // ENGINE-5
    #[test]
    fn a_flood_is_stopped_and_a_call_is_not() {
        let start = tokio::time::Instant::now();
        let mut pace = FramePace::default();
        assert!((0..FRAME_BURST).all(|_| pace.admits(start)));
        assert!(!pace.admits(start), "the burst is used up");
        let mut calm = FramePace::default();
        assert!((0..10_000).all(|i| calm.admits(start + Duration::from_millis(20 * i))));
    }
}
