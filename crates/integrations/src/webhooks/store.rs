//! Queries of webhooks and their deliveries.

use super::entity::{delivery, webhook};
use super::events::{self, Event};
use atalaya_db::{DbResult, Tx, lock_row};
use atalaya_kernel::CompanyId;
use chrono::{DateTime, Utc};
use sea_orm::sea_query::Expr;
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, EntityTrait, IntoActiveModel, PaginatorTrait, QueryFilter, QueryOrder,
    QuerySelect,
};
use uuid::Uuid;

/// The customer's webhooks, oldest first.
pub async fn list(db: &impl ConnectionTrait, company: CompanyId) -> DbResult<Vec<webhook::Model>> {
    let query = webhook::Entity::find().filter(webhook::Column::CompanyId.eq(company.0));
    Ok(query.order_by_asc(webhook::Column::CreatedAt).order_by_asc(webhook::Column::Id).all(db).await?)
}

/// The customer's webhooks that receive this event.
pub async fn listening(db: &impl ConnectionTrait, company: CompanyId, event: Event) -> DbResult<Vec<webhook::Model>> {
    let all = webhook::Entity::find().filter(webhook::Column::CompanyId.eq(company.0)).all(db).await?;
    Ok(all.into_iter().filter(|hook| events::split(&hook.events).contains(&event)).collect())
}

/// The webhooks of every customer that receive this event.
pub async fn listening_everywhere(db: &impl ConnectionTrait, event: Event) -> DbResult<Vec<webhook::Model>> {
    let all = webhook::Entity::find().filter(webhook::Column::Events.contains(event.name())).all(db).await?;
    Ok(all.into_iter().filter(|hook| events::split(&hook.events).contains(&event)).collect())
}

/// A webhook of that company, or of any when none is given.
pub async fn find(db: &impl ConnectionTrait, company: Option<CompanyId>, id: Uuid) -> DbResult<Option<webhook::Model>> {
    let mut query = webhook::Entity::find_by_id(id);
    if let Some(company) = company {
        query = query.filter(webhook::Column::CompanyId.eq(company.0));
    }
    Ok(query.one(db).await?)
}

/// Locks a webhook and reads it as it is now.
pub async fn lock(tx: &Tx, id: Uuid) -> DbResult<Option<webhook::Model>> {
    lock_row(tx, "webhook", id).await?;
    Ok(webhook::Entity::find_by_id(id).one(&**tx).await?)
}

pub async fn insert(tx: &Tx, row: webhook::Model) -> DbResult<()> {
    webhook::Entity::insert(row.into_active_model()).exec_without_returning(&**tx).await?;
    Ok(())
}

pub async fn update(tx: &Tx, row: webhook::Model) -> DbResult<()> {
    row.into_active_model().reset_all().update(&**tx).await?;
    Ok(())
}

/// Deletes a webhook with its deliveries.
pub async fn delete(tx: &Tx, id: Uuid) -> DbResult<()> {
    delivery::Entity::delete_many().filter(delivery::Column::WebhookId.eq(id)).exec(&**tx).await?;
    webhook::Entity::delete_by_id(id).exec(&**tx).await?;
    Ok(())
}

pub async fn insert_delivery(tx: &Tx, row: delivery::Model) -> DbResult<()> {
    delivery::Entity::insert(row.into_active_model()).exec_without_returning(&**tx).await?;
    Ok(())
}

pub async fn update_delivery(tx: &Tx, row: delivery::Model) -> DbResult<()> {
    // An erasure of its conference may have deleted the delivery meanwhile.
    let columns = delivery::Entity::update_many().set(row.clone().into_active_model().reset_all());
    columns.filter(delivery::Column::Id.eq(row.id)).exec(&**tx).await?;
    Ok(())
}

fn queued(hook: Uuid) -> sea_orm::Select<delivery::Entity> {
    let query = delivery::Entity::find().filter(delivery::Column::WebhookId.eq(hook));
    query.filter(delivery::Column::State.eq("queued"))
}

