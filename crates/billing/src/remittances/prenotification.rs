//! Notifying customers of debits before they happen.
//!
//! *Invariant:* a debit happens only after its customer was notified of this amount, this day and this mandate the agreed days
//! before. The e-mail with the invoice is that notice; if it said something else, or was not sent, the remittance sends a
//! notice of its own and collects the money that much later.

use super::selection::Chosen;
use super::{notices, store};
use crate::{Billing, BillingResult};
use atalaya_db::{Db, Tx};
use atalaya_identity::companies::accounts::Party;
use atalaya_kernel::{CompanyId, InvoiceId, OutboxId, calendar};
use atalaya_sepa::target;
use atalaya_tariff::Cents;
use chrono::{DateTime, NaiveDate, Utc};
use std::collections::HashMap;
use uuid::Uuid;

/// What a customer was notified of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Notice {
    pub invoice: InvoiceId,
    pub company: CompanyId,
    pub amount: Cents,
    pub umr: String,
    /// The day on which the money is taken.
    pub collection: NaiveDate,
    /// The e-mail that said so.
    pub message: Uuid,
}

/// The first day that can be announced today, so many days before.
pub(crate) fn first_day(d: &Billing, now: DateTime<Utc>, notice_days: u32) -> NaiveDate {
    target::collection(calendar::day(now), notice_days, d.settings.sepa.lead_days)
}

/// Stores that a message is the notice; in the message's transaction.
pub(crate) async fn record(d: &Billing, tx: &Tx, notice: &Notice) -> BillingResult<()> {
    Ok(store::insert_notice(tx, d.sources.uuid(), notice, d.sources.now()).await?)
}

/// The last notice of each of these invoices whose message did not fail.
pub(super) async fn last_notices(d: &Billing, db: &Db, invoices: &[InvoiceId]) -> BillingResult<HashMap<InvoiceId, Notice>> {
    let mut all = store::notices(db.read(), invoices).await?;
    let mut failed = std::collections::HashSet::new();
    let messages: Vec<OutboxId> = all.iter().map(|notice| OutboxId(notice.message)).collect();
    for part in messages.chunks(500) {
        failed.extend(d.outbox.failed_among(db.read(), part.to_vec()).await?);
    }
    all.retain(|notice| !failed.contains(&OutboxId(notice.message)));
    // Oldest first: the last one stays.
    Ok(all.into_iter().map(|notice| (notice.invoice, notice)).collect())
}

/// The day that this notice allows: it announces what is asked for, and the bank can still be asked in time.
pub(super) fn announced(notice: Option<&Notice>, amount: Cents, umr: &str, earliest: NaiveDate) -> Option<NaiveDate> {
    let fits = |notice: &&Notice| notice.amount == amount && notice.umr == umr && notice.collection >= earliest;
    notice.filter(fits).map(|notice| notice.collection)
}

/// Notifies the customer of this debit. Answers false when the customer has no address.
pub(super) async fn notify(d: &Billing, tx: &Tx, of: &Chosen, platform: &Party) -> BillingResult<bool> {
    let Some(message) = notices::announce(d, tx, of, platform).await? else { return Ok(false) };
    let notice = Notice {
        invoice: of.due.invoice.id,
        company: of.due.invoice.customer,
        amount: of.due.amount,
        umr: of.mandate.umr.clone(),
        collection: of.collection,
        message,
    };
    record(d, tx, &notice).await?;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    // REMIT-4
    #[test]
    fn only_what_was_told_is_asked_for() {
        let day = |text: &str| text.parse::<NaiveDate>().unwrap();
        let notice = Notice {
            invoice: InvoiceId(Uuid::nil()),
            company: CompanyId(Uuid::nil()),
            amount: Cents(3630),
            umr: "VP-000001-01".into(),
            collection: day("2026-11-09"),
            message: Uuid::nil(),
        };
        let on = |amount, umr, earliest| announced(Some(&notice), Cents(amount), umr, day(earliest));
        assert_eq!(on(3630, "VP-000001-01", "2026-11-09"), Some(day("2026-11-09")));
        assert_eq!(on(3631, "VP-000001-01", "2026-11-04"), None, "another amount");
        assert_eq!(on(3630, "VP-000001-02", "2026-11-04"), None, "another account");
        assert_eq!(on(3630, "VP-000001-01", "2026-11-10"), None, "too late for that day");
        assert_eq!(announced(None, Cents(3630), "VP-000001-01", day("2026-11-04")), None);
    }
}
