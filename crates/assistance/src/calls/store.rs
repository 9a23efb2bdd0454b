//! Queries of recordings.

use super::entity::{recording, removal};
use super::recording::{Change, Recording};
use atalaya_db::{DbResult, Reads, Tx};
use atalaya_kernel::{ConferenceId, RecordingId, Sources};
use chrono::{DateTime, Utc};
use sea_orm::sea_query::OnConflict;
use sea_orm::{ActiveModelTrait, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, Set, Unchanged};

impl From<recording::Model> for Recording {
    fn from(row: recording::Model) -> Self {
        Self {
            id: RecordingId(row.id),
            conference: ConferenceId(row.conference_id),
            started_by: row.started_by,
            external_id: row.external_id,
            paused_ms: row.paused_ms,
            started_at: row.started_at,
            paused_at: row.paused_at,
            stopped_at: row.stopped_at,
        }
    }
}

/// Every recording of a conference.
pub async fn list_recordings(db: &impl ConnectionTrait, id: ConferenceId) -> DbResult<Vec<Recording>> {
    let rows = recording::Entity::find().filter(recording::Column::ConferenceId.eq(id.0)).rows(db).await?;
    Ok(rows.into_iter().map(Recording::from).collect())
}

/// The newest recording of a conference.
pub async fn find_last_recording(db: &impl ConnectionTrait, id: ConferenceId) -> DbResult<Option<Recording>> {
    let query = recording::Entity::find().filter(recording::Column::ConferenceId.eq(id.0));
    Ok(query.order_by_desc(recording::Column::StartedAt).row(db).await?.map(Recording::from))
}

pub async fn find_recording(db: &impl ConnectionTrait, id: RecordingId) -> DbResult<Option<Recording>> {
    Ok(recording::Entity::find_by_id(id.0).row(db).await?.map(Recording::from))
}

/// Recordings that were running when the process ended.
pub async fn list_running_recordings(db: &impl ConnectionTrait) -> DbResult<Vec<Recording>> {
    let rows = recording::Entity::find().filter(recording::Column::StoppedAt.is_null()).rows(db).await?;
    Ok(rows.into_iter().map(Recording::from).collect())
}

/// Stores a recording that runs.
pub async fn insert_recording(tx: &Tx, new: Recording) -> DbResult<()> {
    let row = recording::ActiveModel {
        id: Set(new.id.0),
        conference_id: Set(new.conference.0),
        state: Set("running".into()),
        started_by: Set(new.started_by),
        external_id: Set(new.external_id),
        error: Set(None),
        paused_ms: Set(new.paused_ms),
        started_at: Set(new.started_at),
        paused_at: Set(new.paused_at),
        stopped_at: Set(new.stopped_at),
    };
    row.insert(&**tx).await?;
    Ok(())
}

pub async fn change_recording(tx: &Tx, id: RecordingId, change: Change) -> DbResult<()> {
    let mut row = recording::ActiveModel { id: Unchanged(id.0), ..Default::default() };
    match change {
        Change::Pause { at } => row.paused_at = Set(Some(at)),
        Change::Resume { paused_ms } => (row.paused_at, row.paused_ms) = (Set(None), Set(paused_ms)),
        Change::Stop { paused_ms, at } => {
            (row.paused_at, row.paused_ms) = (Set(None), Set(paused_ms));
            (row.stopped_at, row.state) = (Set(Some(at)), Set("stopped".into()));
        }
    }
    row.update(&**tx).await?;
    Ok(())
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
    Ok(of.filter(removal::Column::Identity.eq(identity)).row(db).await?.map(|row| row.at))
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
