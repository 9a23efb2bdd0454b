//! The client's page of a request: what is requested, opening it, finishing it. No session; the link's secret.

use crate::FilesError;
use crate::requests::link::{finished, opened};
use crate::requests::model::{ItemState, LinkState};
use crate::requests::{self, Link};
use crate::uploads::{self, Upload, UploadState, preview};
use atalaya_assistance::Assistance;
use atalaya_assistance::client_page::http::From as Sender;
use atalaya_assistance::media::MediaError;
use atalaya_assistance::media::http::{next_chunk, too_large};
use atalaya_assistance::shots::model::Overlay;
use atalaya_identity::companies;
use atalaya_kernel::{CompanyId, ConferenceId, Language, limits};
use atalaya_rest::Json;
use atalaya_rest::extract::{Multipart, Path};
use atalaya_rest::problem::Problem;
use atalaya_rest::ratelimit::RateLimiter;
use atalaya_rest::response::{ApiResult, NoContent};
use atalaya_rest::uploads::hold;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::StatusCode;
use axum::middleware::from_fn;
use axum::response::{IntoResponse, Redirect, Response};
use bytes::{Bytes, BytesMut};
use chrono::{DateTime, TimeDelta, Utc};
use serde::Serialize;
use std::collections::HashMap;
use std::net::IpAddr;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

/// Bytes of a preview and of the form around it.
const PREVIEW_BYTES: usize = preview::MAX_BYTES + (64 << 10);

/// State of these handlers: the context and the rate limiters of these public calls.
#[derive(Clone)]
struct Door {
    deps: Assistance,
    calls: RateLimiter<IpAddr>,
    /// Visits that leave a track, per request.
    visits: RateLimiter<Uuid>,
}

impl Door {
    fn limit(&self, address: IpAddr) -> Result<(), FilesError> {
        let hit = self.calls.hit(atalaya_rest::address::subscriber(address));
        hit.map_err(|retry_after_s| FilesError::TooManyCalls { retry_after_s })
    }
}

pub fn routes(deps: Assistance) -> OpenApiRouter {
    let calls = RateLimiter::new(deps.sources.clock(), 600, TimeDelta::minutes(10));
    let visits = RateLimiter::new(deps.sources.clock(), 20, TimeDelta::minutes(10));
    let previews =
        OpenApiRouter::new().routes(routes!(put_preview)).layer(from_fn(hold)).layer(DefaultBodyLimit::max(PREVIEW_BYTES));
    OpenApiRouter::new()
        .routes(routes!(short_link))
        .routes(routes!(view_request))
        .routes(routes!(open_request))
        .routes(routes!(finish_request))
        .merge(previews)
        .with_state(Door { deps, calls, visits })
}

/// The short link of a request: redirects to the client's page. Changes nothing.
#[utoipa::path(get, path = "/f/{code}", tag = "client", security(()), operation_id = "files_short_link",
    params(("code" = String, Path)), responses((status = 302, description = "To the client's page")))]
async fn short_link(State(door): State<Door>, Path(code): Path<String>) -> ApiResult<Response> {
    let plausible = code.len() <= 16 && code.bytes().all(|b| b.is_ascii_alphanumeric());
    let row = match plausible {
        true => requests::find_by_code(door.deps.db.read(), &code).await.map_err(FilesError::from)?,
        false => None,
    };
    let target = row.map_or_else(|| "/external?reason=unknown".to_owned(), |row| format!("/external/files/{}", row.token));
    let mut response = Redirect::to(&target).into_response();
    *response.status_mut() = StatusCode::FOUND;
    Ok(response)
}

/// What the client's page shows.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct RequestPage {
    state: LinkState,
    company: String,
    expedient_number: String,
    /// A phone number the client may call when nothing else works.
    contact_phone: Option<String>,
    /// From here on null or empty unless the link is open.
    adjuster: Option<String>,
    #[serde(rename = "type")]
    conference_type: Option<i16>,
    contact_person: Option<String>,
    page_show_text: Option<String>,
    language: String,
    languages: Vec<&'static str>,
    expires_at: DateTime<Utc>,
    items: Vec<AskedItem>,
    uploads: Vec<UploadView>,
    /// Of one file; pictures and documents at most `maxPictureBytes`.
    max_bytes: u64,
    max_picture_bytes: u64,
    max_files: usize,
}

