//! Calls of the live call: recording, mute, removal, and the webhook of a LiveKit cluster.

use super::admission;
use super::recording::{self, RecordingAction, RecordingView};
use crate::Assistance;
use atalaya_cases::conferences::ConferenceError;
use atalaya_cases::conferences::Scope;
use atalaya_cases::conferences::service::require_live;
use atalaya_kernel::ConferenceId;
use atalaya_rest::caller::WorkerOrCustomer;
use atalaya_rest::extract::{Json, Path};
use atalaya_rest::response::{ApiResult, NoContent};
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub fn routes(deps: Assistance) -> OpenApiRouter {
    OpenApiRouter::new()
        .routes(routes!(set_recording))
        .routes(routes!(mute_participant))
        .routes(routes!(remove_participant))
        .with_state(deps)
}

#[derive(Deserialize, ToSchema)]
struct RecordingRequest {
    action: RecordingAction,
}

#[derive(Serialize, ToSchema)]
struct RecordingBody {
    recording: RecordingView,
}

/// Starts, pauses, resumes or stops recording.
///
/// Errors: `CONFERENCE_NOT_FOUND` (404), `RECORDING_STATE` (409), `CONFERENCE_CLOSED` (410), `RECORDING_UNAVAILABLE` (503).
#[utoipa::path(post, path = "/api/v1/conference-recording/{id}", tag = "calls", operation_id = "set_recording",
    params(("id" = ConferenceId, Path)), request_body = RecordingRequest,
    responses((status = 200, body = RecordingBody)), security(("session" = [])))]
async fn set_recording(
    State(deps): State<Assistance>,
    WorkerOrCustomer(caller): WorkerOrCustomer,
    Path(id): Path<ConferenceId>,
    Json(request): Json<RecordingRequest>,
) -> ApiResult<Json<RecordingBody>> {
    let recording = recording::act(&deps, &caller, id, request.action).await?;
    Ok(Json(RecordingBody { recording }))
}

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct MuteRequest {
    identity: String,
    track_sid: String,
    muted: bool,
}

/// Mutes somebody's track.
///
/// Errors: `CONFERENCE_NOT_FOUND`, `PARTICIPANT_NOT_FOUND` (404), `CONFERENCE_CLOSED` (410).
#[utoipa::path(post, path = "/api/v1/conference-mute/{id}", tag = "calls", operation_id = "mute_participant",
    params(("id" = ConferenceId, Path)), request_body = MuteRequest, responses((status = 204)), security(("session" = [])))]
async fn mute_participant(
    State(deps): State<Assistance>,
    WorkerOrCustomer(caller): WorkerOrCustomer,
    Path(id): Path<ConferenceId>,
    Json(request): Json<MuteRequest>,
) -> ApiResult<NoContent> {
    require_live(&deps, Scope::of(&caller), id).await?;
    let muted = deps.engine.mute(id, &request.identity, &request.track_sid, request.muted).await;
    muted.map_err(ConferenceError::from)?;
    Ok(NoContent)
}

#[derive(Deserialize, ToSchema)]
struct RemoveRequest {
    identity: String,
}

/// Sends somebody out of the call; the tokens that they hold are good no longer.
///
/// Errors: `CONFERENCE_NOT_FOUND`, `PARTICIPANT_NOT_FOUND` (404), `CONFERENCE_CLOSED` (410).
#[utoipa::path(post, path = "/api/v1/conference-remove/{id}", tag = "calls", operation_id = "remove_participant",
    params(("id" = ConferenceId, Path)), request_body = RemoveRequest, responses((status = 204)), security(("session" = [])))]
async fn remove_participant(
    State(deps): State<Assistance>,
    WorkerOrCustomer(caller): WorkerOrCustomer,
    Path(id): Path<ConferenceId>,
    Json(request): Json<RemoveRequest>,
) -> ApiResult<NoContent> {
    require_live(&deps, Scope::of(&caller), id).await?;
    admission::remove(&deps, id, &request.identity).await?;
    Ok(NoContent)
}
