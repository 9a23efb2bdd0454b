//! `socket-user/{id}`, `clean-socket-user/{id}`.

use super::service;
use crate::Identity;
use atalaya_kernel::UserId;
use atalaya_rest::problem::ProblemDocument;
use atalaya_rest::{ApiResult, Caller, Json, Path};
use axum::extract::State;
use serde::{Deserialize, Serialize};

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SocketBody {
    /// The id that the socket got when it connected.
    socket_id: String,
}

/// A registered socket.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SocketAnswer {
    socket_id: String,
    user_id: UserId,
}

#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SocketOwner {
    user_id: UserId,
}

#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct RemovedSockets {
    removed: u64,
}

/// Registers a socket of the caller, who is online with it. The id in the path is the caller's.
///
/// Errors: `SOCKET_USER_MISMATCH` (403), `SOCKET_NOT_FOUND` (404). Source: PRESENCE-1.
#[utoipa::path(post, path = "/api/v1/socket-user/{id}", tag = "sockets", params(("id" = String, Path)), request_body = SocketBody,
    responses((status = 200, body = SocketAnswer), (status = 401, body = ProblemDocument), (status = 403, body = ProblemDocument),
        (status = 404, body = ProblemDocument)))]
pub(crate) async fn register_socket(
    State(d): State<Identity>,
    caller: Caller,
    Path(user_id): Path<UserId>,
    Json(SocketBody { socket_id }): Json<SocketBody>,
) -> ApiResult<Json<SocketAnswer>> {
    service::register(&d, &caller, user_id, &socket_id).await?;
    Ok(Json(SocketAnswer { socket_id, user_id }))
}

/// Whose a registered socket is: the caller's own, or anybody's for administrators.
///
/// Errors: `SOCKET_NOT_FOUND` (404). Source: PRESENCE-1.
#[utoipa::path(get, path = "/api/v1/socket-user/{id}", tag = "sockets", params(("id" = String, Path)),
    responses((status = 200, body = SocketOwner), (status = 401, body = ProblemDocument), (status = 404, body = ProblemDocument)))]
pub(crate) async fn socket_user(
    State(d): State<Identity>,
    caller: Caller,
    Path(socket_id): Path<String>,
) -> ApiResult<Json<SocketOwner>> {
    let user_id = service::owner(&d, &caller, &socket_id).await?;
    Ok(Json(SocketOwner { user_id }))
}

/// Forgets every registration of a user: one's own, or anybody's for administrators. The sockets stay open.
///
/// Errors: `SOCKET_USER_MISMATCH` (403). Source: PRESENCE-1.
#[utoipa::path(get, path = "/api/v1/clean-socket-user/{id}", tag = "sockets", params(("id" = String, Path)),
    responses((status = 200, body = RemovedSockets), (status = 401, body = ProblemDocument), (status = 403, body = ProblemDocument)))]
pub(crate) async fn clean_socket_user(
    State(d): State<Identity>,
    caller: Caller,
    Path(user): Path<UserId>,
) -> ApiResult<Json<RemovedSockets>> {
    Ok(Json(RemovedSockets { removed: service::forget(&d, &caller, user).await? }))
}

/// The same by POST.
#[utoipa::path(post, path = "/api/v1/clean-socket-user/{id}", tag = "sockets", operation_id = "clean_socket_user_post",
    params(("id" = String, Path)),
    responses((status = 200, body = RemovedSockets), (status = 401, body = ProblemDocument), (status = 403, body = ProblemDocument)))]
pub(crate) async fn clean_socket_user_post(
    state: State<Identity>,
    caller: Caller,
    user: Path<UserId>,
) -> ApiResult<Json<RemovedSockets>> {
    clean_socket_user(state, caller, user).await
}
