//! HTTP calls of the waiting and the answering side.

use super::model::{NewRequest, Party};
use super::view::{VideoCallRequest, complete};
use super::{RequestError, claim, refusal, service, store};
use crate::Assistance;
use atalaya_cases::conferences::ConferenceError;
use atalaya_cases::conferences::http::field_error;
use atalaya_cases::conferences::view::ConferenceView;
use atalaya_identity::guards::member_of;
use atalaya_kernel::{CompanyId, Role, UserId, VideoCallRequestId, limits};
use atalaya_rest::caller::{Caller, ConferenceSide, RepairSide, WorkerOrCustomer};
use atalaya_rest::extract::{Json, Path};
use atalaya_rest::problem::{FieldError, Problem};
use atalaya_rest::ratelimit::RateLimiter;
use atalaya_rest::response::{ApiResult, Created};
use axum::extract::{FromRef, State};
use chrono::TimeDelta;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// The room with its rate limiter.
#[derive(Clone)]
struct Room {
    deps: Assistance,
    starts: RateLimiter<UserId>,
}

impl FromRef<Room> for Assistance {
    fn from_ref(room: &Room) -> Self {
        room.deps.clone()
    }
}

pub fn routes(deps: Assistance) -> OpenApiRouter {
    let starts = RateLimiter::new(deps.sources.clock(), limits::REQUESTS_AN_HOUR, TimeDelta::hours(1));
    OpenApiRouter::new()
        .routes(routes!(start_request, list_requests))
        .routes(routes!(list_customer_requests))
        .routes(routes!(count_requests))
        .routes(routes!(respond))
        .routes(routes!(refuse_request))
        .routes(routes!(schedule_callback))
        .routes(routes!(withdraw_requests, withdraw_requests_post))
        .with_state(Room { deps, starts })
}

impl From<RequestError> for Problem {
    fn from(error: RequestError) -> Self {
        match error {
            RequestError::NotFound => Problem::not_found("REQUEST_NOT_FOUND"),
            RequestError::Invalid(wrong) => Problem::invalid(wrong.into_iter().map(field_error)),
            RequestError::Blocked(Party::Customer) => {
                Problem::conflict("VIDEO_CALL_BLOCKED").field("customerId", "VIDEO_CALL_BLOCKED_CUSTOMER")
            }
            RequestError::Blocked(Party::Starter) => {
                Problem::conflict("VIDEO_CALL_BLOCKED").field("starterId", "VIDEO_CALL_BLOCKED_STARTER")
            }
            RequestError::CallbacksFull => Problem::conflict("CALLBACKS_FULL").param("max", limits::REQUEST_CALLBACKS_MAX),
            RequestError::Push(error) => error.into(),
            RequestError::AlreadyOpen => Problem::conflict("REQUEST_OPEN"),
            RequestError::AlreadyTaken(name) => {
                let by = FieldError::new("acceptedBy", "ALREADY_TAKEN_BY").param("name", &name);
                Problem::conflict("ALREADY_TAKEN").param("name", name).field_error(by)
            }
            RequestError::Closed => Problem::conflict("REQUEST_CLOSED"),
            RequestError::Conference(error) => error.into(),
            RequestError::Identity(error) => error.into(),
            RequestError::Db(error) => ConferenceError::Db(error).into(),
        }
    }
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = VideoCallRequestBody)]
struct RequestBody {
    video_call_request: VideoCallRequest,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = VideoCallRequestsBody)]
struct RequestsBody {
    video_call_requests: Vec<VideoCallRequest>,
}

async fn body_of(deps: &Assistance, caller: &Caller, row: super::entity::request::Model) -> Result<RequestBody, RequestError> {
    let mut views = complete(deps, std::slice::from_ref(&row), caller.user).await?;
    let view = views.pop().unwrap_or_else(|| VideoCallRequest::of(&row, None, deps.sources.now()));
    Ok(RequestBody { video_call_request: view })
}

/// Starts a request: it rings at the customer's people, or is kept for the call-back that is agreed with it.
///
/// Errors: `INVALID_FIELDS` (422), `VIDEO_CALL_BLOCKED`, `REQUEST_OPEN`, `CALLBACKS_FULL` (409), `TOO_MANY_REQUESTS` (429).
#[utoipa::path(post, path = "/api/v1/video-call-request", tag = "video-calls", operation_id = "start_request",
    request_body = NewRequest, responses((status = 201, body = RequestBody)), security(("session" = [])))]
async fn start_request(
    State(room): State<Room>,
    RepairSide(caller): RepairSide,
    Json(new): Json<NewRequest>,
) -> ApiResult<Created<RequestBody>> {
    room.starts.hit(caller.user).map_err(|seconds| Problem::too_many("TOO_MANY_REQUESTS", seconds))?;
    let row = service::start(&room.deps, &caller, &new).await?;
    Ok(Created(body_of(&room.deps, &caller, row).await?))
}

