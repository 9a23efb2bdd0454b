//! Rectifying invoices, annulment, payment by hand (DOMAIN §4.3, §4.8).

use super::compose;
use super::issue::{self, Numbers, due_date};
use super::model::{Header, Invoice, InvoiceStatus, Kind, Move, Rectified, State};
use super::service::{get, not_found, step};
use super::store::{self, Changes};
use super::{issuer, rectify};
use crate::{Billing, BillingResult};
use atalaya_db::Tx;
use atalaya_identity::audit::{Action, Entry, service as audit};
use atalaya_identity::auth::service::Origin;
use atalaya_identity::companies::customers::find_payers;
use atalaya_kernel::{InvoiceId, calendar};
use atalaya_rest::{Caller, FieldError, Problem};
use atalaya_tariff::Cents;
use chrono::NaiveDate;
use serde_json::json;

/// Issues a rectifying invoice (RD 1619/2012 art. 15). Answers it.
///
/// Errors: 404 `INVOICE_NOT_FOUND`; 409 `INVOICE_NOT_RECTIFIABLE`, `INVOICE_IN_REMITTANCE`, `INVOICE_TOO_OLD`,
/// `ISSUER_INCOMPLETE`; 422 on `amount` or `lines` with `AMOUNT_ZERO`, `AMOUNT_TOO_LOW`.
pub(crate) async fn rectify(
    d: &Billing,
    caller: &Caller,
    origin: &Origin,
    id: InvoiceId,
    wanted: &rectify::Wanted,
) -> BillingResult<Invoice> {
    let customer = get(d, id).await?.customer;
    let issuer = issuer::find(d).await?;
    let now = d.sources.now();
    let umr = issue::mandates(d, &[customer]).await?.remove(&customer);
    let iban = find_payers(&d.identity, &[customer]).await?.pop().and_then(|payer| payer.masked_iban);

    let tx = d.db.write().await?;
    let original = store::lock(&tx, id).await?.ok_or_else(not_found)?;
    let before: Vec<Invoice> = store::list_rectifying(&*tx, &[id]).await?.into_iter().map(|(_, invoice)| invoice).collect();
    let made = rectify::rectification(&original, &before, wanted, calendar::day(now))?;
    let mut numbers = Numbers::hold(&tx, Kind::Rectifying, now).await?;
    let header = Header {
        payment: compose::payment(&issuer, iban, umr),
        rectified: Some(Rectified {
            id,
            number: original.number.clone(),
            issue_date: original.issue_date,
            reason: wanted.reason.clone(),
        }),
        issuer: issuer.party,
        ..original.header.clone()
    };
    let invoice = Invoice {
        id: d.sources.id(),
        number: numbers.take().to_string(),
        kind: Kind::Rectifying,
        invoice_type: wanted.invoice_type.to_owned(),
        period: None,
        issue_date: numbers.date,
        due_date: due_date(d, numbers.date),
        issued_at: now,
        connections: made.connections,
        totals: made.totals,
        header,
        lines: made.lines,
        state: State::issued(),
        ..original.clone()
    };
    numbers.keep(&tx).await?;
    issue::write(d, &tx, std::slice::from_ref(&invoice), &[]).await?;
    let status = wanted.to_zero.then_some(InvoiceStatus::Rectified);
    let superseded = (wanted.to_zero && wanted.reissue).then_some(true);
    store::update(&tx, id, Changes { status, superseded, rectified_by: Some(invoice.id), ..Changes::default() }).await?;
    if wanted.to_zero {
        close(&tx, &before, invoice.id).await?;
    }
    let detail = json!({"number": original.number, "by": invoice.number});
    record(d, &tx, caller, origin, (Action::InvoiceRectified, &original), detail).await?;
    tx.commit().await?;
    Ok(invoice)
}

/// Nothing of the group is owed any more: what asked for more of it is closed with it.
async fn close(tx: &Tx, before: &[Invoice], by: InvoiceId) -> BillingResult<()> {
    let asking = |one: &&Invoice| one.totals.total > Cents(0) && one.state.status != InvoiceStatus::Cancelled;
    for one in before.iter().filter(asking) {
        let changes = Changes { rectified_by: Some(by), ..Changes::default() };
        step(tx, one.id, Move::Rectify, changes).await?.ok_or_else(refused)?;
    }
    Ok(())
}

