//! Queries of dictated codes.

use super::entity;
use atalaya_db::{DbResult, Tx};
use atalaya_kernel::{ConferenceId, Sources};
use chrono::{DateTime, Utc};
use sea_orm::{ActiveModelTrait, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, Set};

/// Replaces the conference's dictated code.
pub async fn replace(tx: &Tx, sources: &Sources, id: ConferenceId, code_hash: String, expires_at: DateTime<Utc>) -> DbResult<()> {
    entity::dictated_code::Entity::delete_many().filter(entity::dictated_code::Column::ConferenceId.eq(id.0)).exec(&**tx).await?;
    entity::dictated_code::ActiveModel {
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
pub async fn list(db: &impl ConnectionTrait, code_hash: &str) -> DbResult<Vec<entity::dictated_code::Model>> {
    Ok(entity::dictated_code::Entity::find().filter(entity::dictated_code::Column::CodeHash.eq(code_hash)).all(db).await?)
}

/// Consumes a code; answers false when somebody else has just consumed it.
pub async fn delete(tx: &Tx, row: &entity::dictated_code::Model) -> DbResult<bool> {
    Ok(entity::dictated_code::Entity::delete_by_id(row.id).exec(&**tx).await?.rows_affected > 0)
}
