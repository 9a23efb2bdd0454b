//! Calls of a device about its own subscription, of a person about their devices, and of those who call somebody.

use super::gateway::Outcome;
use super::store::Found;
use super::{devices, service};
use crate::Outreach;
use atalaya_kernel::{CompanyId, PushSubscriptionId, UserId};
use atalaya_rest::{ApiResult, Caller, Json, NoContent, Path, Problem};
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa_axum::{router::OpenApiRouter, routes};

pub(crate) fn routes(deps: Outreach) -> OpenApiRouter {
    OpenApiRouter::new()
        .routes(routes!(push_key))
        .routes(routes!(message_token))
        .routes(routes!(message_delete_token))
        .routes(routes!(find_token_user))
        .routes(routes!(send_web_push))
        .routes(routes!(push_devices))
        .routes(routes!(push_device_delete))
        .routes(routes!(push_test))
        .with_state(deps)
}

#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct PushKeyAnswer {
    /// base64url of the uncompressed point: `applicationServerKey` of `pushManager.subscribe`.
    key: String,
}

/// The server's public key, by which a browser subscribes.
///
/// Source: RFC 8292 §3.2.
#[utoipa::path(get, path = "/api/v1/push-key", tag = "push", responses((status = 200, body = PushKeyAnswer), (status = 401)))]
pub(crate) async fn push_key(State(d): State<Outreach>, _: Caller) -> Json<PushKeyAnswer> {
    Json(PushKeyAnswer { key: d.push_gateway.keys().public().to_owned() })
}

/// A browser on a device that pushes reach.
#[derive(Serialize, utoipa::ToSchema)]
#[schema(as = PushDevice)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DeviceView {
    #[serde(rename = "_id")]
    id: PushSubscriptionId,
    /// `Chrome`, `Firefox` …; `–` when unknown.
    browser: String,
    /// `Android`, `Windows` …; `–` when unknown.
    os: String,
    created_at: DateTime<Utc>,
    /// When its push service last took a push.
    last_ok_at: Option<DateTime<Utc>>,
    /// Whether this log-in registered it.
    current: bool,
}

impl DeviceView {
    fn of(device: Found, current: bool) -> Self {
        let Found { id, browser, os, created_at, last_ok_at, .. } = device;
        Self { id, browser, os, created_at, last_ok_at, current }
    }
}

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct MessageToken {
    /// The session's.
    user_id: String,
    /// The `PushSubscription` as JSON, or the same as a text.
    #[schema(value_type = Object)]
    token: Value,
    /// The session's company.
    parent_id: String,
}

#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct DeviceAnswer {
    device: DeviceView,
}

/// Registers this browser for pushes, or tells that it is still there.
///
/// Errors: `PUSH_USER_MISMATCH` (403), `INVALID_FIELDS` (422) with `token`: `PUSH_TOKEN_INVALID`, `PUSH_SERVICE_UNKNOWN`.
#[utoipa::path(post, path = "/api/v1/message-token", tag = "push", request_body = MessageToken,
    responses((status = 200, body = DeviceAnswer), (status = 401), (status = 403), (status = 422)))]
pub(crate) async fn message_token(
    State(d): State<Outreach>,
    caller: Caller,
    headers: HeaderMap,
    Json(body): Json<MessageToken>,
) -> ApiResult<Json<DeviceAnswer>> {
    if body.user_id.parse() != Ok(caller.user) || body.parent_id.parse() != Ok(caller.company) {
        return Err(Problem::forbidden("PUSH_USER_MISMATCH"));
    }
    let agent = headers.get(header::USER_AGENT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let device = devices::register(&d, &caller, &body.token, agent).await?;
    Ok(Json(DeviceAnswer { device: DeviceView::of(device, true) }))
}

/// A subscription, or its endpoint.
#[derive(Deserialize, utoipa::ToSchema)]
#[schema(as = PushToken)]
pub(crate) struct TokenBody {
    /// The `PushSubscription` as JSON, the same as a text, or its endpoint.
    #[schema(value_type = Object)]
    token: Value,
}

#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct ForgottenAnswer {
    /// 1, or 0 when the caller has no such device.
    removed: u64,
}

/// Forgets the caller's own browser.
#[utoipa::path(post, path = "/api/v1/message-delete-token", tag = "push", request_body = TokenBody,
    responses((status = 200, body = ForgottenAnswer), (status = 401), (status = 422)))]
