//! The queries of lists: one page, its count, and what belongs to its rows.

use super::model::Range;
use crate::calls::entity::room;
use crate::conferences::entity::{Column, Entity, Model};
use crate::conferences::model::ConferenceType;
use crate::conferences::store::Scope;
use crate::media::entity::media_item as media;
use atalaya_db::DbResult;
use atalaya_kernel::{CompanyId, collate};
use atalaya_rest::page::{Slice, Sort};
use chrono::{DateTime, Utc};
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, Order, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect, Select};
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

/// Which conferences.
pub struct Filter {
    pub scope: Scope,
    /// `None`: of every company, for administrators.
    pub company: Option<CompanyId>,
    pub conference_type: ConferenceType,
    pub range: Range,
    pub search: String,
}

impl Filter {
    fn select(&self) -> Select<Entity> {
        let mut query = Entity::find()
            .filter(self.scope.condition())
            .filter(Column::ConferenceType.eq(i16::from(self.conference_type)))
            .filter(Column::CreatedAt.gte(self.range.from))
            .filter(Column::CreatedAt.lt(self.range.until));
        if let Some(company) = self.company {
            query = query.filter(Column::CompanyId.eq(company.0));
        }
        for word in collate::fold(&self.search).split(' ').filter(|word| !word.is_empty()) {
            query = query.filter(Column::Search.contains(word));
        }
        query
    }
}

pub async fn count(db: &impl ConnectionTrait, filter: &Filter) -> DbResult<u64> {
    Ok(filter.select().count(db).await?)
}

pub async fn list(db: &impl ConnectionTrait, filter: &Filter, sort: Sort<Column>, slice: Slice) -> DbResult<Vec<Model>> {
    let order = if sort.descending { Order::Desc } else { Order::Asc };
    let query = filter.select().order_by(sort.field, order.clone()).order_by(Column::Id, order);
    Ok(query.offset(slice.offset).limit(slice.limit).all(db).await?)
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

/// When each of these conferences last got a file.
pub async fn last_media_of(db: &impl ConnectionTrait, ids: &[Uuid]) -> DbResult<HashMap<Uuid, DateTime<Utc>>> {
    let mut all = HashMap::new();
    for batch in ids.chunks(BATCH) {
        let rows: Vec<(Uuid, DateTime<Utc>)> = media::Entity::find()
            .select_only()
            .column(media::Column::ConferenceId)
            .column_as(media::Column::CreatedAt.max(), "last")
            .filter(media::Column::ConferenceId.is_in(batch.iter().copied()))
            .group_by(media::Column::ConferenceId)
            .into_tuple()
            .all(db)
            .await?;
        all.extend(rows);
    }
    Ok(all)
}
