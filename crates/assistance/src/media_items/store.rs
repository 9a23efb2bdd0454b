//! Queries of media items, scoped through their conference.

mod announcements;
mod deletions;
mod expiry;
mod requests;
mod rows;
mod shots;

pub use announcements::{count_announced, insert_announced, is_announced, list_awaited};
pub use deletions::{delete_later, forget_deletions, list_deletions};
pub use expiry::{expire, list_unexpired, mark_expired, with_files};
pub use requests::{items_by_request, review, set_preview};
pub use shots::{latest_of_shots, pictured, tag, untag};

use super::entity::media_item::{ActiveModel, Column, Entity, Model};
use super::kinds::MediaType;
use super::model::{MediaItem, Origin};
use atalaya_cases::conferences::{self, Conference, Scope};
use atalaya_db::{DbResult, Reads, Tx};
use atalaya_kernel::{ConferenceId, MediaId};
use atalaya_rest::page::Slice;
use chrono::{DateTime, Utc};
use sea_orm::sea_query::Expr;
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, EntityTrait, IntoActiveModel, PaginatorTrait, QueryFilter, QueryOrder,
    QuerySelect, Set,
};
use std::collections::HashMap;
use uuid::Uuid;

/// Everything of one conference in order of arrival; at most 5,000.
pub async fn list(db: &impl ConnectionTrait, id: ConferenceId) -> DbResult<Vec<MediaItem>> {
    let rows = Entity::find()
        .filter(Column::ConferenceId.eq(id.0))
        .order_by_asc(Column::CreatedAt)
        .order_by_asc(Column::Id)
        .limit(5000)
        .rows(db)
        .await?;
    Ok(rows.into_iter().map(MediaItem::from).collect())
}

/// The files of these conferences in order of arrival, at most `limit`.
pub async fn list_of(db: &impl ConnectionTrait, conferences: &[Uuid], limit: u64) -> DbResult<Vec<MediaItem>> {
    let rows = Entity::find()
        .filter(Column::ConferenceId.is_in(conferences.iter().copied()))
        .order_by_asc(Column::CreatedAt)
        .order_by_asc(Column::Id)
        .limit(limit)
        .rows(db)
        .await?;
    Ok(rows.into_iter().map(MediaItem::from).collect())
}

/// A file by its name with its conference, if that is within the scope.
pub async fn find_by_filename(
    db: &impl ConnectionTrait,
    scope: Scope,
    filename: &str,
) -> DbResult<Option<(MediaItem, Conference)>> {
    let Some(item) = Entity::find().filter(Column::Filename.eq(filename)).row(db).await? else { return Ok(None) };
    let row = conferences::find(db, scope, ConferenceId(item.conference_id)).await?;
    Ok(row.map(|row| (item.into(), row)))
}

/// A file with its conference, if that is within the scope.
pub async fn find(db: &impl ConnectionTrait, scope: Scope, id: MediaId) -> DbResult<Option<(MediaItem, Conference)>> {
    let Some(item) = Entity::find_by_id(id.0).row(db).await? else { return Ok(None) };
    let row = conferences::find(db, scope, ConferenceId(item.conference_id)).await?;
    Ok(row.map(|row| (item.into(), row)))
}

/// The item that a capture has already become.
pub async fn find_by_capture(db: &impl ConnectionTrait, id: ConferenceId, capture_id: &str) -> DbResult<Option<MediaItem>> {
    let query = Entity::find().filter(Column::ConferenceId.eq(id.0)).filter(Column::CaptureId.eq(capture_id));
    Ok(query.row(db).await?.map(MediaItem::from))
}

/// How many files of a kind a conference has, to number the next one.
pub async fn count(db: &impl ConnectionTrait, id: ConferenceId, media_type: MediaType) -> DbResult<u64> {
    let query = Entity::find().filter(Column::ConferenceId.eq(id.0)).filter(Column::MediaType.eq(media_type.wire()));
    Ok(query.number(db).await?)
}