pub(crate) async fn message_delete_token(
    State(d): State<Outreach>,
    caller: Caller,
    Json(body): Json<TokenBody>,
) -> ApiResult<Json<ForgottenAnswer>> {
    Ok(Json(ForgottenAnswer { removed: devices::forget(&d, &caller, &body.token).await? }))
}

#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TokenOwner {
    user_id: UserId,
    parent_id: CompanyId,
}

/// Whose a subscription is: one's own, that of somebody at a customer one waits for, or anybody's for administrators.
///
/// Errors: `PUSH_TOKEN_NOT_FOUND` (404).
#[utoipa::path(post, path = "/api/v1/find-token-user", tag = "push", request_body = TokenBody,
    responses((status = 200, body = TokenOwner), (status = 401), (status = 404), (status = 422)))]
pub(crate) async fn find_token_user(
    State(d): State<Outreach>,
    caller: Caller,
    Json(body): Json<TokenBody>,
) -> ApiResult<Json<TokenOwner>> {
    let (user_id, parent_id) = devices::owner(&d, &caller, &body.token).await?;
    Ok(Json(TokenOwner { user_id, parent_id }))
}

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SendWebPush {
    parent_id: String,
}

#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct QueuedAnswer {
    /// Devices that it goes to.
    queued: usize,
}

/// Calls people by push: one's own devices when it is one's own company, a customer that one's open request waits for, or
/// any company for administrators. The words are ours.
///
/// Errors: `COMPANY_NOT_FOUND` (404), `TOO_MANY_REQUESTS` (429) after ten a minute.
#[utoipa::path(post, path = "/api/v1/send-web-push", tag = "push", request_body = SendWebPush,
    responses((status = 202, body = QueuedAnswer), (status = 401), (status = 404), (status = 422), (status = 429)))]
pub(crate) async fn send_web_push(
    State(d): State<Outreach>,
    caller: Caller,
    Json(body): Json<SendWebPush>,
) -> ApiResult<(StatusCode, Json<QueuedAnswer>)> {
    let company = body.parent_id.parse().map_err(|_| Problem::not_found("COMPANY_NOT_FOUND"))?;
    let queued = service::call(&d, &caller, company).await?;
    Ok((StatusCode::ACCEPTED, Json(QueuedAnswer { queued })))
}

#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct DevicesAnswer {
    devices: Vec<DeviceView>,
}

/// The caller's devices, those seen last first.
#[utoipa::path(get, path = "/api/v1/push-devices", tag = "push",
    responses((status = 200, body = DevicesAnswer), (status = 401)))]
pub(crate) async fn push_devices(State(d): State<Outreach>, caller: Caller) -> ApiResult<Json<DevicesAnswer>> {
    let devices = devices::list(&d, &caller).await?;
    Ok(Json(DevicesAnswer { devices: devices.into_iter().map(|(device, current)| DeviceView::of(device, current)).collect() }))
}

/// Forgets one of the caller's devices.
///
/// Errors: `PUSH_DEVICE_NOT_FOUND` (404).
#[utoipa::path(post, path = "/api/v1/push-device-delete/{id}", tag = "push", params(("id" = String, Path)),
    responses((status = 204), (status = 401), (status = 404)))]
pub(crate) async fn push_device_delete(
    State(d): State<Outreach>,
    caller: Caller,
    Path(id): Path<PushSubscriptionId>,
) -> ApiResult<NoContent> {
    devices::forget_one(&d, &caller, id).await?;
    Ok(NoContent)
}

/// Whether a push service took a push.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
enum PushState {
    Delivered,
    Failed,
}

#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct PushTestAnswer {
    state: PushState,
    /// What the push service answered; empty when it did not.
    status: Option<u16>,
}

/// Sends a push to the caller's own browser at once.
///
/// Errors: `PUSH_TOKEN_NOT_FOUND` (404), `TOO_MANY_REQUESTS` (429).
#[utoipa::path(post, path = "/api/v1/push-test", tag = "push", request_body = TokenBody,
    responses((status = 200, body = PushTestAnswer), (status = 401), (status = 404), (status = 422), (status = 429)))]
pub(crate) async fn push_test(
    State(d): State<Outreach>,
    caller: Caller,
    Json(body): Json<TokenBody>,
) -> ApiResult<Json<PushTestAnswer>> {
    let (state, status) = match devices::test(&d, &caller, &body.token).await? {
        Outcome::Delivered(status) => (PushState::Delivered, Some(status)),
        Outcome::Refused(status) => (PushState::Failed, Some(status)),
        Outcome::Gone(status) | Outcome::Later { status, .. } => (PushState::Failed, status),
    };
    Ok(Json(PushTestAnswer { state, status }))
}
