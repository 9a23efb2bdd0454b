//! The calls. Each carries an API key, in `X-API-Key` or as bearer token.

use super::ExtCaller;
use super::model::{ListQuery, OpenBody, PAGE_SIZE, idempotency_key};
use super::service;
use super::view::{ExtConference, ExtMedia};
use crate::Integrations;
use atalaya_assistance::media::MediaError;
use atalaya_assistance::media::http::files::{self, FileQuery};
use atalaya_assistance::media_items;
use atalaya_cases::conferences::ConferenceError;
use atalaya_cases::conferences::Scope;
use atalaya_cases::conferences::http::field_error;
use atalaya_cases::conferences::model::Wrong;
use atalaya_client_files::FileRequest;
use atalaya_client_files::requests::model::NewRequest;
use atalaya_client_files::requests::service as client_files;
use atalaya_kernel::{ConferenceId, Language, MediaId};
use atalaya_records::{certificates, measures};
use atalaya_rest::extract::{Json, Path, Query};
use atalaya_rest::problem::Problem;
use atalaya_rest::response::{ApiResult, Created};
use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub mod caller;

pub fn routes(deps: Integrations) -> OpenApiRouter {
    OpenApiRouter::new()
        .routes(routes!(open_conference, list_conferences))
        .routes(routes!(get_conference))
        .routes(routes!(list_media))
        .routes(routes!(media_content))
        .routes(routes!(request_files, list_file_requests))
        .routes(routes!(certificate))
        .with_state(deps)
}

#[derive(Serialize, ToSchema)]
#[schema(as = ExtConferenceBody)]
struct ConferenceBody {
    conference: ExtConference,
}

/// Opens a conference and sends its link to the end client, if wished.
///
/// With a header `Idempotency-Key` (up to 200 printable characters) the same call may be repeated for 24 hours: it opens
/// one conference and answers that one again, with the header `Idempotency-Replayed: true`.
///
/// Errors: `INVALID_FIELDS` (422) naming the fields, `VIDEO_CALL_NOT_ALLOWED_CUSTOMER`, `VIDEO_CALL_NOT_ALLOWED_WORKER`
/// (403) while the customer may not call, `IDEMPOTENCY_KEY_REUSED` (409) with another body, `API_KEY_REQUIRED`,
/// `API_KEY_INVALID` (401), `ACCOUNT_INACTIVE` (403), `TOO_MANY_REQUESTS` (429),
/// `SMS_CEILING_HOUR`, `SMS_CEILING_DAY` (429) when the link would go by SMS.
#[utoipa::path(post, path = "/ext-api/v1/conferences", tag = "ext-api", operation_id = "ext_open_conference",
    params(("Idempotency-Key" = Option<String>, Header, description = "Names this call, so that it can be repeated.")),
    request_body = OpenBody,
    responses((status = 201, body = ConferenceBody), (status = 401), (status = 403), (status = 409), (status = 422),
        (status = 429)),
    security(("api_key" = []), ("api_key_bearer" = [])))]
async fn open_conference(
    State(deps): State<Integrations>,
    by: ExtCaller,
    headers: HeaderMap,
    Json(body): Json<OpenBody>,
) -> ApiResult<Response> {
    let key = idempotency_key(headers.get("idempotency-key").map(HeaderValue::as_bytes)).map_err(invalid)?;
    let made = service::open(&deps, &by, &body, key.as_deref()).await?;
    let mut response = Created(ConferenceBody { conference: made.conference }).into_response();
    if made.replayed {
        let replayed = HeaderName::from_static("idempotency-replayed");
        response.headers_mut().insert(replayed, HeaderValue::from_static("true"));
    }
    Ok(response)
}

fn invalid(wrong: Wrong) -> Problem {
    Problem::invalid([field_error(wrong)])
}

#[derive(Serialize, ToSchema)]
#[schema(as = ExtConferencesBody)]
struct ConferencesBody {
    conferences: Vec<ExtConference>,
    total: u64,
    /// 1 for the first 50.
    page: u64,
    pages: u64,
}

