//! `sessions/{userId}`, `session-end/{id}`, `sessions-end/{userId}`.

use super::model::Device;
use super::service;
use crate::{Identity, Origin};
use atalaya_kernel::{SessionId, UserId};
use atalaya_rest::{ApiResult, Caller, Json, NoContent, Path};
use axum::extract::State;
use chrono::{DateTime, Utc};
use serde::Serialize;

#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct SessionsAnswer {
    sessions: Vec<SessionView>,
}

/// A log-in that lasts.
#[derive(Serialize, utoipa::ToSchema)]
#[schema(as = Session)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SessionView {
    #[serde(rename = "_id")]
    id: SessionId,
    /// The one that asks.
    current: bool,
    user_agent: Option<String>,
    /// `Chrome`, `Firefox` …; `–` when unknown.
    browser: &'static str,
    /// `Android`, `Windows` …; `–` when unknown.
    os: &'static str,
    address: Option<String>,
    created_at: DateTime<Utc>,
    /// The last renewal.
    last_seen_at: DateTime<Utc>,
    expires_at: DateTime<Utc>,
}

impl From<Device> for SessionView {
    fn from(device: Device) -> Self {
        Self {
            id: device.id,
            current: device.current,
            user_agent: device.user_agent,
            browser: device.browser,
            os: device.system,
            address: device.address,
            created_at: device.created_at,
            last_seen_at: device.last_seen_at,
            expires_at: device.expires_at,
        }
    }
}

/// Where a user is logged in: oneself, or anybody for administrators.
///
/// Errors: `OWN_ID_REQUIRED` (403), `USER_NOT_FOUND` (404). Source: DEVICE-1, DEVICE-3.
#[utoipa::path(get, path = "/api/v1/sessions/{userId}", tag = "devices", params(("userId" = String, Path)),
    responses((status = 200, body = SessionsAnswer), (status = 401), (status = 403), (status = 404)))]
pub(crate) async fn list_sessions(
    State(d): State<Identity>,
    caller: Caller,
    Path(user): Path<UserId>,
) -> ApiResult<Json<SessionsAnswer>> {
    let devices = service::list(&d, &caller, user).await?;
    Ok(Json(SessionsAnswer { sessions: devices.into_iter().map(Into::into).collect() }))
}

/// Ends one log-in at once: one's own, or anybody's for administrators.
///
/// Errors: `SESSION_NOT_FOUND` (404). Source: DEVICE-2, DEVICE-3.
#[utoipa::path(post, path = "/api/v1/session-end/{id}", tag = "devices", params(("id" = String, Path)),
    responses((status = 204), (status = 401), (status = 404)))]
pub(crate) async fn end_session(
    State(d): State<Identity>,
    caller: Caller,
    Path(id): Path<SessionId>,
    origin: Origin,
) -> ApiResult<NoContent> {
    service::end_one(&d, &caller, id, &origin).await?;
    Ok(NoContent)
}

/// Ends all log-ins of a user: one's own but this one, or all of anybody's for administrators.
///
/// Errors: `OWN_ID_REQUIRED` (403), `USER_NOT_FOUND` (404). Source: DEVICE-1, DEVICE-3.
#[utoipa::path(post, path = "/api/v1/sessions-end/{userId}", tag = "devices", params(("userId" = String, Path)),
    responses((status = 204), (status = 401), (status = 403), (status = 404)))]
pub(crate) async fn end_other_sessions(
    State(d): State<Identity>,
    caller: Caller,
    Path(user): Path<UserId>,
    origin: Origin,
) -> ApiResult<NoContent> {
    service::end_all(&d, &caller, user, &origin).await?;
    Ok(NoContent)
}
