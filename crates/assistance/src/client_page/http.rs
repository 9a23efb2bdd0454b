//! Calls of the client's page. No session; the link's secret, and after the notice the device's key.

use super::breaker::{Breaker, Refused};
use super::model::StepRequest;
use super::service::{self, JoinView, LegalAnswer, LinkView, Origin};
use crate::Assistance;
use crate::calls::Side;
use crate::chat::http::ChatBody;
use crate::chat::{ChatRequest, Speaker};
use atalaya_cases::conferences;
use atalaya_cases::conferences::ConferenceError;
use atalaya_cases::evidence::Actor;
use atalaya_kernel::{ClientLanguage, ConferenceId};
use atalaya_rest::address::ClientAddress;
use atalaya_rest::extract::{Json, Path, Query};
use atalaya_rest::ratelimit::RateLimiter;
use atalaya_rest::response::{ApiResult, NoContent};
use axum::extract::{FromRequestParts, State};
use axum::http::StatusCode;
use axum::http::header::USER_AGENT;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use chrono::TimeDelta;
use serde::{Deserialize, Serialize};
use std::convert::Infallible;
use std::net::IpAddr;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

mod captures;

/// State of these handlers: the context and the rate limiters of these public calls.
#[derive(Clone)]
struct Door {
    deps: Assistance,
    codes: Breaker,
    calls: RateLimiter<IpAddr>,
}

pub fn routes(deps: Assistance) -> OpenApiRouter {
    let codes = Breaker::new(deps.sources.clock());
    // A client's page makes some 60 requests in a call of an hour; a family behind one address makes more.
    let calls = RateLimiter::new(deps.sources.clock(), 600, TimeDelta::minutes(10));
    OpenApiRouter::new()
        .routes(routes!(short_link))
        .routes(routes!(view_link))
        .routes(routes!(tell_step))
        .routes(routes!(answer_notice))
        .routes(routes!(join_call))
        .routes(routes!(leave_call))
        .routes(routes!(client_chat))
        .routes(routes!(redeem_code))
        .with_state(Door { deps: deps.clone(), codes, calls })
        .merge(captures::routes(deps))
}

/// The device's key, from the header `X-Client-Key`.
pub struct ClientKey(pub Option<String>);

impl<S: Send + Sync> FromRequestParts<S> for ClientKey {
    type Rejection = Infallible;
    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self(parts.headers.get("x-client-key").and_then(|v| v.to_str().ok()).map(str::to_owned)))
    }
}

/// Where the request came from.
pub struct From(pub Origin);

impl<S: Send + Sync> FromRequestParts<S> for From {
    type Rejection = Infallible;
    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Infallible> {
        let Ok(ClientAddress(address)) = ClientAddress::from_request_parts(parts, state).await;
        let agent = parts.headers.get(USER_AGENT).and_then(|v| v.to_str().ok()).unwrap_or_default();
        Ok(Self(Origin { address, user_agent: agent.chars().take(300).collect() }))
    }
}

fn limit(limiter: &RateLimiter<IpAddr>, address: IpAddr) -> Result<(), ConferenceError> {
    limiter
        .hit(atalaya_rest::address::subscriber(address))
        .map_err(|retry_after_s| ConferenceError::TooManyTries { retry_after_s })
}

/// The short link of an SMS: redirects to the client's page. Changes nothing.
#[utoipa::path(get, path = "/c/{code}", tag = "client", security(()), operation_id = "short_link",
    params(("code" = String, Path)), responses((status = 302, description = "To the client's page")))]
async fn short_link(State(door): State<Door>, Path(code): Path<String>) -> ApiResult<Response> {
    let plausible = code.len() <= 16 && code.bytes().all(|b| b.is_ascii_alphanumeric());
    let row = match plausible {
        true => conferences::find_by_short_code(door.deps.db.read(), &code).await.map_err(ConferenceError::from)?,
        false => None,
    };
    let target = row.map_or_else(|| "/external?reason=unknown".to_string(), |row| format!("/external/{}", row.hash));
    let mut response = Redirect::to(&target).into_response();
    *response.status_mut() = StatusCode::FOUND;
    Ok(response)
}

