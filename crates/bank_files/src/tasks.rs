//! The daily deadlines of billing, those of debits above all.

use crate::give_up_overdue;
use async_trait::async_trait;
use atalaya_billing::mandates::service as mandates;
use atalaya_billing::terms::contracts;
use atalaya_billing::{Billing, BillingResult};
use atalaya_jobs::{Handler, Job, JobFailure, JobResult, Worker};
use chrono::TimeDelta;
use std::sync::Arc;
use std::time::Duration;

/// Deadlines are days; checking several times a day lets a server that was off catch up soon.
const DATES_EVERY: Duration = Duration::from_secs(6 * 3600);

/// Days after which an e-mail that no provider carried loses its files: invoices can be printed again, and remittances hold
/// everybody's account.
const CAPTURED_DAYS: i64 = 30;

/// Registers the job of the deadlines and its schedule.
pub fn worker(d: &Billing, worker: Worker) -> Worker {
    let worker = worker.handle(DailyRound::KIND, Arc::new(DailyRound(d.clone())));
    worker.every(DailyRound::KIND, DATES_EVERY, serde_json::Value::Null)
}

/// Daily deadlines: contracts to store, files to delete, unused mandates, returned invoices that were not paid.
struct DailyRound(Billing);

impl DailyRound {
    /// The name in stored jobs.
    const KIND: &'static str = "tend_debits";
}

#[async_trait]
impl Handler for DailyRound {
    async fn run(&self, _: &Job) -> JobResult {
        let d = &self.0;
        if let Err(error) = contracts::keep_recent(d).await {
            tracing::error!(%error, "contracts are not kept");
        }
        let before = d.sources.now() - TimeDelta::days(CAPTURED_DAYS);
        if let Err(error) = d.outbox.forget_captured_files(&d.db, before).await {
            tracing::error!(%error, "files of captured e-mails stay");
        }
        run_daily(d).await.map(drop).map_err(|error| JobFailure::Retry(error.to_string()))
    }
}

/// Ends mandates that were not used for 36 months or whose account is gone, and marks long-returned invoices as unpaid.
/// Answers how many of each.
///
/// A failure is logged and does not stop the others.
pub async fn run_daily(d: &Billing) -> BillingResult<(usize, usize)> {
    let mut ended = 0;
    for outcome in [mandates::expire(d).await, mandates::end_outdated(d).await] {
        match outcome {
            Ok(some) => ended += some,
            Err(error) => tracing::error!(%error, "mandates are not ended"),
        }
    }
    Ok((ended, give_up_overdue(d).await?))
}
