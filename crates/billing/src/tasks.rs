//! Background work: monthly runs, records to the tax office, daily deadlines.

use crate::invoice_processes::steps::RunStep;
use crate::mandates::service as mandates;
use crate::terms::contracts;
use crate::verifactu::Mode;
use crate::verifactu::queue::SendRecords;
use crate::{Billing, BillingResult, bank_files};
use async_trait::async_trait;
use atalaya_jobs::{Handler, Job, JobFailure, JobResult, Worker};
use chrono::TimeDelta;
use std::sync::Arc;
use std::time::Duration;

/// How often the queue to the tax office is checked; the queue itself decides when a call may be made.
const RECORDS_EVERY: Duration = Duration::from_secs(15);

/// Deadlines are days; checking several times a day lets a server that was off catch up soon.
const DATES_EVERY: Duration = Duration::from_secs(6 * 3600);

/// Days after which an e-mail that no provider carried loses its files: invoices can be printed again, and remittances hold
/// everybody's account.
const CAPTURED_DAYS: i64 = 30;

/// Registers the jobs of this context and their schedule.
pub fn worker(d: &Billing, worker: Worker) -> Worker {
    let worker = worker.handle(RunStep::KIND, Arc::new(RunStep(d.clone())));
    let worker = worker.handle(DailyRound::KIND, Arc::new(DailyRound(d.clone())));
    worker.every(DailyRound::KIND, DATES_EVERY, serde_json::Value::Null)
}

/// A separate worker for the records, so that a tax office that hangs does not delay a monthly run. `None` while nothing is
/// sent.
pub fn records_worker(d: &Billing, worker: Worker) -> Option<Worker> {
    if d.settings.verifactu.mode == Mode::Off {
        return None;
    }
    let worker = worker.handle(SendRecords::KIND, Arc::new(SendRecords(d.clone())));
    Some(worker.every(SendRecords::KIND, RECORDS_EVERY, serde_json::Value::Null))
}

/// Resumes what a crash left half done. Run once before serving.
pub async fn recover(d: &Billing) -> BillingResult<()> {
    crate::invoice_processes::steps::recover(d).await
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
    Ok((ended, bank_files::give_up_overdue(d).await?))
}