/// Whether media arrived since the company last opened the conference's media (STORE-9).
pub async fn has_new(db: &impl ConnectionTrait, row: &Conference) -> DbResult<bool> {
    let mut query = Entity::find().filter(Column::ConferenceId.eq(row.id));
    if let Some(seen) = row.media_seen_at {
        query = query.filter(Column::CreatedAt.gt(seen));
    }
    Ok(query.limit(1).row(db).await?.is_some())
}

/// Records that the company has opened the conference's media.
pub async fn mark_seen(tx: &Tx, id: ConferenceId, at: DateTime<Utc>) -> DbResult<()> {
    conferences::mark_media_seen(tx, id, at).await
}

pub async fn insert(tx: &Tx, item: MediaItem) -> DbResult<MediaItem> {
    Ok(Model::from(item).into_active_model().reset_all().insert(&**tx).await?.into())
}

/// Writes what staff changed about a file; what was not sent stays.
pub async fn write_labels(
    tx: &Tx,
    item: MediaItem,
    label: Option<Option<String>>,
    note: Option<Option<String>>,
    shot: Option<Option<String>>,
) -> DbResult<MediaItem> {
    let mut row: ActiveModel = Model::from(item).into_active_model();
    if let Some(label) = label {
        row.label = Set(label);
    }
    if let Some(note) = note {
        row.note = Set(note);
    }
    if let Some(shot) = shot {
        row.shot = Set(shot);
    }
    Ok(row.update(&**tx).await?.into())
}

/// Ids in one query at most.
const BATCH: usize = 500;

/// How many files of each of these conferences arrived since its company last opened them.
pub async fn new_files_of(db: &impl ConnectionTrait, ids: &[Uuid]) -> DbResult<HashMap<Uuid, u32>> {
    let unseen = conferences::arrived_unseen((Entity, Column::ConferenceId), (Entity, Column::CreatedAt));
    let mut all = HashMap::new();
    for batch in ids.chunks(BATCH) {
        let rows: Vec<(Uuid, i64)> = Entity::find()
            .select_only()
            .column(Column::ConferenceId)
            .column_as(Column::Id.count(), "files")
            .filter(Column::ConferenceId.is_in(batch.iter().copied()))
            .filter(Expr::exists(unseen.clone()))
            .group_by(Column::ConferenceId)
            .tuples(db)
            .await?;
        all.extend(rows.into_iter().map(|(id, files)| (id, u32::try_from(files).unwrap_or(u32::MAX))));
    }
    Ok(all)
}

/// Files of a conference that came this way.
pub async fn count_of_origin(db: &impl ConnectionTrait, id: ConferenceId, origin: Origin) -> DbResult<u64> {
    Ok(Entity::find().filter(Column::ConferenceId.eq(id.0)).filter(Column::Origin.eq(origin.wire())).number(db).await?)
}

/// Files of any kind that a conference ever had.
pub async fn count_of(db: &impl ConnectionTrait, id: Uuid) -> DbResult<u64> {
    Ok(Entity::find().filter(Column::ConferenceId.eq(id)).count(db).await?)
}

/// Files that arrived from `from` until before `until`, newest first, and how many there are.
pub async fn list_between(
    db: &impl ConnectionTrait,
    (from, until): (DateTime<Utc>, DateTime<Utc>),
    slice: Slice,
) -> DbResult<(Vec<MediaItem>, u64)> {
    let query = Entity::find().filter(Column::CreatedAt.gte(from)).filter(Column::CreatedAt.lt(until));
    let total = query.clone().count(db).await?;
    let query = query.order_by_desc(Column::CreatedAt).order_by_desc(Column::Id);
    let rows = query.offset(slice.offset).limit(slice.limit).all(db).await?;
    Ok((rows.into_iter().map(MediaItem::from).collect(), total))
}
