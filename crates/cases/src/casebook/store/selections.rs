//! Conferences that other rooms select, and conditions for their queries.

use super::super::conference::Conference;
use super::super::entity::{Column, Entity};
use super::Scope;
use atalaya_db::{DbResult, Reads};
use atalaya_kernel::CompanyId;
use atalaya_rest::page::Slice;
use chrono::{DateTime, Utc};
use sea_orm::sea_query::{Expr, ExprTrait, IntoColumnRef, Query, SelectStatement};
use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect, QueryTrait,
    Select,
};
use std::collections::HashMap;
use uuid::Uuid;

/// Conferences of one case within the scope, at most `limit`, newest first. Sorted here, because with an ORDER BY the
/// database reads all conferences of the company by date instead of the few of the case.
pub async fn list_of_case(db: &impl ConnectionTrait, scope: Scope, key: &str, limit: u64) -> DbResult<Vec<Conference>> {
    let query = Entity::find().filter(scope.condition()).filter(Column::ExpedientKey.eq(key));
    let mut rows = query.limit(limit).rows(db).await?;
    rows.sort_by_key(|row| std::cmp::Reverse((row.created_at, row.id)));
    Ok(rows.into_iter().map(Conference::from).collect())
}

/// Links of these conferences, as long as they are open.
pub async fn living_links(db: &impl ConnectionTrait, ids: &[Uuid]) -> DbResult<HashMap<Uuid, String>> {
    let rows: Vec<(Uuid, String)> = Entity::find()
        .select_only()
        .column(Column::Id)
        .column(Column::Hash)
        .filter(Column::Id.is_in(ids.iter().copied()))
        .filter(Column::Closed.eq(false))
        .filter(Column::ErasedAt.is_null())
        .tuples(db)
        .await?;
    Ok(rows.into_iter().collect())
}

/// The ids of open conferences within the scope, as a query for other rooms' conditions.
pub fn open_ids(scope: Scope) -> SelectStatement {
    let open = Entity::find().select_only().column(Column::Id).filter(scope.condition());
    open.filter(Column::Closed.eq(false)).into_query()
}

/// Whether a file of the outer query, with these columns, arrived after its conference's company last looked at the files.
pub fn arrived_unseen(conference_id: impl IntoColumnRef, arrived_at: impl IntoColumnRef) -> SelectStatement {
    let seen = || Expr::col((Entity, Column::MediaSeenAt));
    let unseen = Condition::any().add(seen().is_null()).add(Expr::col(arrived_at).gt(seen()));
    Query::select()
        .expr(Expr::val(1))
        .from(Entity)
        .and_where(Expr::col((Entity, Column::Id)).equals(conference_id))
        .cond_where(unseen)
        .to_owned()
}

/// Which conferences of a company are asked for.
pub struct Selection<'a> {
    pub company: CompanyId,
    pub from: DateTime<Utc>,
    pub until: DateTime<Utc>,
    /// Of this case only.
    pub expedient_key: Option<String>,
    /// Only among these.
    pub among: Option<&'a SelectStatement>,
}

impl Selection<'_> {
    fn select(&self) -> Select<Entity> {
        let mut query = Entity::find()
            .filter(Column::CompanyId.eq(self.company.0))
            .filter(Column::CreatedAt.gte(self.from))
            .filter(Column::CreatedAt.lt(self.until));
        if let Some(key) = &self.expedient_key {
            query = query.filter(Column::ExpedientKey.eq(key));
        }
        if let Some(among) = self.among {
            query = query.filter(Column::Id.in_subquery(among.clone()));
        }
        query
    }
}

/// A part of the selection, newest first, and how many it has.
pub async fn list_selected(
    db: &impl ConnectionTrait,
    selection: &Selection<'_>,
    slice: Slice,
) -> DbResult<(Vec<Conference>, u64)> {
    let total = selection.select().count(db).await?;
    let page = selection.select().order_by_desc(Column::CreatedAt).order_by_desc(Column::Id);
    let rows = page.offset(slice.offset).limit(slice.limit).all(db).await?;
    Ok((rows.into_iter().map(Conference::from).collect(), total))
}
