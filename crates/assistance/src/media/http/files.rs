//! The files themselves: range, revalidation, safe headers (STORE-6, STORE-10, RFC 9110 §13–14).

use crate::Assistance;
use crate::media::service::MediaError;
use crate::media_items::{self, MediaItem};
use atalaya_blobs::{BlobName, BlobReader};
use atalaya_cases::conferences::{Conference, Scope, vault};
use atalaya_kernel::ConferenceId;
use atalaya_rest::caller::{Caller, ConferenceReader};
use atalaya_rest::extract::{Path, Query};
use atalaya_rest::problem::Problem;
use atalaya_rest::response::ApiResult;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use std::ops::Range;
use utoipa::IntoParams;

#[derive(Clone, Copy, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct FileQuery {
    /// 1: as an attachment.
    download: Option<u8>,
    /// 1: the small copy of a picture.
    thumb: Option<u8>,
    /// 1: the JPEG of a picture that browsers may not open.
    preview: Option<u8>,
}

/// A document.
///
/// Errors: `MEDIA_NOT_FOUND` (404), `MEDIA_ERASED`, `MEDIA_EXPIRED` (410), 416 for a range outside the file.
#[utoipa::path(get, path = "/uploads-documents/{filename}", tag = "media", operation_id = "get_document",
    params(("filename" = String, Path), FileQuery),
    responses((status = 200, description = "The file"), (status = 206, description = "A range of it"),
        (status = 304, description = "Not changed")), security(("session" = []), ("media_cookie" = [])))]
pub(super) async fn get_document(
    State(deps): State<Assistance>,
    ConferenceReader(caller): ConferenceReader,
    Path(filename): Path<String>,
    Query(query): Query<FileQuery>,
    headers: HeaderMap,
) -> ApiResult<Response> {
    file(&deps, &caller, &filename, query, &headers, "uploads-documents").await
}

impl FileQuery {
    /// The original, as an attachment.
    pub fn download() -> Self {
        Self { download: Some(1), ..Self::default() }
    }
}

/// A picture or video by its name.
///
/// Errors: `MEDIA_NOT_FOUND` (404), `MEDIA_ERASED`, `MEDIA_EXPIRED` (410), 416 for a range outside the file.
pub async fn upload(
    deps: &Assistance,
    caller: &Caller,
    name: &str,
    query: FileQuery,
    headers: &HeaderMap,
) -> ApiResult<Response> {
    file(deps, caller, name, query, headers, "uploads").await
}

async fn file(
    deps: &Assistance,
    caller: &Caller,
    filename: &str,
    query: FileQuery,
    headers: &HeaderMap,
    folder: &str,
) -> ApiResult<Response> {
    let plausible = filename.len() <= 80 && filename.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'.');
    let found = match plausible {
        true => media_items::find_by_filename(deps.db.read(), Scope::of(caller), filename).await.map_err(MediaError::from)?,
        false => None,
    };
    let (item, row) = found.ok_or(MediaError::NotFound)?;
    if item.media_type.folder() != folder {
        return Err(MediaError::NotFound.into());
    }
    content(deps, &item, &row, query, headers).await
}

/// The bytes of a file that the caller may see, whole or a range of them.
///
/// Errors: `MEDIA_NOT_FOUND` (404) without the copy asked for, `MEDIA_ERASED`, `MEDIA_EXPIRED` (410).
pub async fn content(
    deps: &Assistance,
    item: &MediaItem,
    row: &Conference,
    query: FileQuery,
    headers: &HeaderMap,
) -> ApiResult<Response> {
    let key = vault::unwrap(deps, ConferenceId(row.id), row.data_key.as_deref()).await?;
    if item.expired_at.is_some() || atalaya_cases::lifetimes::is_expired(deps, row).await? {
        return Err(MediaError::Expired.into());
    }
    let (blob, hash, mime) = variant(item, query).ok_or(MediaError::NotFound)?;
    let blob = BlobName::new(blob.clone()).map_err(MediaError::from)?;
    let reader = deps.blobs.get(&blob, &key).await.map_err(MediaError::from)?;
    let mut response = serve(&reader, headers, hash)?;
    let out = response.headers_mut();
    out.insert(header::CONTENT_TYPE, HeaderValue::from_str(mime).map_err(Problem::internal)?);
    out.insert(header::CONTENT_DISPOSITION, disposition(&item.original_file_name, query.download == Some(1)));
    out.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(policy(mime)));
    Ok(response)
}

