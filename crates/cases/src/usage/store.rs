//! Queries on conferences and stays, by company.

use super::Period;
use super::model::Stay;
use crate::conferences::entity::{Column, Entity};
use crate::connections::participation;
use atalaya_db::DbResult;
use atalaya_kernel::CompanyId;
use chrono::{DateTime, TimeDelta, Utc};
use sea_orm::sea_query::{IntoColumnRef, Query, SelectStatement};
use sea_orm::{ColumnTrait, Condition, ConnectionTrait, EntityTrait, FromQueryResult, QueryFilter, QueryOrder, QuerySelect};
use std::collections::HashMap;
use uuid::Uuid;

/// How long before the period conferences may have been created.
const BEFORE: TimeDelta = TimeDelta::days(35);

/// What is billed of a conference.
#[derive(Debug, FromQueryResult)]
pub struct Conference {
    pub id: Uuid,
    pub company_id: Uuid,
    pub user_id: Uuid,
    pub expedient_number: String,
    pub expedient_key: String,
    pub billing_case: Option<String>,
    pub user_name: String,
}

fn in_question(companies: &[CompanyId], period: Period) -> Condition {
    Condition::all()
        .add(Column::CompanyId.is_in(companies.iter().map(|id| id.0)))
        .add(Column::CreatedAt.gte(period.start - BEFORE))
        .add(Column::CreatedAt.lt(period.end))
        .add(Condition::any().add(Column::ClosedAt.is_null()).add(Column::ClosedAt.gte(period.start)))
}

/// Conferences that were open in the period, by company and then as they began.
pub async fn conferences(db: &impl ConnectionTrait, companies: &[CompanyId], period: Period) -> DbResult<Vec<Conference>> {
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

#[derive(FromQueryResult)]
struct Row {
    conference_id: Uuid,
    kind: String,
    identity: String,
    joined_at: DateTime<Utc>,
    left_at: Option<DateTime<Utc>>,
}

/// The stays in the same conferences.
pub async fn stays(db: &impl ConnectionTrait, companies: &[CompanyId], period: Period) -> DbResult<HashMap<Uuid, Vec<Stay>>> {
    use participation::Column as Of;
    let rows: Vec<Row> = participation::Entity::find()
        .select_only()
        .columns([Of::ConferenceId, Of::Kind, Of::Identity, Of::JoinedAt, Of::LeftAt])
        .filter(Of::ConferenceId.in_subquery(ids(companies, period)))
        .filter(Of::JoinedAt.lt(period.until))
        .into_model()
        .all(db)
        .await?;
    let mut all: HashMap<Uuid, Vec<Stay>> = HashMap::new();
    for row in rows {
        let stay = Stay { staff: row.kind == "staff", identity: row.identity, from: row.joined_at, to: row.left_at };
        all.entry(row.conference_id).or_default().push(stay);
    }
    Ok(all)
}

fn ids(companies: &[CompanyId], period: Period) -> SelectStatement {
    Query::select().column(Column::Id.into_column_ref()).from(Entity).cond_where(in_question(companies, period)).to_owned()
}
