//! Queries of recordings.

use super::entity::recording;
use atalaya_db::{DbResult, Tx};
use atalaya_kernel::{ConferenceId, RecordingId};
use sea_orm::{ActiveModelTrait, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder};

/// Every recording of a conference.
pub async fn list_recordings(db: &impl ConnectionTrait, id: ConferenceId) -> DbResult<Vec<recording::Model>> {
    Ok(recording::Entity::find().filter(recording::Column::ConferenceId.eq(id.0)).all(db).await?)
}

/// The newest recording of a conference.
pub async fn find_last_recording(db: &impl ConnectionTrait, id: ConferenceId) -> DbResult<Option<recording::Model>> {
    Ok(recording::Entity::find()
        .filter(recording::Column::ConferenceId.eq(id.0))
        .order_by_desc(recording::Column::StartedAt)
        .one(db)
        .await?)
}

pub async fn find_recording(db: &impl ConnectionTrait, id: RecordingId) -> DbResult<Option<recording::Model>> {
    Ok(recording::Entity::find_by_id(id.0).one(db).await?)
}

/// Recordings that were running when the process ended.
pub async fn list_running_recordings(db: &impl ConnectionTrait) -> DbResult<Vec<recording::Model>> {
    Ok(recording::Entity::find().filter(recording::Column::StoppedAt.is_null()).all(db).await?)
}

pub async fn insert_recording(tx: &Tx, row: recording::ActiveModel) -> DbResult<recording::Model> {
    Ok(row.insert(&**tx).await?)
}

pub async fn update_recording(tx: &Tx, row: recording::ActiveModel) -> DbResult<recording::Model> {
    Ok(row.update(&**tx).await?)
}