/// The customer's conferences, newest first, 50 a page.
///
/// Errors: `INVALID_FIELDS` (422) about `from` or `to`, `API_KEY_REQUIRED`, `API_KEY_INVALID` (401),
/// `ACCOUNT_INACTIVE` (403), `TOO_MANY_REQUESTS` (429).
#[utoipa::path(get, path = "/ext-api/v1/conferences", tag = "ext-api", operation_id = "ext_list_conferences",
    params(ListQuery),
    responses((status = 200, body = ConferencesBody), (status = 400), (status = 401), (status = 403), (status = 422),
        (status = 429)),
    security(("api_key" = []), ("api_key_bearer" = [])))]
async fn list_conferences(
    State(deps): State<Integrations>,
    by: ExtCaller,
    Query(query): Query<ListQuery>,
) -> ApiResult<Json<ConferencesBody>> {
    let listing = query.read(deps.sources.now()).map_err(invalid)?;
    let (conferences, total) = service::list(&deps, &by, &listing).await?;
    Ok(Json(ConferencesBody { conferences, total, page: listing.page, pages: total.div_ceil(PAGE_SIZE) }))
}

/// A conference.
///
/// Errors: `CONFERENCE_NOT_FOUND` (404, also another customer's), `API_KEY_REQUIRED`, `API_KEY_INVALID` (401),
/// `ACCOUNT_INACTIVE` (403), `TOO_MANY_REQUESTS` (429).
#[utoipa::path(get, path = "/ext-api/v1/conferences/{id}", tag = "ext-api", operation_id = "ext_get_conference",
    params(("id" = String, Path)),
    responses((status = 200, body = ConferenceBody), (status = 401), (status = 403), (status = 404), (status = 429)),
    security(("api_key" = []), ("api_key_bearer" = [])))]
async fn get_conference(
    State(deps): State<Integrations>,
    by: ExtCaller,
    Path(id): Path<ConferenceId>,
) -> ApiResult<Json<ConferenceBody>> {
    let row = service::find(&deps, &by, id).await?;
    Ok(Json(ConferenceBody { conference: service::view(&deps, &row).await? }))
}

#[derive(Serialize, ToSchema)]
#[schema(as = ExtMediaBody)]
struct MediaBody {
    media: Vec<ExtMedia>,
}

/// The files of a conference in order of arrival, with what was measured on its pictures.
///
/// Errors: `CONFERENCE_NOT_FOUND` (404), `API_KEY_REQUIRED`, `API_KEY_INVALID` (401), `ACCOUNT_INACTIVE` (403),
/// `TOO_MANY_REQUESTS` (429).
#[utoipa::path(get, path = "/ext-api/v1/conferences/{id}/media", tag = "ext-api", operation_id = "ext_list_media",
    params(("id" = String, Path)),
    responses((status = 200, body = MediaBody), (status = 401), (status = 403), (status = 404), (status = 429)),
    security(("api_key" = []), ("api_key_bearer" = [])))]
async fn list_media(State(deps): State<Integrations>, by: ExtCaller, Path(id): Path<ConferenceId>) -> ApiResult<Json<MediaBody>> {
    let row = service::find(&deps, &by, id).await?;
    let expired = atalaya_cases::lifetimes::is_expired(&deps, &row).await?;
    let items = media_items::list(deps.db.read(), id).await.map_err(ConferenceError::from)?;
    let measured = measures::of_conference(&deps, id).await.map_err(ConferenceError::from)?;
    Ok(Json(MediaBody { media: items.iter().map(|item| ExtMedia::of(&deps, item, expired, &measured)).collect() }))
}

/// The bytes of a file, whole or a range of them (`Range`, `If-None-Match` with the `ETag`).
///
/// Errors: `MEDIA_NOT_FOUND` (404), `MEDIA_ERASED`, `MEDIA_EXPIRED` (410), 416 for a range outside the file,
/// `API_KEY_REQUIRED`, `API_KEY_INVALID` (401), `ACCOUNT_INACTIVE` (403), `TOO_MANY_REQUESTS` (429).
#[utoipa::path(get, path = "/ext-api/v1/media/{id}/content", tag = "ext-api", operation_id = "ext_media_content",
    params(("id" = String, Path)),
    responses((status = 200, description = "The file"), (status = 206, description = "A range of it"),
        (status = 304, description = "Not changed"), (status = 401), (status = 403), (status = 404), (status = 410),
        (status = 416, description = "The range is outside the file"), (status = 429)),
    security(("api_key" = []), ("api_key_bearer" = [])))]
