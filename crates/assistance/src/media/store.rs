//! Queries of media items, scoped through their conference.

use super::announcements::Announcement;
use super::entity::media_item::{self, ActiveModel, Column, Entity, Model};
use super::entity::{capture_announcement, file_deletion};
use super::service::Origin;
use atalaya_cases::conferences::{Scope, entity as conference};
use atalaya_db::{DbResult, Tx};
use atalaya_kernel::{ConferenceId, MediaId, Sources};
use chrono::{DateTime, Utc};
use sea_orm::sea_query::{Expr, ExprTrait, OnConflict, Query};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, Condition, ConnectionTrait, EntityTrait, IntoActiveModel, JoinType, PaginatorTrait,
    QueryFilter, QueryOrder, QuerySelect, Set,
};
use std::collections::HashMap;
use uuid::Uuid;

/// Everything of one conference in order of arrival; at most 5,000.
pub async fn list(db: &impl ConnectionTrait, id: ConferenceId) -> DbResult<Vec<Model>> {
    Ok(Entity::find()
        .filter(Column::ConferenceId.eq(id.0))
        .order_by_asc(Column::CreatedAt)
        .order_by_asc(Column::Id)
        .limit(5000)
        .all(db)
        .await?)
}

/// A file by its name with its conference, if that is within the scope.
pub async fn find_by_filename(
    db: &impl ConnectionTrait,
    scope: Scope,
    filename: &str,
) -> DbResult<Option<(Model, conference::Model)>> {
    let Some(item) = Entity::find().filter(Column::Filename.eq(filename)).one(db).await? else { return Ok(None) };
    let row = atalaya_cases::conferences::find(db, scope, ConferenceId(item.conference_id)).await?;
    Ok(row.map(|row| (item, row)))
}

/// A file with its conference, if that is within the scope.
pub async fn find(db: &impl ConnectionTrait, scope: Scope, id: MediaId) -> DbResult<Option<(Model, conference::Model)>> {
    let Some(item) = Entity::find_by_id(id.0).one(db).await? else { return Ok(None) };
    let row = atalaya_cases::conferences::find(db, scope, ConferenceId(item.conference_id)).await?;
    Ok(row.map(|row| (item, row)))
}

/// The item that a capture has already become.
pub async fn find_by_capture(db: &impl ConnectionTrait, id: ConferenceId, capture_id: &str) -> DbResult<Option<Model>> {
    Ok(Entity::find().filter(Column::ConferenceId.eq(id.0)).filter(Column::CaptureId.eq(capture_id)).one(db).await?)
}

/// How many files of a kind a conference has, to number the next one.
pub async fn count(db: &impl ConnectionTrait, id: ConferenceId, media_type: &str) -> DbResult<u64> {
    Ok(Entity::find().filter(Column::ConferenceId.eq(id.0)).filter(Column::MediaType.eq(media_type)).count(db).await?)
}

/// Whether media arrived since the company last opened the conference's media (STORE-9).
pub async fn has_new(db: &impl ConnectionTrait, row: &conference::Model) -> DbResult<bool> {
    let mut query = Entity::find().filter(Column::ConferenceId.eq(row.id));
    if let Some(seen) = row.media_seen_at {
        query = query.filter(Column::CreatedAt.gt(seen));
    }
    Ok(query.limit(1).one(db).await?.is_some())
}

/// Records that the company has opened the conference's media.
pub async fn mark_seen(tx: &Tx, id: ConferenceId, at: DateTime<Utc>) -> DbResult<()> {
    conference::Entity::update_many()
        .col_expr(conference::Column::MediaSeenAt, Expr::value(at))
        .filter(conference::Column::Id.eq(id.0))
        .exec(&**tx)
        .await?;
    Ok(())
}

pub async fn insert(tx: &Tx, row: ActiveModel) -> DbResult<Model> {
    Ok(row.insert(&**tx).await?)
}

pub async fn update(tx: &Tx, row: ActiveModel) -> DbResult<Model> {
    Ok(row.update(&**tx).await?)
}

/// Writes what staff changed about a file; what was not sent stays.
pub async fn write_labels(
    tx: &Tx,
    item: Model,
    label: Option<Option<String>>,
    note: Option<Option<String>>,
    shot: Option<Option<String>>,
) -> DbResult<Model> {
    let mut row = item.into_active_model();
    if let Some(label) = label {
        row.label = Set(label);
    }
    if let Some(note) = note {
        row.note = Set(note);
    }
    if let Some(shot) = shot {
        row.shot = Set(shot);
    }
    update(tx, row).await
}

