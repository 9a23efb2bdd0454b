//! Queries on the `outbox_attachment` table.

use super::entity::{ActiveModel, Column, Entity};
use super::{Attachment, AttachmentFile, AttachmentInfo};
use atalaya_db::{DbResult, Tx};
use atalaya_kernel::{OutboxId, Sources};
use sea_orm::sea_query::{Expr, SelectStatement};
use sea_orm::{ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, ExprTrait, QueryFilter, QueryOrder, QuerySelect};
use std::collections::HashMap;
use uuid::Uuid;

pub(crate) async fn insert(tx: &Tx, sources: &Sources, message: OutboxId, files: Vec<Attachment>) -> DbResult<()> {
    for (position, file) in (0i16..).zip(files) {
        let row = ActiveModel {
            id: Set(sources.uuid()),
            outbox_id: Set(message.0),
            position: Set(position),
            name: Set(file.name),
            content_type: Set(file.content_type.to_owned()),
            size: Set(i64::try_from(file.bytes.len()).unwrap_or(i64::MAX)),
            bytes: Set(Some(file.bytes.to_vec())),
        };
        Entity::insert(row).exec_without_returning(&**tx).await?;
    }
    Ok(())
}

/// The files of one message whose bytes are kept, in their order.
pub(crate) async fn files(db: &impl ConnectionTrait, message: OutboxId) -> DbResult<Vec<AttachmentFile>> {
    let rows = Entity::find().filter(Column::OutboxId.eq(message.0)).order_by_asc(Column::Position).all(db).await?;
    let file = |row: super::entity::Model| {
        Some(AttachmentFile { name: row.name, content_type: row.content_type, bytes: row.bytes?.into() })
    };
    Ok(rows.into_iter().filter_map(file).collect())
}

/// One file, while its bytes are kept.
pub(crate) async fn find(db: &impl ConnectionTrait, id: Uuid) -> DbResult<Option<AttachmentFile>> {
    let row = Entity::find_by_id(id).one(db).await?;
    Ok(row.and_then(|row| Some(AttachmentFile { name: row.name, content_type: row.content_type, bytes: row.bytes?.into() })))
}

/// The files of these messages, without the bytes.
pub(crate) async fn list(db: &impl ConnectionTrait, ids: &[OutboxId]) -> DbResult<HashMap<OutboxId, Vec<AttachmentInfo>>> {
    let mut all: HashMap<OutboxId, Vec<AttachmentInfo>> = HashMap::new();
    let rows: Vec<(Uuid, Uuid, String, String, i64, bool)> = Entity::find()
        .select_only()
        .columns([Column::Id, Column::OutboxId, Column::Name, Column::ContentType, Column::Size])
        .expr(Expr::col(Column::Bytes).is_not_null())
        .filter(Column::OutboxId.is_in(ids.iter().map(|id| id.0)))
        .order_by_asc(Column::Position)
        .into_tuple()
        .all(db)
        .await?;
    for (id, message, name, content_type, size, kept) in rows {
        all.entry(OutboxId(message)).or_default().push(AttachmentInfo { id, name, content_type, size, kept });
    }
    Ok(all)
}

/// Deletes the bytes of these messages' files. Answers how many files.
pub(crate) async fn forget_of(tx: &Tx, messages: SelectStatement) -> DbResult<u64> {
    let done = Entity::update_many()
        .col_expr(Column::Bytes, Expr::value(None::<Vec<u8>>))
        .filter(Column::Bytes.is_not_null())
        .filter(Column::OutboxId.in_subquery(messages))
        .exec(&**tx)
        .await?;
    Ok(done.rows_affected)
}

/// Deletes the bytes of a sent message's files.
pub(crate) async fn forget(tx: &Tx, message: OutboxId) -> DbResult<()> {
    Entity::update_many()
        .col_expr(Column::Bytes, Expr::value(None::<Vec<u8>>))
        .filter(Column::OutboxId.eq(message.0))
        .exec(&**tx)
        .await?;
    Ok(())
}
