//! Endpoints of `accounting`: administrators download the pack.

use super::period::Period;
use super::service::{self, Files, Texts};
use crate::http::file;
use crate::issuing::issuer;
use crate::{Billing, BillingError, BillingResult};
use atalaya_blobs::zip::archive_of;
use atalaya_rest::{AdminOnly, ApiResult, Json, Problem, Query};
use atalaya_tariff::Euros;
use axum::body::Body;
use axum::extract::State;
use axum::response::Response;
use chrono::{Datelike, NaiveDate};
use futures::TryStreamExt;
use serde::{Deserialize, Serialize};
use std::io;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

const CSV: &str = "text/csv; charset=utf-8";

pub(crate) fn routes(d: Billing) -> OpenApiRouter {
    OpenApiRouter::new()
        .routes(routes!(accounting_summary))
        .routes(routes!(accounting_register))
        .routes(routes!(accounting_entries))
        .routes(routes!(accounting_documents))
        .with_state(d)
}

#[derive(Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
struct BookQuery {
    /// A month (`2026-10`), a quarter (`2026-4T`) or a year (`2026`).
    period: String,
}

impl BookQuery {
    fn period(&self) -> ApiResult<Period> {
        Period::parse(&self.period).ok_or_else(|| Problem::invalid([]).field("period", "INVALID"))
    }
}

/// What the books of a period hold.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct AccountingBody {
    period: String,
    from: NaiveDate,
    to: NaiveDate,
    invoices: i64,
    /// Of these.
    rectifying: i64,
    base: Euros,
    vat: Euros,
    total: Euros,
}

/// How many invoices a period has and what they come to; annulled ones are in no book.
///
/// Errors: `INVALID_FIELDS` (422) on `period`. Source: BOOKS-1.
#[utoipa::path(get, path = "/api/v1/accounting-summary", tag = "invoices", operation_id = "accounting_summary", params(BookQuery),
    responses((status = 200, body = AccountingBody), (status = 401), (status = 403), (status = 422)), security(("session" = [])))]
async fn accounting_summary(
    State(d): State<Billing>,
    _: AdminOnly,
    Query(query): Query<BookQuery>,
) -> ApiResult<Json<AccountingBody>> {
    let period = query.period()?;
    let totals = service::totals(&d, period).await?;
    let (from, to) = period.days();
    Ok(Json(AccountingBody {
        period: period.name(),
        from,
        to,
        invoices: totals.invoices,
        rectifying: totals.rectifying,
        base: totals.base.into(),
        vat: totals.vat.into(),
        total: totals.total.into(),
    }))
}

/// `2026_B85626240_E_ATALAYA-REMOTA-S-L-.csv`: year, NIF, kind of book and name, as the tax office names such files.
async fn register_name(d: &Billing, period: Period) -> BillingResult<String> {
    let issuer = issuer::present(d).await?.party;
    let plain = |text: &str| {
        let letter = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '-' };
        text.chars().map(letter).take(60).collect::<String>()
    };
    Ok(format!("{}_{}_E_{}.csv", period.days().0.year(), plain(&issuer.nif), plain(&issuer.name)))
}

/// A transfer that ends early is seen as such; the cause is in the log.
fn broken(error: BillingError) -> io::Error {
    tracing::error!(%error, "an accountant's file broke off");
    io::Error::other(error.to_string())
}

fn csv(texts: Texts, name: &str) -> Response {
    file(Body::from_stream(texts.map_err(broken)), CSV, "attachment", name)
}

/// The register of issued invoices, in the layout of the tax office: semicolons, decimal commas, UTF-8.
///
/// Errors: `INVALID_FIELDS` (422) on `period`. Source: BOOKS-2.
#[utoipa::path(get, path = "/api/v1/accounting-register", tag = "invoices", operation_id = "accounting_register", params(BookQuery),
    responses((status = 200, description = "The register", content_type = "text/csv"), (status = 401), (status = 403), (status = 422)),
    security(("session" = [])))]
async fn accounting_register(State(d): State<Billing>, _: AdminOnly, Query(query): Query<BookQuery>) -> ApiResult<Response> {
    let period = query.period()?;
    let name = register_name(&d, period).await?;
    Ok(csv(service::register(&d, period).await?, &name))
}

/// An entry for each invoice, for an accounting program: customers, services and tax by the general chart of accounts.
///
/// Errors: `INVALID_FIELDS` (422) on `period`. Source: BOOKS-3.
#[utoipa::path(get, path = "/api/v1/accounting-entries", tag = "invoices", operation_id = "accounting_entries", params(BookQuery),
    responses((status = 200, description = "The entries", content_type = "text/csv"), (status = 401), (status = 403), (status = 422)),
    security(("session" = [])))]
async fn accounting_entries(State(d): State<Billing>, _: AdminOnly, Query(query): Query<BookQuery>) -> ApiResult<Response> {
    let period = query.period()?;
    Ok(csv(service::entries(&d, period).await?, &format!("asientos-{}.csv", period.name())))
}

#[derive(Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
struct DocumentsQuery {
    /// A month (`2026-10`), a quarter (`2026-4T`) or a year (`2026`).
    period: String,
    /// `pdf`, `xml` or `all`, which it is without it.
    format: Option<String>,
}

/// Every invoice of a period as PDF, Facturae and UBL, in one archive that is made while it is sent. It delivers none of them.
///
/// Errors: `INVALID_FIELDS` (422) on `period` and `format`. Source: BOOKS-4.
#[utoipa::path(get, path = "/api/v1/accounting-documents", tag = "invoices", operation_id = "accounting_documents",
    params(DocumentsQuery),
    responses((status = 200, description = "The archive", content_type = "application/zip"), (status = 401), (status = 403),
        (status = 422)), security(("session" = [])))]
async fn accounting_documents(
    State(d): State<Billing>,
    _: AdminOnly,
    Query(query): Query<DocumentsQuery>,
) -> ApiResult<Response> {
    let period = BookQuery { period: query.period }.period()?;
    let wrong = || Problem::invalid([]).field("format", "INVALID");
    let want = Files::parse(query.format.as_deref().unwrap_or("all")).ok_or_else(wrong)?;
    let archive = archive_of(service::documents(&d, period, want).await?);
    let name = format!("facturas-{}.zip", period.name());
    Ok(file(Body::from_stream(archive.map_err(broken)), "application/zip", "attachment", &name))
}
