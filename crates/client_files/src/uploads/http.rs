//! Calls of the tus protocol; what they do is in `tus`.

use super::model::Upload;
use super::tus::headers::{self, Checksum, Metadata};
use super::tus::places::Places;
use super::tus::service::{self, BrokenConnection, Piece};
use super::tus::turns::Turns;
use crate::FilesError;
use crate::error::Refusal;
use crate::requests::Link;
use atalaya_assistance::Assistance;
use atalaya_assistance::client_page::http::From as Sender;
use atalaya_kernel::limits;
use atalaya_rest::extract::Path;
use atalaya_rest::problem::Problem;
use atalaya_rest::ratelimit::RateLimiter;
use atalaya_rest::response::ApiResult;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse, Response};
use chrono::TimeDelta;
use futures::{StreamExt, TryStreamExt};
use std::net::IpAddr;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

const OFFSET: HeaderName = HeaderName::from_static("upload-offset");
const LENGTH: HeaderName = HeaderName::from_static("upload-length");
/// Ours: the media item that an upload has become.
const MEDIA: HeaderName = HeaderName::from_static("upload-media");

/// State of these handlers.
#[derive(Clone)]
struct Door {
    deps: Assistance,
    calls: RateLimiter<IpAddr>,
    turns: Turns,
    places: Places,
}

impl Door {
    fn limit(&self, address: IpAddr) -> Result<(), FilesError> {
        let hit = self.calls.hit(atalaya_rest::address::subscriber(address));
        hit.map_err(|retry_after_s| FilesError::TooManyCalls { retry_after_s })
    }
}

pub fn routes(deps: Assistance) -> OpenApiRouter {
    // Enough for 200 files in pieces of some megabytes over a bad connection.
    let calls = RateLimiter::new(deps.sources.clock(), 6000, TimeDelta::minutes(10));
    OpenApiRouter::new()
        .routes(routes!(describe_uploads, create_upload))
        .routes(routes!(upload_standing, take_bytes, terminate_upload))
        .layer(from_fn(speak))
        .with_state(Door { deps, calls, turns: Turns::default(), places: Places::default() })
}

/// Middleware: every answer, problems included, names the protocol's version and forbids caching.
async fn speak(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    headers.insert(HeaderName::from_static("tus-resumable"), HeaderValue::from_static(headers::VERSION));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    if response.status() == StatusCode::PRECONDITION_FAILED {
        let version = HeaderValue::from_static(headers::VERSION);
        response.headers_mut().insert(HeaderName::from_static("tus-version"), version);
    }
    response
}

/// The capabilities of this tus server.
#[utoipa::path(options, path = "/api/v1/external/files/{token}/uploads", tag = "client", security(()),
    operation_id = "describe_uploads", params(("token" = String, Path)), responses((status = 204)))]
async fn describe_uploads(Path(_token): Path<String>) -> Response {
    let max = HeaderValue::from(limits::CLIENT_VIDEO_MAX_BYTES);
    let fixed = |name, value| (HeaderName::from_static(name), HeaderValue::from_static(value));
    let headers = [
        fixed("tus-version", headers::VERSION),
        fixed("tus-extension", headers::EXTENSIONS),
        fixed("tus-checksum-algorithm", headers::ALGORITHMS),
        (HeaderName::from_static("tus-max-size"), max),
    ];
    (StatusCode::NO_CONTENT, HeaderMap::from_iter(headers)).into_response()
}

/// Begins an upload. `Upload-Metadata`: `filename`, `filetype`, `item`, `uploadKey` (chosen by the client: a repeated
/// creation with the same key is the same upload), `capturedAt`, `width`, `height`.
///
/// Errors: `TUS_VERSION_NOT_SUPPORTED` (412), `TUS_HEADER_INVALID` (400), `LINK_UNKNOWN` (404), `LINK_EXPIRED` (410),
/// `TOO_MANY_FILES` (409), `FILE_TOO_LARGE` (413), `FILE_EMPTY`, `INVALID_FIELDS` (422), `TOO_MANY_REQUESTS` (429).
#[utoipa::path(post, path = "/api/v1/external/files/{token}/uploads", tag = "client", security(()),
    operation_id = "create_upload", params(("token" = String, Path)),
    responses((status = 201, description = "Its address is in `Location`")))]
async fn create_upload(
    State(door): State<Door>,
    Sender(origin): Sender,
    Path(token): Path<String>,
    headers: HeaderMap,
) -> ApiResult<Response> {
    door.limit(origin.address)?;
    headers::require_version(&headers)?;
    let link = Link::open(&door.deps, &token).await?;
    let size = headers::bytes(&headers, "upload-length")?;
    let meta = Metadata::read(&headers)?;
    let row = service::create(&door.deps, &link, size, &meta).await?;
    let location = format!("/api/v1/external/files/{token}/uploads/{}", row.id);
    let mut response = StatusCode::CREATED.into_response();
    response.headers_mut().insert(header::LOCATION, HeaderValue::from_str(&location).map_err(Problem::internal)?);
    describe(&mut response, &row);
    Ok(response)
}

