//! Calls of the connection's diagnostics: both sides tell, and our side reads.

use super::model::{PathEntry, PathReport};
use super::{service, store};
use crate::Assistance;
use crate::client_page::http::ClientKey;
use crate::client_page::service as client;
use atalaya_cases::conferences::service::require_live;
use atalaya_cases::conferences::{self, ConferenceError, Scope};
use atalaya_kernel::ConferenceId;
use atalaya_rest::caller::{ConferenceSide, WorkerOrCustomer};
use atalaya_rest::extract::{Json, Path};
use atalaya_rest::ratelimit::RateLimiter;
use atalaya_rest::response::{ApiResult, NoContent};
use axum::extract::{DefaultBodyLimit, State};
use chrono::TimeDelta;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// A report has some 200 bytes.
const BODY_MAX: usize = 4 * 1024;

#[derive(Clone)]
struct Desk {
    deps: Assistance,
    /// By conference and participant.
    pace: RateLimiter<String>,
}

impl Desk {
    fn limit(&self, id: ConferenceId, identity: &str) -> Result<(), ConferenceError> {
        self.pace.hit(format!("{id} {identity}")).map_err(|retry_after_s| ConferenceError::TooManyTries { retry_after_s })
    }
}

pub fn routes(deps: Assistance) -> OpenApiRouter {
    // A page tells a change at most every ten seconds; after a cut it may tell several at once.
    let pace = RateLimiter::new(deps.sources.clock(), 20, TimeDelta::minutes(1));
    OpenApiRouter::new()
        .routes(routes!(tell_client_connection))
        .routes(routes!(tell_connection, list_connections))
        .layer(DefaultBodyLimit::max(BODY_MAX))
        .with_state(Desk { deps, pace })
}

/// The client's device tells how its media go, and what fails.
///
/// Errors: `LINK_UNKNOWN` (404), `CLIENT_KEY_INVALID`, `DEVICE_AT_DOOR` (403), `CONFERENCE_CLOSED` (410), `INVALID_FIELDS`
/// (422), `TOO_MANY_TRIES` (429).
#[utoipa::path(post, path = "/api/v1/external/{hash}/connection", tag = "client", security(()),
    operation_id = "tell_client_connection", params(("hash" = String, Path)), request_body = PathReport,
    responses((status = 204)))]
async fn tell_client_connection(
    State(desk): State<Desk>,
    ClientKey(key): ClientKey,
    Path(hash): Path<String>,
    Json(report): Json<PathReport>,
) -> ApiResult<NoContent> {
    let row = client::find(&desk.deps, &hash).await?;
    let id = ConferenceId(row.id);
    let device = client::require_inside(&desk.deps, id, key.as_deref()).await?;
    desk.limit(id, &device.identity)?;
    service::keep(&desk.deps, id, &device.identity, report).await?;
    Ok(NoContent)
}

/// Our page tells how its media go, and what fails.
///
/// Errors: `CONFERENCE_NOT_FOUND` (404), `CONFERENCE_CLOSED` (410), `INVALID_FIELDS` (422), `TOO_MANY_TRIES` (429).
#[utoipa::path(post, path = "/api/v1/conference-connections/{id}", tag = "calls", operation_id = "tell_connection",
    params(("id" = ConferenceId, Path)), request_body = PathReport, responses((status = 204)), security(("session" = [])))]
async fn tell_connection(
    State(desk): State<Desk>,
    WorkerOrCustomer(caller): WorkerOrCustomer,
    Path(id): Path<ConferenceId>,
    Json(report): Json<PathReport>,
) -> ApiResult<NoContent> {
    require_live(&desk.deps, Scope::of(&caller), id).await?;
    let identity = format!("user:{}", caller.user);
    desk.limit(id, &identity)?;
    service::keep(&desk.deps, id, &identity, report).await?;
    Ok(NoContent)
}

#[derive(Serialize, ToSchema)]
struct ConnectionsBody {
    connections: Vec<PathEntry>,
}

/// How the media of both sides came in a conference, and what failed, in order.
///
/// Errors: `CONFERENCE_NOT_FOUND` (404).
#[utoipa::path(get, path = "/api/v1/conference-connections/{id}", tag = "calls", operation_id = "list_connections",
    params(("id" = ConferenceId, Path)), responses((status = 200, body = ConnectionsBody)), security(("session" = [])))]
async fn list_connections(
    State(desk): State<Desk>,
    ConferenceSide(caller): ConferenceSide,
    Path(id): Path<ConferenceId>,
) -> ApiResult<Json<ConnectionsBody>> {
    conferences::get(desk.deps.db.read(), Scope::of(&caller), id).await?;
    let connections = store::list_entries(desk.deps.db.read(), id).await.map_err(ConferenceError::from)?;
    Ok(Json(ConnectionsBody { connections }))
}