/// Ids in one query at most.
const BATCH: usize = 500;

/// How many files of each of these conferences arrived since its company last opened them.
pub async fn new_files_of(db: &impl ConnectionTrait, ids: &[Uuid]) -> DbResult<HashMap<Uuid, u32>> {
    let unseen = Condition::any()
        .add(conference::Column::MediaSeenAt.is_null())
        .add(Expr::col((Entity, Column::CreatedAt)).gt(Expr::col((conference::Entity, conference::Column::MediaSeenAt))));
    let mut all = HashMap::new();
    for batch in ids.chunks(BATCH) {
        let rows: Vec<(Uuid, i64)> = Entity::find()
            .select_only()
            .column(Column::ConferenceId)
            .column_as(Column::Id.count(), "files")
            .join(
                JoinType::InnerJoin,
                Entity::belongs_to(conference::Entity).from(Column::ConferenceId).to(conference::Column::Id).into(),
            )
            .filter(Column::ConferenceId.is_in(batch.iter().copied()))
            .filter(unseen.clone())
            .group_by(Column::ConferenceId)
            .into_tuple()
            .all(db)
            .await?;
        all.extend(rows.into_iter().map(|(id, files)| (id, u32::try_from(files).unwrap_or(u32::MAX))));
    }
    Ok(all)
}

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
pub async fn list_deletions(db: &impl ConnectionTrait, limit: u64) -> DbResult<Vec<file_deletion::Model>> {
    let query = file_deletion::Entity::find().order_by_asc(file_deletion::Column::CreatedAt);
    Ok(query.order_by_asc(file_deletion::Column::Id).limit(limit).all(db).await?)
}

pub async fn forget_deletions(tx: &Tx, ids: &[Uuid]) -> DbResult<()> {
    file_deletion::Entity::delete_many().filter(file_deletion::Column::Id.is_in(ids.iter().copied())).exec(&**tx).await?;
    Ok(())
}

fn announced(id: ConferenceId) -> sea_orm::Select<capture_announcement::Entity> {
    capture_announcement::Entity::find().filter(capture_announcement::Column::ConferenceId.eq(id.0))
}

/// Pictures that devices of a conference have announced.
pub async fn count_announced(tx: &Tx, id: ConferenceId) -> DbResult<u64> {
    Ok(announced(id).count(&**tx).await?)
}

/// Remembers an announcement; a repeated one changes nothing.
pub async fn insert_announced(tx: &Tx, sources: &Sources, id: ConferenceId, one: Announcement) -> DbResult<()> {
    use capture_announcement::Column;
    let row = capture_announcement::ActiveModel {
        id: Set(sources.uuid()),
        conference_id: Set(id.0),
        capture_id: Set(one.capture_id),
        sha256: Set(one.sha256),
        at: Set(sources.now()),
    };
    let once = OnConflict::columns([Column::ConferenceId, Column::CaptureId]).do_nothing().to_owned();
    capture_announcement::Entity::insert(row).on_conflict(once).exec_without_returning(&**tx).await?;
    Ok(())
}

/// Hashes of announced pictures that have not arrived, in the order of their announcement.
pub async fn list_awaited(tx: &Tx, id: ConferenceId) -> DbResult<Vec<String>> {
    let arrived = Query::select().column(Column::Hash).from(media_item::Entity).and_where(Column::ConferenceId.eq(id.0)).take();
    let query = announced(id)
        .select_only()
        .column(capture_announcement::Column::Sha256)
        .filter(capture_announcement::Column::Sha256.not_in_subquery(arrived))
        .order_by_asc(capture_announcement::Column::At)
        .order_by_asc(capture_announcement::Column::Id);
    Ok(query.into_tuple().all(&**tx).await?)
}

pub async fn is_announced(tx: &Tx, id: ConferenceId, sha256: &str) -> DbResult<bool> {
    Ok(announced(id).filter(capture_announcement::Column::Sha256.eq(sha256)).count(&**tx).await? > 0)
}

/// Files of a conference that came this way.
pub async fn count_of_origin(db: &impl ConnectionTrait, id: ConferenceId, origin: Origin) -> DbResult<u64> {
    Ok(Entity::find().filter(Column::ConferenceId.eq(id.0)).filter(Column::Origin.eq(origin.wire())).count(db).await?)
}
