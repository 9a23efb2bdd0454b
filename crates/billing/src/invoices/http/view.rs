//! Invoices on the wire.

use crate::invoices::model::{Invoice, InvoiceStatus, Kind};
use crate::invoices::service::find_many;
use crate::{Billing, BillingResult, words};
use atalaya_kernel::{CompanyId, InvoiceId, Language};
use atalaya_tariff::{Euros, Percent, Relief};
use chrono::{DateTime, NaiveDate, Utc};
use serde::Serialize;
use std::collections::HashMap;
use utoipa::ToSchema;

/// Another invoice that this one has to do with.
#[derive(Clone, Serialize, ToSchema)]
#[schema(as = InvoiceReference)]
pub(crate) struct Reference {
    #[serde(rename = "_id")]
    id: InvoiceId,
    number: String,
}

/// Why a bank gave a debit back.
#[derive(Serialize, ToSchema)]
#[schema(as = InvoiceReturnReason)]
pub(crate) struct ReturnReason {
    /// `AM04` …
    code: String,
    label: String,
}

/// An invoice that something was done to, as it stands now.
#[derive(Serialize, ToSchema)]
pub(crate) struct InvoiceBody {
    invoice: InvoiceView,
}

impl InvoiceBody {
    pub(crate) async fn of(d: &Billing, invoice: Invoice, language: Language) -> BillingResult<Self> {
        Ok(Self { invoice: one(d, invoice, language).await? })
    }
}

/// An invoice as lists show it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Invoice)]
pub(crate) struct InvoiceView {
    #[serde(rename = "_id")]
    id: InvoiceId,
    number: String,
    /// `A`, of rectifying ones `R`.
    series: &'static str,
    kind: Kind,
    customer_id: CompanyId,
    /// The customer's name.
    company: String,
    issue_date: NaiveDate,
    operation_date: NaiveDate,
    period_from: NaiveDate,
    period_to: NaiveDate,
    connections: i64,
    base: Euros,
    /// Percent; 0 outside the territory of VAT.
    #[schema(value_type = f64)]
    vat_rate: Percent,
    vat: Euros,
    total: Euros,
    status: InvoiceStatus,
    due_date: NaiveDate,
    sent_at: Option<DateTime<Utc>>,
    paid_at: Option<DateTime<Utc>>,
    /// `remittance` or `transfer`.
    paid_by: Option<String>,
    rectifies: Option<Reference>,
    rectified_by: Option<Reference>,
    /// Until then the bank may still take a debit back.
    revocable_until: Option<NaiveDate>,
    return_reason: Option<ReturnReason>,
    charge_date: Option<NaiveDate>,
    /// Its due date has passed and nobody paid.
    overdue: bool,
    /// Why it rectifies another.
    reason: Option<String>,
    /// The conditions of art. 80 under which it lowers the base alone: the debt stays due.
    relief: Option<Relief>,
}

/// Invoices as lists show them, in their order.
pub(crate) async fn views(d: &Billing, invoices: Vec<Invoice>, language: Language) -> BillingResult<Vec<InvoiceView>> {
    let by: Vec<InvoiceId> = invoices.iter().filter_map(|invoice| invoice.state.rectified_by).collect();
    let by = find_many(d, &by).await?.into_iter().map(|invoice| (invoice.id, invoice.number)).collect();
    let today = atalaya_kernel::calendar::day(d.sources.now());
    Ok(invoices.into_iter().map(|invoice| view(invoice, &by, language, today)).collect())
}

/// One invoice.
pub(crate) async fn one(d: &Billing, invoice: Invoice, language: Language) -> BillingResult<InvoiceView> {
    let mut all = views(d, vec![invoice], language).await?;
    Ok(all.remove(0))
}

fn view(invoice: Invoice, by: &HashMap<InvoiceId, String>, language: Language, today: NaiveDate) -> InvoiceView {
    let is_owed = invoice.totals.total.0 > 0 && !invoice.lowers_base_only();
    let state = invoice.state;
    let is_open =
        matches!(state.status, InvoiceStatus::Issued | InvoiceStatus::Sent | InvoiceStatus::Returned | InvoiceStatus::Unpaid);
    let overdue = is_open && is_owed && invoice.due_date < today;
    let rectified = invoice.header.rectified;
    InvoiceView {
        id: invoice.id,
        number: invoice.number,
        series: invoice.kind.series(),
        kind: invoice.kind,
        customer_id: invoice.customer,
        company: invoice.header.recipient.name,
        issue_date: invoice.issue_date,
        operation_date: invoice.operation_date,
        period_from: invoice.period_from,
        period_to: invoice.period_to,
        connections: invoice.connections,
        base: invoice.totals.base.into(),
        vat_rate: invoice.totals.vat_rate,
        vat: invoice.totals.vat.into(),
        total: invoice.totals.total.into(),
        status: state.status,
        due_date: invoice.due_date,
        sent_at: state.sent_at,
        paid_at: state.paid_at,
        paid_by: state.paid_by,
        reason: rectified.as_ref().map(|rectified| rectified.reason.clone()),
        relief: rectified.as_ref().and_then(|rectified| rectified.relief.clone()),
        rectifies: rectified.map(|rectified| Reference { id: rectified.id, number: rectified.number }),
        rectified_by: state.rectified_by.and_then(|id| Some(Reference { id, number: by.get(&id)?.clone() })),
        revocable_until: state.revocable_until,
        return_reason: state.return_code.map(|code| ReturnReason { label: words::reason(&code, language), code }),
        charge_date: state.charge_date,
        overdue,
    }
}
