//! Queries of recordings.

use super::entity::{recording, removal};
use atalaya_db::{DbResult, Tx};
use atalaya_kernel::{ConferenceId, RecordingId, Sources};
use chrono::{DateTime, Utc};
use sea_orm::sea_query::OnConflict;
use sea_orm::{ActiveModelTrait, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, Set};

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

/// Records that somebody was removed from a call.
pub async fn note_removal(tx: &Tx, sources: &Sources, id: ConferenceId, identity: &str) -> DbResult<()> {
    let row = removal::ActiveModel {
        id: Set(sources.uuid()),
        conference_id: Set(id.0),
        identity: Set(identity.to_owned()),
        at: Set(sources.now()),
    };
    let again = OnConflict::columns([removal::Column::ConferenceId, removal::Column::Identity])
        .update_column(removal::Column::At)
        .to_owned();
    removal::Entity::insert(row).on_conflict(again).exec_without_returning(&**tx).await?;
    Ok(())
}

/// When somebody was last removed from a call.
pub async fn removed_at(db: &impl ConnectionTrait, id: ConferenceId, identity: &str) -> DbResult<Option<DateTime<Utc>>> {
    let of = removal::Entity::find().filter(removal::Column::ConferenceId.eq(id.0));
    Ok(of.filter(removal::Column::Identity.eq(identity)).one(db).await?.map(|row| row.at))
}

/// Somebody who was removed is let in again.
pub async fn forget_removal(tx: &Tx, id: ConferenceId, identity: &str) -> DbResult<()> {
    removal::Entity::delete_many()
        .filter(removal::Column::ConferenceId.eq(id.0))
        .filter(removal::Column::Identity.eq(identity))
        .exec(&**tx)
        .await?;
    Ok(())
}
