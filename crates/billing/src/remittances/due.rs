//! The due invoice: what is still to be collected of invoices that ask for money.

use super::store;
use crate::invoices::model::{Invoice, InvoiceStatus, Kind, Move, next};
use crate::invoices::service as invoices;
use crate::{Billing, BillingResult};
use atalaya_db::Tx;
use atalaya_kernel::{InvoiceId, calendar};
use atalaya_tariff::Cents;
use std::collections::HashMap;

/// An invoice for which money is to be asked of a bank.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct DueInvoice {
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
/// original and everything that rectifies it are one sum: together they ask for the amount that remains open, not more.
pub(crate) async fn due_for_remittance(d: &Billing) -> BillingResult<Vec<DueInvoice>> {
    let statuses = [InvoiceStatus::Issued, InvoiceStatus::Sent, InvoiceStatus::Returned];
    let mut due = invoices::list_by_status(d, &statuses).await?;
    due.retain(|invoice| invoice.totals.total > Cents(0) && !invoice.lowers_base_only());
    let mut ids: Vec<InvoiceId> = due.iter().map(original_of).collect();
    ids.sort_unstable();
    ids.dedup();
    let originals = invoices::find_many(d, &ids).await?;
    let rectifying = invoices::list_rectifying(d, &ids).await?;
    let mut groups: HashMap<InvoiceId, Vec<Invoice>> = HashMap::new();
    for (of, invoice) in originals.into_iter().map(|invoice| (invoice.id, invoice)).chain(rectifying) {
        if invoice.state.status != InvoiceStatus::Cancelled {
            groups.entry(of).or_default().push(invoice);
        }
    }
    let members: Vec<InvoiceId> = groups.values().flatten().map(|invoice| invoice.id).collect();
    let debited = store::debited(d.db.read(), &members).await?;
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

/// What this invoice leaves open now: never more than its group does.
pub async fn open_of(tx: &Tx, invoice: &Invoice) -> BillingResult<Cents> {
    let of = original_of(invoice);
    let mut members = invoices::rectifying(tx, of).await?;
    members.push(if of == invoice.id { invoice.clone() } else { invoices::lock(tx, of).await? });
    members.retain(|one| one.state.status != InvoiceStatus::Cancelled);
    let ids: Vec<InvoiceId> = members.iter().map(|one| one.id).collect();
    let open = open_amount(&members, &store::debited(&**tx, &ids).await?)?;
    Ok(invoice.totals.total.min(open))
}

/// What a group asks for, less what came or is being asked of a bank.
fn open_amount(members: &[Invoice], debited: &HashMap<InvoiceId, Cents>) -> BillingResult<Cents> {
    let mut open = Cents(0);
    // A base that went down for want of payment leaves the debt as it was (art. 80 LIVA).
    for invoice in members.iter().filter(|one| !one.lowers_base_only()) {
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

/// Without an entered amount: its total, for an original less what earlier days deducted from it.
fn paid_by_hand(invoice: &Invoice, members: &[Invoice]) -> BillingResult<Cents> {
    let mut came = invoice.totals.total.max(Cents(0));
    let Some(paid) = invoice.state.paid_at.filter(|_| invoice.kind == Kind::Normal) else { return Ok(came) };
    let credits = members.iter().filter(|one| !one.lowers_base_only());
    for credit in credits.filter(|one| one.totals.total < Cents(0) && one.issue_date < calendar::day(paid)) {
        came = came.plus(credit.totals.total)?;
    }
    Ok(came)
}

/// Whether the group is still as it was when the amount was computed; locks its original and itself until the end of the
/// transaction (rectifying an invoice locks it too). `None` when nothing is due any longer.
///
/// Errors: `InvoiceError::NotFound`.
pub(super) async fn is_as_counted(tx: &Tx, due: &DueInvoice) -> BillingResult<Option<bool>> {
    let of = original_of(&due.invoice);
    let original = invoices::lock(tx, of).await?;
    let invoice = invoices::lock(tx, due.invoice.id).await?;
    if next(invoice.state.status, Move::Remit).is_none() {
        return Ok(None);
    }
    let rectifying = invoices::rectifying(tx, of).await?;
    let standing = std::iter::once(original).chain(rectifying).filter(|one| one.state.status != InvoiceStatus::Cancelled);
    Ok(Some(standing.map(|one| one.id).eq(due.group.iter().copied())))
}
