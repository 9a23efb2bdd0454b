//! Calls of incidences. Wire names follow the specification.

use super::view::{self, IncidenceDetail, IncidenceLog};
use super::{pictures, service};
use crate::Records;
use crate::tickets::model::{ChangeIncidence, IncidenceError, SendIncidence};
use crate::tickets::{self, Incidence, Scope};
use atalaya_assistance::media::http::files::disposition;
use atalaya_cases::conferences::ConferenceError;
use atalaya_cases::conferences::http::field_error;
use atalaya_kernel::{IncidenceId, UserId, limits};
use atalaya_rest::caller::{Caller, SupportSide};
use atalaya_rest::extract::{Json, Path};
use atalaya_rest::problem::{FieldError, Problem};
use atalaya_rest::ratelimit::RateLimiter;
use atalaya_rest::response::{ApiResult, Created};
use atalaya_rest::uploads;
use axum::extract::{DefaultBodyLimit, FromRef, State};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::middleware::from_fn;
use axum::response::{IntoResponse, Response};
use chrono::TimeDelta;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

/// Five images of 5 MB as base64, and the JSON around them.
const BODY_BYTES: usize = 40 << 20;

/// The room with its limiter.
#[derive(Clone)]
struct Room {
    deps: Records,
    sent: RateLimiter<UserId>,
}

impl FromRef<Room> for Records {
    fn from_ref(room: &Room) -> Self {
        room.deps.clone()
    }
}

pub fn routes(deps: Records) -> OpenApiRouter {
    let sent = RateLimiter::new(deps.sources.clock(), limits::INCIDENCES_AN_HOUR, TimeDelta::hours(1));
    let writing = OpenApiRouter::new()
        .routes(routes!(send_incidence))
        .routes(routes!(change_incidence))
        .layer(from_fn(uploads::hold))
        .layer(DefaultBodyLimit::max(BODY_BYTES));
    OpenApiRouter::new()
        .routes(routes!(get_incidence))
        .routes(routes!(get_incidence_image))
        .routes(routes!(incidence_logs))
        .merge(writing)
        .with_state(Room { deps, sent })
}

impl From<IncidenceError> for Problem {
    fn from(error: IncidenceError) -> Self {
        let at_file = |code: &'static str, nth: usize| Problem::unprocessable(code).field(format!("files.{nth}"), code);
        match error {
            IncidenceError::NotFound => Problem::not_found("INCIDENCE_NOT_FOUND"),
            IncidenceError::ImageNotFound => Problem::not_found("INCIDENCE_IMAGE_NOT_FOUND"),
            IncidenceError::NotesForbidden => Problem::forbidden("ROLE_NOT_ALLOWED").field("note", "ROLE_NOT_ALLOWED"),
            IncidenceError::Move => Problem::conflict("INCIDENCE_STATUS").field("status", "INCIDENCE_STATUS"),
            IncidenceError::Missing(fields) => {
                let missing = fields.into_iter().map(|field| FieldError::new(field, "REQUIRED"));
                missing.fold(Problem::unprocessable("INCIDENCE_FIELDS_MISSING"), Problem::field_error)
            }
            IncidenceError::Invalid(wrong) => Problem::invalid(wrong.into_iter().map(field_error)),
            IncidenceError::ConferenceOld => {
                let code = "INCIDENCE_CONFERENCE_OLD";
                let error = FieldError::new("conferenceId", code).param("days", limits::INCIDENCE_CONFERENCE_DAYS);
                Problem::unprocessable(code).param("days", limits::INCIDENCE_CONFERENCE_DAYS).field_error(error)
            }
            IncidenceError::FilesTooMany => {
                let code = "INCIDENCE_FILES_TOO_MANY";
                let max = limits::INCIDENCE_FILES_MAX;
                Problem::unprocessable(code).param("max", max).field_error(FieldError::new("files", code).param("max", max))
            }
            IncidenceError::FileTooLarge(nth) => {
                let megabytes = limits::INCIDENCE_FILE_MAX_BYTES >> 20;
                let code = "INCIDENCE_FILE_TOO_LARGE";
                let error = FieldError::new(format!("files.{nth}"), code).param("max", megabytes);
                Problem::unprocessable(code).param("max", megabytes).field_error(error)
            }
            IncidenceError::FileNotImage(nth) => at_file("INCIDENCE_FILE_NOT_IMAGE", nth),
            IncidenceError::Conference(error) => error.into(),
        }
    }
}

#[derive(Serialize, ToSchema)]
struct IncidenceBody {
    incidence: IncidenceDetail,
}

impl IncidenceBody {
    async fn of(deps: &Records, caller: &Caller, row: &Incidence) -> ApiResult<Self> {
        Ok(Self { incidence: view::detail(deps, caller, row).await? })
    }
}

/// Sends an incidence, or answers an existing one (`incidenceId`). The administrators are told, the author gets an e-mail.
///
/// Errors: `INCIDENCE_FIELDS_MISSING`, `INVALID_FIELDS`, `INCIDENCE_CONFERENCE_OLD`, `INCIDENCE_FILES_TOO_MANY`,
/// `INCIDENCE_FILE_TOO_LARGE`, `INCIDENCE_FILE_NOT_IMAGE` (422), `CONFERENCE_NOT_FOUND`, `INCIDENCE_NOT_FOUND` (404),
/// `INCIDENCE_STATUS` (409), `ROLE_NOT_ALLOWED` (403), `MEDIA_ERASED` (410), `TOO_MANY_REQUESTS` (429).
#[utoipa::path(post, path = "/api/v1/send-incidence", tag = "incidences", operation_id = "send_incidence",
    request_body = SendIncidence, responses((status = 201, body = IncidenceBody)), security(("session" = [])))]
