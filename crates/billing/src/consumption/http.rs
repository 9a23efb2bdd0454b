//! `customer-units/{id}` and the calls behind it: what a customer used in a month, and what each call costs.

use super::model::{CompanyMonth, ConnectionRow};
use super::service;
use crate::{Billing, BillingError};
use atalaya_content::prices::DiscountView;
use atalaya_identity::{IdentityError, guards};
use atalaya_kernel::{CompanyId, CompanyKind};
use atalaya_rest::caller::AdminOrCustomer;
use atalaya_rest::page::ListQuery;
use atalaya_rest::{ApiResult, Caller, Json, Path, Problem, Query};
use atalaya_tariff::{Cents, Euros, Line, Month, Nothing, Outcome, Percent, TariffError};
use axum::extract::State;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

pub(crate) fn routes(d: Billing) -> OpenApiRouter {
    OpenApiRouter::new().routes(routes!(get_customer_units)).routes(routes!(list_customer_calls)).with_state(d)
}

#[derive(Clone, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
struct MonthQuery {
    /// `2026-11`; the running month without it.
    month: Option<String>,
}

/// What a customer used in a month; amounts in euros, nothing of it issued.
#[derive(Serialize, ToSchema)]
#[schema(as = CustomerUnits)]
#[serde(rename_all = "camelCase")]
struct UnitsView {
    /// `2026-11`.
    period: String,
    /// First ones of their case in the month.
    connections: i64,
    other_connections: i64,
    exceeded_minutes: i64,
    guest_minutes: i64,
    subtotal: Euros,
    discount_percent: f64,
    discount: Euros,
    /// Owed at least, in proportion to the days when the payment starts within the month.
    minimum: Euros,
    /// What is missing up to the minimum.
    complement: Euros,
    base: Euros,
    vat_rate: f64,
    vat: Euros,
    total: Euros,
    provisional: bool,
    /// The payment has not started: nothing is owed.
    trial: bool,
    /// Of the table in force at the month's end, as those below.
    minute_limit: Option<i64>,
    price_id: Option<Uuid>,
    tiers: Vec<DiscountView>,
}

fn percent(of: Percent) -> f64 {
    f64::from(of.0) / 100.0
}

impl UnitsView {
    fn new(month: Month, found: &CompanyMonth) -> Result<Self, TariffError> {
        let rows = &found.connections;
        let first = rows.iter().filter(|row| row.first).count();
        let count = |number: usize| i64::try_from(number).map_err(|_| TariffError::TooMuch);
        let table = found.closing.as_ref();
        let mut view = Self {
            period: month.name(),
            connections: count(first)?,
            other_connections: count(rows.len() - first)?,
            exceeded_minutes: rows.iter().map(|row| row.exceeded).sum(),
            guest_minutes: rows.iter().map(|row| row.guest_minutes).sum(),
            subtotal: Euros(rows.iter().try_fold(Cents(0), |sum, row| sum.plus(row.amount))?),
            discount_percent: 0.0,
            discount: Euros::default(),
            minimum: Euros::default(),
            complement: Euros::default(),
            base: Euros::default(),
            vat_rate: 0.0,
            vat: Euros::default(),
            total: Euros::default(),
            provisional: true,
            trial: found.outcome == Outcome::None(Nothing::Trial),
            minute_limit: table.and_then(|table| table.table.minute_limit),
            price_id: table.and_then(|table| Uuid::parse_str(&table.id).ok()),
            tiers: table.map(|table| table.table.discounts.iter().map(DiscountView::from).collect()).unwrap_or_default(),
        };
        if let Outcome::Invoice(of) = &found.outcome {
            let complement = of.lines.iter().find(|line| matches!(line, Line::Minimum { .. })).map(Line::amount);
            view.subtotal = Euros(of.subtotal);
            view.discount_percent = percent(of.discount);
            view.discount = Euros(of.subtotal.minus(of.net)?);
            view.minimum = Euros(of.minimum);
            view.complement = Euros(complement.unwrap_or_default());
            view.base = Euros(of.base);
            view.vat_rate = percent(of.vat_rate);
            view.vat = Euros(of.vat);
            view.total = Euros(of.total);
        }
        Ok(view)
    }
}

/// The company's month, calculated for those who may see it: administrators and its own principal. Blocking does not matter.
async fn month_for(d: &Billing, caller: Caller, id: CompanyId, month: Option<&str>) -> ApiResult<(Month, CompanyMonth)> {
    let member = guards::principal_of(&d.identity, caller, id).await?;
    if member.company.kind != CompanyKind::Customer {
        return Err(IdentityError::CompanyNotFound.into());
    }
    let now = d.sources.now();
    let month = match month {
        None => Month::of(now),
        Some(text) => Month::parse(text)
            .filter(|month| month.start() <= now)
            .ok_or_else(|| Problem::invalid([]).field("month", "MONTH_INVALID"))?,
    };
    Ok((month, service::month_of(d, id, month, now).await?))
}

