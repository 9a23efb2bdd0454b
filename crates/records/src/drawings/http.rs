//! Calls of frozen pictures and drawings.

use super::model::{DrawingChange, Wrong};
use super::service::{self, ClientFrozenView, DrawingError, DrawingView, FrozenView};
use crate::Records;
use atalaya_assistance::client_page::http::ClientKey;
use atalaya_cases::conferences::ConferenceError;
use atalaya_kernel::{ConferenceId, MediaId, UserId};
use atalaya_rest::address::{ClientAddress, subscriber};
use atalaya_rest::caller::{Caller, ConferenceSide, WorkerOrCustomer};
use atalaya_rest::extract::{Json, Path};
use atalaya_rest::problem::{FieldError, Problem};
use atalaya_rest::ratelimit::RateLimiter;
use atalaya_rest::response::ApiResult;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use chrono::TimeDelta;
use serde::{Deserialize, Serialize};
use std::net::IpAddr;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// A change with all the points that a drawing may have is half as long.
const BODY_MAX: usize = 512 << 10;
/// Changes of one person in a minute: a hand makes one a second.
const CHANGES: usize = 240;
/// Questions of one network in a minute: every mark of the other side is one.
const QUESTIONS: usize = 600;
/// Pictures of one network in a minute: each is decoded, and a page asks once for each that is frozen.
const PICTURES: usize = 40;

/// State of these handlers: the context, and how often one may ask.
#[derive(Clone)]
struct Desk {
    deps: Records,
    changes: RateLimiter<UserId>,
    questions: RateLimiter<IpAddr>,
    pictures: RateLimiter<IpAddr>,
}

pub fn routes(deps: Records) -> OpenApiRouter {
    let changes = RateLimiter::new(deps.sources.clock(), CHANGES, TimeDelta::minutes(1));
    let questions = RateLimiter::new(deps.sources.clock(), QUESTIONS, TimeDelta::minutes(1));
    let pictures = RateLimiter::new(deps.sources.clock(), PICTURES, TimeDelta::minutes(1));
    OpenApiRouter::new()
        .routes(routes!(list_drawings))
        .routes(routes!(freeze_picture))
        .routes(routes!(change_drawing))
        .routes(routes!(client_frozen))
        .routes(routes!(client_frozen_picture))
        .layer(DefaultBodyLimit::max(BODY_MAX))
        .with_state(Desk { deps, changes, questions, pictures })
}

impl From<DrawingError> for Problem {
    fn from(error: DrawingError) -> Self {
        match error {
            DrawingError::NotFound => Problem::not_found("MEDIA_NOT_FOUND"),
            DrawingError::NotFrozen => Problem::not_found("PICTURE_NOT_FROZEN"),
            DrawingError::TooMany { retry_after_s } => Problem::too_many("TOO_MANY_TRIES", retry_after_s),
            DrawingError::Invalid(wrong) => Problem::invalid(wrong.into_iter().map(field)),
            DrawingError::Conference(error) => error.into(),
        }
    }
}

fn field(wrong: Wrong) -> FieldError {
    let error = FieldError::new(wrong.field, wrong.code);
    match wrong.max {
        Some(max) => error.param("max", max),
        None => error,
    }
}

#[derive(Serialize, ToSchema)]
struct DrawingsBody {
    /// Null while the picture is live.
    frozen: Option<FrozenView>,
    drawings: Vec<DrawingView>,
}

/// At which picture a call is frozen, and what is drawn on the conference's pictures.
///
/// Errors: `CONFERENCE_NOT_FOUND` (404).
#[utoipa::path(get, path = "/api/v1/conference-drawings/{id}", tag = "drawings", operation_id = "list_drawings",
    params(("id" = Uuid, Path)), responses((status = 200, body = DrawingsBody)), security(("session" = [])))]
async fn list_drawings(
    State(desk): State<Desk>,
    ConferenceSide(caller): ConferenceSide,
    Path(id): Path<ConferenceId>,
) -> ApiResult<Json<DrawingsBody>> {
    let (frozen, drawings) = service::list(&desk.deps, &caller, id).await?;
    Ok(Json(DrawingsBody { frozen, drawings }))
}

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct FreezeRequest {
    /// A picture of this conference; null lets the picture live again.
    media_id: Option<MediaId>,
}

#[derive(Serialize, ToSchema)]
struct FrozenBody {
    /// Null while the picture is live.
    frozen: Option<FrozenView>,
}

/// Freezes a call at one of its pictures for both sides, or lets it live again.
///
/// Errors: `CONFERENCE_NOT_FOUND` (404), `CONFERENCE_CLOSED`, `LINK_EXPIRED` (410), `INVALID_FIELDS` (422) about `mediaId`.
#[utoipa::path(put, path = "/api/v1/conference-frozen/{id}", tag = "drawings", operation_id = "freeze_picture",
    params(("id" = Uuid, Path)), request_body = FreezeRequest,
    responses((status = 200, body = FrozenBody)), security(("session" = [])))]