async fn media_content(
    State(deps): State<Integrations>,
    by: ExtCaller,
    Path(id): Path<MediaId>,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let found = media_items::find(deps.db.read(), Scope::Company(by.company.id), id).await.map_err(MediaError::from)?;
    let (item, row) = found.ok_or(MediaError::NotFound)?;
    files::content(&deps, &item, &row, FileQuery::download(), &headers).await
}

#[derive(Serialize, ToSchema)]
#[schema(as = ExtFileRequestBody)]
struct RequestBody {
    request: FileRequest,
}

/// Asks the end client for files, by SMS (`contactType` 1) or e-mail (2). `conferenceId` in the body does not count.
///
/// Errors: `CONFERENCE_NOT_FOUND` (404), `MEDIA_ERASED` (410), `FILES_EXPIRED`, `FILE_REQUEST_EXPIRED`,
/// `DURATION_TOO_SHORT` (409), `INVALID_FIELDS` (422), `API_KEY_REQUIRED`, `API_KEY_INVALID` (401),
/// `ACCOUNT_INACTIVE` (403), `TOO_MANY_REQUESTS` (429).
#[utoipa::path(post, path = "/ext-api/v1/conferences/{id}/file-requests", tag = "ext-api",
    operation_id = "ext_request_files", params(("id" = String, Path)), request_body = NewRequest,
    responses((status = 201, body = RequestBody), (status = 401), (status = 403), (status = 404), (status = 409),
        (status = 410), (status = 422), (status = 429)),
    security(("api_key" = []), ("api_key_bearer" = [])))]
async fn request_files(
    State(deps): State<Integrations>,
    by: ExtCaller,
    Path(id): Path<ConferenceId>,
    Json(input): Json<NewRequest>,
) -> ApiResult<Created<RequestBody>> {
    let input = NewRequest { conference_id: Some(id.to_string()), ..input };
    Ok(Created(RequestBody { request: client_files::create(&deps, &by.caller, &input).await? }))
}

#[derive(Serialize, ToSchema)]
#[schema(as = ExtFileRequestsBody)]
struct RequestsBody {
    requests: Vec<FileRequest>,
}

/// What the end client was asked for, newest first, and what came of it.
///
/// Errors: `CONFERENCE_NOT_FOUND` (404), `API_KEY_REQUIRED`, `API_KEY_INVALID` (401), `ACCOUNT_INACTIVE` (403),
/// `TOO_MANY_REQUESTS` (429).
#[utoipa::path(get, path = "/ext-api/v1/conferences/{id}/file-requests", tag = "ext-api",
    operation_id = "ext_list_file_requests", params(("id" = String, Path)),
    responses((status = 200, body = RequestsBody), (status = 401), (status = 403), (status = 404), (status = 429)),
    security(("api_key" = []), ("api_key_bearer" = [])))]
async fn list_file_requests(
    State(deps): State<Integrations>,
    by: ExtCaller,
    Path(id): Path<ConferenceId>,
) -> ApiResult<Json<RequestsBody>> {
    Ok(Json(RequestsBody { requests: client_files::list(&deps, &by.caller, id).await? }))
}

#[derive(Clone, Copy, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
struct CertificateQuery {
    /// The case's language without it.
    language: Option<Language>,
}

/// The certificate of a conference as PDF. A new one is issued when something happened since the last.
///
/// Errors: `CONFERENCE_NOT_FOUND` (404), `MALFORMED_QUERY` (400), `API_KEY_REQUIRED`, `API_KEY_INVALID` (401),
/// `ACCOUNT_INACTIVE` (403), `TOO_MANY_REQUESTS` (429).
#[utoipa::path(get, path = "/ext-api/v1/conferences/{id}/certificate", tag = "ext-api", operation_id = "ext_certificate",
    params(("id" = String, Path), CertificateQuery),
    responses((status = 200, description = "The certificate", content_type = "application/pdf"), (status = 400),
        (status = 401), (status = 403), (status = 404), (status = 429)),
    security(("api_key" = []), ("api_key_bearer" = [])))]
async fn certificate(
    State(deps): State<Integrations>,
    by: ExtCaller,
    Path(id): Path<ConferenceId>,
    Query(query): Query<CertificateQuery>,
) -> ApiResult<Response> {
    let printed = certificates::service::print(&deps, &by.caller, id, query.language).await?;
    Ok(certificates::http::document(printed, true))
}