async fn send_incidence(
    State(room): State<Room>,
    SupportSide(caller): SupportSide,
    headers: HeaderMap,
    Json(body): Json<SendIncidence>,
) -> ApiResult<Created<IncidenceBody>> {
    let sent = body.check()?;
    room.sent.hit(caller.user).map_err(|seconds| Problem::too_many("TOO_MANY_REQUESTS", seconds))?;
    let row = service::send(&room.deps, &caller, sent, &body.files, user_agent(&headers)).await?;
    Ok(Created(IncidenceBody::of(&room.deps, &caller, &row).await?))
}

/// Characters of a user agent that are kept.
const USER_AGENT_MAX: usize = 300;

fn user_agent(headers: &HeaderMap) -> Option<String> {
    let text = headers.get(header::USER_AGENT)?.to_str().ok()?;
    Some(text.chars().take(USER_AGENT_MAX).collect())
}

/// Changes an incidence: its status, an answer with images, a note of the administrators. All that is asked for, or nothing.
///
/// Errors: `INCIDENCE_NOT_FOUND` (404), `INCIDENCE_STATUS` (409), `ROLE_NOT_ALLOWED` (403) also for a note of others than
/// administrators, `INCIDENCE_FIELDS_MISSING`, `INVALID_FIELDS`, `INCIDENCE_FILES_TOO_MANY`, `INCIDENCE_FILE_TOO_LARGE`,
/// `INCIDENCE_FILE_NOT_IMAGE` (422), `MEDIA_ERASED` (410), `TOO_MANY_REQUESTS` (429).
#[utoipa::path(put, path = "/api/v1/incidence", tag = "incidences", operation_id = "change_incidence",
    request_body = ChangeIncidence, responses((status = 200, body = IncidenceBody)), security(("session" = [])))]
async fn change_incidence(
    State(room): State<Room>,
    SupportSide(caller): SupportSide,
    Json(body): Json<ChangeIncidence>,
) -> ApiResult<Json<IncidenceBody>> {
    let (id, change) = body.incidence.check()?;
    if !caller.is_admin() {
        room.sent.hit(caller.user).map_err(|seconds| Problem::too_many("TOO_MANY_REQUESTS", seconds))?;
    }
    let row = service::change(&room.deps, &caller, id, change, &body.incidence.files).await?;
    Ok(Json(IncidenceBody::of(&room.deps, &caller, &row).await?))
}

/// Everything of an incidence. Opening it is remembered.
///
/// Errors: `INCIDENCE_NOT_FOUND` (404, also another tenant's), `ROLE_NOT_ALLOWED` (403).
#[utoipa::path(get, path = "/api/v1/incidence/{id}", tag = "incidences", operation_id = "get_incidence",
    params(("id" = IncidenceId, Path)), responses((status = 200, body = IncidenceBody)), security(("session" = [])))]
async fn get_incidence(
    State(deps): State<Records>,
    SupportSide(caller): SupportSide,
    Path(id): Path<IncidenceId>,
) -> ApiResult<Json<IncidenceBody>> {
    let row = service::open(&deps, &caller, id).await?;
    Ok(Json(IncidenceBody::of(&deps, &caller, &row).await?))
}

/// An image of an incidence or of one of its answers.
///
/// Errors: `INCIDENCE_IMAGE_NOT_FOUND` (404, also another tenant's), `ROLE_NOT_ALLOWED` (403), `MEDIA_ERASED` (410).
#[utoipa::path(get, path = "/api/v1/incidence-image/{id}", tag = "incidences", operation_id = "get_incidence_image",
    params(("id" = String, Path)), responses((status = 200, content_type = "image/*")),
    security(("session" = []), ("media_cookie" = [])))]
async fn get_incidence_image(
    State(deps): State<Records>,
    SupportSide(caller): SupportSide,
    Path(id): Path<Uuid>,
) -> ApiResult<Response> {
    let found = tickets::find_image(deps.db.read(), Scope::of(&caller), id).await.map_err(ConferenceError::from)?;
    let (image, of) = found.ok_or(IncidenceError::ImageNotFound)?;
    let bytes = pictures::open(&deps, &image, of.data_key.as_deref()).await?;
    let mut response = bytes.into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_str(&image.mime).map_err(Problem::internal)?);
    headers.insert(header::CONTENT_DISPOSITION, disposition(&image.name, false));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
    let alone = HeaderValue::from_static("default-src 'none'; sandbox");
    headers.insert(header::CONTENT_SECURITY_POLICY, alone);
    Ok(response)
}

#[derive(Serialize, ToSchema)]
struct IncidenceLogsBody {
    /// In order.
    logs: Vec<IncidenceLog>,
}

/// What was done to an incidence, by whom and when; notes for administrators only.
///
/// Errors: `INCIDENCE_NOT_FOUND` (404, also another tenant's), `ROLE_NOT_ALLOWED` (403).
#[utoipa::path(get, path = "/api/v1/logs/{id}", tag = "incidences", operation_id = "incidence_logs",
    params(("id" = IncidenceId, Path)), responses((status = 200, body = IncidenceLogsBody)), security(("session" = [])))]
async fn incidence_logs(
    State(deps): State<Records>,
    SupportSide(caller): SupportSide,
    Path(id): Path<IncidenceId>,
) -> ApiResult<Json<IncidenceLogsBody>> {
    let row = tickets::get(deps.db.read(), Scope::of(&caller), id).await?;
    Ok(Json(IncidenceLogsBody { logs: view::logs(&deps, &caller, &row).await? }))
}
