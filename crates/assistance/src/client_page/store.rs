//! Queries of the client's devices and of dictated codes.

use super::entity::{client_device, dictated_code};
use atalaya_db::{DbResult, Tx};
use atalaya_kernel::{ConferenceId, Sources};
use sea_orm::{ActiveModelTrait, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, Set};

/// The device that holds this key for this conference.
pub async fn find_device(db: &impl ConnectionTrait, id: ConferenceId, key_hash: &str) -> DbResult<Option<client_device::Model>> {
    Ok(client_device::Entity::find()
        .filter(client_device::Column::ConferenceId.eq(id.0))
        .filter(client_device::Column::KeyHash.eq(key_hash))
        .one(db)
        .await?)
}

pub async fn insert_device(tx: &Tx, sources: &Sources, id: ConferenceId, key_hash: String, identity: String) -> DbResult<()> {
    client_device::ActiveModel {
        id: Set(sources.uuid()),
        conference_id: Set(id.0),
        key_hash: Set(key_hash),
        identity: Set(identity),
        created_at: Set(sources.now()),
    }
    .insert(&**tx)
    .await?;
    Ok(())
}

/// Codes with this hash; several conferences can have the same six digits.
pub async fn list_codes(db: &impl ConnectionTrait, code_hash: &str) -> DbResult<Vec<dictated_code::Model>> {
    Ok(dictated_code::Entity::find().filter(dictated_code::Column::CodeHash.eq(code_hash)).all(db).await?)
}

/// Consumes a code; answers false when somebody else has just consumed it.
pub async fn delete_code(tx: &Tx, row: &dictated_code::Model) -> DbResult<bool> {
    Ok(dictated_code::Entity::delete_by_id(row.id).exec(&**tx).await?.rows_affected > 0)
}