#[derive(Deserialize, IntoParams)]
struct ViewQuery {
    /// Language of the notice; the conference's when absent.
    language: Option<ClientLanguage>,
}

/// The state of a link, who is calling, and the notice. Changes nothing.
///
/// Errors: `LINK_UNKNOWN` (404).
#[utoipa::path(get, path = "/api/v1/external/{hash}", tag = "client", security(()), operation_id = "view_link",
    params(("hash" = String, Path), ViewQuery), responses((status = 200, body = LinkView)))]
async fn view_link(
    State(door): State<Door>,
    From(origin): From,
    Path(hash): Path<String>,
    Query(query): Query<ViewQuery>,
) -> ApiResult<Json<LinkView>> {
    limit(&door.calls, origin.address)?;
    Ok(Json(service::view(&door.deps, &hash, query.language).await?))
}

/// Records a step of the client.
///
/// Errors: `LINK_UNKNOWN` (404), `CLIENT_KEY_INVALID` (403), `CONFERENCE_CLOSED`, `LINK_EXPIRED` (410), `INVALID_FIELDS` (422).
#[utoipa::path(post, path = "/api/v1/external/{hash}/track", tag = "client", security(()), operation_id = "tell_step",
    params(("hash" = String, Path)), request_body = StepRequest, responses((status = 204)))]
async fn tell_step(
    State(door): State<Door>,
    From(origin): From,
    ClientKey(key): ClientKey,
    Path(hash): Path<String>,
    Json(request): Json<StepRequest>,
) -> ApiResult<NoContent> {
    limit(&door.calls, origin.address)?;
    service::tell(&door.deps, &hash, key.as_deref(), &request, &origin).await?;
    Ok(NoContent)
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct AnswerBody {
    /// The device's key; absent after a refusal.
    #[serde(skip_serializing_if = "Option::is_none")]
    client_key: Option<String>,
    /// For which the device signs its pictures; absent after a refusal.
    #[serde(skip_serializing_if = "Option::is_none")]
    conference: Option<ConferenceId>,
}

/// The client accepts or declines the notice.
///
/// Errors: `LINK_UNKNOWN` (404), `CONFERENCE_CLOSED`, `LINK_EXPIRED` (410), `INVALID_FIELDS` (422).
#[utoipa::path(post, path = "/api/v1/external/{hash}/legal", tag = "client", security(()), operation_id = "answer_notice",
    params(("hash" = String, Path)), request_body = LegalAnswer, responses((status = 200, body = AnswerBody)))]
async fn answer_notice(
    State(door): State<Door>,
    From(origin): From,
    Path(hash): Path<String>,
    Json(request): Json<LegalAnswer>,
) -> ApiResult<Json<AnswerBody>> {
    limit(&door.calls, origin.address)?;
    let accepted = service::answer(&door.deps, &hash, &request, &origin).await?;
    let (client_key, conference) = accepted.map(|accepted| (accepted.client_key, accepted.conference)).unzip();
    Ok(Json(AnswerBody { client_key, conference }))
}

/// Which devices the page could open, and what it runs on.
#[derive(Deserialize, ToSchema)]
struct JoinRequest {
    #[allow(dead_code)]
    camera: bool,
    #[allow(dead_code)]
    microphone: bool,
    /// How the device calls itself, for instance `iPhone · Safari`; otherwise its user agent tells.
    device: Option<String>,
    /// A refused device asks once more.
    #[serde(default)]
    again: bool,
}

/// Where a device waits while another one of the client is in the call.
#[derive(Serialize, ToSchema)]
struct DoorBody {
    /// Always `waiting`.
    door: &'static str,
}

/// The client's right to enter the call. A second device is answered 202 and waits; its page asks again.
///
/// Errors: `LINK_UNKNOWN` (404), `CLIENT_KEY_INVALID`, `DEVICE_REFUSED` (403), `CONFERENCE_CLOSED`, `LINK_EXPIRED` (410).
#[utoipa::path(post, path = "/api/v1/external/{hash}/join", tag = "client", security(()), operation_id = "join_call",
    params(("hash" = String, Path)), request_body = JoinRequest,
    responses((status = 200, body = JoinView), (status = 202, body = DoorBody, description = "The device waits")))]
