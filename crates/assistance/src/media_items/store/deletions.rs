//! Files to be deleted from the storage once the transaction that gives them up is committed.

use super::super::entity::file_deletion;
use super::super::model::Deletion;
use atalaya_db::{DbResult, Reads, Tx};
use atalaya_kernel::{ConferenceId, Sources};
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, Set};
use uuid::Uuid;

/// Records files (or folders) for deletion.
pub async fn delete_later(
    tx: &Tx,
    sources: &Sources,
    conference: ConferenceId,
    names: impl IntoIterator<Item = (String, bool)>,
) -> DbResult<()> {
    let now = sources.now();
    let rows: Vec<file_deletion::ActiveModel> = names
        .into_iter()
        .map(|(name, folder)| file_deletion::ActiveModel {
            id: Set(sources.uuid()),
            conference_id: Set(conference.0),
            name: Set(name),
            folder: Set(folder),
            created_at: Set(now),
        })
        .collect();
    for rows in rows.chunks(500) {
        file_deletion::Entity::insert_many(rows.to_vec()).exec(&**tx).await?;
    }
    Ok(())
}

/// The oldest files recorded for deletion, at most `limit`.
pub async fn list_deletions(db: &impl ConnectionTrait, limit: u64) -> DbResult<Vec<Deletion>> {
    let query = file_deletion::Entity::find().order_by_asc(file_deletion::Column::CreatedAt);
    let rows = query.order_by_asc(file_deletion::Column::Id).limit(limit).rows(db).await?;
    Ok(rows.into_iter().map(|row| Deletion { id: row.id, name: row.name, folder: row.folder }).collect())
}

pub async fn forget_deletions(tx: &Tx, ids: &[Uuid]) -> DbResult<()> {
    file_deletion::Entity::delete_many().filter(file_deletion::Column::Id.is_in(ids.iter().copied())).exec(&**tx).await?;
    Ok(())
}
