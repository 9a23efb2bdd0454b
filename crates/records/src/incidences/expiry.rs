//! How long incidences are kept: two years after they were archived (INCID-20).

use crate::Records;
use crate::incidences::pictures;
use crate::tickets::IncidenceError;
use crate::tickets::model::Status;
use crate::tickets::{self, Scope};
use atalaya_assistance::media_items::delete_later;
use atalaya_kernel::{ConferenceId, IncidenceId, limits};
use chrono::TimeDelta;

/// Maximum number of incidences in one run; the next run continues.
const BATCH: u64 = 500;

/// Deletes incidences archived long enough ago; the job's next step deletes their files. Answers how many.
pub async fn expire(deps: &Records) -> Result<usize, IncidenceError> {
    let cutoff = deps.sources.now() - TimeDelta::days(limits::INCIDENCE_KEPT_DAYS);
    let due = tickets::archived_until(deps.db.read(), cutoff, BATCH).await?;
    let mut gone = 0;
    for id in due {
        let tx = deps.db.write().await?;
        let row = tickets::lock(&tx, Scope::All, IncidenceId(id)).await?;
        // It may have been reopened meanwhile.
        if row.status != Status::Archived || row.archived_at.is_none_or(|at| at > cutoff) {
            continue;
        }
        let about = ConferenceId(row.conference_id.unwrap_or(id));
        delete_later(&tx, &deps.sources, about, [(pictures::folder(id), true)]).await?;
        tickets::delete(&tx, id).await?;
        tx.commit().await?;
        gone += 1;
    }
    Ok(gone)
}
