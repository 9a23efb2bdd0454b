//! Queries of reports. Administrators read all companies; the funnel takes a company.

use super::usable::Share;
use atalaya_assistance::media_items;
use atalaya_cases::conferences::entity::{Column, Entity};
use atalaya_cases::connections::participation;
use atalaya_cases::lists::model::Range;
use atalaya_db::DbResult;
use atalaya_kernel::CompanyId;
use chrono::{DateTime, Utc};
use sea_orm::sea_query::{Expr, Func, FunctionCall, SelectStatement};
use sea_orm::{ColumnTrait, Condition, ConnectionTrait, EntityTrait, FromQueryResult, PaginatorTrait, QueryFilter};
use sea_orm::{QuerySelect, QueryTrait};
use std::collections::HashMap;
use uuid::Uuid;

/// Maximum number of parameters of one query.
const BATCH: usize = 500;

/// The facts of a conference that reports show.
#[derive(Clone, Debug, FromQueryResult)]
pub struct Case {
    pub id: Uuid,
    pub expedient_number: String,
    pub customer_name: String,
    pub user_name: String,
    pub media_seen_at: Option<DateTime<Utc>>,
}

/// These conferences, by id.
pub async fn cases(db: &impl ConnectionTrait, mut ids: Vec<Uuid>) -> DbResult<HashMap<Uuid, Case>> {
    ids.sort_unstable();
    ids.dedup();
    let mut all = HashMap::with_capacity(ids.len());
    for batch in ids.chunks(BATCH) {
        let rows = Entity::find()
            .select_only()
            .columns([Column::Id, Column::ExpedientNumber, Column::CustomerName, Column::UserName, Column::MediaSeenAt])
            .filter(Column::Id.is_in(batch.iter().copied()))
            .into_model::<Case>()
            .all(db)
            .await?;
        all.extend(rows.into_iter().map(|case| (case.id, case)));
    }
    Ok(all)
}

/// How many conferences of each type a company has, and the latest.
#[derive(Clone, Debug, FromQueryResult)]
pub struct Count {
    pub company_id: Uuid,
    pub conference_type: i16,
    pub conferences: i64,
    pub last_at: DateTime<Utc>,
}

/// Companies with conferences, at most 10,000 lines.
pub async fn count_by_company(db: &impl ConnectionTrait) -> DbResult<Vec<Count>> {
    Ok(Entity::find()
        .select_only()
        .columns([Column::CompanyId, Column::ConferenceType])
        .column_as(Column::CreatedAt.count(), "conferences")
        .column_as(Column::CreatedAt.max(), "last_at")
        .group_by(Column::CompanyId)
        .group_by(Column::ConferenceType)
        .limit(10_000)
        .into_model::<Count>()
        .all(db)
        .await?)
}

/// How many conferences opened within the range are at each stage.
pub async fn stages(db: &impl ConnectionTrait, company: Option<CompanyId>, range: Range) -> DbResult<Vec<(i16, i64)>> {
    let mut query = Entity::find()
        .select_only()
        .column(Column::Stage)
        .column_as(Column::CreatedAt.count(), "conferences")
        .filter(Column::CreatedAt.gte(range.from))
        .filter(Column::CreatedAt.lt(range.until))
        .group_by(Column::Stage);
    if let Some(company) = company {
        query = query.filter(Column::CompanyId.eq(company.0));
    }
    Ok(query.into_tuple().all(db).await?)
}

/// Cases of one company, one stage and one problem, and how many of them have pictures, and sharp ones.
#[derive(Clone, Debug, FromQueryResult)]
pub struct Group {
    pub company_id: Uuid,
    pub customer_name: String,
    pub stage: i16,
    pub problem: Option<String>,
    all: i64,
    pictured: i64,
    sharp: i64,
}

impl Group {
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

/// The conferences with a picture; with `sharp` only those with one that is sharp, or that was never measured.
fn pictured(sharp: bool) -> SelectStatement {
    media_items::pictured(sharp.then_some(atalaya_checks::sharpness::SHARP))
}

/// How many rows are among these conferences: `COUNT` leaves out what is `NULL`, and both engines answer it as one type.
fn among(conferences: SelectStatement) -> FunctionCall {
    Func::count(Expr::case(Column::Id.in_subquery(conferences), 1).finally(Option::<i32>::None))
}

fn within(company: Option<CompanyId>, range: Range) -> Condition {
    let opened = Condition::all().add(Column::CreatedAt.gte(range.from)).add(Column::CreatedAt.lt(range.until));
    opened.add_option(company.map(|company| Column::CompanyId.eq(company.0)))
}

/// The conferences opened within the range, in groups.
pub async fn groups(db: &impl ConnectionTrait, company: Option<CompanyId>, range: Range) -> DbResult<Vec<Group>> {
    // Both engines read a field of a document so.
    let problem = || Expr::cust("projection ->> 'problem'");
    let rows = Entity::find()
        .select_only()
        .filter(within(company, range))
        .columns([Column::CompanyId, Column::Stage])
        .column_as(Column::CustomerName.max(), "customer_name")
        .column_as(problem(), "problem")
        .column_as(Column::Id.count(), "all")
        .expr_as(among(pictured(false)), "pictured")
        .expr_as(among(pictured(true)), "sharp")
        .group_by(Column::CompanyId)
        .group_by(Column::Stage)
        .group_by(problem());
    Ok(rows.into_model::<Group>().all(db).await?)
}

/// How many of these conferences were opened within the range, and how many are usable.
pub(super) async fn share_of(
    db: &impl ConnectionTrait,
    company: Option<CompanyId>,
    range: Range,
    conferences: SelectStatement,
) -> DbResult<Share> {
    let query = || Entity::find().filter(within(company, range)).filter(Column::Id.in_subquery(conferences.clone()));
    let cases = query().count(db).await?;
    let usable = query().filter(Column::Id.in_subquery(pictured(true))).count(db).await?;
    Ok(Share { cases, usable })
}

/// The clients' stays within the range, by the way of their media.
pub async fn routes(db: &impl ConnectionTrait, company: Option<CompanyId>, range: Range) -> DbResult<Vec<(String, i64)>> {
    let mut query = participation::Entity::find()
        .select_only()
        .column(participation::Column::Route)
        .column_as(participation::Column::Id.count(), "stays")
        .filter(participation::Column::Kind.eq("client"))
        .filter(participation::Column::Route.is_not_null())
        .filter(participation::Column::JoinedAt.gte(range.from))
        .filter(participation::Column::JoinedAt.lt(range.until))
        .group_by(participation::Column::Route);
    if let Some(company) = company {
        let theirs = Entity::find().select_only().column(Column::Id).filter(Column::CompanyId.eq(company.0)).into_query();
        query = query.filter(participation::Column::ConferenceId.in_subquery(theirs));
    }
    Ok(query.into_tuple().all(db).await?)
}