async fn freeze_picture(
    State(desk): State<Desk>,
    WorkerOrCustomer(caller): WorkerOrCustomer,
    Path(id): Path<ConferenceId>,
    Json(body): Json<FreezeRequest>,
) -> ApiResult<Json<FrozenBody>> {
    desk.changes.hit(caller.user).map_err(|retry_after_s| DrawingError::TooMany { retry_after_s })?;
    Ok(Json(FrozenBody { frozen: service::freeze(&desk.deps, &caller, id, body.media_id).await? }))
}

#[derive(Deserialize, ToSchema)]
struct DrawingRequest {
    drawing: DrawingChange,
}

#[derive(Serialize, ToSchema)]
struct DrawingBody {
    drawing: DrawingView,
}

/// Adds marks to a picture and removes others, while the call goes on. Repeating a change changes nothing. The whole drawing
/// has at most 200 marks and 8,000 points.
///
/// Errors: `MEDIA_NOT_FOUND` (404), `CONFERENCE_CLOSED`, `LINK_EXPIRED` (410), `BODY_TOO_LARGE` (413, over 512 KB),
/// `INVALID_FIELDS` (422) about `drawing.add`, `drawing.add.N.id|kind|tone|points|points.K|text|number`, `drawing.remove.N`;
/// `TOO_MANY_TRIES` (429) over 240 changes a minute.
#[utoipa::path(put, path = "/api/v1/media-drawing/{id}", tag = "drawings", operation_id = "change_drawing",
    params(("id" = Uuid, Path)), request_body = DrawingRequest,
    responses((status = 200, body = DrawingBody)), security(("session" = [])))]
async fn change_drawing(
    State(desk): State<Desk>,
    WorkerOrCustomer(caller): WorkerOrCustomer,
    Path(id): Path<MediaId>,
    Json(body): Json<DrawingRequest>,
) -> ApiResult<Json<DrawingBody>> {
    desk.changes.hit(caller.user).map_err(|retry_after_s| DrawingError::TooMany { retry_after_s })?;
    Ok(Json(DrawingBody { drawing: service::change(&desk.deps, &caller, id, body.drawing).await? }))
}

#[derive(Serialize, ToSchema)]
struct ClientFrozenBody {
    /// Null while the picture is live.
    frozen: Option<ClientFrozenView>,
}

fn ask(questions: &RateLimiter<IpAddr>, address: IpAddr) -> Result<(), ConferenceError> {
    questions.hit(subscriber(address)).map_err(|retry_after_s| ConferenceError::TooManyTries { retry_after_s })
}

/// What the client's page shows of a frozen call.
///
/// Errors: `LINK_UNKNOWN` (404), `CLIENT_KEY_INVALID`, `DEVICE_AT_DOOR` (403), `TOO_MANY_TRIES` (429).
#[utoipa::path(get, path = "/api/v1/external/{hash}/frozen", tag = "client", security(()), operation_id = "client_frozen",
    params(("hash" = String, Path)), responses((status = 200, body = ClientFrozenBody)))]
async fn client_frozen(
    State(desk): State<Desk>,
    ClientAddress(address): ClientAddress,
    ClientKey(key): ClientKey,
    Path(hash): Path<String>,
) -> ApiResult<Json<ClientFrozenBody>> {
    ask(&desk.questions, address)?;
    Ok(Json(ClientFrozenBody { frozen: service::for_client(&desk.deps, &hash, key.as_deref()).await? }))
}

/// The frozen picture for the client's page, as a JPEG of at most 1,600 pixels.
///
/// Errors: `LINK_UNKNOWN`, `PICTURE_NOT_FROZEN` (404), `CLIENT_KEY_INVALID`, `DEVICE_AT_DOOR` (403), `TOO_MANY_TRIES` (429).
#[utoipa::path(get, path = "/api/v1/external/{hash}/frozen-picture", tag = "client", security(()),
    operation_id = "client_frozen_picture", params(("hash" = String, Path)),
    responses((status = 200, description = "The picture", content_type = "image/jpeg")))]
async fn client_frozen_picture(
    State(desk): State<Desk>,
    ClientAddress(address): ClientAddress,
    ClientKey(key): ClientKey,
    Path(hash): Path<String>,
) -> ApiResult<Response> {
    ask(&desk.pictures, address)?;
    let mut response = service::picture_for_client(&desk.deps, &hash, key.as_deref()).await?.into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("image/jpeg"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
    Ok(response)
}

/// The marks on a picture, over the whole of it. Opened in a tab of its own it may do nothing but draw itself (STORE-6).
pub async fn layer(deps: &Records, caller: &Caller, picture: MediaId) -> ApiResult<Response> {
    let layer = service::layer(deps, caller, picture).await?.ok_or(DrawingError::NotFound)?;
    let mut response = layer.svg.into_response();
    let out = response.headers_mut();
    out.insert(header::CONTENT_TYPE, HeaderValue::from_static("image/svg+xml"));
    out.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'; sandbox"));
    out.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
    Ok(response)
}
