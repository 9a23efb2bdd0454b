//! Signing on the screen or by a paper, and what shows it later.

use super::{MandateAnswer, Room, answer};
use crate::http::{FormFile, file, kind_of};
use crate::mandates::model::DOCUMENT_MAX;
use crate::mandates::service::{self, SignedPaper};
use atalaya_identity::auth::service::Origin;
use atalaya_rest::{AdminOrCustomer, ApiResult, FieldError, Json, Multipart, Path, Problem};
use axum::extract::{FromRequest, Request, State};
use axum::http::header::CONTENT_TYPE;
use axum::response::Response;
use chrono::NaiveDate;
use serde::Deserialize;
use utoipa::ToSchema;
use uuid::Uuid;

/// The document that was shown when the mandate was signed, the very bytes whose hash stands in the evidence.
///
/// Errors: 404 `MANDATE_NOT_FOUND`, 404 `MANDATE_DOCUMENT_NOT_FOUND`.
#[utoipa::path(get, path = "/api/v1/mandate-evidence/{id}", tag = "sepa", params(("id" = Uuid, Path)),
    responses((status = 200, description = "The mandate as it was signed", content_type = "application/pdf")),
    security(("session" = [])))]
pub(super) async fn get_mandate_evidence(
    State(room): State<Room>,
    AdminOrCustomer(caller): AdminOrCustomer,
    Path(id): Path<Uuid>,
) -> ApiResult<Response> {
    let (name, bytes) = service::evidence(&room.billing, &caller, id).await?;
    Ok(file(bytes, "application/pdf", "inline", &name))
}

/// The paper signed by hand, as it was uploaded.
///
/// Errors: 404 `MANDATE_NOT_FOUND`, 404 `MANDATE_DOCUMENT_NOT_FOUND`.
#[utoipa::path(get, path = "/api/v1/mandate-document/{id}", tag = "sepa", params(("id" = Uuid, Path)),
    responses((status = 200, description = "The signed paper")), security(("session" = [])))]
pub(super) async fn get_mandate_document(
    State(room): State<Room>,
    AdminOrCustomer(caller): AdminOrCustomer,
    Path(id): Path<Uuid>,
) -> ApiResult<Response> {
    let (name, bytes) = service::paper(&room.billing, &caller, id).await?;
    let kind = kind_of(&bytes).unwrap_or("application/octet-stream");
    Ok(file(bytes, kind, "attachment", &name))
}

#[derive(Deserialize, ToSchema)]
pub(super) struct SignBody {
    /// Must be true.
    accept: bool,
}

/// Signs a mandate: on the screen with `{accept: true}`, or with the signed paper as multipart `file` (PDF, JPEG or PNG), and
/// with it `signedAt` (the day that stands on it) and `place`.
///
/// Errors: 404 `MANDATE_NOT_FOUND`, 409 `MANDATE_ENDED`, `MANDATE_OUTDATED`, `MANDATE_SIGNED`; 422 at `accept`, `file`
/// (`FILE_EMPTY`, `FILE_TYPE_NOT_ALLOWED`) or `signedAt` (`INVALID`, `DATE_IN_FUTURE`, `DATE_BEFORE_MANDATE`), 413
/// `FILE_TOO_LARGE`.
#[utoipa::path(post, path = "/api/v1/mandate-sign/{id}", tag = "sepa", params(("id" = Uuid, Path)), request_body = SignBody,
    responses((status = 200, body = MandateAnswer), (status = 409)), security(("session" = [])))]
pub(super) async fn sign_mandate(
    State(room): State<Room>,
    AdminOrCustomer(caller): AdminOrCustomer,
    origin: Origin,
    Path(id): Path<Uuid>,
    request: Request,
) -> ApiResult<Json<MandateAnswer>> {
    let d = &room.billing;
    service::get(d, &caller, id).await?;
    let form = request.headers().get(CONTENT_TYPE).is_some_and(|kind| kind.as_bytes().starts_with(b"multipart/"));
    let paper = if form {
        let paper = FormFile::read(Multipart::from_request(request, &room).await?, DOCUMENT_MAX).await?;
        let kind = kind_of(&paper.bytes).ok_or_else(|| Problem::invalid([FieldError::new("file", "FILE_TYPE_NOT_ALLOWED")]))?;
        let ending = match kind {
            "application/pdf" => "pdf",
            "image/png" => "png",
            _ => "jpg",
        };
        let wrong = |_| Problem::invalid([FieldError::new("signedAt", "INVALID")]);
        let signed_on = paper.text("signedAt").map(|day| day.parse::<NaiveDate>()).transpose().map_err(wrong)?;
        let (name, place) = (format!("mandato-firmado.{ending}"), paper.text("place"));
        Some(SignedPaper { name, bytes: paper.bytes, signed_on, place })
    } else {
        let Json(body) = Json::<SignBody>::from_request(request, &room).await?;
        // Only the debtor accepts on a screen; administrators bring the paper.
        if !body.accept || caller.is_admin() {
            return Err(Problem::invalid([FieldError::new("accept", "REQUIRED")]));
        }
        None
    };
    answer(d, service::sign(d, &caller, &origin, id, paper).await?).await
}
