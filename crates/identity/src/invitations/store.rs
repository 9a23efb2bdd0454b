//! Queries on invitations and on what was activated lately.

use super::model::{Filter, State};
use crate::IdentityResult;
use crate::audit::entity as audit;
use crate::companies::entity as company;
use crate::links::entity::{Column, Entity};
use crate::links::store::to_link;
use crate::links::{Link, LinkKind};
use crate::users::entity as user;
use crate::users::model::User;
use crate::users::store::to_user;
use atalaya_db::{DbError, DbResult, Tx};
use atalaya_kernel::{CompanyId, Role, Status, UserId};
use atalaya_messaging::Outbox;
use chrono::{DateTime, Utc};
use sea_orm::PaginatorTrait;
use sea_orm::sea_query::{Expr, LikeExpr};
use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, EntityTrait, ExprTrait, QueryFilter, QueryOrder, QuerySelect, QueryTrait,
};
use std::collections::HashMap;

/// A page of invitations, newest first, with how many there are.
pub(crate) async fn list(db: &impl ConnectionTrait, filter: &Filter, now: DateTime<Utc>) -> IdentityResult<(Vec<Link>, u64)> {
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
    let total = query.clone().count(db).await.map_err(DbError::from)?;
    let rows = query
        .order_by_desc(Column::CreatedAt)
        .order_by_desc(Column::Id)
        .offset(filter.offset)
        .limit(filter.limit)
        .all(db)
        .await
        .map_err(DbError::from)?;
    Ok((rows.into_iter().map(to_link).collect::<IdentityResult<_>>()?, total))
}

/// The same order of states as [`State::of`].
fn in_state(state: State, now: DateTime<Utc>) -> Condition {
    let unused = || Condition::all().add(Column::UsedAt.is_null());
    let open = || unused().add(Column::ExpiresAt.gt(now));
    let failed = || Column::OutboxId.in_subquery(Outbox::failed_ids());
    match state {
        State::Activated => Condition::all().add(Column::UsedAt.is_not_null()),
        State::Expired => unused().add(Column::ExpiresAt.lte(now)),
        State::Opened => open().add(Column::OpenedAt.is_not_null()),
        State::Failed => open().add(Column::OpenedAt.is_null()).add(failed()),
        State::Sent => {
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
pub(crate) async fn find_invitation(db: &impl ConnectionTrait, id: uuid::Uuid) -> IdentityResult<Option<Link>> {
    let found = crate::links::store::find_link(db, id).await?;
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
    Ok(query.one(db).await?.is_some())
}

/// Users by id.
pub(crate) async fn users(db: &impl ConnectionTrait, ids: Vec<UserId>) -> IdentityResult<HashMap<UserId, User>> {
    let rows = user::Entity::find().filter(user::Column::Id.is_in(ids.into_iter().map(|id| id.0))).all(db);
    let rows = rows.await.map_err(DbError::from)?;
    rows.into_iter().map(|row| to_user(row).map(|user| (user.id, user))).collect()
}

/// Names of companies by id.
pub(crate) async fn company_names(db: &impl ConnectionTrait, ids: Vec<CompanyId>) -> DbResult<HashMap<CompanyId, String>> {
    let rows: Vec<(uuid::Uuid, String)> = company::Entity::find()
        .select_only()
        .column(company::Column::Id)
        .column(company::Column::Company)
        .filter(company::Column::Id.is_in(ids.into_iter().map(|id| id.0)))
        .into_tuple()
        .all(db)
        .await?;
    Ok(rows.into_iter().map(|(id, name)| (id.into(), name)).collect())
}

/// Whether a company has an account of this user name, in its stored form.
pub(crate) async fn name_is_taken(db: &impl ConnectionTrait, company: CompanyId, user_name: &str) -> DbResult<bool> {
    let found = user::Entity::find().filter(user::Column::Parent.eq(company.0)).filter(user::Column::UserName.eq(user_name));
    Ok(found.one(db).await?.is_some())
}

/// The oldest account of a role in a company: its principal, for a principal's role.
pub(crate) async fn first_of_role(db: &impl ConnectionTrait, company: CompanyId, role: Role) -> IdentityResult<Option<User>> {
    let found = user::Entity::find()
        .filter(user::Column::Parent.eq(company.0))
        .filter(user::Column::Role.eq(i16::from(role)))
        .order_by_asc(user::Column::CreatedAt)
        .order_by_asc(user::Column::Id)
        .one(db);
    found.await.map_err(DbError::from)?.map(to_user).transpose()
}

/// Whether a company waits for its activation.
pub(crate) async fn is_pending(tx: &Tx, id: CompanyId) -> DbResult<bool> {
    let row = company::Entity::find_by_id(id.0).one(&**tx).await?;
    Ok(row.is_some_and(|row| row.status == i16::from(Status::PendingValidation)))
}

/// Sets a company and its principal active, with the day the payment starts.
pub(crate) async fn activate(tx: &Tx, id: CompanyId, principal: Option<UserId>, pay_start: DateTime<Utc>) -> DbResult<()> {
    company::Entity::update_many()
        .col_expr(company::Column::Status, Expr::value(i16::from(Status::Active)))
        .col_expr(company::Column::PayStartAt, Expr::value(Some(pay_start)))
        .filter(company::Column::Id.eq(id.0))
        .exec(&**tx)
        .await?;
    if let Some(principal) = principal {
        user::Entity::update_many()
            .col_expr(user::Column::Status, Expr::value(i16::from(Status::Active)))
            .filter(user::Column::Id.eq(principal.0))
            .exec(&**tx)
            .await?;
    }
    Ok(())
}

/// The account of this e-mail that an invitation, by e-mail or SMS, became since then.
pub(crate) async fn created_since(
    db: &impl ConnectionTrait,
    address: &str,
    since: DateTime<Utc>,
) -> IdentityResult<Option<UserId>> {
    let made = Entity::find()
        .select_only()
        .column(Column::CreatedUserId)
        .filter(Column::Kind.eq(LinkKind::Activation.name()))
        .filter(Column::UsedAt.gt(since))
        .filter(Column::CreatedUserId.is_not_null());
    let found = user::Entity::find()
        .filter(user::Column::Id.in_subquery(made.into_query()))
        .filter(user::Column::Email.eq(address))
        .order_by_desc(user::Column::CreatedAt)
        .one(db);
    Ok(found.await.map_err(DbError::from)?.map(|row| row.id.into()))
}

/// The company of this e-mail that was activated since then.
pub(crate) async fn activated_since(db: &impl ConnectionTrait, email: &str, since: DateTime<Utc>) -> DbResult<Option<CompanyId>> {
    let companies: Vec<uuid::Uuid> = audit::Entity::find()
        .select_only()
        .column(audit::Column::CompanyId)
        .filter(audit::Column::At.gt(since))
        .filter(audit::Column::Action.eq(crate::audit::Action::CompanyActivated.name()))
        .into_tuple()
        .all(db)
        .await?;
    let found =
        company::Entity::find().filter(company::Column::Id.is_in(companies)).filter(company::Column::Email.eq(email)).one(db);
    Ok(found.await?.map(|row| row.id.into()))
}
