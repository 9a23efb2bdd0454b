//! Endpoints of `invoices`.

mod payments;
mod sheet;
pub(crate) mod view;

use self::view::{InvoiceView, views};
use super::InvoiceError;
use super::model::{InvoiceStatus, Scope};
use super::store::{self, Filter};
use crate::{Billing, BillingResult};
use atalaya_identity::IdentityError;
use atalaya_identity::companies::service as companies;
use atalaya_kernel::{CompanyId, Role};
use atalaya_rest::page::ListQuery;
use atalaya_rest::{AdminOrCustomer, ApiResult, Caller, Json, Path, Problem, Query, RequestLanguage};
use atalaya_tariff::Month;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use chrono::NaiveDate;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(crate) fn routes(d: Billing) -> OpenApiRouter {
    OpenApiRouter::new().routes(routes!(get_invoices)).routes(routes!(invoices_excel)).merge(payments::routes()).with_state(d)
}

impl From<InvoiceError> for Problem {
    fn from(error: InvoiceError) -> Problem {
        match error {
            InvoiceError::NotFound => Problem::not_found(error.code()),
            InvoiceError::InRemittance | InvoiceError::StatusRefused | InvoiceError::Sent | InvoiceError::IssueDateBackwards => {
                Problem::conflict(error.code())
            }
            InvoiceError::PaidInFuture | InvoiceError::PaidBeforeIssue => Problem::invalid([]).field("paidAt", error.code()),
        }
    }
}

#[derive(Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
struct InvoicesQuery {
    /// From this month on (`2026-01`: the month an invoice is of) or this day (`2026-01-31`: its issue date).
    from: Option<String>,
    /// Up to this month or day.
    to: Option<String>,
    /// `issued`, `sent`, `in_remittance`, `paid`, `returned`, `unpaid`, `rectified` or `cancelled`.
    status: Option<String>,
    /// Words of number, firm or tax id.
    search: Option<String>,
    /// Rows at most, 1 to 200.
    limit: Option<u64>,
    /// `nextCursor` of the page before.
    cursor: Option<String>,
    /// `xlsx` answers every row of the filter as a workbook.
    format: Option<String>,
}

impl InvoicesQuery {
    fn list(&self) -> ListQuery {
        ListQuery {
            search: self.search.clone(),
            limit: self.limit,
            cursor: self.cursor.clone(),
            format: self.format.clone(),
            ..ListQuery::default()
        }
    }

    /// Errors: 422 about `from`, `to` or `status`.
    fn filter(&self, scope: Scope) -> ApiResult<Filter> {
        let invalid = |field: &'static str| Problem::invalid([]).field(field, "INVALID");
        let text = |text: &Option<String>| text.clone().filter(|text| !text.is_empty());
        let status = text(&self.status).map(|name| InvoiceStatus::parse(&name).ok_or_else(|| invalid("status"))).transpose()?;
        let from = text(&self.from).map(|text| Edge::parse(&text).ok_or_else(|| invalid("from"))).transpose()?;
        let to = text(&self.to).map(|text| Edge::parse(&text).ok_or_else(|| invalid("to"))).transpose()?;
        let day = |edge: Option<&Edge>| edge.and_then(Edge::day);
        let month = |edge: Option<&Edge>| edge.and_then(Edge::month);
        Ok(Filter {
            scope,
            from: day(from.as_ref()),
            to: day(to.as_ref()),
            from_month: month(from.as_ref()),
            to_month: month(to.as_ref()),
            status,
            search: self.list().search(),
        })
    }
}

/// The end of a range: a day, or a whole month.
enum Edge {
    Day(NaiveDate),
    Month(Month),
}

impl Edge {
    fn parse(text: &str) -> Option<Self> {
        Month::parse(text).map(Self::Month).or_else(|| text.parse().ok().map(Self::Day))
    }

    fn day(&self) -> Option<NaiveDate> {
        match self {
            Self::Day(day) => Some(*day),
            Self::Month(_) => None,
        }
    }

    fn month(&self) -> Option<Month> {
        match self {
            Self::Month(month) => Some(*month),
            Self::Day(_) => None,
        }
    }
}

/// Whose invoices a caller asks for: a customer its own, an administrator anybody's, `0` everybody's.
///
/// Errors: 404 `COMPANY_NOT_FOUND`, also of another tenant's.
pub(crate) async fn scope(d: &Billing, caller: &Caller, id: &str) -> BillingResult<Scope> {
    let admin = caller.role == Role::Admin;
    if admin && id == "0" {
        return Ok(Scope::Everybody);
    }
    let company: Option<CompanyId> = id.parse().ok();
    let company = company.filter(|company| admin || *company == caller.company).ok_or(IdentityError::CompanyNotFound)?;
    // The administrator's own company is the platform's, which gets no invoices.
    companies::get_company(&d.identity, company).await?;
    Ok(Scope::Customer(company))
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct InvoicesBody {
    /// The newest first.
    invoices: Vec<InvoiceView>,
    /// Of the whole filter.
    total: u64,
    next_cursor: Option<String>,
}

/// A customer's invoices, the newest first; of `0` everybody's, for administrators.
///
/// Errors: `COMPANY_NOT_FOUND` (404, also another tenant's), `INVALID_FIELDS` (422) on `from`, `to`, `status`, `cursor`.
#[utoipa::path(get, path = "/api/v1/get-invoices/{id}", tag = "invoices", operation_id = "get_invoices",
    params(("id" = String, Path, description = "A company, or 0"), InvoicesQuery),
    responses((status = 200, body = InvoicesBody), (status = 401), (status = 403), (status = 404), (status = 422)),
    security(("session" = [])))]
async fn get_invoices(
    State(d): State<Billing>,
    caller: AdminOrCustomer,
    RequestLanguage(language): RequestLanguage,
    Path(id): Path<String>,
    Query(query): Query<InvoicesQuery>,
) -> ApiResult<Response> {
    let scope = scope(&d, &caller, &id).await?;
    let (list, filter) = (query.list(), query.filter(scope)?);
    let slice = list.slice()?;
    if slice == atalaya_rest::page::Slice::WORKBOOK {
        return sheet::answer(&d, &filter, language).await;
    }
    let (total, rows) = store::count_and_page(d.db.read(), &filter, slice).await?;
    let invoices = views(&d, rows, language).await?;
    Ok(Json(InvoicesBody { invoices, total, next_cursor: slice.next_cursor(total) }).into_response())
}

/// The same invoices as a workbook.
///
/// Errors: `COMPANY_NOT_FOUND` (404), `INVALID_FIELDS` (422).
#[utoipa::path(get, path = "/api/v1/invoices-excel/{id}", tag = "invoices", operation_id = "invoices_excel",
    params(("id" = String, Path, description = "A company, or 0"), InvoicesQuery),
    responses((status = 200, content_type = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
        (status = 401), (status = 403), (status = 404), (status = 422)),
    security(("session" = [])))]
async fn invoices_excel(
    State(d): State<Billing>,
    caller: AdminOrCustomer,
    RequestLanguage(language): RequestLanguage,
    Path(id): Path<String>,
    Query(query): Query<InvoicesQuery>,
) -> ApiResult<Response> {
    let scope = scope(&d, &caller, &id).await?;
    sheet::answer(&d, &query.filter(scope)?, language).await
}