/// The offset at which an upload continues.
///
/// Errors: `LINK_UNKNOWN`, `UPLOAD_NOT_FOUND` (404), `LINK_EXPIRED` (410); 410 for an upload that was refused.
#[utoipa::path(head, path = "/api/v1/external/files/{token}/uploads/{id}", tag = "client", security(()),
    operation_id = "upload_standing", params(("token" = String, Path), ("id" = Uuid, Path)), responses((status = 200)))]
async fn upload_standing(
    State(door): State<Door>,
    Sender(origin): Sender,
    Path((token, id)): Path<(String, Uuid)>,
    headers: HeaderMap,
) -> ApiResult<Response> {
    door.limit(origin.address)?;
    headers::require_version(&headers)?;
    let link = Link::find(&door.deps, &token).await?;
    link.require_arriving()?;
    let task = tokio::spawn(async move {
        let _turn = door.turns.take(id).await;
        service::standing(&door.deps, &link, id).await
    });
    let row = match task.await.map_err(Problem::internal)? {
        // The protocol's way to say that there is nothing to continue.
        Err(FilesError::Refused(refusal)) => return Ok(gone(refusal)),
        other => other?,
    };
    let mut response = StatusCode::OK.into_response();
    describe(&mut response, &row);
    Ok(response)
}

fn gone(refusal: Refusal) -> Response {
    Problem::new(StatusCode::GONE, refusal.code()).into_response()
}

/// Receives bytes of a file from `Upload-Offset` on. The answer to the last piece has the media item in `Upload-Media`.
///
/// Errors: `TUS_VERSION_NOT_SUPPORTED` (412), `TUS_CONTENT_TYPE` (415), `TUS_HEADER_INVALID` (400), `LINK_UNKNOWN`,
/// `UPLOAD_NOT_FOUND` (404), `LINK_EXPIRED` (410), `UPLOAD_OFFSET` (409), `UPLOAD_CHECKSUM` (460), `FILE_TOO_LARGE` (413),
/// `TOO_MANY_REQUESTS` (429) when the link brings four already, `UPLOAD_STALLED` (408) under 1 KiB/s,
/// `FILE_TYPE_NOT_SUPPORTED`, `NOT_A_PICTURE`, `PICTURE_TOO_BIG`, `PDF_ACTIVE_CONTENT` (422).
#[utoipa::path(patch, path = "/api/v1/external/files/{token}/uploads/{id}", tag = "client", security(()),
    operation_id = "take_bytes", params(("token" = String, Path), ("id" = Uuid, Path)),
    request_body(content = Vec<u8>, content_type = "application/offset+octet-stream"), responses((status = 204)))]
async fn take_bytes(
    State(door): State<Door>,
    Sender(origin): Sender,
    Path((token, id)): Path<(String, Uuid)>,
    headers: HeaderMap,
    body: Body,
) -> ApiResult<Response> {
    door.limit(origin.address)?;
    headers::require_version(&headers)?;
    headers::require_bytes(&headers)?;
    let link = Link::find(&door.deps, &token).await?;
    link.require_arriving()?;
    let length = headers.get(header::CONTENT_LENGTH).and_then(|v| v.to_str().ok()).and_then(|v| v.parse().ok());
    let offset = headers::bytes(&headers, "upload-offset")?;
    let piece = Piece {
        offset,
        length,
        checksum: Checksum::read(&headers)?,
        body: body.into_data_stream().map_err(|_| BrokenConnection).boxed(),
    };
    // In a task of its own, because a broken connection drops the handler, and what arrived must still be stored.
    let task = tokio::spawn(async move {
        // The turn comes first: the older call that it ends may hold the link's last place.
        let turn = door.turns.take(id).await;
        let _place = door.places.take(link.request.id, origin.address).await?;
        service::take(&door.deps, &link, id, turn, piece).await
    });
    let row = task.await.map_err(Problem::internal)??;
    let mut response = StatusCode::NO_CONTENT.into_response();
    describe(&mut response, &row);
    Ok(response)
}

/// Gives an upload up; its bytes are deleted.
///
/// Errors: `TUS_VERSION_NOT_SUPPORTED` (412), `LINK_UNKNOWN`, `UPLOAD_NOT_FOUND` (404), `LINK_EXPIRED` (410).
#[utoipa::path(delete, path = "/api/v1/external/files/{token}/uploads/{id}", tag = "client", security(()),
    operation_id = "terminate_upload", params(("token" = String, Path), ("id" = Uuid, Path)), responses((status = 204)))]
async fn terminate_upload(
    State(door): State<Door>,
    Sender(origin): Sender,
    Path((token, id)): Path<(String, Uuid)>,
    headers: HeaderMap,
) -> ApiResult<StatusCode> {
    door.limit(origin.address)?;
    headers::require_version(&headers)?;
    let link = Link::find(&door.deps, &token).await?;
    link.require_arriving()?;
    let _turn = door.turns.take(id).await;
    service::terminate(&door.deps, &link, id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Where the upload stands, in headers.
fn describe(response: &mut Response, row: &Upload) {
    let headers = response.headers_mut();
    headers.insert(OFFSET, HeaderValue::from(row.offset_bytes));
    headers.insert(LENGTH, HeaderValue::from(row.size_bytes));
    if let Some(media) = row.media_id
        && let Ok(value) = HeaderValue::from_str(&media.to_string())
    {
        headers.insert(MEDIA, value);
    }
}
