//! Queries on the `sms_ceiling` table, and counts of the outbox.

use super::entity::{ActiveModel, Column, Entity, Model};
use super::{COUNTED, CeilingStatus, OwnCeiling, Windows};
use crate::entity as outbox;
use crate::model::Channel;
use crate::store::Outbox;
use atalaya_db::{DbError, DbResult, Tx, lock_row};
use atalaya_kernel::CompanyId;
use chrono::{DateTime, TimeDelta, Utc};
use sea_orm::sea_query::{Expr, OnConflict};
use sea_orm::{ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, PaginatorTrait};
use sea_orm::{QueryFilter, QueryOrder, QuerySelect, Select};

pub(super) fn own(row: &Model) -> OwnCeiling {
    let number = |value: Option<i32>| value.map(|value| u32::try_from(value).unwrap_or(0));
    OwnCeiling { per_hour: number(row.per_hour), per_day: number(row.per_day) }
}

pub(super) async fn find(on: &impl ConnectionTrait, company: CompanyId) -> DbResult<Option<Model>> {
    Ok(Entity::find_by_id(company.0).one(on).await?)
}

/// The company's row, created if missing, locked until the transaction ends.
pub(super) async fn lock(tx: &Tx, company: CompanyId) -> DbResult<Model> {
    let fresh = ActiveModel { id: Set(company.0), per_hour: Set(None), per_day: Set(None), told_on: Set(None) };
    let once = OnConflict::column(Column::Id).do_nothing().to_owned();
    Entity::insert(fresh).on_conflict(once).exec_without_returning(&**tx).await?;
    lock_row(tx, "sms_ceiling", company.0).await?;
    let row = find(&**tx, company).await?;
    row.ok_or_else(|| DbError::from(sea_orm::DbErr::RecordNotFound("sms_ceiling".into())))
}

pub(super) async fn told(tx: &Tx, company: CompanyId, day: &str) -> DbResult<()> {
    Entity::update_many()
        .col_expr(Column::ToldOn, Expr::value(Some(day.to_owned())))
        .filter(Column::Id.eq(company.0))
        .exec(&**tx)
        .await?;
    Ok(())
}

pub(super) async fn write(tx: &Tx, company: CompanyId, own: OwnCeiling) -> DbResult<()> {
    let number = |value: Option<u32>| value.map(|value| i32::try_from(value).unwrap_or(i32::MAX));
    Entity::update_many()
        .col_expr(Column::PerHour, Expr::value(number(own.per_hour)))
        .col_expr(Column::PerDay, Expr::value(number(own.per_day)))
        .col_expr(Column::ToldOn, Expr::value(None::<String>))
        .filter(Column::Id.eq(company.0))
        .exec(&**tx)
        .await?;
    Ok(())
}

/// Each by a statement of its own, because each has an index of its own.
fn of(company: CompanyId, channel: Channel, since: DateTime<Utc>) -> Select<outbox::Entity> {
    outbox::Entity::find()
        .filter(outbox::Column::CompanyId.eq(company.0))
        .filter(outbox::Column::Channel.eq(channel.name()))
        .filter(outbox::Column::CreatedAt.gte(since))
}

/// SMS and WhatsApp messages that a company wrote from `since` until now.
pub(super) async fn count(
    on: &impl ConnectionTrait,
    company: CompanyId,
    since: DateTime<Utc>,
    now: DateTime<Utc>,
) -> DbResult<u32> {
    let mut all = 0;
    for channel in COUNTED {
        all += of(company, channel, since).filter(outbox::Column::CreatedAt.lte(now)).count(on).await?;
    }
    Ok(u32::try_from(all).unwrap_or(u32::MAX))
}

/// The time of the oldest one since then.
pub(super) async fn first_since(
    on: &impl ConnectionTrait,
    company: CompanyId,
    since: DateTime<Utc>,
) -> DbResult<Option<DateTime<Utc>>> {
    let mut first: Option<DateTime<Utc>> = None;
    for channel in COUNTED {
        let query = of(company, channel, since).select_only().column(outbox::Column::CreatedAt);
        let oldest: Option<DateTime<Utc>> = query.order_by_asc(outbox::Column::CreatedAt).into_tuple().one(on).await?;
        first = first.into_iter().chain(oldest).min();
    }
    Ok(first)
}

impl Outbox {
    /// A company's ceilings and counts now; `None` where nothing is counted.
    pub async fn sms_ceiling(&self, on: &impl ConnectionTrait, company: CompanyId) -> DbResult<Option<CeilingStatus>> {
        let Some(configured) = self.ceiling() else { return Ok(None) };
        let now = self.sources().now();
        let windows = Windows::at(now);
        let own = find(on, company).await?.as_ref().map(own).unwrap_or_default();
        let last_hour = count(on, company, windows.hour + TimeDelta::milliseconds(1), now).await?;
        let today = count(on, company, windows.day, now).await?;
        Ok(Some(CeilingStatus { own, configured, last_hour, today }))
    }

    /// Gives a company its own ceilings and answers the previous ones. Administrators may be notified again today.
    pub async fn set_sms_ceiling(&self, tx: &Tx, company: CompanyId, own: OwnCeiling) -> DbResult<OwnCeiling> {
        let before = self::own(&lock(tx, company).await?);
        if before != own {
            write(tx, company, own).await?;
        }
        Ok(before)
    }
}
