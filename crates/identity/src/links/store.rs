//! Queries on the `account_token` table.

use super::entity::{ActiveModel, Column, Entity, Model};
use super::model::{Link, LinkKind, NewLink};
use crate::{IdentityError, IdentityResult};
use atalaya_db::{DbError, DbResult, Tx};
use atalaya_kernel::{CompanyId, Language, OutboxId, UserId};
use chrono::{DateTime, Utc};
use sea_orm::sea_query::{Expr, ExprTrait};
use sea_orm::{ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter};
use uuid::Uuid;

pub(crate) async fn insert(tx: &Tx, id: Uuid, new: &NewLink, hash: String, now: DateTime<Utc>) -> DbResult<()> {
    let row = ActiveModel {
        id: Set(id),
        kind: Set(new.kind.name().to_owned()),
        token_hash: Set(hash),
        address: Set(new.address.clone()),
        language: Set(new.language.code().to_owned()),
        role: Set(new.role.map(Into::into)),
        company_id: Set(new.company.map(|id| id.0)),
        user_id: Set(new.user.map(|id| id.0)),
        inviter_id: Set(new.inviter.map(|id| id.0)),
        outbox_id: Set(None),
        created_user_id: Set(None),
        created_at: Set(now),
        expires_at: Set(now + new.kind.life()),
        opened_at: Set(None),
        used_at: Set(None),
        replaced_at: Set(None),
    };
    Entity::insert(row).exec_without_returning(&**tx).await?;
    Ok(())
}

pub(crate) async fn find_by_hash(db: &impl ConnectionTrait, hash: &str) -> IdentityResult<Option<Link>> {
    let row = Entity::find().filter(Column::TokenHash.eq(hash)).one(db).await.map_err(DbError::from)?;
    row.map(to_link).transpose()
}

pub(crate) async fn find_link(db: &impl ConnectionTrait, id: Uuid) -> IdentityResult<Option<Link>> {
    Entity::find_by_id(id).one(db).await.map_err(DbError::from)?.map(to_link).transpose()
}

/// Marks a company's usable links of a kind used: what they allow has happened.
pub(crate) async fn spend_all_of(tx: &Tx, kind: LinkKind, company: CompanyId, now: DateTime<Utc>) -> DbResult<()> {
    Entity::update_many()
        .col_expr(Column::UsedAt, Expr::value(now))
        .filter(Column::Kind.eq(kind.name()))
        .filter(Column::CompanyId.eq(company.0))
        .filter(Column::UsedAt.is_null())
        .exec(&**tx)
        .await?;
    Ok(())
}

/// Marks the link used if nobody did before; answers whether this call did.
pub(crate) async fn spend(tx: &Tx, id: Uuid, created: Option<UserId>, now: DateTime<Utc>) -> DbResult<bool> {
    let done = Entity::update_many()
        .col_expr(Column::UsedAt, Expr::value(now))
        .col_expr(Column::CreatedUserId, Expr::value(created.map(|id| id.0)))
        .filter(Column::Id.eq(id))
        .filter(Column::UsedAt.is_null())
        .filter(Column::ReplacedAt.is_null())
        .filter(Column::ExpiresAt.gt(now))
        .exec(&**tx);
    Ok(done.await?.rows_affected == 1)
}

pub(crate) async fn mark_opened(tx: &Tx, id: Uuid, now: DateTime<Utc>) -> DbResult<()> {
    Entity::update_many()
        .col_expr(Column::OpenedAt, Expr::value(now))
        .filter(Column::Id.eq(id))
        .filter(Column::OpenedAt.is_null())
        .exec(&**tx)
        .await?;
    Ok(())
}

pub(crate) async fn set_message(tx: &Tx, id: Uuid, message: OutboxId) -> DbResult<()> {
    let row = ActiveModel { id: Set(id), outbox_id: Set(Some(message.0)), ..Default::default() };
    Entity::update(row).exec(&**tx).await?;
    Ok(())
}

/// Earlier open links of the same purpose give way to a new one.
pub(crate) async fn replace_earlier(tx: &Tx, new: &NewLink, now: DateTime<Utc>) -> DbResult<()> {
    let mut query = Entity::update_many()
        .col_expr(Column::ReplacedAt, Expr::value(now))
        .filter(Column::Kind.eq(new.kind.name()))
        .filter(Column::UsedAt.is_null())
        .filter(Column::ReplacedAt.is_null());
    query = match new.user {
        Some(user) => query.filter(Column::UserId.eq(user.0)),
        None => query.filter(Column::Address.eq(new.address.clone())).filter(Column::Role.eq(new.role.map(i16::from))),
    };
    query = match new.company {
        Some(company) => query.filter(Column::CompanyId.eq(company.0)),
        None => query.filter(Column::CompanyId.is_null()),
    };
    query.exec(&**tx).await?;
    Ok(())
}

/// Deletes links nobody asks about any more: resets that expired before `resets`, all others before `others`.
pub(crate) async fn sweep(tx: &Tx, resets: DateTime<Utc>, others: DateTime<Utc>) -> DbResult<u64> {
    let reset = Column::Kind.eq(LinkKind::Reset.name()).and(Column::ExpiresAt.lt(resets));
    let old = reset.or(Column::ExpiresAt.lt(others));
    Ok(Entity::delete_many().filter(old).exec(&**tx).await?.rows_affected)
}

pub(crate) fn to_link(row: Model) -> IdentityResult<Link> {
    let corrupt = |what: &dyn std::fmt::Display| IdentityError::Corrupt(format!("link {}: {what}", row.id));
    Ok(Link {
        id: row.id,
        kind: LinkKind::parse(&row.kind).ok_or_else(|| corrupt(&"unknown kind"))?,
        role: row.role.map(|role| role.try_into().map_err(|e| corrupt(&e))).transpose()?,
        address: row.address,
        language: Language::parse(&row.language).unwrap_or_default(),
        company: row.company_id.map(Into::into),
        user: row.user_id.map(Into::into),
        inviter: row.inviter_id.map(Into::into),
        message: row.outbox_id.map(OutboxId),
        created_user: row.created_user_id.map(Into::into),
        created_at: row.created_at,
        expires_at: row.expires_at,
        opened_at: row.opened_at,
        used_at: row.used_at,
        replaced_at: row.replaced_at,
    })
}
