//! Queries on the `audit_entry` table.

use super::entity::{ActiveModel, Column, Entity, Model};
use super::model::{Action, Entry};
use super::view::{Filter, Logged};
use atalaya_db::{Db, DbResult, Tx};
use atalaya_kernel::{CompanyId, Role};
use atalaya_rest::page::Slice;
use chrono::{DateTime, Utc};
use sea_orm::sea_query::Expr;
use sea_orm::{ActiveValue::Set, ColumnTrait, Condition, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect};
use uuid::Uuid;

pub(crate) async fn insert(tx: &Tx, id: Uuid, entry: Entry, actor_name: String, now: DateTime<Utc>) -> DbResult<()> {
    let row = ActiveModel {
        id: Set(id),
        at: Set(now),
        actor_id: Set(entry.actor.map(|(user, _)| user.0)),
        actor_role: Set(entry.actor.map(|(_, role)| role.into())),
        actor_name: Set(actor_name),
        company_id: Set(entry.company.0),
        user_id: Set(entry.user.map(|user| user.0)),
        action: Set(entry.action.name().to_owned()),
        address: Set(entry.address),
        detail: Set(entry.detail),
    };
    Entity::insert(row).exec_without_returning(&**tx).await?;
    Ok(())
}

/// When an action was last done to a company, and its detail.
pub(crate) async fn last(db: &Db, company: CompanyId, action: Action) -> DbResult<Option<(DateTime<Utc>, serde_json::Value)>> {
    let query = Entity::find().filter(Column::CompanyId.eq(company.0)).filter(Column::Action.eq(action.name()));
    let found = query.order_by_desc(Column::At).order_by_desc(Column::Id).one(db.read()).await?;
    Ok(found.map(|row| (row.at, row.detail)))
}

/// The companies that an action was done to after a moment.
pub(crate) async fn companies_since(db: &Db, action: Action, since: DateTime<Utc>) -> DbResult<Vec<CompanyId>> {
    let query = Entity::find().select_only().column(Column::CompanyId);
    let query = query.filter(Column::At.gt(since)).filter(Column::Action.eq(action.name()));
    let ids: Vec<Uuid> = query.into_tuple().all(db.read()).await?;
    Ok(ids.into_iter().map(CompanyId::from).collect())
}

/// Empties the addresses of entries before `before`, the one change that the table allows.
pub(crate) async fn forget_addresses(tx: &Tx, before: DateTime<Utc>) -> DbResult<u64> {
    let done = Entity::update_many()
        .col_expr(Column::Address, Expr::value(None::<String>))
        .filter(Column::At.lt(before))
        .filter(Column::Address.is_not_null())
        .exec(&**tx);
    Ok(done.await?.rows_affected)
}

/// A part of the entries, newest first, and how many there are in all.
pub(crate) async fn list(db: &Db, filter: &Filter, slice: Slice) -> DbResult<(Vec<Logged>, u64)> {
    let wanted = Condition::all()
        .add_option(filter.company.map(|id| Column::CompanyId.eq(id.0)))
        .add_option(filter.user.map(|id| Column::UserId.eq(id.0)))
        .add_option(filter.action.as_ref().map(|action| Column::Action.eq(action)))
        .add_option(filter.from.map(|at| Column::At.gte(at)))
        .add_option(filter.before.map(|at| Column::At.lt(at)));
    let query = Entity::find().filter(wanted);
    let total = query.clone().count(db.read()).await?;
    let rows = query.order_by_desc(Column::At).order_by_desc(Column::Id).offset(slice.offset).limit(slice.limit);
    let rows = rows.all(db.read()).await?;
    Ok((rows.into_iter().map(to_logged).collect(), total))
}

fn to_logged(row: Model) -> Logged {
    let role = row.actor_role.and_then(|role| Role::try_from(role).ok());
    Logged {
        id: row.id,
        at: row.at,
        actor: row.actor_id.map(|id| (id.into(), role)),
        actor_name: row.actor_name,
        company: row.company_id.into(),
        user: row.user_id.map(Into::into),
        action: row.action,
        address: row.address,
        detail: row.detail,
    }
}
