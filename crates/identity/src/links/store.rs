//! Queries on the `account_token` table.

use super::entity::{ActiveModel, Column, Entity, Model};
use super::model::{InvitationFilter, InvitationState, Link, LinkKind, NewLink};
use crate::{IdentityError, IdentityResult};
use atalaya_db::{DbError, DbResult, Reads, Tx};
use atalaya_kernel::{CompanyId, Language, OutboxId, UserId};
use atalaya_messaging::Outbox;
use chrono::{DateTime, Utc};
use sea_orm::sea_query::{Expr, ExprTrait, LikeExpr, SelectStatement};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, Condition, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, QueryTrait,
};
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
    let row = Entity::find().filter(Column::TokenHash.eq(hash)).row(db).await.map_err(DbError::from)?;
    row.map(to_link).transpose()
}

pub(crate) async fn find_link(db: &impl ConnectionTrait, id: Uuid) -> IdentityResult<Option<Link>> {
    Entity::find_by_id(id).row(db).await.map_err(DbError::from)?.map(to_link).transpose()
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

/// Marks the link as used unless it already is; answers whether this call did.
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

/// The links of this kind that a user has, made in the same moment as another.
pub(crate) async fn find_made_with(
    db: &impl ConnectionTrait,
    kind: LinkKind,
    user: UserId,
    made: DateTime<Utc>,
) -> IdentityResult<Option<Link>> {
    let found = Entity::find()
        .filter(Column::Kind.eq(kind.name()))
        .filter(Column::UserId.eq(user.0))
        .filter(Column::CreatedAt.eq(made))
        .filter(Column::ReplacedAt.is_null());
    found.row(db).await.map_err(DbError::from)?.map(to_link).transpose()
}

/// Deletes the invitations that were not used of this address for the same purpose; answers how many there were.
pub(crate) async fn delete_unused_like(tx: &Tx, link: &Link) -> DbResult<u64> {
    let mut query = Entity::delete_many()
        .filter(Column::Kind.eq(link.kind.name()))
        .filter(Column::Address.eq(&link.address))
        .filter(Column::Role.eq(link.role.map(i16::from)))
        .filter(Column::UsedAt.is_null());
    query = match link.company {
        Some(company) => query.filter(Column::CompanyId.eq(company.0)),
        None => query.filter(Column::CompanyId.is_null()),
    };
    Ok(query.exec(&**tx).await?.rows_affected)
}

/// A page of invitations, newest first, with how many there are.
pub(crate) async fn list_invitations(
    db: &impl ConnectionTrait,
    filter: &InvitationFilter,
    now: DateTime<Utc>,
) -> IdentityResult<(Vec<Link>, u64)> {
    let mut query = Entity::find().filter(Column::Kind.eq(LinkKind::Activation.name())).filter(Column::ReplacedAt.is_null());
    if let Some(company) = filter.company {
        query = query.filter(Column::CompanyId.eq(company.0));
    }
    if let Some(role) = filter.role {
        query = query.filter(Column::Role.eq(i16::from(role)));
    }
    if let Some(state) = filter.state {
        query = query.filter(in_state(state, now));
    }
    if let Some(part) = &filter.search {
        query = query.filter(Expr::col(Column::Address).like(containing(part)));
    }
    let total = query.clone().number(db).await.map_err(DbError::from)?;
    let rows = query
        .order_by_desc(Column::CreatedAt)
        .order_by_desc(Column::Id)
        .offset(filter.offset)
        .limit(filter.limit)
        .rows(db)
        .await
        .map_err(DbError::from)?;
    Ok((rows.into_iter().map(to_link).collect::<IdentityResult<_>>()?, total))
}

/// The same order of states as [`InvitationState::of`].
fn in_state(state: InvitationState, now: DateTime<Utc>) -> Condition {
    let unused = || Condition::all().add(Column::UsedAt.is_null());
    let open = || unused().add(Column::ExpiresAt.gt(now));
    let failed = || Column::OutboxId.in_subquery(Outbox::failed_ids());
    match state {
        InvitationState::Activated => Condition::all().add(Column::UsedAt.is_not_null()),
        InvitationState::Expired => unused().add(Column::ExpiresAt.lte(now)),
        InvitationState::Opened => open().add(Column::OpenedAt.is_not_null()),
        InvitationState::Failed => open().add(Column::OpenedAt.is_null()).add(failed()),
        InvitationState::Sent => {
            open().add(Column::OpenedAt.is_null()).add(Condition::any().add(Column::OutboxId.is_null()).add(failed().not()))
        }
    }
}

/// A pattern that takes what was typed literally.
fn containing(part: &str) -> LikeExpr {
    let literal: String = part.chars().flat_map(|c| if "%_\\".contains(c) { vec!['\\', c] } else { vec![c] }).collect();
    LikeExpr::new(format!("%{literal}%")).escape('\\')
}

/// An invitation by its id.
pub(crate) async fn find_invitation(db: &impl ConnectionTrait, id: Uuid) -> IdentityResult<Option<Link>> {
    let found = find_link(db, id).await?;
    Ok(found.filter(|link| link.kind == LinkKind::Activation))
}

/// Whether somebody has used an invitation to the same address for the same purpose that is no older than this one.
pub(crate) async fn was_accepted_since(db: &impl ConnectionTrait, link: &Link) -> DbResult<bool> {
    let mut query = Entity::find()
        .filter(Column::Kind.eq(link.kind.name()))
        .filter(Column::Address.eq(&link.address))
        .filter(Column::Role.eq(link.role.map(i16::from)))
        .filter(Column::UsedAt.is_not_null())
        .filter(Column::CreatedAt.gte(link.created_at));
    query = match link.company {
        Some(company) => query.filter(Column::CompanyId.eq(company.0)),
        None => query.filter(Column::CompanyId.is_null()),
    };
    Ok(query.row(db).await?.is_some())
}

/// The accounts that invitations, by e-mail or SMS, became since then.
pub(crate) fn users_created_since(since: DateTime<Utc>) -> SelectStatement {
    Entity::find()
        .select_only()
        .column(Column::CreatedUserId)
        .filter(Column::Kind.eq(LinkKind::Activation.name()))
        .filter(Column::UsedAt.gt(since))
        .filter(Column::CreatedUserId.is_not_null())
        .into_query()
}

/// Messages whose link can no longer be used (used, replaced or expired), as a query for the outbox.
pub(crate) fn messages_of_dead(now: DateTime<Utc>) -> SelectStatement {
    let dead =
        Condition::any().add(Column::UsedAt.is_not_null()).add(Column::ReplacedAt.is_not_null()).add(Column::ExpiresAt.lte(now));
    Entity::find().select_only().column(Column::OutboxId).filter(Column::OutboxId.is_not_null()).filter(dead).into_query()
}

/// Whose account these messages' links are about: the message, the company and the user, as far as there are such.
pub(crate) async fn list_concerned(
    db: &impl ConnectionTrait,
    messages: &[OutboxId],
) -> DbResult<Vec<(OutboxId, Option<CompanyId>, Option<UserId>)>> {
    let rows: Vec<(Uuid, Option<Uuid>, Option<Uuid>)> = Entity::find()
        .select_only()
        .columns([Column::OutboxId, Column::CompanyId, Column::UserId])
        .filter(Column::OutboxId.is_in(messages.iter().map(|id| id.0)))
        .tuples(db)
        .await?;
    Ok(rows
        .into_iter()
        .map(|(message, company, user)| (OutboxId(message), company.map(Into::into), user.map(Into::into)))
        .collect())
}

/// Deletes obsolete links: resets that expired before `resets`, all others before `others`.
pub(crate) async fn delete_expired(tx: &Tx, resets: DateTime<Utc>, others: DateTime<Utc>) -> DbResult<u64> {
    let reset = Column::Kind.eq(LinkKind::Reset.name()).and(Column::ExpiresAt.lt(resets));
    let old = reset.or(Column::ExpiresAt.lt(others));
    Ok(Entity::delete_many().filter(old).exec(&**tx).await?.rows_affected)
}

fn to_link(row: Model) -> IdentityResult<Link> {
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
