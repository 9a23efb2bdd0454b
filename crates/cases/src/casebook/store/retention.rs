//! What retention, erasure and the rights of a person ask.

use super::super::conference::Conference;
use super::super::entity::{Column, Entity};
use super::Scope;
use atalaya_db::DbResult;
use atalaya_kernel::CompanyId;
use atalaya_rest::page::Slice;
use chrono::{DateTime, Utc};
use sea_orm::sea_query::{Expr, ExprTrait, Func, SelectStatement};
use sea_orm::{ColumnTrait, Condition, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect};
use uuid::Uuid;

/// Which of these conferences exist and are not erased.
pub async fn not_erased(db: &impl ConnectionTrait, ids: &[Uuid]) -> DbResult<Vec<Uuid>> {
    let mut found = Vec::new();
    for ids in ids.chunks(500) {
        let query = Entity::find()
            .select_only()
            .column(Column::Id)
            .filter(Column::Id.is_in(ids.iter().copied()))
            .filter(Column::ErasedAt.is_null());
        found.extend(query.into_tuple::<Uuid>().all(db).await?);
    }
    Ok(found)
}

/// Whose conferences are looked through.
#[derive(Clone, Copy)]
pub enum CompaniesDue<'a> {
    One(CompanyId),
    AllBut(&'a [CompanyId]),
}

/// Conferences opened up to then that are not erased and among `with_files`, the oldest first.
pub async fn list_due(
    db: &impl ConnectionTrait,
    of: CompaniesDue<'_>,
    created: DateTime<Utc>,
    with_files: SelectStatement,
    slice: Slice,
) -> DbResult<Vec<Uuid>> {
    let mut query = Entity::find()
        .select_only()
        .column(Column::Id)
        .filter(Column::CreatedAt.lte(created))
        .filter(Column::ErasedAt.is_null())
        .filter(Column::Id.in_subquery(with_files));
    query = match of {
        CompaniesDue::One(id) => query.filter(Column::CompanyId.eq(id.0)),
        CompaniesDue::AllBut([]) => query,
        CompaniesDue::AllBut(ids) => query.filter(Column::CompanyId.is_not_in(ids.iter().map(|id| id.0))),
    };
    let query = query.order_by_asc(Column::CreatedAt).order_by_asc(Column::Id);
    Ok(query.offset(slice.offset).limit(slice.limit).into_tuple().all(db).await?)
}

/// Whether the company has another conference about this case.
pub async fn is_case_left(db: &impl ConnectionTrait, company: CompanyId, expedient_key: &str) -> DbResult<bool> {
    let others = Entity::find().filter(Column::CompanyId.eq(company.0)).filter(Column::ExpedientKey.eq(expedient_key)).limit(1);
    Ok(others.one(db).await?.is_some())
}

/// By what a person is known.
#[derive(Clone, Copy)]
pub enum PersonKnown<'a> {
    Phone(&'a str),
    Email(&'a str),
}

/// A company's conferences with a person, newest first, also those in `written` and `asked`; erased conferences belong to
/// nobody.
pub async fn list_of_person(
    db: &impl ConnectionTrait,
    (scope, company): (Scope, CompanyId),
    person: PersonKnown<'_>,
    [written, asked]: [SelectStatement; 2],
    limit: u64,
) -> DbResult<Vec<Conference>> {
    let known = match person {
        PersonKnown::Phone(phone) => Column::PhoneNumber.eq(phone),
        PersonKnown::Email(email) => Expr::expr(Func::lower(Expr::col(Column::Email))).eq(email.to_lowercase()),
    };
    let of_person = Condition::any().add(known).add(Column::Id.in_subquery(written)).add(Column::Id.in_subquery(asked));
    let rows = Entity::find()
        .filter(scope.condition())
        .filter(Column::CompanyId.eq(company.0))
        .filter(Column::ErasedAt.is_null())
        .filter(of_person)
        .order_by_desc(Column::CreatedAt)
        .limit(limit)
        .all(db)
        .await?;
    Ok(rows.into_iter().map(Conference::from).collect())
}
