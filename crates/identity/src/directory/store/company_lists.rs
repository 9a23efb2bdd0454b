//! Lists of companies, and what a profile shows of their users.

use super::companies::to_record;
use super::users::to_user;
use crate::IdentityResult;
use crate::directory::company::CompanyRecord;
use crate::directory::entity::company::{Column, Entity};
use crate::directory::entity::user;
use crate::directory::user::User;
use atalaya_db::{DbError, Reads};
use atalaya_kernel::{CompanyId, CompanyKind, Role, Status, collate};
use atalaya_rest::page::{Slice, Sort};
use sea_orm::sea_query::{LikeExpr, NullOrdering, SimpleExpr};
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, Order, QueryFilter, QueryOrder, QuerySelect, Select};
use std::collections::HashMap;
use uuid::Uuid;

/// Words of a search that count.
const TERMS_MAX: usize = 8;
/// Names of a choice at most.
const CHOICE_MAX: u64 = 5000;

/// What a list is narrowed to.
#[derive(Clone, Debug)]
pub(crate) struct CompanyFilter {
    pub kind: CompanyKind,
    pub status: Option<Status>,
    /// Words that must all occur.
    pub search: String,
}

/// What a list of companies may be sorted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CompanySort {
    Company,
    Contact,
    Cif,
    City,
    Region,
    Email,
    Status,
    Created,
    PayStart,
}

impl CompanySort {
    /// Names on the wire; the first is the default.
    pub(crate) const FIELDS: &[(&str, CompanySort)] = &[
        ("company", CompanySort::Company),
        ("name", CompanySort::Contact),
        ("cif", CompanySort::Cif),
        ("city", CompanySort::City),
        ("region", CompanySort::Region),
        ("email", CompanySort::Email),
        ("status", CompanySort::Status),
        ("created_at", CompanySort::Created),
        ("pay_startAt", CompanySort::PayStart),
    ];

    fn column(self) -> Column {
        match self {
            CompanySort::Company => Column::SortKey,
            CompanySort::Contact => Column::Name,
            CompanySort::Cif => Column::Cif,
            CompanySort::City => Column::City,
            CompanySort::Region => Column::Region,
            CompanySort::Email => Column::Email,
            CompanySort::Status => Column::Status,
            CompanySort::Created => Column::CreatedAt,
            CompanySort::PayStart => Column::PayStartAt,
        }
    }
}

fn filtered(filter: &CompanyFilter) -> Select<Entity> {
    let mut query = Entity::find().filter(Column::Kind.eq(i16::from(filter.kind)));
    if let Some(status) = filter.status {
        query = query.filter(Column::Status.eq(i16::from(status)));
    }
    matching(&filter.search).into_iter().fold(query, |query, condition| query.filter(condition))
}

/// One condition per word.
fn matching(search: &str) -> Vec<SimpleExpr> {
    let folded = collate::fold(search);
    let words = folded.split(' ').filter(|word| !word.is_empty()).take(TERMS_MAX);
    words.map(|word| Column::Search.like(LikeExpr::new(format!("%{}%", word.replace('_', "\\_"))).escape('\\'))).collect()
}

/// A part of the list, and how many the whole has.
pub(crate) async fn page_of_companies(
    db: &impl ConnectionTrait,
    filter: &CompanyFilter,
    sort: Sort<CompanySort>,
    slice: Slice,
) -> IdentityResult<(Vec<CompanyRecord>, u64)> {
    let order = if sort.descending { Order::Desc } else { Order::Asc };
    let mut query = filtered(filter);
    query = match sort.field {
        // In step with the index, in either direction; the others may be null.
        CompanySort::Company => query.order_by(Column::SortKey, order.clone()).order_by(Column::Id, order),
        by => {
            let query = query.order_by_with_nulls(by.column(), order, NullOrdering::Last);
            query.order_by_asc(Column::SortKey).order_by_asc(Column::Id)
        }
    };
    let rows = query.offset(slice.offset).limit(slice.limit).rows(db).await.map_err(DbError::from)?;
    let total = filtered(filter).number(db).await.map_err(DbError::from)?;
    Ok((rows.into_iter().map(to_record).collect::<IdentityResult<_>>()?, total))
}

/// Ids and names of the active companies of a kind, in their order.
pub(crate) async fn list_active_companies(
    db: &impl ConnectionTrait,
    kind: CompanyKind,
    search: &str,
) -> IdentityResult<Vec<(CompanyId, String)>> {
    let filter = CompanyFilter { kind, status: Some(Status::Active), search: search.to_owned() };
    let rows = filtered(&filter)
        .select_only()
        .column(Column::Id)
        .column(Column::Company)
        .order_by_asc(Column::SortKey)
        .order_by_asc(Column::Id)
        .limit(CHOICE_MAX)
        .tuples::<(Uuid, String)>(db);
    Ok(rows.await.map_err(DbError::from)?.into_iter().map(|(id, name)| (id.into(), name)).collect())
}

/// How many users each of these companies has; those without are absent.
pub(crate) async fn count_users(db: &impl ConnectionTrait, ids: &[CompanyId]) -> IdentityResult<HashMap<CompanyId, i64>> {
    let mut counts = HashMap::new();
    // In parts, because statements take a limited number of parameters.
    for part in ids.chunks(1000) {
        let rows = user::Entity::find()
            .select_only()
            .column(user::Column::Parent)
            .column_as(user::Column::Id.count(), "users")
            .filter(user::Column::Parent.is_in(part.iter().map(|id| id.0)))
            .group_by(user::Column::Parent)
            .tuples::<(Uuid, i64)>(db);
        counts.extend(rows.await.map_err(DbError::from)?.into_iter().map(|(id, users)| (CompanyId(id), users)));
    }
    Ok(counts)
}

/// The oldest account with the company's even role of each of these companies.
pub(crate) async fn list_principals(
    db: &impl ConnectionTrait,
    role: Role,
    ids: &[CompanyId],
) -> IdentityResult<HashMap<CompanyId, User>> {
    let mut principals = HashMap::new();
    for part in ids.chunks(1000) {
        let rows = user::Entity::find()
            .filter(user::Column::Parent.is_in(part.iter().map(|id| id.0)))
            .filter(user::Column::Role.eq(i16::from(role)))
            .order_by_desc(user::Column::Id)
            .rows(db);
        for row in rows.await.map_err(DbError::from)? {
            principals.insert(CompanyId(row.parent), to_user(row)?);
        }
    }
    Ok(principals)
}
