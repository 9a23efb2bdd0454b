//! Endpoints of `issuing`: an invoice on paper, as a file for programs, and with everything that it is made of.

mod details;

use super::prints::Format;
use super::{IssuingError, prints};
use crate::http::file;
use crate::invoices::model::Invoice;
use crate::invoices::{InvoiceError, mark_delivered, service as invoices};
use crate::{Billing, BillingResult};
use atalaya_kernel::InvoiceId;
use atalaya_rest::Problem;
use atalaya_rest::caller::{AdminOrCustomer, Caller};
use atalaya_rest::extract::Path;
use atalaya_rest::response::ApiResult;
use axum::extract::State;
use axum::response::Response;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(crate) fn routes(d: Billing) -> OpenApiRouter {
    OpenApiRouter::new()
        .routes(routes!(print_invoice))
        .routes(routes!(invoice_facturae))
        .routes(routes!(invoice_ubl))
        .routes(routes!(invoice_cii))
        .routes(routes!(details::get_details))
        .with_state(d)
}

impl From<IssuingError> for Problem {
    fn from(error: IssuingError) -> Problem {
        let problem = Problem::conflict(error.code());
        match error {
            IssuingError::IssuerIncomplete(fields) => {
                fields.into_iter().fold(problem, |problem, field| problem.field(field, "REQUIRED"))
            }
        }
    }
}

/// The invoice, if the caller may see it.
async fn own(d: &Billing, caller: &Caller, id: InvoiceId) -> BillingResult<Invoice> {
    let customer = (!caller.is_admin()).then_some(caller.company);
    Ok(invoices::find(d, id, customer).await?.ok_or(InvoiceError::NotFound)?)
}

/// A customer who takes an unsent invoice has it: it was delivered, and is not annulled any more.
async fn delivered(d: &Billing, caller: &Caller, invoice: &Invoice) -> BillingResult<()> {
    if caller.is_admin() || caller.support || invoice.state.sent_at.is_some() || !invoice.state.may_go_out() {
        return Ok(());
    }
    let tx = d.db.write().await?;
    mark_delivered(d, &tx, invoice.id).await?;
    tx.commit().await?;
    Ok(())
}

/// The invoice as PDF; the same bytes for ever. Its customer's first call delivers it, if nobody sent it yet.
///
/// Errors: `INVOICE_NOT_FOUND` (404), also for another company's.
#[utoipa::path(get, path = "/api/v1/print-invoice/{id}", tag = "invoices", operation_id = "print_invoice",
    params(("id" = Uuid, Path)),
    responses((status = 200, description = "The invoice", content_type = "application/pdf")), security(("session" = [])))]
async fn print_invoice(
    State(d): State<Billing>,
    AdminOrCustomer(caller): AdminOrCustomer,
    Path(id): Path<InvoiceId>,
) -> ApiResult<Response> {
    let invoice = own(&d, &caller, id).await?;
    let pdf = prints::invoice_pdf(&d, invoice.id).await?;
    delivered(&d, &caller, &invoice).await?;
    Ok(file(pdf.bytes, "application/pdf", "inline", &pdf.name))
}

/// The invoice for the recipient's own program.
async fn for_programs(d: &Billing, caller: &Caller, id: InvoiceId, format: Format) -> ApiResult<Response> {
    let invoice = own(d, caller, id).await?;
    let (name, xml) = prints::xml(d, &invoice, format).await?;
    delivered(d, caller, &invoice).await?;
    Ok(file(xml, "application/xml", "attachment", &name))
}

/// The invoice as Facturae 3.2.2 for the recipient's own program, signed (XAdES) where the issuer's certificate is configured.
///
/// Errors: `INVOICE_NOT_FOUND` (404), also for another company's.
#[utoipa::path(get, path = "/api/v1/invoice-facturae/{id}", tag = "invoices", operation_id = "invoice_facturae",
    params(("id" = Uuid, Path)),
    responses((status = 200, description = "The invoice", content_type = "application/xml")), security(("session" = [])))]
async fn invoice_facturae(
    State(d): State<Billing>,
    AdminOrCustomer(caller): AdminOrCustomer,
    Path(id): Path<InvoiceId>,
) -> ApiResult<Response> {
    for_programs(&d, &caller, id, Format::Facturae).await
}

/// The invoice by EN 16931 as UBL 2.1: an `Invoice`, or a `CreditNote` where money goes back.
///
/// Errors: `INVOICE_NOT_FOUND` (404), also for another company's.
#[utoipa::path(get, path = "/api/v1/invoice-ubl/{id}", tag = "invoices", operation_id = "invoice_ubl",
    params(("id" = Uuid, Path)),
    responses((status = 200, description = "The invoice", content_type = "application/xml")), security(("session" = [])))]
async fn invoice_ubl(
    State(d): State<Billing>,
    AdminOrCustomer(caller): AdminOrCustomer,
    Path(id): Path<InvoiceId>,
) -> ApiResult<Response> {
    for_programs(&d, &caller, id, Format::Ubl).await
}

/// The invoice by EN 16931 as UN/CEFACT Cross Industry Invoice.
///
/// Errors: `INVOICE_NOT_FOUND` (404), also for another company's.
#[utoipa::path(get, path = "/api/v1/invoice-cii/{id}", tag = "invoices", operation_id = "invoice_cii",
    params(("id" = Uuid, Path)),
    responses((status = 200, description = "The invoice", content_type = "application/xml")), security(("session" = [])))]
async fn invoice_cii(
    State(d): State<Billing>,
    AdminOrCustomer(caller): AdminOrCustomer,
    Path(id): Path<InvoiceId>,
) -> ApiResult<Response> {
    for_programs(&d, &caller, id, Format::Cii).await
}
