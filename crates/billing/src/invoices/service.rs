//! What other rooms read of invoices and write to them.

use super::InvoiceError;
use super::model::{BookTotals, Invoice, InvoiceStatus, MonthTotals, Move, RunTotals, Scope};
use super::money::step;
use super::store::{self, Changes};
use crate::consumption::ConnectionRow;
use crate::{Billing, BillingResult};
use atalaya_db::Tx;
use atalaya_identity::audit::{Action, Entry, service as audits};
use atalaya_identity::auth::service::Origin;
use atalaya_kernel::{CompanyId, InvoiceId};
use atalaya_rest::Caller;
use atalaya_rest::page::Slice;
use atalaya_tariff::{Cents, Month};
use chrono::NaiveDate;
use std::collections::HashSet;

/// The invoice, without a check of the caller; the tenant has been checked. Errors: [`InvoiceError::NotFound`].
pub async fn get(d: &Billing, id: InvoiceId) -> BillingResult<Invoice> {
    find(d, id, None).await?.ok_or_else(|| InvoiceError::NotFound.into())
}

/// The invoice; of this customer when one is named.
pub(crate) async fn find(d: &Billing, id: InvoiceId, customer: Option<CompanyId>) -> BillingResult<Option<Invoice>> {
    store::find(d.db.read(), id, customer).await
}

/// The invoice, locked until the transaction ends. Errors: [`InvoiceError::NotFound`].
pub async fn lock(tx: &Tx, id: InvoiceId) -> BillingResult<Invoice> {
    store::lock(tx, id).await?.ok_or_else(|| InvoiceError::NotFound.into())
}

/// Every connection behind an invoice, in order of their start.
pub(crate) async fn all_connections(d: &Billing, id: InvoiceId) -> BillingResult<Vec<ConnectionRow>> {
    connections(d, id, Slice { offset: 0, limit: u64::from(u32::MAX) }).await
}

/// Some of the connections behind an invoice, in order of their start.
pub async fn connections(d: &Billing, id: InvoiceId, slice: Slice) -> BillingResult<Vec<ConnectionRow>> {
    store::list_details(d.db.read(), id, slice).await
}

/// The invoice of this number.
pub async fn find_by_number(d: &Billing, number: &str) -> BillingResult<Option<Invoice>> {
    store::find_by_number(d.db.read(), number).await
}

/// The same, as the transaction sees it.
pub async fn numbered(tx: &Tx, number: &str) -> BillingResult<Option<Invoice>> {
    store::find_by_number(&**tx, number).await
}

/// The valid invoice of a customer's month.
pub(crate) async fn find_of_month(d: &Billing, customer: CompanyId, month: Month) -> BillingResult<Option<InvoiceId>> {
    store::find_of_month(d.db.read(), customer, &month.name()).await
}

/// Those of these ids that exist, in no order.
pub async fn find_many(d: &Billing, ids: &[InvoiceId]) -> BillingResult<Vec<Invoice>> {
    store::find_many(d.db.read(), ids).await
}

/// Those of these statuses, in the order of their numbers.
pub(crate) async fn list_by_status(d: &Billing, statuses: &[InvoiceStatus]) -> BillingResult<Vec<Invoice>> {
    store::list_by_status(d.db.read(), statuses).await
}

/// Ids of the invoices that are returned now.
pub async fn list_returned(d: &Billing) -> BillingResult<Vec<InvoiceId>> {
    Ok(store::ids_by_status(d.db.read(), InvoiceStatus::Returned).await?)
}

/// Those in a live file for the bank.
pub(crate) async fn list_in_remittance(d: &Billing, scope: Scope) -> BillingResult<Vec<Invoice>> {
    store::list_in_remittance(d.db.read(), scope).await
}

/// Those that correct one of these, each with the one that it corrects, oldest first.
pub(crate) async fn list_rectifying(d: &Billing, of: &[InvoiceId]) -> BillingResult<Vec<(InvoiceId, Invoice)>> {
    store::list_rectifying(d.db.read(), of).await
}

/// Those that correct this one, oldest first, as the transaction sees them.
pub(crate) async fn rectifying(tx: &Tx, of: InvoiceId) -> BillingResult<Vec<Invoice>> {
    Ok(store::list_rectifying(&**tx, &[of]).await?.into_iter().map(|(_, invoice)| invoice).collect())
}

