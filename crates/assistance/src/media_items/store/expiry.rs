//! Files whose term is over.

use super::super::entity::media_item::{Column, Entity};
use super::super::model::MediaItem;
use atalaya_db::{DbResult, Tx};
use atalaya_kernel::ConferenceId;
use chrono::{DateTime, Utc};
use sea_orm::sea_query::{Expr, Query, SelectStatement};
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter};
use uuid::Uuid;

/// The ids of the conferences that still have files, for another room's own query.
pub fn with_files() -> SelectStatement {
    Query::select().column(Column::ConferenceId).from(Entity).and_where(Column::ExpiredAt.is_null()).to_owned()
}

/// Files of a conference that have not expired, under the transaction's lock.
pub async fn list_unexpired(tx: &Tx, id: ConferenceId) -> DbResult<Vec<MediaItem>> {
    let query = Entity::find().filter(Column::ConferenceId.eq(id.0));
    let rows = query.filter(Column::ExpiredAt.is_null()).all(&**tx).await?;
    Ok(rows.into_iter().map(MediaItem::from).collect())
}

/// Marks a conference's files as expired, without their copies.
pub async fn expire(tx: &Tx, id: ConferenceId, at: DateTime<Utc>) -> DbResult<()> {
    Entity::update_many()
        .col_expr(Column::ExpiredAt, Expr::value(at))
        .col_expr(Column::ThumbnailBlob, Expr::value(None::<String>))
        .col_expr(Column::PreviewBlob, Expr::value(None::<String>))
        .filter(Column::ConferenceId.eq(id.0))
        .filter(Column::ExpiredAt.is_null())
        .exec(&**tx)
        .await?;
    Ok(())
}

/// Marks an erased conference's files as expired; the erasure itself takes their copies.
pub async fn mark_expired(tx: &Tx, conference: Uuid, at: DateTime<Utc>) -> DbResult<()> {
    Entity::update_many()
        .col_expr(Column::ExpiredAt, Expr::value(at))
        .filter(Column::ConferenceId.eq(conference))
        .filter(Column::ExpiredAt.is_null())
        .exec(&**tx)
        .await?;
    Ok(())
}
