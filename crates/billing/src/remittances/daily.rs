//! What dates bring: mandates that nobody used, returned invoices that nobody paid.

use super::intake::{Effects, give_up};
use super::model::{Action, Attempt, AttemptState};
use super::{notices, store};
use crate::mandates::service as mandates;
use crate::terms::keeping::keep_lately;
use crate::{Billing, BillingResult};
use async_trait::async_trait;
use atalaya_identity::companies::accounts;
use atalaya_jobs::{Handler, Job, JobFailure, JobResult};
use chrono::TimeDelta;

/// Debits looked at in one run; the rest waits for the next.
const AT_ONCE: u64 = 2000;
/// Days after which an e-mail that no provider carried loses its files: invoices can be printed again, and remittances hold
/// everybody's account.
const CAPTURED_DAYS: i64 = 30;

/// The job that does it.
pub(crate) struct TendDebits(pub Billing);

impl TendDebits {
    pub const KIND: &'static str = "tend_debits";
}

#[async_trait]
impl Handler for TendDebits {
    async fn run(&self, _: &Job) -> JobResult {
        let d = &self.0;
        if let Err(error) = keep_lately(d).await {
            tracing::error!(%error, "contracts are not kept");
        }
        let before = d.sources.now() - TimeDelta::days(CAPTURED_DAYS);
        if let Err(error) = d.outbox.forget_captured_files(&d.db, before).await {
            tracing::error!(%error, "files of captured e-mails stay");
        }
        run_daily(d).await.map(drop).map_err(|error| JobFailure::Retry(error.to_string()))
    }
}

/// Ends mandates that were not used for 36 months or whose account is gone, and gives invoices up that came back long ago.
/// Answers how many of each.
///
/// What fails for one of them is logged and keeps nobody else waiting.
pub async fn run_daily(d: &Billing) -> BillingResult<(usize, usize)> {
    let mut ended = 0;
    for outcome in [mandates::expire(d).await, mandates::end_outdated(d).await] {
        match outcome {
            Ok(some) => ended += some,
            Err(error) => tracing::error!(%error, "mandates are not ended"),
        }
    }
    let before = d.sources.now() - TimeDelta::days(i64::from(d.settings.sepa.unpaid_days));
    let mut given_up = 0;
    for attempt in store::returned_attempts(d.db.read(), before, AT_ONCE).await? {
        match tend(d, &attempt).await {
            Ok(true) => given_up += 1,
            Ok(false) => {}
            Err(error) => tracing::error!(debit = attempt.end_to_end, %error, "a returned debit is not tended"),
        }
    }
    Ok((ended, given_up))
}

/// Gives one up. Answers false when its invoice has a later debit, or stands elsewhere by now.
async fn tend(d: &Billing, attempt: &Attempt) -> BillingResult<bool> {
    let attempts = store::of_invoices(d.db.read(), &[attempt.invoice]).await?.remove(&attempt.invoice).unwrap_or_default();
    let last = attempts.iter().rev().find(|one| one.state != AttemptState::Cancelled).map(|one| one.id);
    if last != Some(attempt.id) {
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