/// Which of these customers have a valid invoice of this month.
pub(crate) async fn invoiced(d: &Billing, month: Month, customers: &[CompanyId]) -> BillingResult<HashSet<CompanyId>> {
    Ok(store::invoiced(d.db.read(), &month.name(), customers).await?)
}

/// The sums of each month from `from` to `to`, both included; rectifying invoices count in the month they correct.
pub(crate) async fn totals_by_month(
    d: &Billing,
    scope: Scope,
    from: Month,
    to: Month,
) -> BillingResult<Vec<(String, MonthTotals)>> {
    Ok(store::by_month(d.db.read(), scope, &from.name(), &to.name()).await?)
}

/// What became of the invoices of each monthly run.
pub(crate) async fn totals_by_run(d: &Billing, from: Month, to: Month) -> BillingResult<Vec<(String, RunTotals)>> {
    Ok(store::by_run(d.db.read(), &from.name(), &to.name()).await?)
}

/// Ids of the invoices that belong to the books of these days, both included, in the order of issue.
pub(crate) async fn booked_ids(d: &Billing, from: NaiveDate, to: NaiveDate) -> BillingResult<Vec<InvoiceId>> {
    Ok(store::booked_ids(d.db.read(), from, to).await?)
}

/// What they come to.
pub(crate) async fn booked_totals(d: &Billing, from: NaiveDate, to: NaiveDate) -> BillingResult<BookTotals> {
    Ok(store::booked_totals(d.db.read(), from, to).await?)
}

/// How many invoices stand returned or unpaid, and their amount.
pub(crate) async fn returned_totals(d: &Billing, scope: Scope) -> BillingResult<(i64, Cents)> {
    Ok(store::returned(d.db.read(), scope).await?)
}

/// Writes issued invoices with the connections behind them.
pub(crate) async fn insert(tx: &Tx, invoices: &[Invoice], details: &[(InvoiceId, Vec<ConnectionRow>)]) -> BillingResult<()> {
    store::insert(tx, invoices).await?;
    store::insert_details(tx, details).await
}

/// What a rectifying invoice does to its original.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Correction {
    pub by: InvoiceId,
    /// Nothing of the original remains.
    pub to_zero: bool,
    /// Its month may be invoiced again.
    pub reissue: bool,
}

/// Notes on the original, which the caller has locked and checked, that another invoice rectifies it.
pub(crate) async fn mark_rectified(tx: &Tx, id: InvoiceId, of: Correction) -> BillingResult<()> {
    let status = of.to_zero.then_some(InvoiceStatus::Rectified);
    let superseded = (of.to_zero && of.reissue).then_some(true);
    let changes = Changes { status, superseded, rectified_by: Some(of.by), ..Changes::default() };
    Ok(store::update(tx, id, changes).await?)
}

/// Closes an invoice whose group was brought to zero by another. Errors: [`InvoiceError::StatusRefused`].
pub(crate) async fn close_rectified(tx: &Tx, id: InvoiceId, by: InvoiceId) -> BillingResult<()> {
    let changes = Changes { rectified_by: Some(by), ..Changes::default() };
    step(tx, id, Move::Rectify, changes).await?.ok_or(InvoiceError::StatusRefused)?;
    Ok(())
}

/// Annuls an invoice; its number stays used. Errors: [`InvoiceError::StatusRefused`].
pub(crate) async fn mark_cancelled(d: &Billing, tx: &Tx, id: InvoiceId, reissue: bool) -> BillingResult<()> {
    let changes = Changes { cancelled_at: Some(d.sources.now()), superseded: reissue.then_some(true), ..Changes::default() };
    step(tx, id, Move::Cancel, changes).await?.ok_or(InvoiceError::StatusRefused)?;
    Ok(())
}

/// Records what somebody did to an invoice.
pub(crate) async fn audit(
    d: &Billing,
    tx: &Tx,
    caller: &Caller,
    origin: &Origin,
    (action, invoice): (Action, &Invoice),
    detail: serde_json::Value,
) -> BillingResult<()> {
    let entry = Entry::company(action, invoice.customer).by(caller).from(origin.address).detail(detail);
    Ok(audits::record(&d.identity, tx, entry).await?)
}
