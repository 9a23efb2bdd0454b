//! Documents of requests that came to nothing are deleted when their time is over (FISCAL-11).
//!
//! *Invariant:* the key goes first, in a transaction, and with it the document; the file follows, and the next run deletes what a
//! crash or a storage that was down left of it.

use crate::{Fiscal, FiscalResult, documents, store};
use atalaya_kernel::limits;
use chrono::TimeDelta;

/// Requests of one run; the next run continues.
const BATCH: u64 = 200;

/// Deletes what is due; answers how many files went. Runs every hour; idempotent.
///
/// Errors: `STORAGE_UNAVAILABLE` when a file could not be deleted; the next run retries.
pub async fn run(d: &Fiscal) -> FiscalResult<usize> {
    let before = d.sources.now() - TimeDelta::days(limits::MEDIA_EXPIRED_DAYS);
    let due = store::documents_due(d.db.read(), before, BATCH).await?;
    if !due.is_empty() {
        let tx = d.db.write().await?;
        store::forget_keys(&tx, &due).await?;
        tx.commit().await?;
    }
    let leaving = store::documents_leaving(d.db.read(), BATCH).await?;
    for (request, document) in &leaving {
        documents::delete(d, *document).await?;
        let tx = d.db.write().await?;
        store::forget_file(&tx, *request).await?;
        tx.commit().await?;
    }
    if !leaving.is_empty() {
        tracing::info!(documents = leaving.len(), "documents of ended fiscal requests are deleted");
    }
    Ok(leaving.len())
}
