//! Stills that the client's device takes in the call.

use super::super::service;
use super::ClientKey;
use crate::Assistance;
use crate::media::NewMedia;
use crate::media::http::{BODY_MAX, Upload, UploadForm};
use crate::media::service::{self as media, CaptureMeta};
use crate::media_items::Origin;
use atalaya_cases::evidence::Actor;
use atalaya_kernel::ConferenceId;
use atalaya_rest::extract::{Json, Multipart, Path};
use atalaya_rest::response::ApiResult;
use atalaya_rest::uploads;
use axum::extract::{DefaultBodyLimit, State};
use axum::middleware::from_fn;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(super) fn routes(deps: Assistance) -> OpenApiRouter {
    OpenApiRouter::new()
        .routes(routes!(upload_capture))
        .layer(from_fn(uploads::hold))
        .layer(DefaultBodyLimit::max(BODY_MAX))
        .with_state(deps)
}

#[derive(Serialize, ToSchema)]
struct CaptureBody {
    media: CaptureView,
}

#[derive(Serialize, ToSchema)]
struct CaptureView {
    #[serde(rename = "_id")]
    id: uuid::Uuid,
    hash: String,
}

/// A full-resolution still from the client's device. Finishing an upload after the end of the call is allowed.
///
/// Errors: `LINK_UNKNOWN` (404), `CLIENT_KEY_INVALID` (403), `FILE_TOO_LARGE` (413), `FILE_EMPTY`, `NOT_A_PICTURE`,
/// `PICTURE_TOO_BIG` (422), `UPLOAD_STALLED` (408).
#[utoipa::path(post, path = "/api/v1/external/{hash}/media", tag = "client", security(()), operation_id = "upload_capture",
    params(("hash" = String, Path)), request_body(content = UploadForm, content_type = "multipart/form-data"),
    responses((status = 200, body = CaptureBody)))]
async fn upload_capture(
    State(deps): State<Assistance>,
    ClientKey(key): ClientKey,
    Path(hash): Path<String>,
    multipart: Multipart,
) -> ApiResult<Json<CaptureBody>> {
    let row = service::find(&deps, &hash).await?;
    let id = ConferenceId(row.id);
    let device = service::require_inside(&deps, id, key.as_deref()).await?;
    service::require_room(&row)?;
    let upload = Upload::read(multipart).await?;
    let new = NewMedia {
        bytes: upload.bytes,
        origin: Origin::Call,
        actor: Actor::Client,
        participant: device.identity,
        meta: CaptureMeta { name: None, ..upload.meta },
        picture_only: true,
    };
    let item = media::add(&deps, id, new).await?;
    Ok(Json(CaptureBody { media: CaptureView { id: item.id, hash: item.hash } }))
}
