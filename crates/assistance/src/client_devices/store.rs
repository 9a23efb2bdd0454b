//! Queries of the client's devices.

use super::entity::client_device::{ActiveModel, Column, Entity, Model};
use super::model::{ClientDevice, Standing};
use atalaya_db::{DbResult, Reads, Tx};
use atalaya_kernel::{ConferenceId, Sources};
use chrono::{DateTime, Utc};
use sea_orm::sea_query::Expr;
use sea_orm::{ActiveModelTrait, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, Set, Unchanged};
use std::collections::HashMap;
use uuid::Uuid;

impl From<Model> for ClientDevice {
    fn from(row: Model) -> Self {
        Self {
            id: row.id,
            conference: ConferenceId(row.conference_id),
            identity: row.identity,
            created_at: row.created_at,
            device: row.device,
            standing: row.standing.as_deref().and_then(Standing::parse),
            waiting_since: row.waiting_since,
            seen_at: row.seen_at,
            admitted_at: row.admitted_at,
        }
    }
}

/// The device that holds this key for this conference.
pub async fn find_device(db: &impl ConnectionTrait, id: ConferenceId, key_hash: &str) -> DbResult<Option<ClientDevice>> {
    let query = Entity::find().filter(Column::ConferenceId.eq(id.0)).filter(Column::KeyHash.eq(key_hash));
    Ok(query.row(db).await?.map(ClientDevice::from))
}

/// A new device, with the public key that it made for its pictures (base64 of the DER).
pub async fn insert_device(
    tx: &Tx,
    sources: &Sources,
    id: ConferenceId,
    key_hash: String,
    identity: String,
    public_key: Option<String>,
) -> DbResult<()> {
    ActiveModel {
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
        public_key: Set(public_key),
    }
    .insert(&**tx)
    .await?;
    Ok(())
}

/// The public keys of a conference's devices (base64 of the DER).
pub async fn public_keys(db: &impl ConnectionTrait, id: ConferenceId) -> DbResult<Vec<String>> {
    let query = Entity::find().filter(Column::ConferenceId.eq(id.0)).filter(Column::PublicKey.is_not_null());
    Ok(query.rows(db).await?.into_iter().filter_map(|row| row.public_key).collect())
}

/// The device with this identity in the media room.
pub async fn find_by_identity(db: &impl ConnectionTrait, id: ConferenceId, identity: &str) -> DbResult<Option<ClientDevice>> {
    let query = Entity::find().filter(Column::ConferenceId.eq(id.0)).filter(Column::Identity.eq(identity));
    Ok(query.row(db).await?.map(ClientDevice::from))
}

/// The devices of a conference, oldest first.
pub async fn list_devices(db: &impl ConnectionTrait, id: ConferenceId) -> DbResult<Vec<ClientDevice>> {
    let rows = Entity::find()
        .filter(Column::ConferenceId.eq(id.0))
        .order_by_asc(Column::CreatedAt)
        .order_by_asc(Column::Id)
        .rows(db)
        .await?;
    Ok(rows.into_iter().map(ClientDevice::from).collect())
}

/// Devices of all conferences that wait, and were last heard of before `before`.
pub async fn list_lost(db: &impl ConnectionTrait, before: DateTime<Utc>) -> DbResult<Vec<ClientDevice>> {
    let rows =
        Entity::find().filter(Column::Standing.eq(Standing::Waiting.stored())).filter(Column::SeenAt.lt(before)).rows(db).await?;
    Ok(rows.into_iter().map(ClientDevice::from).collect())
}

/// Writes what changed about a device: its name, its standing at the door, and its last sign of life.
pub async fn update_device(tx: &Tx, device: ClientDevice) -> DbResult<ClientDevice> {
    let change = ActiveModel {
        id: Unchanged(device.id),
        device: Set(device.device),
        standing: Set(device.standing.map(|standing| standing.stored().to_owned())),
        waiting_since: Set(device.waiting_since),
        seen_at: Set(device.seen_at),
        admitted_at: Set(device.admitted_at),
        ..Default::default()
    };
    Ok(change.update(&**tx).await?.into())
}

/// Takes the admission of every other device of the conference back.
pub async fn dismiss_others(tx: &Tx, id: ConferenceId, but: Uuid) -> DbResult<()> {
    Entity::update_many()
        .col_expr(Column::Standing, Expr::value(None::<String>))
        .filter(Column::ConferenceId.eq(id.0))
        .filter(Column::Id.ne(but))
        .filter(Column::Standing.eq(Standing::Admitted.stored()))
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
pub async fn is_kept_out(db: &impl ConnectionTrait, id: ConferenceId, identity: &str) -> DbResult<bool> {
    let device = find_by_identity(db, id, identity).await?;
    Ok(device.is_none_or(|device| device.standing != Some(Standing::Admitted)))
}

/// Whether this identity may not be in the media room: a device that is not admitted, but still holds a token.
pub async fn keeps_out(tx: &Tx, id: ConferenceId, identity: &str) -> DbResult<bool> {
    let device = find_by_identity(&**tx, id, identity).await?;
    Ok(device.is_some_and(|device| device.standing != Some(Standing::Admitted)))
}

pub async fn device_name(tx: &Tx, id: ConferenceId, identity: &str) -> DbResult<Option<String>> {
    Ok(find_by_identity(&**tx, id, identity).await?.and_then(|device| device.device))
}

/// Whether this device hung up, and did not just lose its connection.
pub async fn has_hung_up(tx: &Tx, id: ConferenceId, identity: &str) -> DbResult<bool> {
    let device = find_by_identity(&**tx, id, identity).await?;
    Ok(device.is_some_and(|device| device.standing == Some(Standing::Left)))
}
