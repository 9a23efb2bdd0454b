//! Payments written down by hand; administrators only.

use super::view::InvoiceBody;
use crate::Billing;
use crate::invoices::payments;
use atalaya_identity::auth::service::Origin;
use atalaya_kernel::InvoiceId;
use atalaya_rest::{AdminOnly, ApiResult, Json, Path, RequestLanguage};
use axum::extract::State;
use chrono::NaiveDate;
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(super) fn routes() -> OpenApiRouter<Billing> {
    OpenApiRouter::new().routes(routes!(paid)).routes(routes!(unpaid))
}

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = InvoicePaid)]
struct PaidInput {
    /// The day on which the money came.
    paid_at: NaiveDate,
}

/// Notes that an invoice was paid by other means than a debit.
///
/// Errors: `INVOICE_NOT_FOUND` (404); `INVOICE_IN_REMITTANCE`, `INVOICE_STATUS_REFUSED` (409); `INVALID_FIELDS` (422) on
/// `paidAt` with `DATE_IN_FUTURE`, `DATE_BEFORE_ISSUE`.
#[utoipa::path(post, path = "/api/v1/invoice-paid/{id}", tag = "invoices", operation_id = "invoice_paid",
    params(("id" = String, Path)), request_body = PaidInput,
    responses((status = 200, body = InvoiceBody), (status = 401), (status = 403), (status = 404), (status = 409), (status = 422)),
    security(("session" = [])))]
async fn paid(
    State(d): State<Billing>,
    caller: AdminOnly,
    origin: Origin,
    RequestLanguage(language): RequestLanguage,
    Path(id): Path<InvoiceId>,
    Json(input): Json<PaidInput>,
) -> ApiResult<Json<InvoiceBody>> {
    let invoice = payments::pay(&d, &caller, &origin, id, input.paid_at).await?;
    Ok(Json(InvoiceBody::of(&d, invoice, language).await?))
}

/// Notes that an invoice stays unpaid.
///
/// Errors: `INVOICE_NOT_FOUND` (404); `INVOICE_IN_REMITTANCE`, `INVOICE_STATUS_REFUSED` (409).
#[utoipa::path(post, path = "/api/v1/invoice-unpaid/{id}", tag = "invoices", operation_id = "invoice_unpaid",
    params(("id" = String, Path)),
    responses((status = 200, body = InvoiceBody), (status = 401), (status = 403), (status = 404), (status = 409)),
    security(("session" = [])))]
async fn unpaid(
    State(d): State<Billing>,
    caller: AdminOnly,
    origin: Origin,
    RequestLanguage(language): RequestLanguage,
    Path(id): Path<InvoiceId>,
) -> ApiResult<Json<InvoiceBody>> {
    let invoice = payments::give_up(&d, &caller, &origin, id).await?;
    Ok(Json(InvoiceBody::of(&d, invoice, language).await?))
}
