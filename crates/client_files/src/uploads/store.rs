//! Queries of uploads.

use super::entity::upload;
use super::model::{Upload, UploadState};
use crate::requests;
use atalaya_db::{DbResult, Reads, Tx};
use chrono::{DateTime, Utc};
use sea_orm::sea_query::Expr;
use sea_orm::{ActiveModelTrait, ColumnTrait, Condition, ConnectionTrait, EntityTrait, IntoActiveModel};
use sea_orm::{ExprTrait, QueryFilter, QueryOrder, QuerySelect};
use uuid::Uuid;

/// Rows that one run of the job reads.
const BATCH: u64 = 100;

pub async fn insert_upload(tx: &Tx, upload: Upload) -> DbResult<Upload> {
    Ok(upload::Model::from(upload).into_active_model().reset_all().insert(&**tx).await?.into())
}

pub async fn find_upload(db: &impl ConnectionTrait, request: Uuid, id: Uuid) -> DbResult<Option<Upload>> {
    let query = upload::Entity::find_by_id(id).filter(upload::Column::RequestId.eq(request));
    Ok(query.filter(upload::Column::State.ne(UploadState::Cancelled.wire())).row(db).await?.map(Upload::from))
}

pub async fn find_upload_by_key(db: &impl ConnectionTrait, request: Uuid, key: &str) -> DbResult<Option<Upload>> {
    let query = upload::Entity::find().filter(upload::Column::RequestId.eq(request)).filter(upload::Column::UploadKey.eq(key));
    Ok(query.row(db).await?.map(Upload::from))
}

/// The uploads of a request in order, without those that were given up.
pub async fn list_uploads(db: &impl ConnectionTrait, request: Uuid) -> DbResult<Vec<Upload>> {
    let rows = upload::Entity::find()
        .filter(upload::Column::RequestId.eq(request))
        .filter(upload::Column::State.ne(UploadState::Cancelled.wire()))
        .order_by_asc(upload::Column::CreatedAt)
        .order_by_asc(upload::Column::Id)
        .limit(2000)
        .rows(db)
        .await?;
    Ok(rows.into_iter().map(Upload::from).collect())
}

/// Uploads of a request that arrived or are under way, and their bytes.
pub async fn count_uploads(db: &impl ConnectionTrait, request: Uuid) -> DbResult<(u64, i64)> {
    let taken = upload::Entity::find()
        .filter(upload::Column::RequestId.eq(request))
        .filter(upload::Column::State.is_not_in([UploadState::Refused, UploadState::Cancelled].map(UploadState::wire)));
    let sizes: Vec<(i64,)> = taken.select_only().column(upload::Column::SizeBytes).tuples(db).await?;
    Ok((sizes.len() as u64, sizes.iter().map(|(size,)| size).sum()))
}

/// All uploads ever begun, including refused and given-up ones.
pub async fn count_tries(db: &impl ConnectionTrait, request: Uuid) -> DbResult<u64> {
    Ok(upload::Entity::find().filter(upload::Column::RequestId.eq(request)).number(db).await?)
}

/// Adds a stored segment. Answers false when another caller has changed the upload meanwhile.
pub async fn grow(tx: &Tx, row: &Upload, segment: &str, bytes: i64, now: DateTime<Utc>) -> DbResult<bool> {
    let segments = if row.segments.is_empty() { segment.to_owned() } else { format!("{} {segment}", row.segments) };
    let done = upload::Entity::update_many()
        .col_expr(upload::Column::Segments, Expr::value(segments))
        .col_expr(upload::Column::OffsetBytes, Expr::value(row.offset_bytes + bytes))
        .col_expr(upload::Column::UpdatedAt, Expr::value(now))
        .filter(upload::Column::Id.eq(row.id))
        .filter(upload::Column::State.eq(UploadState::Running.wire()))
        .filter(upload::Column::OffsetBytes.eq(row.offset_bytes))
        .filter(upload::Column::Segments.eq(row.segments.clone()))
        .exec(&**tx)
        .await?;
    Ok(done.rows_affected == 1)
}

/// Ends an upload: `accepted` with its media item, or `refused` with a code.
pub async fn end_upload(tx: &Tx, id: Uuid, state: UploadState, code: Option<&str>, media: Option<Uuid>) -> DbResult<()> {
    upload::Entity::update_many()
        .col_expr(upload::Column::State, Expr::value(state.wire()))
        .col_expr(upload::Column::Code, Expr::value(code.map(str::to_owned)))
        .col_expr(upload::Column::MediaId, Expr::value(media))
        .col_expr(upload::Column::Segments, Expr::value(""))
        .filter(upload::Column::Id.eq(id))
        .exec(&**tx)
        .await?;
    Ok(())
}

/// Gives an upload up (FILES-24). The row stays, because every try counts; its key is free again and its name is deleted.
/// Answers false when it has become a media item.
pub async fn cancel_upload(tx: &Tx, id: Uuid, now: DateTime<Utc>) -> DbResult<bool> {
    let done = upload::Entity::update_many()
        .col_expr(upload::Column::State, Expr::value(UploadState::Cancelled.wire()))
        .col_expr(upload::Column::UploadKey, Expr::value(format!("cancelled {id}")))
        .col_expr(upload::Column::Name, Expr::value(""))
        .col_expr(upload::Column::DeclaredType, Expr::value(""))
        .col_expr(upload::Column::Segments, Expr::value(""))
        .col_expr(upload::Column::UpdatedAt, Expr::value(now))
        .filter(upload::Column::Id.eq(id))
        .filter(upload::Column::State.ne(UploadState::Accepted.wire()))
        .exec(&**tx)
        .await?;
    Ok(done.rows_affected == 1)
}

/// Uploads without activity since then that are complete, or whose link is over.
pub async fn list_idle(db: &impl ConnectionTrait, since: DateTime<Utc>, now: DateTime<Utc>) -> DbResult<Vec<Upload>> {
    let whole = Expr::col(upload::Column::OffsetBytes).eq(Expr::col(upload::Column::SizeBytes));
    let rows = upload::Entity::find()
        .filter(upload::Column::State.eq(UploadState::Running.wire()))
        .filter(upload::Column::UpdatedAt.lte(since))
        .filter(Condition::any().add(whole).add(upload::Column::RequestId.in_subquery(requests::over(now))))
        .order_by_asc(upload::Column::UpdatedAt)
        .limit(BATCH)
        .rows(db)
        .await?;
    Ok(rows.into_iter().map(Upload::from).collect())
}
