//! Queries on the `api_key` table.

use super::entity::{ActiveModel, Column, Entity, Model};
use super::model::ApiKey;
use atalaya_db::{DbResult, Reads, Tx};
use atalaya_kernel::{ApiKeyId, CompanyId};
use chrono::{DateTime, Utc};
use sea_orm::sea_query::Expr;
use sea_orm::{ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder};

pub(crate) async fn insert(tx: &Tx, key: &ApiKey, key_hash: String) -> DbResult<()> {
    let row = ActiveModel {
        id: Set(key.id.0),
        company_id: Set(key.company.0),
        created_by: Set(key.created_by.0),
        prefix: Set(key.prefix.clone()),
        key_hash: Set(key_hash),
        created_at: Set(key.created_at),
        last_used_at: Set(None),
        revoked_at: Set(None),
    };
    Entity::insert(row).exec_without_returning(&**tx).await?;
    Ok(())
}

/// The living keys of a company, newest first; there are few.
pub(crate) async fn list_live(db: &impl ConnectionTrait, company: CompanyId) -> DbResult<Vec<ApiKey>> {
    let rows = Entity::find().filter(Column::CompanyId.eq(company.0)).filter(Column::RevokedAt.is_null());
    let rows = rows.order_by_desc(Column::CreatedAt).order_by_desc(Column::Id).rows(db).await?;
    Ok(rows.into_iter().map(to_key).collect())
}

pub(crate) async fn count_live(tx: &Tx, company: CompanyId) -> DbResult<u64> {
    let live = Entity::find().filter(Column::CompanyId.eq(company.0)).filter(Column::RevokedAt.is_null());
    Ok(live.count(&**tx).await?)
}

pub(crate) async fn find(tx: &Tx, id: ApiKeyId) -> DbResult<Option<ApiKey>> {
    Ok(Entity::find_by_id(id.0).one(&**tx).await?.map(to_key))
}

/// The living key of this hash. One indexed query.
pub(crate) async fn find_live_by_hash(db: &impl ConnectionTrait, key_hash: &str) -> DbResult<Option<ApiKey>> {
    let found = Entity::find().filter(Column::KeyHash.eq(key_hash)).filter(Column::RevokedAt.is_null()).row(db).await?;
    Ok(found.map(to_key))
}

/// Whether it was this call that revoked it.
pub(crate) async fn revoke(tx: &Tx, id: ApiKeyId, now: DateTime<Utc>) -> DbResult<bool> {
    let revoked = Entity::update_many()
        .col_expr(Column::RevokedAt, Expr::value(now))
        .filter(Column::Id.eq(id.0))
        .filter(Column::RevokedAt.is_null())
        .exec(&**tx);
    Ok(revoked.await?.rows_affected == 1)
}

pub(crate) async fn set_used(tx: &Tx, id: ApiKeyId, now: DateTime<Utc>) -> DbResult<()> {
    let row = ActiveModel { id: Set(id.0), last_used_at: Set(Some(now)), ..Default::default() };
    Entity::update(row).exec(&**tx).await?;
    Ok(())
}

fn to_key(row: Model) -> ApiKey {
    ApiKey {
        id: row.id.into(),
        company: row.company_id.into(),
        created_by: row.created_by.into(),
        prefix: row.prefix,
        created_at: row.created_at,
        last_used_at: row.last_used_at,
        revoked_at: row.revoked_at,
    }
}
