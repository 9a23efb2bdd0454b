//! Queries of stored documents.

use super::entity::{ActiveModel, Column, Entity, Model};
use super::model::Stored;
use atalaya_db::{DbResult, Tx};
use sea_orm::sea_query::OnConflict;
use sea_orm::{ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter};
use uuid::Uuid;

/// The document of this kind about this subject.
pub(crate) async fn find(db: &impl ConnectionTrait, kind: &str, subject: Uuid) -> DbResult<Option<Stored>> {
    let query = Entity::find().filter(Column::Kind.eq(kind)).filter(Column::SubjectId.eq(subject));
    Ok(query.one(db).await?.map(to_stored))
}

fn to_stored(row: Model) -> Stored {
    Stored {
        id: row.id,
        kind: row.kind,
        subject: row.subject_id,
        name: row.name,
        sha256: row.sha256,
        size_bytes: row.size_bytes,
        blob: row.blob,
        data_key: row.data_key,
        created_at: row.created_at,
    }
}

/// Writes it, unless there is one; answers whether it was written.
pub(crate) async fn insert(tx: &Tx, new: Stored) -> DbResult<bool> {
    let row = ActiveModel {
        id: Set(new.id),
        kind: Set(new.kind),
        subject_id: Set(new.subject),
        name: Set(new.name),
        sha256: Set(new.sha256),
        size_bytes: Set(new.size_bytes),
        blob: Set(new.blob),
        data_key: Set(new.data_key),
        created_at: Set(new.created_at),
    };
    let once = OnConflict::columns([Column::Kind, Column::SubjectId]).do_nothing().to_owned();
    Ok(Entity::insert(row).on_conflict(once).exec_without_returning(&**tx).await? > 0)
}
