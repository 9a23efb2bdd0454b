//! Queries on the `audit_entry` table.

use crate::entity::{Column, Entity, Model};
use atalaya_db::{Db, DbResult, Tx};
use atalaya_kernel::{CompanyId, Role, Sources, UserId};
use chrono::{DateTime, Utc};
use sea_orm::sea_query::Expr;
use sea_orm::{
    ActiveModelTrait, ColumnTrait, Condition, EntityTrait, IntoActiveModel, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect,
};
use serde_json::Value;
use uuid::Uuid;

pub mod chain;
pub mod reads;

/// An entry to be written.
#[derive(Clone, Debug)]
pub struct NewEntry {
    pub action: &'static str,
    pub company: CompanyId,
    pub user: Option<UserId>,
    /// Who did it; `None` for a link or the system.
    pub actor: Option<(UserId, Role)>,
    /// As it is now; empty for a link or the system.
    pub actor_name: String,
    pub detail: Value,
    pub address: Option<String>,
}

/// A stored entry.
#[derive(Clone, Debug)]
pub struct Logged {
    pub id: Uuid,
    pub at: DateTime<Utc>,
    pub actor: Option<(UserId, Option<Role>)>,
    pub actor_name: String,
    pub company: CompanyId,
    pub user: Option<UserId>,
    pub action: String,
    pub address: Option<String>,
    pub detail: Value,
}

/// Which entries.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    pub company: Option<CompanyId>,
    pub user: Option<UserId>,
    pub action: Option<String>,
    /// Inclusive.
    pub from: Option<DateTime<Utc>>,
    /// Exclusive.
    pub before: Option<DateTime<Utc>>,
}

/// Writes an entry at the end of the chain. That end is what all writers share, so the entry waits until everything else of its
/// transaction is written (AUDIT-7).
pub fn append(tx: &Tx, sources: &Sources, entry: NewEntry) {
    let mut row = Model {
        id: sources.uuid(),
        at: sources.now(),
        actor_id: entry.actor.map(|(user, _)| user.0),
        actor_role: entry.actor.map(|(_, role)| role.into()),
        actor_name: entry.actor_name,
        company_id: entry.company.0,
        user_id: entry.user.map(|user| user.0),
        action: entry.action.to_owned(),
        address: entry.address,
        detail: entry.detail,
        seq: None,
        hash: None,
        name_salt: None,
        name_commitment: None,
        address_salt: None,
        address_commitment: None,
    };
    let sources = sources.clone();
    tx.at_last(move |tx| {
        Box::pin(async move {
            chain::place(tx, &sources, &mut row).await?;
            Entity::insert(row.into_active_model().reset_all()).exec_without_returning(&**tx).await?;
            Ok(())
        })
    });
}

/// When an action was last done to a company, and its detail.
pub async fn last(db: &Db, company: CompanyId, action: &str) -> DbResult<Option<(DateTime<Utc>, Value)>> {
    let query = Entity::find().filter(Column::CompanyId.eq(company.0)).filter(Column::Action.eq(action));
    let found = query.order_by_desc(Column::At).order_by_desc(Column::Id).one(db.read()).await?;
    Ok(found.map(|row| (row.at, row.detail)))
}

/// The companies that an action was done to after a moment.
pub async fn companies_since(db: &Db, action: &str, since: DateTime<Utc>) -> DbResult<Vec<CompanyId>> {
    let query = Entity::find().select_only().column(Column::CompanyId);
    let query = query.filter(Column::At.gt(since)).filter(Column::Action.eq(action));
    let ids: Vec<Uuid> = query.into_tuple().all(db.read()).await?;
    Ok(ids.into_iter().map(CompanyId::from).collect())
}

/// Empties the addresses of entries before `before`, and their salts, so that nobody can find them by trying (AUDIT-8).
pub async fn forget_addresses(tx: &Tx, before: DateTime<Utc>) -> DbResult<u64> {
    let done = Entity::update_many()
        .col_expr(Column::Address, Expr::value(None::<String>))
        .col_expr(Column::AddressSalt, Expr::value(None::<String>))
        .filter(Column::At.lt(before))
        .filter(Column::Address.is_not_null())
        .exec(&**tx);
    Ok(done.await?.rows_affected)
}

/// A part of the entries, newest first, and how many there are in all.
pub async fn list(db: &Db, filter: &Filter, offset: u64, limit: u64) -> DbResult<(Vec<Logged>, u64)> {
    let wanted = Condition::all()
        .add_option(filter.company.map(|id| Column::CompanyId.eq(id.0)))
        .add_option(filter.user.map(|id| Column::UserId.eq(id.0)))
        .add_option(filter.action.as_ref().map(|action| Column::Action.eq(action)))
        .add_option(filter.from.map(|at| Column::At.gte(at)))
        .add_option(filter.before.map(|at| Column::At.lt(at)));
    let query = Entity::find().filter(wanted);
    let total = query.clone().count(db.read()).await?;
    let rows = query.order_by_desc(Column::At).order_by_desc(Column::Id).offset(offset).limit(limit);
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
