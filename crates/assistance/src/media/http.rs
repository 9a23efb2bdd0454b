//! Calls of media: the list, uploads by both sides, the zip, and the files themselves.

use super::labels::{self, MediaChange};
use super::service::{self, CaptureMeta, MediaError, MediaView, NewMedia};
use super::view;
use crate::Assistance;
use crate::media_items::{self, Origin};
use atalaya_cases::conferences::ConferenceError;
use atalaya_cases::conferences::view::ConferenceView;
use atalaya_cases::conferences::{self, Scope};
use atalaya_cases::connections;
use atalaya_cases::evidence::Actor;
use atalaya_kernel::{ConferenceId, MediaId, limits};
use atalaya_rest::caller::{ConferenceReader, ConferenceSide, WorkerOrCustomer};
use atalaya_rest::extract::{Json, Multipart, Path, Query, multipart_problem};
use atalaya_rest::problem::Problem;
use atalaya_rest::response::ApiResult;
use atalaya_rest::uploads;
use axum::extract::multipart::Field;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::StatusCode;
use axum::middleware::from_fn;
use bytes::{Bytes, BytesMut};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub mod files;

/// Bytes of a request that brings a file: the file, and room for the multipart framing and the description around it.
pub(crate) const BODY_MAX: usize = limits::UPLOAD_MAX_BYTES + (64 << 10);

pub fn routes(deps: Assistance) -> OpenApiRouter {
    let large =
        OpenApiRouter::new().routes(routes!(upload_media)).layer(from_fn(uploads::hold)).layer(DefaultBodyLimit::max(BODY_MAX));
    OpenApiRouter::new()
        .routes(routes!(list_media))
        .routes(routes!(change_media))
        .routes(routes!(zip_of))
        .routes(routes!(files::get_document))
        .merge(large)
        .with_state(deps)
}

impl From<MediaError> for Problem {
    fn from(error: MediaError) -> Self {
        match error {
            MediaError::NotAPicture => Problem::unprocessable("NOT_A_PICTURE"),
            MediaError::TypeNotSupported => Problem::unprocessable("FILE_TYPE_NOT_SUPPORTED"),
            MediaError::Empty => Problem::unprocessable("FILE_EMPTY"),
            MediaError::PictureTooBig => Problem::unprocessable("PICTURE_TOO_BIG"),
            MediaError::Expired => Problem::new(StatusCode::GONE, "MEDIA_EXPIRED"),
            MediaError::Invalid(wrong) => ConferenceError::Invalid(wrong).into(),
            MediaError::TooLarge => Problem::too_large("FILE_TOO_LARGE"),
            MediaError::Missing => Problem::invalid([]).field("file", "REQUIRED"),
            MediaError::NotFound => Problem::not_found("MEDIA_NOT_FOUND"),
            MediaError::Conference(error) => error.into(),
        }
    }
}

#[derive(Serialize, ToSchema)]
struct MediaListBody {
    conference: ConferenceView,
    media: Vec<MediaView>,
}

#[derive(Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
struct MediaQuery {
    /// `true`: a glance, after which new files are still new.
    peek: bool,
}

/// The media of a conference. Opening them is remembered, so that later arrivals count as new.
///
/// Errors: `CONFERENCE_NOT_FOUND` (404).
#[utoipa::path(get, path = "/api/v1/conference-media/{id}", tag = "media", operation_id = "list_media",
    params(("id" = ConferenceId, Path), MediaQuery), responses((status = 200, body = MediaListBody)), security(("session" = [])))]
async fn list_media(
    State(deps): State<Assistance>,
    ConferenceReader(caller): ConferenceReader,
    Path(id): Path<ConferenceId>,
    Query(MediaQuery { peek }): Query<MediaQuery>,
) -> ApiResult<Json<MediaListBody>> {
    let row = conferences::get(deps.db.read(), Scope::of(&caller), id).await?;
    let rooms = connections::list_rooms(deps.db.read(), id).await.map_err(ConferenceError::from)?;
    let is_new = media_items::has_new(deps.db.read(), &row).await.map_err(ConferenceError::from)?;
    let items = media_items::list(deps.db.read(), id).await.map_err(ConferenceError::from)?;
    if is_new && !peek && caller.role.is_worker_or_customer() {
        let tx = deps.db.write().await.map_err(ConferenceError::from)?;
        media_items::mark_seen(&tx, id, deps.sources.now()).await.map_err(ConferenceError::from)?;
        tx.commit().await.map_err(ConferenceError::from)?;
    }
    let days = atalaya_cases::conferences::service::company_days(&deps, &row).await?;
    let conference = ConferenceView::of(&row, &rooms, is_new, days, deps.sources.now());
    let expired = atalaya_cases::lifetimes::media_expired(row.created_at, days, deps.sources.now());
    let views = view::list(&deps, &row, &items).await?;
    let media = views.into_iter().map(|view| view.gone(expired).shown_to(caller.role)).collect();
    Ok(Json(MediaListBody { conference: conference.shown_to(caller.role), media }))
}

/// An upload, read from its multipart body: `meta` (JSON, optional) and `file`.
pub(crate) struct Upload {
    pub bytes: Bytes,
    pub meta: CaptureMeta,
    name: Option<String>,
}

#[derive(ToSchema)]
#[allow(dead_code)]
pub(crate) struct UploadForm {
    /// JSON text of a `CaptureMeta`.
    meta: Option<String>,
    #[schema(value_type = String, format = Binary)]
    file: Vec<u8>,
}

