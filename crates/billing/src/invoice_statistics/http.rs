//! `invoice-statistics/{id}`: the months as a chart, what runs, what comes next, what came back.

use crate::consumption::service::months_of;
use crate::invoices::http::scope;
use crate::invoices::model::{MonthTotals, Scope};
use crate::invoices::service as invoices;
use crate::remittances::due_for_remittance;
use crate::{Billing, BillingResult};
use atalaya_identity::companies::customers;
use atalaya_kernel::{CompanyId, calendar};
use atalaya_rest::{AdminOrCustomer, ApiResult, Json, Path, Problem, Query};
use atalaya_tariff::{Cents, Euros, Month, Outcome};
use axum::extract::State;
use chrono::NaiveDate;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// Months of one answer at most.
const MONTHS_MAX: usize = 60;
/// Months when nobody says.
const MONTHS: usize = 12;
/// Customers whose running month is calculated for everybody's figure; with more of them it would take too long.
const RUNNING_MAX: u64 = 300;

pub(crate) fn routes(d: Billing) -> OpenApiRouter {
    OpenApiRouter::new().routes(routes!(invoice_statistics)).with_state(d)
}

#[derive(Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
struct StatisticsQuery {
    /// The first month, `2026-01`; the eleventh before `to` without it.
    from: Option<String>,
    /// The last month; the running one without it.
    to: Option<String>,
}

/// A month of the chart.
#[derive(Serialize, ToSchema)]
#[schema(as = InvoiceMonth)]
struct MonthView {
    /// `2026-10`.
    period: String,
    /// With tax; rectifying invoices count in the month they correct.
    total: Euros,
    base: Euros,
    vat: Euros,
    connections: i64,
    /// The running month: what it comes to so far.
    provisional: bool,
}

#[derive(Serialize, ToSchema)]
#[schema(as = RunningMonth)]
struct RunningView {
    period: String,
    total: Euros,
    connections: i64,
}

#[derive(Serialize, ToSchema)]
#[schema(as = NextCharge)]
struct ChargeView {
    amount: Euros,
    date: NaiveDate,
    /// Masked; of one customer only.
    iban: Option<String>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = ReturnedInvoices)]
struct ReturnedView {
    count: i64,
    amount: Euros,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct StatisticsBody {
    /// Without gaps, the oldest first.
    months: Vec<MonthView>,
    /// `null` for everybody's when there are too many customers to calculate at once.
    running_month: Option<RunningView>,
    next_charge: Option<ChargeView>,
    /// Returned and unpaid invoices.
    returned: ReturnedView,
}

/// What a customer was invoiced month by month, what the running month comes to, what is charged next and what came back;
/// of `0` everybody's, for administrators.
///
/// Errors: `COMPANY_NOT_FOUND` (404, also another tenant's), `INVALID_FIELDS` (422) on `from`, `to`.
#[utoipa::path(get, path = "/api/v1/invoice-statistics/{id}", tag = "invoices", operation_id = "invoice_statistics",
    params(("id" = String, Path, description = "A company, or 0"), StatisticsQuery),
    responses((status = 200, body = StatisticsBody), (status = 401), (status = 403), (status = 404), (status = 422)),
    security(("session" = [])))]
async fn invoice_statistics(
    State(d): State<Billing>,
    caller: AdminOrCustomer,
    Path(id): Path<String>,
    Query(query): Query<StatisticsQuery>,
) -> ApiResult<Json<StatisticsBody>> {
    let scope = scope(&d, &caller, &id).await?;
    let now = Month::of(d.sources.now());
    let months = query.months(now)?;
    let (first, last) = (months.first().copied().unwrap_or(now), months.last().copied().unwrap_or(now));
    let issued: HashMap<String, MonthTotals> = invoices::totals_by_month(&d, scope, first, last).await?.into_iter().collect();
    let running = running(&d, scope, now).await?;
    let view = |month: Month| {
        let totals = match (&running, month == now) {
            (Some(running), true) => running.clone(),
            _ => issued.get(&month.name()).cloned().unwrap_or_default(),
        };
        MonthView {
            period: month.name(),
            total: totals.total.into(),
            base: totals.base.into(),
            vat: totals.vat.into(),
            connections: totals.connections,
            provisional: month == now,
        }
    };
    let (count, amount) = invoices::returned_totals(&d, scope).await?;
    Ok(Json(StatisticsBody {
        months: months.into_iter().map(view).collect(),
        next_charge: next_charge(&d, scope).await?,
        returned: ReturnedView { count, amount: amount.into() },
        running_month: running.map(|totals| RunningView {
            period: now.name(),
            total: totals.total.into(),
            connections: totals.connections,
        }),
    }))
}

