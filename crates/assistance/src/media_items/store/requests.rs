//! Files that were requested: which item they answer, their review, and previews from the sender's browser.

use super::super::entity::media_item::{Column, Entity};
use super::super::model::{MediaItem, Review};
use atalaya_db::{DbResult, Reads, Tx};
use chrono::{DateTime, Utc};
use sea_orm::sea_query::Expr;
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect};
use std::collections::HashMap;
use uuid::Uuid;

/// Which files answer which items of these requests, in order of arrival.
pub async fn items_by_request(db: &impl ConnectionTrait, requests: &[Uuid]) -> DbResult<HashMap<Uuid, Vec<Uuid>>> {
    let mut all: HashMap<Uuid, Vec<Uuid>> = HashMap::new();
    for batch in requests.chunks(500) {
        let rows: Vec<(Uuid, Uuid)> = Entity::find()
            .select_only()
            .column(Column::Id)
            .column(Column::ItemId)
            .filter(Column::RequestId.is_in(batch.iter().copied()))
            .filter(Column::ItemId.is_not_null())
            .order_by_asc(Column::CreatedAt)
            .order_by_asc(Column::Id)
            .tuples(db)
            .await?;
        for (media, item) in rows {
            all.entry(item).or_default().push(media);
        }
    }
    Ok(all)
}

/// Writes a reviewer's verdict.
pub async fn review(
    tx: &Tx,
    id: Uuid,
    verdict: Review,
    note: Option<String>,
    by: Uuid,
    at: DateTime<Utc>,
) -> DbResult<MediaItem> {
    Entity::update_many()
        .col_expr(Column::Review, Expr::value(verdict.wire()))
        .col_expr(Column::ReviewNote, Expr::value(note))
        .col_expr(Column::ReviewedBy, Expr::value(by))
        .col_expr(Column::ReviewedAt, Expr::value(at))
        .filter(Column::Id.eq(id))
        .exec(&**tx)
        .await?;
    let row = Entity::find_by_id(id).one(&**tx).await?;
    Ok(row.ok_or_else(|| sea_orm::DbErr::RecordNotFound("media_item".into()))?.into())
}

/// Stores the preview of a picture that the server cannot decode.
pub async fn set_preview(
    tx: &Tx,
    id: Uuid,
    preview: (String, String),
    thumbnail: (String, String),
    size: (i32, i32),
) -> DbResult<()> {
    Entity::update_many()
        .col_expr(Column::PreviewBlob, Expr::value(preview.0))
        .col_expr(Column::PreviewHash, Expr::value(preview.1))
        .col_expr(Column::ThumbnailBlob, Expr::value(thumbnail.0))
        .col_expr(Column::ThumbnailHash, Expr::value(thumbnail.1))
        .col_expr(Column::Width, Expr::value(size.0))
        .col_expr(Column::Height, Expr::value(size.1))
        .filter(Column::Id.eq(id))
        .exec(&**tx)
        .await?;
    Ok(())
}
