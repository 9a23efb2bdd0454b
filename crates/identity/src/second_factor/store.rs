//! Queries on secrets and recovery codes.

use super::entity::{ActiveModel, Column, Entity};
use crate::users::entity as users;
use atalaya_db::{DbResult, Tx};
use atalaya_kernel::UserId;
use chrono::{DateTime, Utc};
use sea_orm::sea_query::{Expr, ExprTrait};
use sea_orm::{ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, PaginatorTrait, QueryFilter};
use uuid::Uuid;

/// What is stored of a second factor.
pub(crate) struct Stored {
    /// Sealed.
    pub secret: Option<String>,
    /// The secret was verified; the log-in asks for codes.
    pub enabled: bool,
}

pub(crate) async fn find(db: &impl ConnectionTrait, user: UserId) -> DbResult<Option<Stored>> {
    let row = users::Entity::find_by_id(user.0).one(db).await?;
    Ok(row.map(|row| Stored { secret: row.two_factor_secret, enabled: row.two_factor_enabled }))
}

/// Sets or forgets the secret; the accepted step begins anew.
pub(crate) async fn set(tx: &Tx, user: UserId, secret: Option<String>, enabled: bool) -> DbResult<()> {
    let row = users::ActiveModel {
        id: Set(user.0),
        two_factor_secret: Set(secret),
        two_factor_enabled: Set(enabled),
        two_factor_step: Set(None),
        ..Default::default()
    };
    users::Entity::update(row).exec(&**tx).await?;
    Ok(())
}

/// Accepts the code of a step if none of this or a later one was accepted; of many at once exactly one succeeds.
pub(crate) async fn spend_step(tx: &Tx, user: UserId, step: i64) -> DbResult<bool> {
    let earlier = users::Column::TwoFactorStep.is_null().or(users::Column::TwoFactorStep.lt(step));
    let done = users::Entity::update_many()
        .col_expr(users::Column::TwoFactorStep, Expr::value(step))
        .filter(users::Column::Id.eq(user.0))
        .filter(earlier)
        .exec(&**tx);
    Ok(done.await?.rows_affected == 1)
}

/// Puts these codes in the place of all earlier ones.
pub(crate) async fn replace_codes(tx: &Tx, user: UserId, hashes: Vec<(Uuid, String)>, now: DateTime<Utc>) -> DbResult<()> {
    Entity::delete_many().filter(Column::UserId.eq(user.0)).exec(&**tx).await?;
    if hashes.is_empty() {
        return Ok(());
    }
    let rows = hashes.into_iter().map(|(id, hash)| ActiveModel {
        id: Set(id),
        user_id: Set(user.0),
        code_hash: Set(hash),
        created_at: Set(now),
        used_at: Set(None),
    });
    Entity::insert_many(rows).exec_without_returning(&**tx).await?;
    Ok(())
}

/// Spends a recovery code; of many at once exactly one succeeds.
pub(crate) async fn spend_code(tx: &Tx, user: UserId, hash: &str, now: DateTime<Utc>) -> DbResult<bool> {
    let done = Entity::update_many()
        .col_expr(Column::UsedAt, Expr::value(now))
        .filter(Column::UserId.eq(user.0))
        .filter(Column::CodeHash.eq(hash))
        .filter(Column::UsedAt.is_null())
        .exec(&**tx);
    Ok(done.await?.rows_affected == 1)
}

/// Recovery codes that may still be used.
pub(crate) async fn count_codes(db: &impl ConnectionTrait, user: UserId) -> DbResult<u64> {
    Ok(Entity::find().filter(Column::UserId.eq(user.0)).filter(Column::UsedAt.is_null()).count(db).await?)
}
