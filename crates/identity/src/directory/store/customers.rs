//! Customers one after the other, for those who invoice them.

use super::companies::to_record;
use crate::IdentityResult;
use crate::directory::company::CompanyRecord;
use crate::directory::entity::company::{Column, Entity};
use atalaya_db::{DbError, Reads};
use atalaya_kernel::{CompanyId, CompanyKind};
use chrono::{DateTime, Utc};
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, Select};

fn customers() -> Select<Entity> {
    Entity::find().filter(Column::Kind.eq(i16::from(CompanyKind::Customer)))
}

/// By id, which is the order of creation.
pub(crate) async fn list_after(
    db: &impl ConnectionTrait,
    after: Option<CompanyId>,
    limit: u64,
) -> IdentityResult<Vec<CompanyRecord>> {
    let mut query = customers();
    if let Some(after) = after {
        query = query.filter(Column::Id.gt(after.0));
    }
    query.order_by_asc(Column::Id).limit(limit).rows(db).await.map_err(DbError::from)?.into_iter().map(to_record).collect()
}

/// With `hold` nobody changes them before the end of the transaction; SQLite has one writer anyway.
pub(crate) async fn list_of(db: &impl ConnectionTrait, ids: &[CompanyId], hold: bool) -> IdentityResult<Vec<CompanyRecord>> {
    let mut query = customers().filter(Column::Id.is_in(ids.iter().map(|id| id.0)));
    if hold {
        query = query.lock_shared();
    }
    query.order_by_asc(Column::Id).rows(db).await.map_err(DbError::from)?.into_iter().map(to_record).collect()
}

pub(crate) async fn count(db: &impl ConnectionTrait) -> IdentityResult<u64> {
    Ok(customers().number(db).await.map_err(DbError::from)?)
}

pub(crate) async fn first_payment(db: &impl ConnectionTrait) -> IdentityResult<Option<DateTime<Utc>>> {
    let planned = customers().select_only().column(Column::PayStartAt).filter(Column::PayStartAt.is_not_null());
    let planned: Option<(DateTime<Utc>,)> = planned.order_by_asc(Column::PayStartAt).tuple(db).await.map_err(DbError::from)?;
    let created = customers().select_only().column(Column::CreatedAt).filter(Column::PayStartAt.is_null());
    let created: Option<(DateTime<Utc>,)> = created.order_by_asc(Column::CreatedAt).tuple(db).await.map_err(DbError::from)?;
    Ok([planned, created].into_iter().flatten().map(|(at,)| at).min())
}
