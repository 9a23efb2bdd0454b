//! A job of every minute: sends notices, reminders and rejections that are due, and cleans up abandoned uploads.

use crate::FilesError;
use crate::requests::notices;
use crate::uploads::idle;
use atalaya_assistance::Assistance;

/// Whether anything is due.
pub async fn is_due(deps: &Assistance) -> atalaya_db::DbResult<bool> {
    Ok(notices::is_due(deps).await? || idle::is_due(deps).await?)
}

/// Does everything that is due. What fails stays due and does not stop the rest.
pub async fn run(deps: &Assistance) -> Result<(), FilesError> {
    notices::run(deps).await?;
    idle::run(deps).await
}