/// What a customer has used of the running month, or of another one, and what it comes to.
///
/// Errors: `COMPANY_NOT_FOUND` (404), `month` `MONTH_INVALID` (422).
#[utoipa::path(get, path = "/api/v1/customer-units/{id}", tag = "consumption", operation_id = "get_customer_units",
    params(("id" = Uuid, Path, description = "The company"), MonthQuery),
    responses((status = 200, body = UnitsView), (status = 401), (status = 403), (status = 404), (status = 422)),
    security(("session" = [])))]
async fn get_customer_units(
    State(d): State<Billing>,
    AdminOrCustomer(caller): AdminOrCustomer,
    Path(id): Path<CompanyId>,
    Query(query): Query<MonthQuery>,
) -> ApiResult<Json<UnitsView>> {
    let (month, found) = month_for(&d, caller, id, query.month.as_deref()).await?;
    Ok(Json(UnitsView::new(month, &found).map_err(BillingError::from)?))
}

#[derive(Clone, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
struct CallsQuery {
    /// `2026-11`; the running month without it.
    month: Option<String>,
    /// Rows at most, 1 to 200.
    limit: Option<u64>,
    /// `nextCursor` of the page before.
    cursor: Option<String>,
}

/// One connection with the parts of its amount: `unitPrice` + `exceeded` × `exceededUnit` + `guestMinutes` × `guestUnit`.
#[derive(Serialize, ToSchema)]
#[schema(as = BilledConnection)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ConnectionView {
    pub(crate) conference_id: String,
    pub(crate) expedient_number: String,
    pub(crate) user_name: String,
    pub(crate) start: DateTime<Utc>,
    pub(crate) seconds: i64,
    /// Started ones.
    pub(crate) minutes: i64,
    /// Of its case, in the month.
    pub(crate) first: bool,
    /// Minutes above the limit.
    pub(crate) exceeded: i64,
    pub(crate) guest_minutes: i64,
    pub(crate) price_id: String,
    pub(crate) unit_price: Euros,
    pub(crate) exceeded_unit: Euros,
    pub(crate) guest_unit: Euros,
    pub(crate) amount: Euros,
}

impl From<ConnectionRow> for ConnectionView {
    fn from(of: ConnectionRow) -> Self {
        Self {
            conference_id: of.conference.to_string(),
            expedient_number: of.expedient,
            user_name: of.user_name,
            start: of.start,
            seconds: of.seconds,
            minutes: of.minutes,
            first: of.first,
            exceeded: of.exceeded,
            guest_minutes: of.guest_minutes,
            price_id: of.price_id.to_string(),
            unit_price: Euros(of.unit),
            exceeded_unit: Euros(of.exceeded_unit),
            guest_unit: Euros(of.guest_unit),
            amount: Euros(of.amount),
        }
    }
}

#[derive(Serialize, ToSchema)]
#[schema(as = BilledConnections)]
#[serde(rename_all = "camelCase")]
struct CallsBody {
    period: String,
    connections: Vec<ConnectionView>,
    total: u64,
    next_cursor: Option<String>,
}

/// The billed connections of a month, in order of start.
///
/// Errors: `COMPANY_NOT_FOUND` (404), `month` `MONTH_INVALID` (422).
#[utoipa::path(get, path = "/api/v1/customer-units-calls/{id}", tag = "consumption", operation_id = "list_customer_calls",
    params(("id" = Uuid, Path, description = "The company"), CallsQuery),
    responses((status = 200, body = CallsBody), (status = 401), (status = 403), (status = 404), (status = 422)),
    security(("session" = [])))]
async fn list_customer_calls(
    State(d): State<Billing>,
    AdminOrCustomer(caller): AdminOrCustomer,
    Path(id): Path<CompanyId>,
    Query(query): Query<CallsQuery>,
) -> ApiResult<Json<CallsBody>> {
    let slice = ListQuery { limit: query.limit, cursor: query.cursor, ..ListQuery::default() }.slice()?;
    let (month, found) = month_for(&d, caller, id, query.month.as_deref()).await?;
    let total = found.connections.len() as u64;
    let part = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
    let rows = found.connections.into_iter().skip(part(slice.offset)).take(part(slice.limit));
    Ok(Json(CallsBody {
        period: month.name(),
        connections: rows.map(Into::into).collect(),
        total,
        next_cursor: slice.next_cursor(total),
    }))
}
