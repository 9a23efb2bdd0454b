//! Calls of measures, and the printed marker.

use super::marker;
use super::model::{MeasureChange, Wrong};
use super::service::{self, MeasureError, MeasureView};
use crate::Records;
use atalaya_assistance::media::http::files::disposition;
use atalaya_kernel::{ConferenceId, Language, MediaId, UserId};
use atalaya_rest::caller::{Caller, ConferenceSide, WorkerOrCustomer};
use atalaya_rest::extract::{Json, Path, Query};
use atalaya_rest::problem::{FieldError, Problem};
use atalaya_rest::ratelimit::RateLimiter;
use atalaya_rest::response::ApiResult;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use chrono::TimeDelta;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// A change with all that a picture may have is half as long.
const BODY_MAX: usize = 128 << 10;
/// Changes of one person in a minute: a corner that is moved is one.
const CHANGES: usize = 120;

/// State of these handlers: the context, and how often one may ask.
#[derive(Clone)]
struct Desk {
    deps: Records,
    changes: RateLimiter<UserId>,
    markers: marker::Press,
}

pub fn routes(deps: Records) -> OpenApiRouter {
    let changes = RateLimiter::new(deps.sources.clock(), CHANGES, TimeDelta::minutes(1));
    OpenApiRouter::new()
        .routes(routes!(list_measures))
        .routes(routes!(change_measure))
        .routes(routes!(measure_marker))
        .layer(DefaultBodyLimit::max(BODY_MAX))
        .with_state(Desk { deps, changes, markers: marker::Press::default() })
}

impl From<MeasureError> for Problem {
    fn from(error: MeasureError) -> Self {
        match error {
            MeasureError::NotFound => Problem::not_found("MEDIA_NOT_FOUND"),
            MeasureError::Expired => Problem::new(StatusCode::GONE, "MEDIA_EXPIRED"),
            MeasureError::TooMany { retry_after_s } => Problem::too_many("TOO_MANY_TRIES", retry_after_s),
            MeasureError::Invalid(wrong) => Problem::invalid(wrong.into_iter().map(field)),
            MeasureError::Conference(error) => error.into(),
            MeasureError::Marker(error) => Problem::internal(error),
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
struct MeasuresBody {
    measures: Vec<MeasureView>,
}

/// What is measured on a conference's pictures.
///
/// Errors: `CONFERENCE_NOT_FOUND` (404).
#[utoipa::path(get, path = "/api/v1/conference-measures/{id}", tag = "measures", operation_id = "list_measures",
    params(("id" = Uuid, Path)), responses((status = 200, body = MeasuresBody)), security(("session" = [])))]
async fn list_measures(
    State(desk): State<Desk>,
    ConferenceSide(caller): ConferenceSide,
    Path(id): Path<ConferenceId>,
) -> ApiResult<Json<MeasuresBody>> {
    Ok(Json(MeasuresBody { measures: service::list(&desk.deps, &caller, id).await? }))
}

#[derive(Deserialize, ToSchema)]
struct MeasureRequest {
    measure: MeasureChange,
}

#[derive(Serialize, ToSchema)]
struct MeasureBody {
    measure: MeasureView,
}

/// Adds references with their lengths and areas to a picture and removes others, as long as the picture is kept. Repeating a change
/// changes nothing. A picture has at most 8 references and 60 lengths and areas.
///
/// Errors: `MEDIA_NOT_FOUND` (404), `MEDIA_ERASED`, `MEDIA_EXPIRED` (410), `BODY_TOO_LARGE` (413, over 128 KB),
/// `INVALID_FIELDS` (422) about `measure.add`, `measure.add.N.id|corners|corners.K|shapes`, `measure.add.N.shapes.M.id|points|points.K`,
/// `measure.remove.N`; `TOO_MANY_TRIES` (429) over 120 changes a minute.
#[utoipa::path(put, path = "/api/v1/media-measure/{id}", tag = "measures", operation_id = "change_measure",
    params(("id" = Uuid, Path)), request_body = MeasureRequest,
    responses((status = 200, body = MeasureBody)), security(("session" = [])))]
async fn change_measure(
    State(desk): State<Desk>,
    WorkerOrCustomer(caller): WorkerOrCustomer,
    Path(id): Path<MediaId>,
    Json(body): Json<MeasureRequest>,
) -> ApiResult<Json<MeasureBody>> {
    desk.changes.hit(caller.user).map_err(|retry_after_s| MeasureError::TooMany { retry_after_s })?;
    Ok(Json(MeasureBody { measure: service::change(&desk.deps, &caller, id, body.measure).await? }))
}

#[derive(Clone, Copy, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
struct MarkerQuery {
    /// Spanish without it.
    language: Option<Language>,
}

/// The marker as a PDF to print: a square of 150 mm and how to use it. Whoever had the damage prints it at home: it needs no session.
///
/// Errors: `MALFORMED_QUERY` (400).
#[utoipa::path(get, path = "/api/v1/measure-marker", tag = "measures", security(()), operation_id = "measure_marker",
    params(MarkerQuery), responses((status = 200, description = "The marker", content_type = "application/pdf")))]
async fn measure_marker(State(desk): State<Desk>, Query(query): Query<MarkerQuery>) -> ApiResult<Response> {
    let pdf = desk.markers.of(query.language.unwrap_or_default()).await.map_err(MeasureError::from)?;
    let mut response = pdf.into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/pdf"));
    headers.insert(header::CONTENT_DISPOSITION, disposition("atalaya-marcador.pdf", false));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("public, max-age=86400"));
    Ok(response)
}

/// What is measured on a picture, over the whole of it. Opened in a tab of its own it may do nothing but draw itself (STORE-6).
pub async fn layer(deps: &Records, caller: &Caller, picture: MediaId) -> ApiResult<Response> {
    let layer = service::layer(deps, caller, picture).await?.ok_or(MeasureError::NotFound)?;
    let mut response = layer.svg.into_response();
    let out = response.headers_mut();
    out.insert(header::CONTENT_TYPE, HeaderValue::from_static("image/svg+xml"));
    out.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'; sandbox"));
    out.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
    Ok(response)
}