#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct AskedItem {
    #[serde(rename = "_id")]
    id: Uuid,
    shot: Option<String>,
    label: String,
    hint: Option<String>,
    /// The frame over the camera; null for a free item.
    overlay: Option<Overlay>,
    state: ItemState,
    /// Why it was sent back.
    note: Option<String>,
    /// Files that came for it.
    files: usize,
}

#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct UploadView {
    #[serde(rename = "_id")]
    id: Uuid,
    item_id: Uuid,
    upload_key: String,
    name: String,
    size: i64,
    offset: i64,
    /// `running`, `accepted` or `refused`.
    state: String,
    /// Why it was refused.
    code: Option<String>,
    media_id: Option<Uuid>,
}

impl From<Upload> for UploadView {
    fn from(row: Upload) -> Self {
        Self {
            id: row.id,
            item_id: row.item_id,
            upload_key: row.upload_key,
            name: row.name,
            size: row.size_bytes,
            offset: row.offset_bytes,
            state: row.state.wire().to_owned(),
            code: row.code,
            media_id: row.media_id,
        }
    }
}

/// What a request asks for and what arrived. Changes nothing.
///
/// Errors: `LINK_UNKNOWN` (404), `TOO_MANY_REQUESTS` (429).
#[utoipa::path(get, path = "/api/v1/external/files/{token}", tag = "client", security(()), operation_id = "view_file_request",
    params(("token" = String, Path)), responses((status = 200, body = RequestPage)))]
async fn view_request(
    State(door): State<Door>,
    Sender(origin): Sender,
    Path(token): Path<String>,
) -> ApiResult<Json<RequestPage>> {
    door.limit(origin.address)?;
    let link = Link::find(&door.deps, &token).await?;
    Ok(Json(page(&door.deps, link).await?))
}

async fn page(deps: &Assistance, link: Link) -> Result<RequestPage, FilesError> {
    let Link { request, conference, state } = link;
    let company = companies::service::get_company(&deps.identity, CompanyId(conference.company_id)).await?;
    let open = state == LinkState::Open;
    let mut view = RequestPage {
        state,
        company: conference.customer_name.clone(),
        expedient_number: conference.expedient_number.clone(),
        contact_phone: company.phone.or(company.mobile),
        adjuster: open.then(|| request.user_name.clone()),
        conference_type: open.then_some(conference.conference_type.into()),
        contact_person: conference.contact_person.clone().filter(|_| open),
        page_show_text: None,
        language: conference.language.clone(),
        languages: Language::ALL.iter().map(|language| language.code()).collect(),
        expires_at: request.expires_at,
        items: Vec::new(),
        uploads: Vec::new(),
        max_bytes: limits::CLIENT_VIDEO_MAX_BYTES,
        max_picture_bytes: limits::UPLOAD_MAX_BYTES as u64,
        max_files: limits::CLIENT_FILES_MAX,
    };
    if open {
        view.page_show_text = match request.page_show_text {
            None => requests::last_page_text(deps.db.read(), ConferenceId(conference.id)).await?,
            own => own,
        };
        let uploads = uploads::list_uploads(deps.db.read(), request.id).await?;
        let mut files: HashMap<Uuid, usize> = HashMap::new();
        for row in uploads.iter().filter(|row| row.state == UploadState::Accepted) {
            *files.entry(row.item_id).or_default() += 1;
        }
        let items = requests::items_of(deps.db.read(), &[request.id]).await?.remove(&request.id).unwrap_or_default();
        view.items = items
            .into_iter()
            .map(|item| AskedItem {
                files: files.get(&item.id).copied().unwrap_or(0),
                state: item.state,
                id: item.id,
                shot: item.shot,
                label: item.label,
                hint: item.hint,
                overlay: item.overlay,
                note: item.note,
            })
            .collect();
        view.uploads = uploads.into_iter().map(UploadView::from).collect();
    }
    Ok(view)
}

