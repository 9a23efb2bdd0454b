//! Queries of dictated codes.

use super::entity::dictated_code::{ActiveModel, Column, Entity, Model};
use atalaya_db::{DbResult, Tx};
use atalaya_kernel::{ConferenceId, Sources};
use chrono::{DateTime, Utc};
use sea_orm::{ActiveModelTrait, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, Set};
use uuid::Uuid;

/// Digits that were dictated, and the conference whose link they stand for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DictatedCode {
    id: Uuid,
    pub conference: ConferenceId,
    pub expires_at: DateTime<Utc>,
}

impl From<Model> for DictatedCode {
    fn from(row: Model) -> Self {
        Self { id: row.id, conference: ConferenceId(row.conference_id), expires_at: row.expires_at }
    }
}

/// Replaces the conference's dictated code.
pub async fn replace(tx: &Tx, sources: &Sources, id: ConferenceId, code_hash: String, expires_at: DateTime<Utc>) -> DbResult<()> {
    Entity::delete_many().filter(Column::ConferenceId.eq(id.0)).exec(&**tx).await?;
    ActiveModel {
        id: Set(sources.uuid()),
        conference_id: Set(id.0),
        code_hash: Set(code_hash),
        tries: Set(0),
        created_at: Set(sources.now()),
        expires_at: Set(expires_at),
    }
    .insert(&**tx)
    .await?;
    Ok(())
}

/// Codes with this hash; several conferences can have the same digits.
pub async fn list(db: &impl ConnectionTrait, code_hash: &str) -> DbResult<Vec<DictatedCode>> {
    let rows = Entity::find().filter(Column::CodeHash.eq(code_hash)).all(db).await?;
    Ok(rows.into_iter().map(DictatedCode::from).collect())
}

/// Consumes a code; answers false when somebody else has just consumed it.
pub async fn delete(tx: &Tx, code: &DictatedCode) -> DbResult<bool> {
    Ok(Entity::delete_by_id(code.id).exec(&**tx).await?.rows_affected > 0)
}
