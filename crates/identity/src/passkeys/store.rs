//! Queries on passkeys and their ceremonies.

use super::entity::{ceremony, passkey};
use super::model::Passkey;
use crate::{IdentityError, IdentityResult};
use atalaya_db::{DbError, DbResult, Reads, Tx};
use atalaya_kernel::UserId;
use chrono::{DateTime, Utc};
use passki::StoredPasskey;
use sea_orm::{ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder};
use serde_json::Value;
use uuid::Uuid;

/// What a ceremony is for.
#[derive(Clone, Copy)]
pub(crate) enum Kind {
    Register,
    LogIn,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::Register => "register",
            Self::LogIn => "login",
        }
    }
}

pub(crate) struct NewCeremony {
    pub id: Uuid,
    pub user: Option<UserId>,
    pub kind: Kind,
    pub state: Value,
    pub expires_at: DateTime<Utc>,
}

pub(crate) async fn insert_ceremony(tx: &Tx, new: NewCeremony) -> DbResult<()> {
    let row = ceremony::ActiveModel {
        id: Set(new.id),
        user_id: Set(new.user.map(|id| id.0)),
        kind: Set(new.kind.name().to_owned()),
        state: Set(new.state),
        expires_at: Set(new.expires_at),
    };
    ceremony::Entity::insert(row).exec_without_returning(&**tx).await?;
    Ok(())
}

/// Takes a log-in's ceremony out; of many at once exactly one gets it. `None` when it is unknown, old or taken.
pub(crate) async fn take_log_in(tx: &Tx, id: Uuid, now: DateTime<Utc>) -> DbResult<Option<Value>> {
    let of_kind = ceremony::Column::Kind.eq(Kind::LogIn.name());
    let found = ceremony::Entity::find_by_id(id).filter(of_kind).filter(ceremony::Column::ExpiresAt.gt(now)).one(&**tx).await?;
    take(tx, found).await
}

/// Takes a user's registration out.
pub(crate) async fn take_registration(tx: &Tx, user: UserId, now: DateTime<Utc>) -> DbResult<Option<Value>> {
    let found = ceremony::Entity::find()
        .filter(ceremony::Column::UserId.eq(user.0))
        .filter(ceremony::Column::Kind.eq(Kind::Register.name()))
        .filter(ceremony::Column::ExpiresAt.gt(now))
        .one(&**tx)
        .await?;
    take(tx, found).await
}

async fn take(tx: &Tx, found: Option<ceremony::Model>) -> DbResult<Option<Value>> {
    let Some(row) = found else { return Ok(None) };
    let gone = ceremony::Entity::delete_by_id(row.id).exec(&**tx).await?;
    Ok((gone.rows_affected == 1).then_some(row.state))
}

/// A new registration takes the place of an earlier one.
pub(crate) async fn delete_registrations(tx: &Tx, user: UserId) -> DbResult<()> {
    ceremony::Entity::delete_many().filter(ceremony::Column::UserId.eq(user.0)).exec(&**tx).await?;
    Ok(())
}

/// Deletes every passkey of a user, those being made included. Answers how many there were.
pub(crate) async fn delete_all_of(tx: &Tx, user: UserId) -> DbResult<u64> {
    delete_registrations(tx, user).await?;
    Ok(passkey::Entity::delete_many().filter(passkey::Column::UserId.eq(user.0)).exec(&**tx).await?.rows_affected)
}

/// Deletes ceremonies past their time.
pub(crate) async fn delete_expired_ceremonies(tx: &Tx, now: DateTime<Utc>) -> DbResult<u64> {
    Ok(ceremony::Entity::delete_many().filter(ceremony::Column::ExpiresAt.lte(now)).exec(&**tx).await?.rows_affected)
}

/// Errors: [`IdentityError::Db`] with a duplicate when the credential is known.
pub(crate) async fn insert(tx: &Tx, user: UserId, new: &Passkey, key: &StoredPasskey) -> DbResult<()> {
    let row = passkey::ActiveModel {
        id: Set(new.id),
        user_id: Set(user.0),
        credential_id: Set(passki::Passki::base64_encode(&key.credential_id)),
        name: Set(new.name.clone()),
        data: Set(to_json(key)),
        created_at: Set(new.created_at),
        last_used_at: Set(None),
    };
    passkey::Entity::insert(row).exec_without_returning(&**tx).await?;
    Ok(())
}

fn to_json(key: &StoredPasskey) -> Value {
    serde_json::to_value(key).expect("a key is plain data")
}

fn read_key(row: &passkey::Model) -> IdentityResult<StoredPasskey> {
    serde_json::from_value(row.data.clone()).map_err(|error| IdentityError::Corrupt(format!("passkey {}: {error}", row.id)))
}

fn read(row: passkey::Model) -> Passkey {
    Passkey { id: row.id, name: row.name, created_at: row.created_at, last_used_at: row.last_used_at }
}

/// A user's passkeys, oldest first.
pub(crate) async fn list(db: &impl ConnectionTrait, user: UserId) -> DbResult<Vec<Passkey>> {
    let rows = passkey::Entity::find().filter(passkey::Column::UserId.eq(user.0)).order_by_asc(passkey::Column::Id).rows(db);
    Ok(rows.await?.into_iter().map(read).collect())
}

/// The keys of a user.
pub(crate) async fn list_keys(db: &impl ConnectionTrait, user: UserId) -> IdentityResult<Vec<StoredPasskey>> {
    let rows = passkey::Entity::find().filter(passkey::Column::UserId.eq(user.0)).rows(db);
    rows.await.map_err(DbError::from)?.iter().map(read_key).collect()
}

/// A key by its credential's id, of any user.
pub(crate) async fn find_by_credential(
    db: &impl ConnectionTrait,
    credential: &[u8],
) -> IdentityResult<Option<(Uuid, UserId, StoredPasskey)>> {
    let id = passki::Passki::base64_encode(credential);
    let row = passkey::Entity::find().filter(passkey::Column::CredentialId.eq(id)).row(db).await.map_err(DbError::from)?;
    row.map(|row| Ok((row.id, row.user_id.into(), read_key(&row)?))).transpose()
}

/// Notes that a key was used, with its new counter.
pub(crate) async fn mark_used(tx: &Tx, id: Uuid, key: &StoredPasskey, now: DateTime<Utc>) -> DbResult<()> {
    let row = passkey::ActiveModel { id: Set(id), data: Set(to_json(key)), last_used_at: Set(Some(now)), ..Default::default() };
    passkey::Entity::update(row).exec(&**tx).await?;
    Ok(())
}

/// Deletes a user's own passkey; answers whether there was one.
pub(crate) async fn delete(tx: &Tx, user: UserId, id: Uuid) -> DbResult<bool> {
    let gone = passkey::Entity::delete_many().filter(passkey::Column::Id.eq(id)).filter(passkey::Column::UserId.eq(user.0));
    Ok(gone.exec(&**tx).await?.rows_affected == 1)
}
