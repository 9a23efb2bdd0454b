//! Queries of the client's devices.

use super::door::ADMITTED;
use super::entity::client_device;
use atalaya_db::{DbResult, Tx};
use atalaya_kernel::{ConferenceId, Sources};
use chrono::{DateTime, Utc};
use sea_orm::sea_query::Expr;
use sea_orm::{ActiveModelTrait, ColumnTrait, ConnectionTrait, EntityTrait, IntoActiveModel, QueryFilter, QueryOrder, Set};
use std::collections::HashMap;
use uuid::Uuid;

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
        device: Set(None),
        standing: Set(None),
        waiting_since: Set(None),
        seen_at: Set(None),
        admitted_at: Set(None),
    }
    .insert(&**tx)
    .await?;
    Ok(())
}

/// The device with this identity in the media room.
pub async fn find_by_identity(
    db: &impl ConnectionTrait,
    id: ConferenceId,
    identity: &str,
) -> DbResult<Option<client_device::Model>> {
    Ok(client_device::Entity::find()
        .filter(client_device::Column::ConferenceId.eq(id.0))
        .filter(client_device::Column::Identity.eq(identity))
        .one(db)
        .await?)
}

/// The devices of a conference, oldest first.
pub async fn list_devices(db: &impl ConnectionTrait, id: ConferenceId) -> DbResult<Vec<client_device::Model>> {
    Ok(client_device::Entity::find()
        .filter(client_device::Column::ConferenceId.eq(id.0))
        .order_by_asc(client_device::Column::CreatedAt)
        .order_by_asc(client_device::Column::Id)
        .all(db)
        .await?)
}

/// Devices of all conferences that wait, and were last heard of before `before`.
pub async fn list_lost(db: &impl ConnectionTrait, before: DateTime<Utc>) -> DbResult<Vec<client_device::Model>> {
    Ok(client_device::Entity::find()
        .filter(client_device::Column::Standing.eq("waiting"))
        .filter(client_device::Column::SeenAt.lt(before))
        .all(db)
        .await?)
}

/// Writes what changed about a device: its name, its standing at the door, and its last sign of life.
pub async fn update_device(tx: &Tx, device: client_device::Model) -> DbResult<client_device::Model> {
    let mut change = device.clone().into_active_model();
    change.device = Set(device.device);
    change.standing = Set(device.standing);
    change.waiting_since = Set(device.waiting_since);
    change.seen_at = Set(device.seen_at);
    change.admitted_at = Set(device.admitted_at);
    Ok(change.update(&**tx).await?)
}

/// Takes the admission of every other device of the conference back.
pub async fn dismiss_others(tx: &Tx, id: ConferenceId, but: Uuid) -> DbResult<()> {
    client_device::Entity::update_many()
        .col_expr(client_device::Column::Standing, Expr::value(None::<String>))
        .filter(client_device::Column::ConferenceId.eq(id.0))
        .filter(client_device::Column::Id.ne(but))
        .filter(client_device::Column::Standing.eq("admitted"))
        .exec(&**tx)
        .await?;
    Ok(())
}

/// What the devices of a conference call themselves, by their identity in the media room.
pub async fn device_names(db: &impl ConnectionTrait, id: ConferenceId) -> DbResult<HashMap<String, String>> {
    let devices = list_devices(db, id).await?;
    Ok(devices.into_iter().filter_map(|device| Some((device.identity, device.device?))).collect())
}

/// Whether this device was not let in, outside of a transaction; an identity without a device of ours is a client's all the same.
pub(crate) async fn is_kept_out(db: &impl ConnectionTrait, id: ConferenceId, identity: &str) -> DbResult<bool> {
    let device = find_by_identity(db, id, identity).await?;
    Ok(device.is_none_or(|device| device.standing.as_deref() != Some(ADMITTED)))
}