/// The client has opened the page; link-preview robots do not get here.
///
/// Errors: `LINK_UNKNOWN` (404), `LINK_EXPIRED` (410), `TOO_MANY_REQUESTS` (429).
#[utoipa::path(post, path = "/api/v1/external/files/{token}/open", tag = "client", security(()),
    operation_id = "open_file_request", params(("token" = String, Path)), responses((status = 204)))]
async fn open_request(State(door): State<Door>, Sender(origin): Sender, Path(token): Path<String>) -> ApiResult<NoContent> {
    door.limit(origin.address)?;
    let link = Link::open(&door.deps, &token).await?;
    if door.visits.hit(link.request.id).is_ok() {
        opened(&door.deps, &link, &origin).await?;
    }
    Ok(NoContent)
}

/// The client has finished; the link accepts nothing more unless something is sent back. Idempotent.
///
/// Errors: `LINK_UNKNOWN` (404), `LINK_EXPIRED` (410), `TOO_MANY_REQUESTS` (429).
#[utoipa::path(post, path = "/api/v1/external/files/{token}/finish", tag = "client", security(()),
    operation_id = "finish_file_request", params(("token" = String, Path)), responses((status = 204)))]
async fn finish_request(State(door): State<Door>, Sender(origin): Sender, Path(token): Path<String>) -> ApiResult<NoContent> {
    door.limit(origin.address)?;
    let link = Link::find(&door.deps, &token).await?;
    match link.state {
        LinkState::Open => finished(&door.deps, &link, &origin).await?,
        LinkState::Finished => {}
        _ => return Err(FilesError::LinkOver.into()),
    }
    Ok(NoContent)
}

#[derive(ToSchema)]
#[allow(dead_code)]
struct PreviewForm {
    #[schema(value_type = String, format = Binary)]
    file: Vec<u8>,
}

/// A JPEG of a picture that the server cannot decode (HEIC), made by the sender's browser. The original stays as it is.
///
/// Errors: `LINK_UNKNOWN`, `MEDIA_NOT_FOUND` (404), `LINK_EXPIRED` (410), `FILE_TOO_LARGE` (413), `NOT_A_PICTURE`,
/// `PICTURE_TOO_BIG` (422).
#[utoipa::path(post, path = "/api/v1/external/files/{token}/preview/{mediaId}", tag = "client", security(()),
    operation_id = "put_preview", params(("token" = String, Path), ("mediaId" = Uuid, Path)),
    request_body(content = PreviewForm, content_type = "multipart/form-data"), responses((status = 204)))]
async fn put_preview(
    State(door): State<Door>,
    Sender(origin): Sender,
    Path((token, media)): Path<(String, Uuid)>,
    multipart: Multipart,
) -> ApiResult<NoContent> {
    door.limit(origin.address)?;
    let link = Link::open(&door.deps, &token).await?;
    let bytes = picture_of(multipart).await?;
    preview::put(&door.deps, &link, media, bytes).await?;
    Ok(NoContent)
}

/// The file of a multipart body. Errors: `FILE_TOO_LARGE` (413), `INVALID_FIELDS` (422).
async fn picture_of(mut multipart: Multipart) -> Result<Bytes, Problem> {
    while let Some(mut field) = multipart.next_field().await.map_err(too_large)? {
        if field.name() != Some("file") {
            continue;
        }
        let mut bytes = BytesMut::new();
        while let Some(chunk) = next_chunk(&mut field).await? {
            if bytes.len() + chunk.len() > preview::MAX_BYTES {
                return Err(MediaError::TooLarge.into());
            }
            bytes.extend_from_slice(&chunk);
        }
        return Ok(bytes.freeze());
    }
    Err(MediaError::Missing.into())
}
