//! Issues rectifying invoices and annuls what was never delivered.

use super::calculation::{self, Wanted};
use crate::invoices::InvoiceError;
use crate::invoices::model::{Header, Invoice, InvoiceStatus, Kind, Party, Rectified, State};
use crate::invoices::service::{self as invoices, Correction, audit, get, lock};
use crate::issuing::{compose, issue, issuer};
use crate::mandates::service as mandates;
use crate::series::Numbers;
use crate::verifactu::service as verifactu;
use crate::{Billing, BillingResult};
use atalaya_db::Tx;
use atalaya_identity::audit::Action;
use atalaya_identity::auth::service::Origin;
use atalaya_identity::companies::customers::find_payers;
use atalaya_kernel::{InvoiceId, calendar};
use atalaya_rest::Caller;
use atalaya_tariff::Cents;
use serde_json::json;

/// Issues a rectifying invoice (RD 1619/2012 art. 15). Answers it.
///
/// Errors: [`InvoiceError`] `NotFound`, `InRemittance`, `IssueDateBackwards`; `IssuerIncomplete`; those of
/// [`calculation::rectification`].
pub(crate) async fn rectify(
    d: &Billing,
    caller: &Caller,
    origin: &Origin,
    id: InvoiceId,
    wanted: &Wanted,
) -> BillingResult<Invoice> {
    let customer = get(d, id).await?.customer;
    let issuer = issuer::find(d).await?;
    let now = d.sources.now();
    let payers = find_payers(&d.identity, &[customer]).await?;
    let mandate = mandates::references(d, &payers).await?.remove(&customer);
    let (recipient, iban) = payers.into_iter().next().map(|payer| (compose::party(&payer.company), payer.masked_iban)).unzip();

    let tx = d.db.write().await?;
    let original = lock(&tx, id).await?;
    let before = invoices::rectifying(&tx, id).await?;
    let made = calculation::rectification(&original, &before, wanted, calendar::day(now))?;
    let mut numbers = Numbers::hold(&tx, Kind::Rectifying, now).await?;
    let due_date = issue::due_date(d, numbers.date, mandate.as_ref());
    let header = Header {
        payment: compose::payment(&issuer, iban.flatten(), mandate),
        rectified: Some(Rectified {
            id,
            number: original.number.clone(),
            issue_date: original.issue_date,
            reason: wanted.reason.clone(),
            relief: made.relief,
        }),
        issuer: issuer.party,
        // The same taxpayer as he is called today; what another one was invoiced is given back to that one (FISCAL-7).
        recipient: recipient
            .filter(|now| now.nif == original.header.recipient.nif)
            .map(|now| Party { country: original.header.recipient.country.clone(), ..now })
            .unwrap_or(original.header.recipient.clone()),
        language: original.header.language,
        regime: original.header.regime,
    };
    let invoice = Invoice {
        id: d.sources.id(),
        number: numbers.take().to_string(),
        kind: Kind::Rectifying,
        invoice_type: wanted.invoice_type.to_owned(),
        period: None,
        issue_date: numbers.date,
        due_date,
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
    // Where only the base goes down, the debt stays as it is.
    let to_zero = wanted.to_zero && !invoice.lowers_base_only();
    let correction = Correction { by: invoice.id, to_zero, reissue: wanted.reissue };
    invoices::mark_rectified(&tx, id, correction).await?;
    if to_zero {
        close(&tx, &before, invoice.id).await?;
    }
    let detail = json!({"number": original.number, "by": invoice.number});
    audit(d, &tx, caller, origin, (Action::InvoiceRectified, &original), detail).await?;
    tx.commit().await?;
    Ok(invoice)
}

/// Nothing of the group is owed any longer: its other open invoices are closed too.
async fn close(tx: &Tx, before: &[Invoice], by: InvoiceId) -> BillingResult<()> {
    let asking = |one: &&Invoice| one.totals.total > Cents(0) && one.state.status != InvoiceStatus::Cancelled;
    for one in before.iter().filter(asking) {
        invoices::close_rectified(tx, one.id, by).await?;
    }
    Ok(())
}

/// Annuls an invoice that was issued by mistake and never delivered; its number stays used. With `reissue` its month may be
/// invoiced again.
///
/// Errors: [`InvoiceError`] `NotFound`, `Sent`, `StatusRefused`: also of one that others rectify, and of the one that brought
/// another to zero.
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
        Some(of) => Some(lock(&tx, of).await?),
        None => None,
    };
    let original = lock(&tx, id).await?;
    if original.state.sent_at.is_some() {
        return Err(InvoiceError::Sent.into());
    }
    let rectifying = invoices::rectifying(&tx, id).await?;
    let is_rectified = rectifying.iter().any(|one| one.state.status != InvoiceStatus::Cancelled);
    let to_zero = corrected.is_some_and(|one| one.state.status == InvoiceStatus::Rectified);
    if is_rectified || to_zero {
        return Err(InvoiceError::StatusRefused.into());
    }
    invoices::mark_cancelled(d, &tx, id, reissue).await?;
    verifactu::record_annulled(d, &tx, &original).await?;
    let detail = json!({"number": original.number});
    audit(d, &tx, caller, origin, (Action::InvoiceCancelled, &original), detail).await?;
    tx.commit().await?;
    get(d, id).await
}
