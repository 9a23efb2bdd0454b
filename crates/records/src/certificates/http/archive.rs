//! The zip of a conference as a stream, under the address of its files.

use crate::certificates::manifest;
use crate::{Records, drawings, measures};
use atalaya_assistance::media::http::files::{self, FileQuery, disposition};
use atalaya_cases::conferences::vault;
use atalaya_cases::conferences::{self, Scope};
use atalaya_kernel::{ConferenceId, MediaId};
use atalaya_rest::caller::{Caller, ConferenceReader};
use atalaya_rest::extract::{Path, Query};
use atalaya_rest::response::ApiResult;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};

/// A picture or video; with `{mediaId}.svg` the marks on a picture, with `{mediaId}.measures.svg`
/// what is measured on it; with `{conferenceId}.zip` everything of a conference, for the
/// repair side its files alone.
///
/// Errors: `MEDIA_NOT_FOUND` (404), `MEDIA_ERASED`, `MEDIA_EXPIRED` (410), 416 for a range outside the file.
#[utoipa::path(get, path = "/uploads/{filename}", tag = "media", operation_id = "get_upload",
    params(("filename" = String, Path), FileQuery),
    responses((status = 200, description = "The file"), (status = 206, description = "A range of it"),
        (status = 304, description = "Not changed")), security(("session" = []), ("media_cookie" = [])))]
pub(super) async fn get_upload(
    State(deps): State<Records>,
    ConferenceReader(caller): ConferenceReader,
    Path(filename): Path<String>,
    Query(query): Query<FileQuery>,
    headers: HeaderMap,
) -> ApiResult<Response> {
    if let Some(picture) = filename.strip_suffix(".measures.svg").and_then(|id| id.parse::<MediaId>().ok()) {
        return measures::http::layer(&deps, &caller, picture).await;
    }
    if let Some(picture) = filename.strip_suffix(".svg").and_then(|id| id.parse::<MediaId>().ok()) {
        return drawings::http::layer(&deps, &caller, picture).await;
    }
    match filename.strip_suffix(".zip").and_then(|id| id.parse::<ConferenceId>().ok()) {
        Some(id) => zip(&deps, &caller, id).await,
        None => files::upload(&deps, &caller, &filename, query, &headers).await,
    }
}

async fn zip(deps: &Records, caller: &Caller, id: ConferenceId) -> ApiResult<Response> {
    let row = conferences::get(deps.db.read(), Scope::of(caller), id).await?;
    let key = vault::unwrap(deps, id, row.data_key.as_deref()).await?;
    let archive = match caller.role.is_repair_side() {
        true => manifest::files_only(deps, &row, &key).await?,
        false => manifest::archive(deps, &row, &key).await?,
    };
    let length = archive.content_length();
    let mut response = Body::from_stream(archive.stream()).into_response();
    let out = response.headers_mut();
    out.insert(header::CONTENT_LENGTH, length.into());
    out.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/zip"));
    out.insert(header::CONTENT_DISPOSITION, disposition(&format!("{}.zip", row.expedient_number), true));
    out.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
    Ok(response)
}
