//! Queries of stored documents.

use super::entity::{ActiveModel, Column, Entity, Model};
use atalaya_db::{DbResult, Tx};
use sea_orm::sea_query::OnConflict;
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, IntoActiveModel, QueryFilter};
use uuid::Uuid;

pub(crate) use super::entity::Model as Stored;

/// The document of this kind about this subject.
pub(crate) async fn find(db: &impl ConnectionTrait, kind: &str, subject: Uuid) -> DbResult<Option<Model>> {
    let query = Entity::find().filter(Column::Kind.eq(kind)).filter(Column::SubjectId.eq(subject));
    Ok(query.one(db).await?)
}

/// Writes it, unless there is one; answers whether it was written.
pub(crate) async fn insert(tx: &Tx, row: Model) -> DbResult<bool> {
    let row: ActiveModel = row.into_active_model();
    let once = OnConflict::columns([Column::Kind, Column::SubjectId]).do_nothing().to_owned();
    Ok(Entity::insert(row).on_conflict(once).exec_without_returning(&**tx).await? > 0)
}
