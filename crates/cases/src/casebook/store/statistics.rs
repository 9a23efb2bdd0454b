//! Counts of conferences for reports.

use super::super::entity::{Column, Entity};
use atalaya_db::DbResult;
use atalaya_kernel::CompanyId;
use chrono::{DateTime, Utc};
use sea_orm::sea_query::{Expr, Func, FunctionCall, SelectStatement};
use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, EntityTrait, FromQueryResult, PaginatorTrait, QueryFilter, QuerySelect, QueryTrait,
};
use std::collections::HashMap;
use uuid::Uuid;

/// Maximum number of parameters of one query.
const BATCH: usize = 500;

/// The facts of a conference that reports show.
#[derive(Clone, Debug, FromQueryResult)]
pub struct CaseLine {
    pub id: Uuid,
    pub expedient_number: String,
    pub customer_name: String,
    pub user_name: String,
    pub media_seen_at: Option<DateTime<Utc>>,
}

/// These conferences, by id.
pub async fn case_lines(db: &impl ConnectionTrait, mut ids: Vec<Uuid>) -> DbResult<HashMap<Uuid, CaseLine>> {
    ids.sort_unstable();
    ids.dedup();
    let mut all = HashMap::with_capacity(ids.len());
    for batch in ids.chunks(BATCH) {
        let rows = Entity::find()
            .select_only()
            .columns([Column::Id, Column::ExpedientNumber, Column::CustomerName, Column::UserName, Column::MediaSeenAt])
            .filter(Column::Id.is_in(batch.iter().copied()))
            .into_model::<CaseLine>()
            .all(db)
            .await?;
        all.extend(rows.into_iter().map(|case| (case.id, case)));
    }
    Ok(all)
}

/// How many conferences of each type a company has, and the latest.
#[derive(Clone, Debug, FromQueryResult)]
pub struct CompanyCount {
    pub company_id: Uuid,
    pub conference_type: i16,
    pub conferences: i64,
    pub last_at: DateTime<Utc>,
}

/// Companies with conferences, at most 10,000 lines.
pub async fn count_by_company(db: &impl ConnectionTrait) -> DbResult<Vec<CompanyCount>> {
    Ok(Entity::find()
        .select_only()
        .columns([Column::CompanyId, Column::ConferenceType])
        .column_as(Column::CreatedAt.count(), "conferences")
        .column_as(Column::CreatedAt.max(), "last_at")
        .group_by(Column::CompanyId)
        .group_by(Column::ConferenceType)
        .limit(10_000)
        .into_model::<CompanyCount>()
        .all(db)
        .await?)
}

fn within(company: Option<CompanyId>, (from, until): (DateTime<Utc>, DateTime<Utc>)) -> Condition {
    let opened = Condition::all().add(Column::CreatedAt.gte(from)).add(Column::CreatedAt.lt(until));
    opened.add_option(company.map(|company| Column::CompanyId.eq(company.0)))
}

/// Each stage with the number of conferences of the days that got as far.
pub async fn count_by_stage(
    db: &impl ConnectionTrait,
    company: Option<CompanyId>,
    days: (DateTime<Utc>, DateTime<Utc>),
) -> DbResult<Vec<(i16, i64)>> {
    let query = Entity::find()
        .select_only()
        .column(Column::Stage)
        .column_as(Column::CreatedAt.count(), "conferences")
        .filter(within(company, days))
        .group_by(Column::Stage);
    Ok(query.into_tuple().all(db).await?)
}

/// Cases of one company, one stage and one problem, and how many of them have pictures, and sharp ones.
#[derive(Clone, Debug, FromQueryResult)]
pub struct StageGroup {
    pub company_id: Uuid,
    pub customer_name: String,
    pub stage: i16,
    pub problem: Option<String>,
    all: i64,
    pictured: i64,
    sharp: i64,
}

impl StageGroup {
    pub fn cases(&self) -> u64 {
        self.all.unsigned_abs()
    }

    pub fn usable(&self) -> u64 {
        self.sharp.unsigned_abs()
    }

    /// Whether there are pictures, whether a sharp one, and how many cases.
    pub fn parts(&self) -> [(bool, bool, u64); 3] {
        let blurred = (self.pictured - self.sharp).unsigned_abs();
        [(true, true, self.usable()), (true, false, blurred), (false, false, (self.all - self.pictured).unsigned_abs())]
    }
}

/// How many rows are among these conferences: `COUNT` leaves out what is `NULL`, and both engines answer it as one type.
fn among(conferences: SelectStatement) -> FunctionCall {
    Func::count(Expr::case(Column::Id.in_subquery(conferences), 1).finally(Option::<i32>::None))
}

/// The conferences of the days by company, stage and problem, and how many of each group are `pictured` and `sharp`.
pub async fn group_by_stage(
    db: &impl ConnectionTrait,
    company: Option<CompanyId>,
    days: (DateTime<Utc>, DateTime<Utc>),
    (pictured, sharp): (SelectStatement, SelectStatement),
) -> DbResult<Vec<StageGroup>> {
    // Both engines read a field of a document so.
    let problem = || Expr::cust("projection ->> 'problem'");
    let rows = Entity::find()
        .select_only()
        .filter(within(company, days))
        .columns([Column::CompanyId, Column::Stage])
        .column_as(Column::CustomerName.max(), "customer_name")
        .column_as(problem(), "problem")
        .column_as(Column::Id.count(), "all")
        .expr_as(among(pictured), "pictured")
        .expr_as(among(sharp), "sharp")
        .group_by(Column::CompanyId)
        .group_by(Column::Stage)
        .group_by(problem());
    Ok(rows.into_model::<StageGroup>().all(db).await?)
}

/// How many conferences of the days are in the selection, and how many of those are in `usable` as well.
pub async fn share_among(
    db: &impl ConnectionTrait,
    company: Option<CompanyId>,
    days: (DateTime<Utc>, DateTime<Utc>),
    (conferences, usable): (SelectStatement, SelectStatement),
) -> DbResult<(u64, u64)> {
    let query = || Entity::find().filter(within(company, days)).filter(Column::Id.in_subquery(conferences.clone()));
    let cases = query().count(db).await?;
    let usable = query().filter(Column::Id.in_subquery(usable)).count(db).await?;
    Ok((cases, usable))
}

/// The ids of a company's conferences, as a query for other rooms' conditions.
pub fn ids_of_company(company: CompanyId) -> SelectStatement {
    Entity::find().select_only().column(Column::Id).filter(Column::CompanyId.eq(company.0)).into_query()
}
