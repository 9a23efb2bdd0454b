//! The queries of lists: one page, its count, and what belongs to its rows.

use super::model::{ListState, Range};
use crate::conferences::entity::{Column, Entity, Model};
use crate::conferences::model::ConferenceType;
use crate::conferences::store::Scope;
use crate::connections::room;
use crate::evidence;
use atalaya_db::DbResult;
use atalaya_kernel::{CompanyId, Role, UserId, collate};
use atalaya_rest::page::{MAX_LIMIT, Slice, Sort};
use chrono::{DateTime, Utc};
use sea_orm::sea_query::{Expr, ExprTrait};
use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, EntityTrait, Order, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect, Select,
};
use std::collections::HashMap;
use uuid::Uuid;

/// Fields a list can be sorted by; the first, descending, is the default of the screens.
pub const SORTS: &[(&str, Column)] = &[
    ("createdAt", Column::CreatedAt),
    ("expedientNumber", Column::ExpedientKey),
    ("userName", Column::UserName),
    ("customerName", Column::CustomerName),
    ("phoneNumber", Column::PhoneNumber),
    ("carId", Column::CarId),
    ("duration", Column::DurationS),
];

/// The fields of the repair side's lists, which show no number.
pub fn sorts_for(role: Role) -> Vec<(&'static str, Column)> {
    SORTS.iter().filter(|(_, column)| !(role.is_repair_side() && matches!(column, Column::PhoneNumber))).copied().collect()
}

/// Which conferences.
pub struct Filter {
    pub scope: Scope,
    /// Whose list it is: a caller cannot search by what the list does not show them.
    pub role: Role,
    /// `None`: of every company, for administrators.
    pub company: Option<CompanyId>,
    /// `None`: of both types.
    pub conference_type: Option<ConferenceType>,
    /// `None`: of all days.
    pub range: Option<Range>,
    /// Only those that this user opened.
    pub user: Option<UserId>,
    /// Only those in this state at that moment.
    pub state: Option<(ListState, DateTime<Utc>)>,
    /// Only these, within everything else.
    pub ids: Option<Vec<Uuid>>,
    pub search: String,
}

/// What a list can be narrowed to (CASE-26).
fn in_state(state: ListState, now: DateTime<Utc>) -> Condition {
    let over = || Condition::any().add(Column::Closed.eq(true)).add(Column::ExpiredAt.lte(now));
    match state {
        ListState::New => Condition::all().add(Expr::exists(evidence::media_unseen())),
        ListState::Pending => Condition::all().add(over().not()),
        ListState::NotConnected => Condition::all().add(Column::Sid.is_null()).add(over()),
        ListState::Expired => Condition::all().add(Column::Sid.is_null()).add(ended_by_link(now)),
    }
}

/// Over because of the link and nobody's doing. It is closed soon after its end (CASE-14), or not yet.
fn ended_by_link(now: DateTime<Utc>) -> Condition {
    let swept = Expr::col(Column::ClosedAt).gte(Expr::col(Column::ExpiredAt));
    Condition::any()
        .add(Condition::all().add(Column::Closed.eq(false)).add(Column::ExpiredAt.lte(now)))
        .add(Condition::all().add(Column::Closed.eq(true)).add(swept))
}

impl Filter {
    fn select(&self) -> Select<Entity> {
        let mut query = Entity::find().filter(self.scope.condition());
        if let Some(conference_type) = self.conference_type {
            query = query.filter(Column::ConferenceType.eq(i16::from(conference_type)));
        }
        if let Some(range) = self.range {
            query = query.filter(Column::CreatedAt.gte(range.from)).filter(Column::CreatedAt.lt(range.until));
        }
        if let Some(user) = self.user {
            query = query.filter(Column::UserId.eq(user.0));
        }
        if let Some(company) = self.company {
            query = query.filter(Column::CompanyId.eq(company.0));
        }
        if let Some((state, now)) = self.state {
            query = query.filter(in_state(state, now));
        }
        if let Some(ids) = &self.ids {
            query = query.filter(Column::Id.is_in(ids.iter().copied()));
        }
        let searched = if self.role.is_repair_side() { Column::StarterSearch } else { Column::Search };
        for word in collate::fold(&self.search).split(' ').filter(|word| !word.is_empty()) {
            query = query.filter(searched.contains(word));
        }
        query
    }
}

pub async fn count(db: &impl ConnectionTrait, filter: &Filter) -> DbResult<u64> {
    Ok(filter.select().count(db).await?)
}

/// A part of the list. A page finds its ids first, so that sorting carries no whole rows; a workbook is read in one go.
pub async fn list(db: &impl ConnectionTrait, filter: &Filter, sort: Sort<Column>, slice: Slice) -> DbResult<Vec<Model>> {
    let order = if sort.descending { Order::Desc } else { Order::Asc };
    let query = filter.select().order_by(sort.field, order.clone()).order_by(Column::Id, order);
    let query = query.offset(slice.offset).limit(slice.limit);
    if slice.limit > MAX_LIMIT {
        return Ok(query.all(db).await?);
    }
    let ids: Vec<Uuid> = query.select_only().column(Column::Id).into_tuple().all(db).await?;
    let rows = Entity::find().filter(Column::Id.is_in(ids.iter().copied())).all(db).await?;
    let mut rows: HashMap<Uuid, Model> = rows.into_iter().map(|row| (row.id, row)).collect();
    Ok(ids.iter().filter_map(|id| rows.remove(id)).collect())
}

/// Parameters of one query at most.
const BATCH: usize = 500;

/// The media rooms of these conferences, in order.
pub async fn rooms_of(db: &impl ConnectionTrait, ids: &[Uuid]) -> DbResult<HashMap<Uuid, Vec<room::Model>>> {
    let mut all: HashMap<Uuid, Vec<room::Model>> = HashMap::new();
    for batch in ids.chunks(BATCH) {
        let query = room::Entity::find().filter(room::Column::ConferenceId.is_in(batch.iter().copied()));
        for row in query.order_by_asc(room::Column::StartedAt).all(db).await? {
            all.entry(row.conference_id).or_default().push(row);
        }
    }
    Ok(all)
}
