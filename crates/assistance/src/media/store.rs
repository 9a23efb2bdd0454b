//! Queries of media items, scoped through their conference.

use super::entity::media_item::{ActiveModel, Column, Entity, Model};
use crate::conferences::entity as conference;
use crate::conferences::store::Scope;
use atalaya_db::{DbResult, Tx};
use atalaya_kernel::{ConferenceId, MediaId};
use chrono::{DateTime, Utc};
use sea_orm::sea_query::Expr;
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, EntityTrait, IntoActiveModel, PaginatorTrait, QueryFilter, QueryOrder,
    QuerySelect, Set,
};

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
    let row = crate::conferences::store::find(db, scope, ConferenceId(item.conference_id)).await?;
    Ok(row.map(|row| (item, row)))
}

/// A file with its conference, if that is within the scope.
pub async fn find(db: &impl ConnectionTrait, scope: Scope, id: MediaId) -> DbResult<Option<(Model, conference::Model)>> {
    let Some(item) = Entity::find_by_id(id.0).one(db).await? else { return Ok(None) };
    let row = crate::conferences::store::find(db, scope, ConferenceId(item.conference_id)).await?;
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
