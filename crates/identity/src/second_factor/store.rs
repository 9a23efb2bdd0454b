//! Queries on recovery codes; the secret is a column of the user.

use super::entity::{ActiveModel, Column, Entity};
use atalaya_db::{DbResult, Reads, Tx};
use atalaya_kernel::UserId;
use chrono::{DateTime, Utc};
use sea_orm::sea_query::Expr;
use sea_orm::{ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter};
use uuid::Uuid;

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
    Ok(Entity::find().filter(Column::UserId.eq(user.0)).filter(Column::UsedAt.is_null()).number(db).await?)
}