/// Blob, hash and type of what was requested: the original, its small copy or its preview.
fn variant(item: &MediaItem, query: FileQuery) -> Option<(&String, &String, &str)> {
    let (blob, hash) = match query {
        FileQuery { thumb: Some(1), .. } => (&item.thumbnail_blob, &item.thumbnail_hash),
        FileQuery { preview: Some(1), .. } => (&item.preview_blob, &item.preview_hash),
        _ => return Some((&item.blob_name, &item.hash, item.mime.as_str())),
    };
    Some((blob.as_ref()?, hash.as_ref()?, "image/jpeg"))
}

/// A file opened in a tab of its own may draw itself and nothing else: no script, no request, no origin (STORE-6). The
/// browser's PDF viewer does not start in a sandbox, so a document is served without that directive. Chromium's viewer of
/// pictures puts the picture into its place with `style` attributes of its own, which is the one kind of style allowed, and
/// there only: a picture brings no markup that could have one. Players and the PDF viewer need none.
fn policy(mime: &str) -> &'static str {
    match mime {
        "application/pdf" => "default-src 'none'; object-src 'self'; frame-ancestors 'none'",
        "image/jpeg" | "image/png" | "image/webp" | "image/gif" => {
            "default-src 'none'; img-src 'self'; style-src-attr 'unsafe-inline'; frame-ancestors 'none'; sandbox"
        }
        _ => "default-src 'none'; img-src 'self'; media-src 'self'; frame-ancestors 'none'; sandbox",
    }
}

/// The whole file, a range of it or "not modified", by the request's headers.
fn serve(reader: &BlobReader, headers: &HeaderMap, hash: &str) -> ApiResult<Response> {
    let etag = format!("\"{hash}\"");
    let total = reader.size_bytes();
    let text = |name: HeaderName| headers.get(name).and_then(|v| v.to_str().ok());
    let mut response = match text(header::IF_NONE_MATCH) {
        Some(tags) if tags == "*" || tags.split(',').any(|t| t.trim().trim_start_matches("W/") == etag) => {
            StatusCode::NOT_MODIFIED.into_response()
        }
        _ => {
            let fresh = text(header::IF_RANGE).is_none_or(|tag| tag == etag);
            match text(header::RANGE).filter(|_| fresh).map(|range| parse_range(range, total)) {
                None | Some(Asked::Whole) => sized(StatusCode::OK, total, Body::from_stream(reader.stream())),
                Some(Asked::Part(range)) => {
                    let stream = reader.read_range(range.clone()).map_err(MediaError::from)?;
                    let mut part = sized(StatusCode::PARTIAL_CONTENT, range.end - range.start, Body::from_stream(stream));
                    let content_range = format!("bytes {}-{}/{total}", range.start, range.end - 1);
                    part.headers_mut().insert(header::CONTENT_RANGE, value(&content_range)?);
                    part
                }
                Some(Asked::Outside) => {
                    let mut refused = StatusCode::RANGE_NOT_SATISFIABLE.into_response();
                    refused.headers_mut().insert(header::CONTENT_RANGE, value(&format!("bytes */{total}"))?);
                    refused
                }
            }
        }
    };
    let out = response.headers_mut();
    out.insert(header::ETAG, value(&etag)?);
    out.insert(header::ACCEPT_RANGES, HeaderValue::from_static("bytes"));
    out.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
    Ok(response)
}