/// Annuls an invoice that was issued by mistake and never delivered; its number stays used. With `reissue` its month may be
/// invoiced anew.
///
/// Errors: 404 `INVOICE_NOT_FOUND`; 409 `INVOICE_SENT`, `INVOICE_STATUS_REFUSED`: also of one that others rectify, and of the
/// one that brought another to zero.
pub(crate) async fn cancel(
    d: &Billing,
    caller: &Caller,
    origin: &Origin,
    id: InvoiceId,
    reissue: bool,
) -> BillingResult<Invoice> {
    let corrects = get(d, id).await?.header.rectified.map(|of| of.id);
    let tx = d.db.write().await?;
    // The original of a group first, as everybody locks it.
    let corrected = match corrects {
        Some(of) => store::lock(&tx, of).await?,
        None => None,
    };
    let original = store::lock(&tx, id).await?.ok_or_else(not_found)?;
    if original.state.sent_at.is_some() {
        return Err(Problem::conflict("INVOICE_SENT").into());
    }
    let rectifying = store::list_rectifying(&*tx, &[id]).await?;
    let is_rectified = rectifying.iter().any(|(_, one)| one.state.status != InvoiceStatus::Cancelled);
    let to_zero = corrected.is_some_and(|one| one.state.status == InvoiceStatus::Rectified);
    if is_rectified || to_zero {
        return Err(refused().into());
    }
    let changes = Changes { cancelled_at: Some(d.sources.now()), superseded: reissue.then_some(true), ..Changes::default() };
    step(&tx, id, Move::Cancel, changes).await?.ok_or_else(refused)?;
    issue::record_annulled(d, &tx, &original).await?;
    let detail = json!({"number": original.number});
    record(d, &tx, caller, origin, (Action::InvoiceCancelled, &original), detail).await?;
    tx.commit().await?;
    get(d, id).await
}

/// It was paid by other means than a debit, on this day.
///
/// Errors: 404 `INVOICE_NOT_FOUND`; 409 `INVOICE_IN_REMITTANCE`, `INVOICE_STATUS_REFUSED`; 422 on `paidAt` with
/// `DATE_IN_FUTURE`, `DATE_BEFORE_ISSUE`.
pub(crate) async fn pay(d: &Billing, caller: &Caller, origin: &Origin, id: InvoiceId, on: NaiveDate) -> BillingResult<Invoice> {
    let wrong = |code: &'static str| Problem::invalid([FieldError::new("paidAt", code)]);
    let tx = d.db.write().await?;
    let invoice = store::lock(&tx, id).await?.ok_or_else(not_found)?;
    if on > calendar::day(d.sources.now()) {
        return Err(wrong("DATE_IN_FUTURE").into());
    }
    if on < invoice.issue_date {
        return Err(wrong("DATE_BEFORE_ISSUE").into());
    }
    let changes =
        Changes { paid: Some(Some((calendar::start_of(on), "transfer"))), revocable_until: Some(None), ..Changes::default() };
    by_hand(d, &tx, caller, origin, (&invoice, Move::PayByHand, Action::InvoicePaid), changes).await?;
    tx.commit().await?;
    get(d, id).await
}

/// Nobody expects it to be paid any more without steps of one's own.
///
/// Errors: 404 `INVOICE_NOT_FOUND`; 409 `INVOICE_IN_REMITTANCE`, `INVOICE_STATUS_REFUSED`.
pub(crate) async fn give_up(d: &Billing, caller: &Caller, origin: &Origin, id: InvoiceId) -> BillingResult<Invoice> {
    let tx = d.db.write().await?;
    let invoice = store::lock(&tx, id).await?.ok_or_else(not_found)?;
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
        return Err(Problem::conflict("INVOICE_IN_REMITTANCE").into());
    }
    step(tx, invoice.id, what, changes).await?.ok_or_else(refused)?;
    record(d, tx, caller, origin, (action, invoice), json!({"number": invoice.number})).await
}

fn refused() -> Problem {
    Problem::conflict("INVOICE_STATUS_REFUSED")
}

async fn record(
    d: &Billing,
    tx: &Tx,
    caller: &Caller,
    origin: &Origin,
    (action, invoice): (Action, &Invoice),
    detail: serde_json::Value,
) -> BillingResult<()> {
    let entry = Entry::company(action, invoice.customer).by(caller).from(origin.address).detail(detail);
    Ok(audit::record(&d.identity, tx, entry).await?)
}
