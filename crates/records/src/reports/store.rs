//! Queries of reports. Administrators read all companies; the funnel takes a company.

use atalaya_assistance::media::entity::media_item as media;
use atalaya_cases::conferences::entity::{Column, Entity};
use atalaya_cases::conferences::lists::model::Range;
use atalaya_db::DbResult;
use atalaya_kernel::CompanyId;
use atalaya_rest::page::Slice;
use chrono::{DateTime, Utc};
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, FromQueryResult, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect};
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

/// Files that arrived within the range, newest first, and how many there are.
pub async fn media_between(db: &impl ConnectionTrait, range: Range, slice: Slice) -> DbResult<(Vec<media::Model>, u64)> {
    let query =
        media::Entity::find().filter(media::Column::CreatedAt.gte(range.from)).filter(media::Column::CreatedAt.lt(range.until));
    let total = query.clone().count(db).await?;
    let query = query.order_by_desc(media::Column::CreatedAt).order_by_desc(media::Column::Id);
    Ok((query.offset(slice.offset).limit(slice.limit).all(db).await?, total))
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
