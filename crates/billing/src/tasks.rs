//! What goes on in the background: monthly runs, records to the tax office, what banks and dates bring.

use crate::processes::steps::RunStep;
use crate::remittances::TendDebits;
use crate::verifactu::Mode;
use crate::verifactu::sending::SendRecords;
use crate::{Billing, BillingResult};
use atalaya_jobs::Worker;
use std::sync::Arc;
use std::time::Duration;

/// How often the queue to the tax office is looked at; when a call may be made is its own matter.
const RECORDS_EVERY: Duration = Duration::from_secs(15);

/// Dates change once a day; a few times, so that a server that was off catches up soon.
const DATES_EVERY: Duration = Duration::from_secs(6 * 3600);

/// The worker that does this context's jobs, and those that come back by themselves.
pub fn worker(d: &Billing, worker: Worker) -> Worker {
    let worker = worker.handle(RunStep::KIND, Arc::new(RunStep(d.clone())));
    let worker = worker.handle(TendDebits::KIND, Arc::new(TendDebits(d.clone())));
    worker.every(TendDebits::KIND, DATES_EVERY, serde_json::Value::Null)
}

/// The worker that sends records, beside the other work: a tax office that hangs holds no monthly run up. `None` while
/// nothing is sent.
pub fn records_worker(d: &Billing, worker: Worker) -> Option<Worker> {
    if d.settings.verifactu.mode == Mode::Off {
        return None;
    }
    let worker = worker.handle(SendRecords::KIND, Arc::new(SendRecords(d.clone())));
    Some(worker.every(SendRecords::KIND, RECORDS_EVERY, serde_json::Value::Null))
}

/// Goes on with what a crash left half done. Run once before serving.
pub async fn recover(d: &Billing) -> BillingResult<()> {
    crate::processes::steps::recover(d).await
}