impl StatisticsQuery {
    /// The oldest first.
    fn months(&self, now: Month) -> ApiResult<Vec<Month>> {
        let read = |field: &'static str, text: &Option<String>| -> ApiResult<Option<Month>> {
            let Some(text) = text.as_deref().filter(|text| !text.is_empty()) else { return Ok(None) };
            // A day stands for its month.
            let month = text.get(..7).and_then(Month::parse);
            month.map(Some).ok_or_else(|| Problem::invalid([]).field(field, "INVALID"))
        };
        let to = read("to", &self.to)?.unwrap_or(now);
        let from = read("from", &self.from)?;
        let mut months = vec![to];
        while let Some(month) = months.last().copied() {
            let is_enough = from.map_or(months.len() >= MONTHS, |from| month <= from);
            if is_enough {
                break;
            }
            if months.len() >= MONTHS_MAX {
                return Err(Problem::invalid([]).field("from", "RANGE_TOO_LONG"));
            }
            months.push(month.previous());
        }
        months.reverse();
        Ok(months)
    }
}

/// What the running month comes to so far.
async fn running(d: &Billing, scope: Scope, month: Month) -> BillingResult<Option<MonthTotals>> {
    let ids: Vec<CompanyId> = match scope {
        Scope::Customer(id) => vec![id],
        Scope::Everybody if customers::count(&d.identity).await? > RUNNING_MAX => return Ok(None),
        Scope::Everybody => {
            let payers = customers::list_payers(&d.identity, None, RUNNING_MAX).await?;
            payers.into_iter().map(|payer| payer.company.id).collect()
        }
    };
    let mut totals = MonthTotals::default();
    for used in months_of(d, &ids, month, d.sources.now()).await? {
        let Outcome::Invoice(statement) = used.outcome else { continue };
        totals.base = totals.base.plus(statement.base)?;
        totals.vat = totals.vat.plus(statement.vat)?;
        totals.total = totals.total.plus(statement.total)?;
        totals.connections += statement.connections;
    }
    Ok(Some(totals))
}

/// What is debited or due first: of everybody, all of that day.
async fn next_charge(d: &Billing, scope: Scope) -> BillingResult<Option<ChargeView>> {
    let today = calendar::day(d.sources.now());
    let mut due: Vec<(NaiveDate, Cents, Option<String>)> = Vec::new();
    for invoice in invoices::list_in_remittance(d, scope).await? {
        let date = invoice.state.charge_date.unwrap_or(invoice.due_date);
        due.push((date, invoice.totals.total, invoice.header.payment.iban));
    }
    for one in due_for_remittance(d).await? {
        let (invoice, amount) = (one.invoice, one.amount);
        let is_ours = scope == Scope::Everybody || scope == Scope::Customer(invoice.customer);
        // A charge is what comes by itself: an overdue transfer is none.
        let will_come = invoice.header.payment.direct_debit && invoice.due_date >= today;
        if is_ours && will_come && amount > Cents(0) && invoice.state.returned_at.is_none() {
            due.push((invoice.due_date, amount, invoice.header.payment.iban));
        }
    }
    let Some(date) = due.iter().map(|(date, ..)| *date).min() else { return Ok(None) };
    let mut amount = Cents(0);
    let mut iban = None;
    for (_, of, masked) in due.into_iter().filter(|(on, ..)| *on == date) {
        amount = amount.plus(of)?;
        iban = masked.filter(|_| scope != Scope::Everybody);
    }
    Ok(Some(ChargeView { amount: amount.into(), date, iban }))
}