/// The repair side's own requests, the customer's, or everybody's for administrators: open ones, and those that ended
/// within the last hour. Newest first; without those that the caller has refused.
#[utoipa::path(get, path = "/api/v1/video-call-request", tag = "video-calls", operation_id = "list_requests",
    responses((status = 200, body = RequestsBody)), security(("session" = [])))]
async fn list_requests(State(deps): State<Assistance>, caller: Caller) -> ApiResult<Json<RequestsBody>> {
    let (db, now) = (deps.db.read(), deps.sources.now());
    let since = now - TimeDelta::hours(1);
    let rows = match caller.role {
        Role::Admin => store::list_all(db, since, now).await,
        role if role.is_worker_or_customer() => store::list_of_customer(db, caller.company, caller.user, since, now).await,
        role if role.is_repair_side() => store::list_of_starter(db, caller.user, since, now).await,
        _ => return Err(Problem::forbidden("ROLE_NOT_ALLOWED")),
    };
    let rows = rows.map_err(RequestError::from)?;
    let video_call_requests = complete(&deps, &rows, caller.user).await.map_err(RequestError::from)?;
    Ok(Json(RequestsBody { video_call_requests }))
}

/// The open requests of a customer in the order in which they ring, without those that the caller has refused.
///
/// Errors: `COMPANY_NOT_FOUND` (404, also another tenant's).
#[utoipa::path(get, path = "/api/v1/video-call-request/{customerId}", tag = "video-calls",
    operation_id = "list_customer_requests", params(("customerId" = CompanyId, Path)),
    responses((status = 200, body = RequestsBody)), security(("session" = [])))]
async fn list_customer_requests(
    State(deps): State<Assistance>,
    ConferenceSide(caller): ConferenceSide,
    Path(id): Path<CompanyId>,
) -> ApiResult<Json<RequestsBody>> {
    member_of(&deps.identity, caller, id).await?;
    let rows = store::list_open(deps.db.read(), id, caller.user, deps.sources.now()).await.map_err(RequestError::from)?;
    let video_call_requests = complete(&deps, &rows, caller.user).await.map_err(RequestError::from)?;
    Ok(Json(RequestsBody { video_call_requests }))
}

#[derive(Serialize, ToSchema)]
struct CountBody {
    count: u64,
}

/// How many requests ring at a company, without those that the caller has refused; none at a blocked one.
///
/// Errors: `COMPANY_NOT_FOUND` (404, also another tenant's).
#[utoipa::path(get, path = "/api/v1/videoCallNumber/{id}", tag = "video-calls", operation_id = "count_requests",
    params(("id" = CompanyId, Path)), responses((status = 200, body = CountBody)), security(("session" = [])))]
async fn count_requests(State(deps): State<Assistance>, caller: Caller, Path(id): Path<CompanyId>) -> ApiResult<Json<CountBody>> {
    let company = member_of(&deps.identity, caller, id).await?.company;
    let now = deps.sources.now();
    let count = match company.billing.is_blocked(true, now) {
        true => 0,
        false => store::count_ringing(deps.db.read(), id, Some(caller.user), now).await.map_err(RequestError::from)?,
    };
    Ok(Json(CountBody { count }))
}

/// The body of `video-call-respond`: a request, or its id.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct RespondBody {
    #[schema(value_type = Object)]
    #[serde(default)]
    active_video_call_request: Value,
}

/// Errors: `INVALID_FIELDS` about `field`.
fn request_id(value: &Value, field: &'static str) -> Result<VideoCallRequestId, Problem> {
    let text = value.as_str().or_else(|| value["_id"].as_str());
    match text.filter(|text| !text.trim().is_empty()) {
        Some(text) => text.trim().parse().map_err(|_| Problem::not_found("REQUEST_NOT_FOUND")),
        None => Err(Problem::invalid([]).field(field, "REQUIRED")),
    }
}

/// A conference just opened by answering.
#[derive(Serialize, ToSchema)]
struct AnsweredBody {
    conference: ConferenceView,
    /// The caller's media token.
    token: String,
    /// Websocket address of the media engine.
    url: String,
}

/// Answers a request: of all who try at once, one opens the conference.
///
/// Errors: `REQUEST_NOT_FOUND` (404, also another tenant's), `ALREADY_TAKEN`, `REQUEST_CLOSED`, `VIDEO_CALL_BLOCKED`
/// (409), `VIDEO_CALL_NOT_ALLOWED_CUSTOMER`, `VIDEO_CALL_NOT_ALLOWED_WORKER` (403).
#[utoipa::path(post, path = "/api/v1/video-call-respond", tag = "video-calls", operation_id = "respond",
    request_body = RespondBody, responses((status = 200, body = AnsweredBody)), security(("session" = [])))]
async fn respond(
    State(deps): State<Assistance>,
    WorkerOrCustomer(caller): WorkerOrCustomer,
    Json(body): Json<RespondBody>,
) -> ApiResult<Json<AnsweredBody>> {
    let id = request_id(&body.active_video_call_request, "activeVideoCallRequest")?;
    let opened = claim::respond(&deps, &caller, id).await?;
    Ok(Json(AnsweredBody { conference: opened.conference, token: opened.token, url: opened.url }))
}

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct RefuseBody {
    #[schema(value_type = String)]
    #[serde(default)]
    video_call_request_id: Value,
    /// At most 200 characters.
    reason: Option<String>,
    /// The principal refuses for everybody.
    #[serde(default)]
    all: bool,
}

