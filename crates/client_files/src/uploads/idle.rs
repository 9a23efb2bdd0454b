//! Uploads that nobody continues: a complete one is ended, one whose link is over is removed.

use super::model::Upload;
use super::store;
use super::tus::service::{abandon, end_when_whole};
use crate::FilesError;
use crate::requests::model::LinkState;
use crate::requests::{self, state_of};
use atalaya_assistance::Assistance;
use atalaya_cases::conferences::Scope;
use atalaya_db::DbResult;
use chrono::TimeDelta;

/// How long an upload may be idle before the job looks at it.
const IDLE: TimeDelta = TimeDelta::minutes(30);

/// Whether an upload waits to be ended or removed.
pub async fn is_due(deps: &Assistance) -> DbResult<bool> {
    let now = deps.sources.now();
    Ok(!store::list_idle(deps.db.read(), now - IDLE, now).await?.is_empty())
}

/// Looks after idle uploads. One that fails does not stop the rest.
pub async fn run(deps: &Assistance) -> Result<(), FilesError> {
    let now = deps.sources.now();
    for row in store::list_idle(deps.db.read(), now - IDLE, now).await? {
        if let Err(error) = sweep(deps, row).await {
            tracing::warn!(%error, "an idle upload could not be swept");
        }
    }
    Ok(())
}

/// Ends an upload that is complete, removes one whose link is over, and leaves the others to their clients.
async fn sweep(deps: &Assistance, row: Upload) -> Result<(), FilesError> {
    let Some((request, conference)) = requests::find(deps.db.read(), Scope::All, row.request_id).await? else { return Ok(()) };
    let over = !matches!(state_of(&request, &conference, deps.sources.now()), LinkState::Open | LinkState::Finished);
    if !over && row.offset_bytes == row.size_bytes {
        return match end_when_whole(deps, row).await {
            Ok(_) | Err(FilesError::Refused(_)) => Ok(()),
            Err(error) => Err(error),
        };
    }
    if over {
        abandon(deps, &row).await?;
        tracing::info!(upload.id = %row.id, "an abandoned upload was swept");
    }
    Ok(())
}