/// A webhook's due deliveries, those never tried first, so that one that is always refused delays none (HOOK-5).
pub async fn due(tx: &Tx, hook: Uuid, now: DateTime<Utc>, limit: u64) -> DbResult<Vec<delivery::Model>> {
    let query = queued(hook).filter(delivery::Column::DueAt.lte(now));
    let query = query.order_by_asc(delivery::Column::Attempts).order_by_asc(delivery::Column::CreatedAt);
    Ok(query.order_by_asc(delivery::Column::Id).limit(limit).all(&**tx).await?)
}

/// When the next delivery of a webhook is due.
pub async fn next_due(tx: &Tx, hook: Uuid) -> DbResult<Option<DateTime<Utc>>> {
    let next = queued(hook).order_by_asc(delivery::Column::DueAt).one(&**tx).await?;
    Ok(next.map(|row| row.due_at))
}

/// Sets when these deliveries are due.
pub async fn set_due(tx: &Tx, ids: &[Uuid], at: DateTime<Utc>) -> DbResult<()> {
    delivery::Entity::update_many()
        .col_expr(delivery::Column::DueAt, Expr::value(at))
        .filter(delivery::Column::Id.is_in(ids.iter().copied()))
        .exec(&**tx)
        .await?;
    Ok(())
}

/// Postpones all queued deliveries of a webhook until then.
pub async fn put_off(tx: &Tx, hook: Uuid, until: DateTime<Utc>) -> DbResult<()> {
    delivery::Entity::update_many()
        .col_expr(delivery::Column::DueAt, Expr::value(until))
        .filter(delivery::Column::WebhookId.eq(hook))
        .filter(delivery::Column::State.eq("queued"))
        .filter(delivery::Column::DueAt.lt(until))
        .exec(&**tx)
        .await?;
    Ok(())
}

/// Marks a webhook's queued deliveries as failed.
pub async fn fail_queued(tx: &Tx, hook: Uuid) -> DbResult<()> {
    delivery::Entity::update_many()
        .col_expr(delivery::Column::State, Expr::value("failed"))
        .filter(delivery::Column::WebhookId.eq(hook))
        .filter(delivery::Column::State.eq("queued"))
        .exec(&**tx)
        .await?;
    Ok(())
}

/// Queues all of a webhook's deliveries since then again. Answers how many.
pub async fn requeue(tx: &Tx, hook: Uuid, from: DateTime<Utc>, now: DateTime<Utc>) -> DbResult<u64> {
    let all = delivery::Entity::update_many()
        .col_expr(delivery::Column::State, Expr::value("queued"))
        .col_expr(delivery::Column::Attempts, Expr::value(0))
        .col_expr(delivery::Column::Error, Expr::value(None::<String>))
        .col_expr(delivery::Column::DueAt, Expr::value(now))
        .filter(delivery::Column::WebhookId.eq(hook))
        .filter(delivery::Column::CreatedAt.gte(from));
    Ok(all.exec(&**tx).await?.rows_affected)
}

/// A page of a webhook's deliveries, newest first, and how many there are.
pub async fn deliveries(db: &impl ConnectionTrait, hook: Uuid, page: u64, size: u64) -> DbResult<(Vec<delivery::Model>, u64)> {
    let query = delivery::Entity::find().filter(delivery::Column::WebhookId.eq(hook));
    let total = query.clone().count(db).await?;
    let query = query.order_by_desc(delivery::Column::CreatedAt).order_by_desc(delivery::Column::Id);
    Ok((query.offset((page - 1) * size).limit(size).all(db).await?, total))
}

/// Deletes deliveries from before this time. Answers how many.
pub async fn forget(tx: &Tx, before: DateTime<Utc>) -> DbResult<u64> {
    let old = delivery::Entity::delete_many().filter(delivery::Column::CreatedAt.lt(before));
    Ok(old.exec(&**tx).await?.rows_affected)
}