#[derive(Serialize, ToSchema)]
struct RefusedBody {
    /// Nobody is left who could answer: the starter is notified.
    refused: bool,
}

/// Refuses a request: it stops ringing at the caller, and is refused once everybody who could answer has refused it.
///
/// Errors: `REQUEST_NOT_FOUND` (404), `ALREADY_TAKEN`, `REQUEST_CLOSED` (409), `INVALID_FIELDS` (422), `ROLE_NOT_ALLOWED`
/// (403) for a worker who refuses for all.
#[utoipa::path(post, path = "/api/v1/video-call-refuse", tag = "video-calls", operation_id = "refuse_request",
    request_body = RefuseBody, responses((status = 200, body = RefusedBody)), security(("session" = [])))]
async fn refuse_request(
    State(deps): State<Assistance>,
    WorkerOrCustomer(caller): WorkerOrCustomer,
    Json(body): Json<RefuseBody>,
) -> ApiResult<Json<RefusedBody>> {
    let id = request_id(&body.video_call_request_id, "videoCallRequestId")?;
    let refused = refusal::refuse(&deps, &caller, id, &body.reason, body.all).await?;
    Ok(Json(RefusedBody { refused }))
}

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct CallbackBody {
    #[schema(value_type = String)]
    #[serde(default)]
    video_call_request_id: Value,
    /// RFC 3339, five minutes to fourteen days ahead.
    callback_at: Option<String>,
}

/// Agrees on a call-back instead of waiting, or after nobody answered. The starter only.
///
/// Errors: `REQUEST_NOT_FOUND` (404, also another's), `INVALID_FIELDS` (422) about `callbackAt` or `customerId`, `ALREADY_TAKEN`,
/// `REQUEST_CLOSED`, `CALLBACKS_FULL`, `VIDEO_CALL_BLOCKED` (409), `TOO_MANY_REQUESTS` (429).
#[utoipa::path(post, path = "/api/v1/video-call-callback", tag = "video-calls", operation_id = "schedule_callback",
    request_body = CallbackBody, responses((status = 200, body = RequestBody)), security(("session" = [])))]
async fn schedule_callback(
    State(room): State<Room>,
    RepairSide(caller): RepairSide,
    Json(body): Json<CallbackBody>,
) -> ApiResult<Json<RequestBody>> {
    // Limited because everybody of the customer is notified, as of a new request.
    room.starts.hit(caller.user).map_err(|seconds| Problem::too_many("TOO_MANY_REQUESTS", seconds))?;
    let id = request_id(&body.video_call_request_id, "videoCallRequestId")?;
    let row = service::call_back(&room.deps, &caller, id, &body.callback_at).await?;
    Ok(Json(body_of(&room.deps, &caller, row).await?))
}

#[derive(Serialize, ToSchema)]
struct WithdrawnBody {
    removed: usize,
}

/// Withdraws the open requests of a user. GET is kept for existing clients; the web app posts.
///
/// Errors: `USER_NOT_FOUND` (404, also another tenant's), `OWN_ID_REQUIRED` (403).
#[utoipa::path(get, path = "/api/v1/delete-active-request-user/{id}", tag = "video-calls", operation_id = "withdraw_requests",
    params(("id" = UserId, Path)), responses((status = 200, body = WithdrawnBody)), security(("session" = [])))]
async fn withdraw_requests(
    State(deps): State<Assistance>,
    caller: Caller,
    Path(id): Path<UserId>,
) -> ApiResult<Json<WithdrawnBody>> {
    Ok(Json(WithdrawnBody { removed: service::withdraw(&deps, &caller, id, None).await? }))
}

/// Only one of them.
#[derive(Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
struct WithdrawBody {
    #[schema(value_type = Option<String>)]
    video_call_request_id: Value,
}

/// The same by POST; a body with a request's id withdraws that one only.
///
/// Errors: `USER_NOT_FOUND` (404, also another tenant's), `OWN_ID_REQUIRED` (403).
#[utoipa::path(post, path = "/api/v1/delete-active-request-user/{id}", tag = "video-calls",
    operation_id = "withdraw_requests_post", params(("id" = UserId, Path)), request_body = Option<WithdrawBody>,
    responses((status = 200, body = WithdrawnBody)), security(("session" = [])))]
async fn withdraw_requests_post(
    State(deps): State<Assistance>,
    caller: Caller,
    Path(id): Path<UserId>,
    body: Option<Json<WithdrawBody>>,
) -> ApiResult<Json<WithdrawnBody>> {
    let only = match body.map(|Json(body)| body.video_call_request_id) {
        None | Some(Value::Null) => None,
        Some(value) => Some(request_id(&value, "videoCallRequestId")?),
    };
    Ok(Json(WithdrawnBody { removed: service::withdraw(&deps, &caller, id, only).await? }))
}
