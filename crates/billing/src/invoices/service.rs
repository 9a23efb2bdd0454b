//! What other rooms read of invoices, and the moves of the status machine (DOMAIN §4.8).

use super::model::{self, DetailRow, Invoice, InvoiceDocument, InvoiceStatus, Kind, Move};
use super::store::{self, Changes};
use crate::remittances::store as debits;
use crate::{Billing, BillingResult};
use atalaya_db::Tx;
use atalaya_kernel::{InvoiceId, calendar};
use atalaya_rest::Problem;
use atalaya_rest::page::Slice;
use atalaya_tariff::Cents;
use chrono::{DateTime, NaiveDate, Utc};
use std::collections::HashMap;

/// 404 `INVOICE_NOT_FOUND`.
pub(crate) fn not_found() -> Problem {
    Problem::not_found("INVOICE_NOT_FOUND")
}

/// The invoice, whoever asks; the caller has checked the tenant. Errors: 404 `INVOICE_NOT_FOUND`.
pub async fn get(d: &Billing, id: InvoiceId) -> BillingResult<Invoice> {
    Ok(store::find(d.db.read(), id, None).await?.ok_or_else(not_found)?)
}

/// The same with every connection behind it, for documents. Errors: 404 `INVOICE_NOT_FOUND`.
pub async fn document(d: &Billing, id: InvoiceId) -> BillingResult<InvoiceDocument> {
    let invoice = get(d, id).await?;
    let connections = connections(d, id, Slice { offset: 0, limit: u64::from(u32::MAX) }).await?;
    Ok(InvoiceDocument { invoice, connections })
}

/// Some of the connections behind an invoice, in order of their start.
pub async fn connections(d: &Billing, id: InvoiceId, slice: Slice) -> BillingResult<Vec<DetailRow>> {
    store::list_details(d.db.read(), id, slice).await
}

/// The invoice of this number.
pub async fn find_by_number(d: &Billing, number: &str) -> BillingResult<Option<Invoice>> {
    store::find_by_number(d.db.read(), number).await
}

/// Those of these ids that exist, in no order.
pub async fn find_many(d: &Billing, ids: &[InvoiceId]) -> BillingResult<Vec<Invoice>> {
    store::find_many(d.db.read(), ids).await
}

/// An invoice for which money is to be asked of a bank.
#[derive(Clone, Debug, PartialEq)]
pub struct DueInvoice {
    pub invoice: Invoice,
    /// What is to be collected: never more than what its group leaves open. May be 0 or less.
    pub amount: Cents,
    /// What its group held when that was counted.
    group: Vec<InvoiceId>,
}

/// The original of an invoice's group: itself when it corrects nothing.
fn original_of(invoice: &Invoice) -> InvoiceId {
    invoice.header.rectified.as_ref().map_or(invoice.id, |of| of.id)
}

/// Issued, sent and returned invoices that ask for money, in the order of their numbers: what a remittance chooses from. An
/// original and everything that rectifies it are one sum: together they ask for what it leaves open, and for no more.
pub async fn due_for_remittance(d: &Billing) -> BillingResult<Vec<DueInvoice>> {
    let statuses = [InvoiceStatus::Issued, InvoiceStatus::Sent, InvoiceStatus::Returned];
    let mut due = store::list_by_status(d.db.read(), &statuses).await?;
    due.retain(|invoice| invoice.totals.total > Cents(0));
    let mut ids: Vec<InvoiceId> = due.iter().map(original_of).collect();
    ids.sort_unstable();
    ids.dedup();
    let originals = store::find_many(d.db.read(), &ids).await?;
    let rectifying = store::list_rectifying(d.db.read(), &ids).await?;
    let mut groups: HashMap<InvoiceId, Vec<Invoice>> = HashMap::new();
    for (of, invoice) in originals.into_iter().map(|invoice| (invoice.id, invoice)).chain(rectifying) {
        if invoice.state.status != InvoiceStatus::Cancelled {
            groups.entry(of).or_default().push(invoice);
        }
    }
    let members: Vec<InvoiceId> = groups.values().flatten().map(|invoice| invoice.id).collect();
    let debited = debits::debited(d.db.read(), &members).await?;
    let mut open: HashMap<InvoiceId, Cents> = HashMap::new();
    for (of, members) in &groups {
        open.insert(*of, open_amount(members, &debited)?);
    }
    let mut all = Vec::with_capacity(due.len());
    for invoice in due {
        let of = original_of(&invoice);
        let left = open.entry(of).or_default();
        let amount = invoice.totals.total.min(*left);
        *left = left.minus(amount.max(Cents(0)))?;
        let group = groups.get(&of).into_iter().flatten().map(|member| member.id).collect();
        all.push(DueInvoice { invoice, amount, group });
    }
    Ok(all)
}

/// What a group asks for, less what came or is being asked of a bank.
fn open_amount(members: &[Invoice], debited: &HashMap<InvoiceId, Cents>) -> BillingResult<Cents> {
    let mut open = Cents(0);
    for invoice in members {
        open = open.plus(invoice.totals.total)?;
        if matches!(invoice.state.status, InvoiceStatus::Paid | InvoiceStatus::InRemittance) {
            let came = match debited.get(&invoice.id) {
                Some(amount) => *amount,
                None => paid_by_hand(invoice, members)?,
            };
            open = open.minus(came)?;
        }
    }
    Ok(open)
}

