//! HTTP calls of this room.

use super::model::NewRequest;
use super::service::{self, Review};
use super::view::FileRequest;
use atalaya_assistance::Assistance;
use atalaya_assistance::media::MediaView;
use atalaya_kernel::ConferenceId;
use atalaya_rest::caller::ConferenceSide;
use atalaya_rest::extract::{Json, Path};
use atalaya_rest::response::ApiResult;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

pub fn routes(deps: Assistance) -> OpenApiRouter {
    OpenApiRouter::new()
        .routes(routes!(request_files))
        .routes(routes!(list_requests))
        .routes(routes!(cancel_request))
        .routes(routes!(resend_request))
        .routes(routes!(review_media))
        .with_state(deps)
}

#[derive(Serialize, ToSchema)]
struct RequestBody {
    request: FileRequest,
}

/// Asks the client of a conference for files by SMS or e-mail.
///
/// Errors: `CONFERENCE_NOT_FOUND` (404), `MEDIA_ERASED` (410), `FILES_EXPIRED`, `FILE_REQUEST_EXPIRED`,
/// `DURATION_TOO_SHORT` (409), `INVALID_FIELDS` (422), `SMS_CEILING_HOUR`, `SMS_CEILING_DAY` (429).
#[utoipa::path(post, path = "/api/v1/client-files/new", tag = "client-files", operation_id = "request_files",
    request_body = NewRequest, responses((status = 200, body = RequestBody)), security(("session" = [])))]
async fn request_files(
    State(deps): State<Assistance>,
    ConferenceSide(caller): ConferenceSide,
    Json(input): Json<NewRequest>,
) -> ApiResult<Json<RequestBody>> {
    Ok(Json(RequestBody { request: service::create(&deps, &caller, &input).await? }))
}

#[derive(Serialize, ToSchema)]
struct RequestsBody {
    requests: Vec<FileRequest>,
}

/// The requests of a conference, newest first.
///
/// Errors: `CONFERENCE_NOT_FOUND` (404).
#[utoipa::path(get, path = "/api/v1/client-files/{conferenceId}", tag = "client-files", operation_id = "list_file_requests",
    params(("conferenceId" = ConferenceId, Path)), responses((status = 200, body = RequestsBody)), security(("session" = [])))]
async fn list_requests(
    State(deps): State<Assistance>,
    ConferenceSide(caller): ConferenceSide,
    Path(id): Path<ConferenceId>,
) -> ApiResult<Json<RequestsBody>> {
    Ok(Json(RequestsBody { requests: service::list(&deps, &caller, id).await? }))
}

/// Cancels a request; its link no longer opens anything.
///
/// Errors: `FILE_REQUEST_NOT_FOUND` (404).
#[utoipa::path(post, path = "/api/v1/client-files-cancel/{id}", tag = "client-files", operation_id = "cancel_file_request",
    params(("id" = Uuid, Path)), responses((status = 200, body = RequestBody)), security(("session" = [])))]
async fn cancel_request(
    State(deps): State<Assistance>,
    ConferenceSide(caller): ConferenceSide,
    Path(id): Path<Uuid>,
) -> ApiResult<Json<RequestBody>> {
    Ok(Json(RequestBody { request: service::cancel(&deps, &caller, id).await? }))
}

/// Sends the link of a request again; a finished request is reopened.
///
/// Errors: `FILE_REQUEST_NOT_FOUND` (404), `FILE_REQUEST_CANCELLED`, `FILE_REQUEST_EXPIRED`, `FILES_EXPIRED` (409),
/// `MEDIA_ERASED` (410).
#[utoipa::path(post, path = "/api/v1/client-files-resend/{id}", tag = "client-files", operation_id = "resend_file_request",
    params(("id" = Uuid, Path)), responses((status = 200, body = RequestBody)), security(("session" = [])))]
async fn resend_request(
    State(deps): State<Assistance>,
    ConferenceSide(caller): ConferenceSide,
    Path(id): Path<Uuid>,
) -> ApiResult<Json<RequestBody>> {
    Ok(Json(RequestBody { request: service::resend(&deps, &caller, id).await? }))
}

#[derive(Serialize, ToSchema)]
#[schema(as = ReviewedMediaBody)]
struct MediaBody {
    media: MediaView,
}

/// Approves a requested file, or sends it back with a note that the client sees.
///
/// Errors: `MEDIA_NOT_FOUND` (404), `NOT_REQUESTED` (409), `INVALID_FIELDS` (422).
#[utoipa::path(post, path = "/api/v1/media-review/{mediaId}", tag = "client-files", operation_id = "review_media",
    params(("mediaId" = Uuid, Path)), request_body = Review,
    responses((status = 200, body = MediaBody)), security(("session" = [])))]
async fn review_media(
    State(deps): State<Assistance>,
    ConferenceSide(caller): ConferenceSide,
    Path(id): Path<Uuid>,
    Json(verdict): Json<Review>,
) -> ApiResult<Json<MediaBody>> {
    Ok(Json(MediaBody { media: service::review(&deps, &caller, id, &verdict).await? }))
}
