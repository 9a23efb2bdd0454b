//! Payments that an administrator records manually.

use super::InvoiceError;
use super::model::{Invoice, InvoiceStatus, Move};
use super::money::step;
use super::service::{audit, get, lock};
use super::store::Changes;
use crate::{Billing, BillingResult};
use atalaya_db::Tx;
use atalaya_identity::audit::Action;
use atalaya_identity::auth::service::Origin;
use atalaya_kernel::{InvoiceId, calendar};
use atalaya_rest::Caller;
use chrono::NaiveDate;
use serde_json::json;

/// It was paid by other means than a debit, on this day.
///
/// Errors: [`InvoiceError`] `NotFound`, `InRemittance`, `StatusRefused`, `PaidInFuture`, `PaidBeforeIssue`.
pub(crate) async fn pay(d: &Billing, caller: &Caller, origin: &Origin, id: InvoiceId, on: NaiveDate) -> BillingResult<Invoice> {
    let tx = d.db.write().await?;
    let invoice = lock(&tx, id).await?;
    pay_in(d, &tx, caller, origin, &invoice, on).await?;
    tx.commit().await?;
    get(d, id).await
}

/// The same of an invoice that the caller's transaction has locked.
pub async fn pay_in(
    d: &Billing,
    tx: &Tx,
    caller: &Caller,
    origin: &Origin,
    invoice: &Invoice,
    on: NaiveDate,
) -> BillingResult<()> {
    if on > calendar::day(d.sources.now()) {
        return Err(InvoiceError::PaidInFuture.into());
    }
    if on < invoice.issue_date {
        return Err(InvoiceError::PaidBeforeIssue.into());
    }
    let changes =
        Changes { paid: Some(Some((calendar::start_of(on), "transfer"))), revocable_until: Some(None), ..Changes::default() };
    by_hand(d, tx, caller, origin, (invoice, Move::PayByHand, Action::InvoicePaid), changes).await
}

/// Marks it as unpaid: payment is not expected without further steps.
///
/// Errors: [`InvoiceError`] `NotFound`, `InRemittance`, `StatusRefused`.
pub(crate) async fn give_up(d: &Billing, caller: &Caller, origin: &Origin, id: InvoiceId) -> BillingResult<Invoice> {
    let tx = d.db.write().await?;
    let invoice = lock(&tx, id).await?;
    by_hand(d, &tx, caller, origin, (&invoice, Move::GiveUp, Action::InvoiceUnpaid), Changes::default()).await?;
    tx.commit().await?;
    get(d, id).await
}

async fn by_hand(
    d: &Billing,
    tx: &Tx,
    caller: &Caller,
    origin: &Origin,
    (invoice, what, action): (&Invoice, Move, Action),
    changes: Changes,
) -> BillingResult<()> {
    if invoice.state.status == InvoiceStatus::InRemittance {
        return Err(InvoiceError::InRemittance.into());
    }
    step(tx, invoice.id, what, changes).await?.ok_or(InvoiceError::StatusRefused)?;
    audit(d, tx, caller, origin, (action, invoice), json!({"number": invoice.number})).await
}