/// Nobody typed how much came: its total, of the original less what earlier days had taken off it.
fn paid_by_hand(invoice: &Invoice, members: &[Invoice]) -> BillingResult<Cents> {
    let mut came = invoice.totals.total.max(Cents(0));
    let Some(paid) = invoice.state.paid_at.filter(|_| invoice.kind == Kind::Normal) else { return Ok(came) };
    for credit in members.iter().filter(|one| one.totals.total < Cents(0) && one.issue_date < calendar::day(paid)) {
        came = came.plus(credit.totals.total)?;
    }
    Ok(came)
}

/// Whether its group is still what its amount was counted from; locks its original and itself, so that it stays so until the
/// end of the transaction (whoever rectifies an invoice locks it too). `None` where nothing is due any more.
///
/// Errors: 404 `INVOICE_NOT_FOUND`.
pub(crate) async fn is_as_counted(tx: &Tx, due: &DueInvoice) -> BillingResult<Option<bool>> {
    let of = original_of(&due.invoice);
    let original = store::lock(tx, of).await?.ok_or_else(not_found)?;
    let invoice = store::lock(tx, due.invoice.id).await?.ok_or_else(not_found)?;
    if model::next(invoice.state.status, Move::Remit).is_none() {
        return Ok(None);
    }
    let rectifying = store::list_rectifying(&**tx, &[of]).await?.into_iter().map(|(_, invoice)| invoice);
    let standing = std::iter::once(original).chain(rectifying).filter(|one| one.state.status != InvoiceStatus::Cancelled);
    Ok(Some(standing.map(|one| one.id).eq(due.group.iter().copied())))
}

/// Makes a move in the caller's transaction; locks the invoice. Answers what it stands at then, `None` when the status
/// machine does not allow the move (nothing is changed).
///
/// Errors: 404 `INVOICE_NOT_FOUND`.
pub(crate) async fn step(tx: &Tx, id: InvoiceId, what: Move, changes: Changes) -> BillingResult<Option<InvoiceStatus>> {
    let invoice = store::lock(tx, id).await?.ok_or_else(not_found)?;
    let Some(status) = model::next(invoice.state.status, what) else { return Ok(None) };
    store::update(tx, id, Changes { status: Some(status), ..changes }).await?;
    Ok(Some(status))
}

/// Its customer has it, though nobody sent it; nothing when it was sent, annulled or brought to zero meanwhile.
pub(crate) async fn mark_delivered(d: &Billing, tx: &Tx, id: InvoiceId) -> BillingResult<()> {
    let state = store::lock(tx, id).await?.ok_or_else(not_found)?.state;
    if state.sent_at.is_some() || !state.may_go_out() {
        return Ok(());
    }
    // In a remittance or paid already, it keeps that.
    let status = model::next(state.status, Move::Send);
    let changes = Changes { status, sent_at: Some(Some(d.sources.now())), ..Changes::default() };
    Ok(store::update(tx, id, changes).await?)
}

/// It is in a live file for the bank, to be debited on this day.
pub async fn mark_in_remittance(tx: &Tx, id: InvoiceId, charge_date: NaiveDate) -> BillingResult<bool> {
    let changes = Changes { charge_date: Some(Some(charge_date)), ..Changes::default() };
    Ok(step(tx, id, Move::Remit, changes).await?.is_some())
}

/// The file was withdrawn or refused: it stands where it stood before.
pub async fn take_back(tx: &Tx, id: InvoiceId) -> BillingResult<bool> {
    let invoice = store::lock(tx, id).await?.ok_or_else(not_found)?;
    let what = Move::TakeBack { sent: invoice.state.sent_at.is_some(), returned: invoice.state.returned_at.is_some() };
    let changes = Changes { charge_date: Some(None), ..Changes::default() };
    Ok(step(tx, id, what, changes).await?.is_some())
}

/// The bank paid. Until `revocable_until` a CORE debit can still be given back.
pub async fn mark_paid(tx: &Tx, id: InvoiceId, at: DateTime<Utc>, revocable_until: Option<NaiveDate>) -> BillingResult<bool> {
    let changes = Changes {
        paid: Some(Some((at, "remittance"))),
        revocable_until: Some(revocable_until),
        returned: Some(None),
        ..Changes::default()
    };
    Ok(step(tx, id, Move::Collect, changes).await?.is_some())
}

/// The bank gave the debit back, with its reason code (`AM04`).
pub async fn mark_returned(tx: &Tx, id: InvoiceId, code: &str, at: DateTime<Utc>) -> BillingResult<bool> {
    let changes = Changes {
        returned: Some(Some((at, code.to_owned()))),
        paid: Some(None),
        revocable_until: Some(None),
        ..Changes::default()
    };
    Ok(step(tx, id, Move::Return, changes).await?.is_some())
}

/// No attempt is left, or it waited too long.
pub async fn mark_unpaid(tx: &Tx, id: InvoiceId) -> BillingResult<bool> {
    Ok(step(tx, id, Move::GiveUp, Changes::default()).await?.is_some())
}