fn value(text: &str) -> Result<HeaderValue, Problem> {
    HeaderValue::from_str(text).map_err(Problem::internal)
}

fn sized(status: StatusCode, length: u64, body: Body) -> Response {
    let mut response = (status, body).into_response();
    response.headers_mut().insert(header::CONTENT_LENGTH, length.into());
    response
}

#[derive(Debug, PartialEq, Eq)]
enum Asked {
    Whole,
    Part(Range<u64>),
    Outside,
}

/// One byte range (RFC 9110 §14.1.2). Several ranges, another unit or an invalid header give the whole file, as the RFC
/// allows.
fn parse_range(header: &str, total: u64) -> Asked {
    let Some(spec) = header.strip_prefix("bytes=").filter(|s| !s.contains(',')) else { return Asked::Whole };
    let Some((first, last)) = spec.trim().split_once('-') else { return Asked::Whole };
    match (first.parse::<u64>(), last.parse::<u64>()) {
        (Ok(first), _) if first >= total => Asked::Outside,
        (Ok(first), Ok(last)) if last < first => Asked::Whole,
        (Ok(first), Ok(last)) => Asked::Part(first..last.saturating_add(1).min(total)),
        (Ok(first), Err(_)) if last.is_empty() => Asked::Part(first..total),
        (Err(_), Ok(0)) if first.is_empty() => Asked::Outside,
        (Err(_), Ok(_)) if first.is_empty() && total == 0 => Asked::Outside,
        (Err(_), Ok(suffix)) if first.is_empty() => Asked::Part(total.saturating_sub(suffix)..total),
        _ => Asked::Whole,
    }
}

/// RFC 6266: an ASCII name for old browsers, the real one in UTF-8.
pub fn disposition(name: &str, attachment: bool) -> HeaderValue {
    let kind = if attachment { "attachment" } else { "inline" };
    let plain: String = name.chars().map(|c| if c.is_ascii_alphanumeric() || " ._-()".contains(c) { c } else { '_' }).collect();
    let encoded: String = name
        .bytes()
        .map(|b| if b.is_ascii_alphanumeric() || b"._-".contains(&b) { char::from(b).to_string() } else { format!("%{b:02X}") })
        .collect();
    HeaderValue::from_str(&format!("{kind}; filename=\"{plain}\"; filename*=UTF-8''{encoded}"))
        .unwrap_or_else(|_| HeaderValue::from_static("attachment"))
}

#[cfg(test)]
mod tests {
    use super::*;

    // STORE-10
    #[test]
    fn ranges() {
        for (header, total, expected) in [
            ("bytes=0-0", 10, Asked::Part(0..1)),
            ("bytes=2-", 10, Asked::Part(2..10)),
            ("bytes=-3", 10, Asked::Part(7..10)),
            ("bytes=-30", 10, Asked::Part(0..10)),
            ("bytes=5-99", 10, Asked::Part(5..10)),
            ("bytes=10-", 10, Asked::Outside),
            ("bytes=-0", 10, Asked::Outside),
            ("bytes=0-18446744073709551615", 10, Asked::Part(0..10)),
            ("bytes=3-2", 10, Asked::Whole),
            ("bytes=0-1,3-4", 10, Asked::Whole),
            ("lines=0-1", 10, Asked::Whole),
            ("bytes=a-b", 10, Asked::Whole),
            ("bytes=-1", 0, Asked::Outside),
        ] {
            assert_eq!(parse_range(header, total), expected, "{header}");
        }
    }

    // STORE-6
    #[test]
    fn names_in_headers_are_safe() {
        let header = disposition("daño \"x\".jpg", true);
        assert_eq!(
            header.to_str().expect("ascii"),
            "attachment; filename=\"da_o _x_.jpg\"; filename*=UTF-8''da%C3%B1o%20%22x%22.jpg"
        );
    }
}
