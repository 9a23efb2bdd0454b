//! Background work: monthly runs and records to the tax office.

use crate::invoice_processes::steps::RunStep;
use crate::verifactu::Mode;
use crate::verifactu::queue::SendRecords;
use crate::{Billing, BillingResult};
use atalaya_jobs::Worker;
use std::sync::Arc;
use std::time::Duration;

/// How often the queue to the tax office is checked; the queue itself decides when a call may be made.
const RECORDS_EVERY: Duration = Duration::from_secs(15);

/// Registers the jobs of this context and their schedule.
pub fn worker(d: &Billing, worker: Worker) -> Worker {
    worker.handle(RunStep::KIND, Arc::new(RunStep(d.clone())))
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
