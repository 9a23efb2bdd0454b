//! Conferences whose connections are billed in a period.

use super::super::entity::{Column, Entity};
use atalaya_db::DbResult;
use atalaya_kernel::CompanyId;
use chrono::{DateTime, TimeDelta, Utc};
use sea_orm::sea_query::{IntoColumnRef, Query, SelectStatement};
use sea_orm::{ColumnTrait, Condition, ConnectionTrait, EntityTrait, FromQueryResult, QueryFilter, QueryOrder, QuerySelect};
use uuid::Uuid;

/// How long before the period conferences may have been created.
const BEFORE: TimeDelta = TimeDelta::days(35);

/// What is billed of a conference.
#[derive(Debug, FromQueryResult)]
pub struct Billed {
    pub id: Uuid,
    pub company_id: Uuid,
    pub user_id: Uuid,
    pub expedient_number: String,
    pub expedient_key: String,
    pub billing_case: Option<String>,
    pub user_name: String,
}

fn in_question(companies: &[CompanyId], (start, end): (DateTime<Utc>, DateTime<Utc>)) -> Condition {
    Condition::all()
        .add(Column::CompanyId.is_in(companies.iter().map(|id| id.0)))
        .add(Column::CreatedAt.gte(start - BEFORE))
        .add(Column::CreatedAt.lt(end))
        .add(Condition::any().add(Column::ClosedAt.is_null()).add(Column::ClosedAt.gte(start)))
}

/// Conferences that were open in the period, by company and then as they began.
pub async fn billed(
    db: &impl ConnectionTrait,
    companies: &[CompanyId],
    period: (DateTime<Utc>, DateTime<Utc>),
) -> DbResult<Vec<Billed>> {
    let columns = [
        Column::Id,
        Column::CompanyId,
        Column::UserId,
        Column::ExpedientNumber,
        Column::ExpedientKey,
        Column::BillingCase,
        Column::UserName,
    ];
    let query = Entity::find().select_only().columns(columns).filter(in_question(companies, period));
    let query = query.order_by_asc(Column::CompanyId).order_by_asc(Column::CreatedAt).order_by_asc(Column::Id);
    Ok(query.into_model().all(db).await?)
}

/// The ids of the same conferences, as a query for other rooms' conditions.
pub fn billed_ids(companies: &[CompanyId], period: (DateTime<Utc>, DateTime<Utc>)) -> SelectStatement {
    Query::select().column(Column::Id.into_column_ref()).from(Entity).cond_where(in_question(companies, period)).to_owned()
}
