//! Queries of results.

use super::entity::phone_check::{ActiveModel, Column, Entity, Model};
use atalaya_db::{DbResult, Reads, Tx};
use chrono::{DateTime, Utc};
use sea_orm::{ActiveModelTrait, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect};

/// The newest results, or the one of a code.
pub async fn list(db: &impl ConnectionTrait, code: Option<&str>, limit: u64) -> DbResult<Vec<Model>> {
    let mut query = Entity::find();
    if let Some(code) = code {
        query = query.filter(Column::Code.eq(code));
    }
    Ok(query.order_by_desc(Column::At).order_by_desc(Column::Id).limit(limit).rows(db).await?)
}

pub async fn insert(tx: &Tx, row: Model) -> DbResult<()> {
    ActiveModel::from(row).reset_all().insert(&**tx).await?;
    Ok(())
}

/// Whether anything is older than `before`.
pub async fn any_before(db: &impl ConnectionTrait, before: DateTime<Utc>) -> DbResult<bool> {
    Ok(!Entity::find().filter(Column::At.lt(before)).limit(1).rows(db).await?.is_empty())
}

/// Deletes what is older than `before`.
pub async fn delete_before(tx: &Tx, before: DateTime<Utc>) -> DbResult<u64> {
    Ok(Entity::delete_many().filter(Column::At.lt(before)).exec(&**tx).await?.rows_affected)
}
