//! `photo-report/{id}`.

use super::service;
use crate::Records;
use atalaya_assistance::media::http::files::disposition;
use atalaya_kernel::{ConferenceId, Language};
use atalaya_rest::caller::ConferenceSide;
use atalaya_rest::extract::{Path, Query};
use atalaya_rest::response::ApiResult;
use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub fn routes(deps: Records) -> OpenApiRouter {
    OpenApiRouter::new().routes(routes!(photo_report)).with_state(deps)
}

#[derive(Clone, Copy, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
struct ReportQuery {
    /// The case's language without it.
    language: Option<Language>,
    /// `true`: what is drawn on the pictures lies over them.
    marks: bool,
}

/// The pictures of a conference as PDF, two to a page, with label, note, place, time and digest of each; at most 200. The QR
/// code leads to the verification page of the case's certificate, which is issued when it has none.
///
/// Errors: `CONFERENCE_NOT_FOUND` (404), `MEDIA_ERASED`, `MEDIA_EXPIRED` (410).
#[utoipa::path(get, path = "/api/v1/photo-report/{id}", tag = "certificates", operation_id = "photo_report",
    params(("id" = Uuid, Path), ReportQuery),
    responses((status = 200, description = "The report", content_type = "application/pdf")), security(("session" = [])))]
async fn photo_report(
    State(deps): State<Records>,
    ConferenceSide(caller): ConferenceSide,
    Path(id): Path<ConferenceId>,
    Query(query): Query<ReportQuery>,
) -> ApiResult<Response> {
    let report = service::report(&deps, &caller, id, query.language, query.marks).await?;
    let mut response = report.pdf.into_response();
    let headers = response.headers_mut();
    let marked = if query.marks { "-con-marcas" } else { "" };
    let name = format!("informe-{}{marked}.pdf", report.expedient_number);
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/pdf"));
    headers.insert(header::CONTENT_DISPOSITION, disposition(&name, true));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
    Ok(response)
}
