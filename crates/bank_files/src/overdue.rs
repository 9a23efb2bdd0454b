//! Returned invoices that were not paid since.

use super::model::Action;
use super::notices;
use super::outcome::{Effects, give_up};
use atalaya_billing::invoices::service as invoices;
use atalaya_billing::remittances::service as remittances;
use atalaya_billing::{Billing, BillingResult};
use atalaya_identity::companies::accounts;
use atalaya_sepa::ledger::Attempt;
use chrono::TimeDelta;

/// Maximum number of debits in one run; the rest waits for the next.
const AT_ONCE: usize = 2000;

/// Marks long-returned invoices as unpaid. Answers how many. A failure is logged and does not stop the others.
pub(super) async fn give_up_overdue(d: &Billing) -> BillingResult<usize> {
    let before = d.sources.now() - TimeDelta::days(i64::from(d.settings.sepa.unpaid_days));
    let mut given_up = 0;
    let returned = invoices::list_returned(d).await?;
    for attempt in remittances::list_returned(d, &returned, before, AT_ONCE).await? {
        match give_up_one(d, &attempt).await {
            Ok(true) => given_up += 1,
            Ok(false) => {}
            Err(error) => tracing::error!(debit = attempt.end_to_end, %error, "a returned debit is not given up"),
        }
    }
    Ok(given_up)
}

/// Marks one as unpaid. Answers false when its invoice has a later debit, or another status by now.
async fn give_up_one(d: &Billing, attempt: &Attempt) -> BillingResult<bool> {
    let last = remittances::find_last(d, attempt.invoice).await?;
    if last.is_none_or(|last| last.id != attempt.id) {
        return Ok(false);
    }
    let mut effects = Effects::default();
    let party = accounts::find(&d.identity, attempt.company).await?;
    let tx = d.db.write().await?;
    if give_up(d, &tx, attempt, &mut effects).await?.is_none() {
        tx.rollback().await?;
        return Ok(false);
    }
    notices::returned(d, &tx, &party, attempt, Action::Unpaid).await?;
    effects.told = notices::ring(d, &tx, attempt.company, &[(attempt.number.clone(), Action::Unpaid)]).await?;
    tx.commit().await?;
    effects.announce(d).await;
    Ok(true)
}