async fn join_call(
    State(door): State<Door>,
    From(origin): From,
    ClientKey(key): ClientKey,
    Path(hash): Path<String>,
    Json(request): Json<JoinRequest>,
) -> ApiResult<Response> {
    limit(&door.calls, origin.address)?;
    let device = request.device.unwrap_or_else(|| origin.device());
    Ok(match service::join(&door.deps, &hash, key.as_deref(), &device, request.again).await? {
        Some(inside) => axum::Json(inside).into_response(),
        None => (StatusCode::ACCEPTED, axum::Json(DoorBody { door: "waiting" })).into_response(),
    })
}

/// The client hangs up. The link brings it back until the conference is closed.
///
/// Errors: `LINK_UNKNOWN` (404), `CLIENT_KEY_INVALID` (403).
#[utoipa::path(post, path = "/api/v1/external/{hash}/leave", tag = "client", security(()), operation_id = "leave_call",
    params(("hash" = String, Path)), responses((status = 204)))]
async fn leave_call(State(door): State<Door>, ClientKey(key): ClientKey, Path(hash): Path<String>) -> ApiResult<NoContent> {
    let row = service::find(&door.deps, &hash).await?;
    let id = ConferenceId(row.id);
    let device = service::require_device(&door.deps, id, key.as_deref()).await?;
    super::door::leave(&door.deps, id, &device.identity).await?;
    match door.deps.engine.remove(id, &device.identity).await {
        // Already gone by itself.
        Ok(()) | Err(crate::calls::EngineError::NotThere) => Ok(NoContent),
        Err(error) => Err(ConferenceError::from(error).into()),
    }
}

/// The client writes in the call's chat.
///
/// Errors: `LINK_UNKNOWN` (404), `CLIENT_KEY_INVALID`, `DEVICE_AT_DOOR` (403), `CONFERENCE_CLOSED` (410),
/// `INVALID_FIELDS` (422).
#[utoipa::path(post, path = "/api/v1/external/{hash}/chat", tag = "client", security(()), operation_id = "client_chat",
    params(("hash" = String, Path)), request_body = ChatRequest, responses((status = 200, body = ChatBody)))]
async fn client_chat(
    State(door): State<Door>,
    From(origin): From,
    ClientKey(key): ClientKey,
    Path(hash): Path<String>,
    Json(request): Json<ChatRequest>,
) -> ApiResult<Json<ChatBody>> {
    limit(&door.calls, origin.address)?;
    let row = service::find(&door.deps, &hash).await?;
    let id = ConferenceId(row.id);
    let device = service::require_inside(&door.deps, id, key.as_deref()).await?;
    if row.closed {
        return Err(ConferenceError::Closed.into());
    }
    service::require_room(&row)?;
    let speaker = Speaker {
        actor: Actor::Client,
        identity: device.identity,
        name: row.contact_person.unwrap_or_default(),
        side: Side::Client,
    };
    Ok(Json(ChatBody { message: crate::chat::post(&door.deps, id, speaker, &request).await? }))
}

#[derive(Deserialize, ToSchema)]
struct CodeRequest {
    code: String,
}

#[derive(Serialize, ToSchema)]
struct HashBody {
    hash: String,
}

/// Turns the dictated digits into the link's secret, once. A network that guessed wrong waits its turn, at most ten seconds.
///
/// Errors: `CODE_INVALID` (422), `TOO_MANY_TRIES` (429).
#[utoipa::path(post, path = "/api/v1/external/code", tag = "client", security(()), operation_id = "redeem_code",
    request_body = CodeRequest, responses((status = 200, body = HashBody)))]
async fn redeem_code(
    State(door): State<Door>,
    From(origin): From,
    Json(request): Json<CodeRequest>,
) -> ApiResult<Json<HashBody>> {
    let turn =
        door.codes.ask(origin.address).map_err(|Refused { retry_after_s }| ConferenceError::TooManyTries { retry_after_s })?;
    let guess = turn.wait().await;
    let answer = service::redeem(&door.deps, &request.code).await;
    if !matches!(answer, Err(ConferenceError::CodeInvalid)) {
        guess.was_right();
    }
    Ok(Json(HashBody { hash: answer? }))
}
