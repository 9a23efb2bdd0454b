//! Queries of breaches.

use super::entity::security_breach::{Column, Entity, Model};
use atalaya_db::{DbResult, Tx};
use atalaya_rest::page::Slice;
use sea_orm::{ActiveModelTrait, ConnectionTrait, EntityTrait, IntoActiveModel, PaginatorTrait, QueryOrder, QuerySelect};
use uuid::Uuid;

pub(super) async fn insert(tx: &Tx, row: Model) -> DbResult<Model> {
    Ok(row.into_active_model().reset_all().insert(&**tx).await?)
}

pub(super) async fn find(db: &impl ConnectionTrait, id: Uuid) -> DbResult<Option<Model>> {
    Ok(Entity::find_by_id(id).one(db).await?)
}

/// Entries, newest first, with how many there are.
pub(super) async fn list(db: &impl ConnectionTrait, slice: Slice) -> DbResult<(Vec<Model>, u64)> {
    let total = Entity::find().count(db).await?;
    let query = Entity::find().order_by_desc(Column::At).order_by_desc(Column::Id);
    Ok((query.offset(slice.offset).limit(slice.limit).all(db).await?, total))
}