impl Upload {
    /// Errors: `FILE_EMPTY` (422), `FILE_TOO_LARGE` (413).
    pub async fn read(mut multipart: Multipart) -> Result<Self, Problem> {
        let (mut meta, mut file) = (CaptureMeta::default(), None);
        while let Some(mut field) = multipart.next_field().await.map_err(too_large)? {
            match field.name() {
                Some("meta") => {
                    let text = field.bytes().await.map_err(multipart_problem)?;
                    meta = serde_json::from_slice(&text).map_err(|_| Problem::invalid([]).field("meta", "INVALID"))?;
                }
                Some("file") => {
                    let name = field.file_name().map(str::to_owned);
                    let mut bytes = BytesMut::new();
                    while let Some(chunk) = next_chunk(&mut field).await? {
                        if bytes.len() + chunk.len() > limits::UPLOAD_MAX_BYTES {
                            return Err(MediaError::TooLarge.into());
                        }
                        bytes.extend_from_slice(&chunk);
                    }
                    file = Some((bytes.freeze(), name));
                }
                _ => {}
            }
        }
        let (bytes, name) = file.ok_or(MediaError::Missing)?;
        if bytes.is_empty() {
            return Err(MediaError::Empty.into());
        }
        Ok(Self { bytes, meta, name })
    }
}

pub async fn next_chunk(field: &mut Field<'_>) -> Result<Option<Bytes>, Problem> {
    field.chunk().await.map_err(|error| too_large(multipart_problem(error)))
}

/// One code for "too large", whether the limit of the request or of the file was reached first.
pub fn too_large(problem: Problem) -> Problem {
    if problem.code() == "BODY_TOO_LARGE" { MediaError::TooLarge.into() } else { problem }
}

#[derive(Serialize, ToSchema)]
struct MediaBody {
    media: MediaView,
}

/// A picture, video or document added by the adjuster, during the call or after it.
///
/// Errors: `CONFERENCE_NOT_FOUND` (404), `FILE_TOO_LARGE` (413), `FILE_EMPTY`, `FILE_TYPE_NOT_SUPPORTED`,
/// `NOT_A_PICTURE`, `PICTURE_TOO_BIG` (422), `MEDIA_ERASED` (410), `UPLOAD_STALLED` (408).
#[utoipa::path(post, path = "/api/v1/conference-media/{id}", tag = "media", operation_id = "upload_media",
    params(("id" = ConferenceId, Path)), request_body(content = UploadForm, content_type = "multipart/form-data"),
    responses((status = 200, body = MediaBody)), security(("session" = [])))]
async fn upload_media(
    State(deps): State<Assistance>,
    WorkerOrCustomer(caller): WorkerOrCustomer,
    Path(id): Path<ConferenceId>,
    multipart: Multipart,
) -> ApiResult<Json<MediaBody>> {
    let row = conferences::get(deps.db.read(), Scope::of(&caller), id).await?;
    let mut upload = Upload::read(multipart).await?;
    upload.meta.name = upload.meta.name.or(upload.name);
    let new = NewMedia {
        bytes: upload.bytes,
        origin: Origin::Upload,
        actor: Actor::User(caller.user),
        participant: format!("user:{}", caller.user),
        meta: upload.meta,
        picture_only: false,
    };
    let item = service::add(&deps, id, new).await?;
    Ok(Json(MediaBody { media: MediaView::of(&item, &row.expedient_number, row.media_seen_at) }))
}

#[derive(Deserialize, ToSchema)]
struct MediaChangeBody {
    media: MediaChange,
}

/// Label, note and shot of a file. What is absent stays, null or an empty text clears it.
///
/// Errors: `MEDIA_NOT_FOUND` (404), `MEDIA_ERASED` (410), `INVALID_FIELDS` (422, `TOO_LONG` with `max`).
#[utoipa::path(put, path = "/api/v1/media/{id}", tag = "media", operation_id = "change_media",
    params(("id" = uuid::Uuid, Path)), request_body = MediaChangeBody,
    responses((status = 200, body = MediaBody)), security(("session" = [])))]
async fn change_media(
    State(deps): State<Assistance>,
    ConferenceSide(caller): ConferenceSide,
    Path(id): Path<MediaId>,
    Json(body): Json<MediaChangeBody>,
) -> ApiResult<Json<MediaBody>> {
    let (item, row) = labels::change(&deps, Scope::of(&caller), id, body.media).await?;
    let expired = atalaya_cases::lifetimes::is_expired(&deps, &row).await?;
    let media = MediaView::of(&item, &row.expedient_number, row.media_seen_at).gone(expired);
    Ok(Json(MediaBody { media }))
}

#[derive(Serialize, ToSchema)]
struct ZipBody {
    zip: String,
}

/// The address of the archive with all media of a conference; the archive is made while it is sent.
///
/// Errors: `CONFERENCE_NOT_FOUND` (404).
#[utoipa::path(get, path = "/api/v1/zip/{id}", tag = "media", operation_id = "zip_of",
    params(("id" = ConferenceId, Path)), responses((status = 200, body = ZipBody)), security(("session" = [])))]
async fn zip_of(
    State(deps): State<Assistance>,
    ConferenceReader(caller): ConferenceReader,
    Path(id): Path<ConferenceId>,
) -> ApiResult<Json<ZipBody>> {
    conferences::get(deps.db.read(), Scope::of(&caller), id).await?;
    Ok(Json(ZipBody { zip: format!("/uploads/{id}.zip") }))
}
