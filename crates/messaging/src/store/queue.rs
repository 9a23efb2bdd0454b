//! What the dispatcher takes from the outbox and writes back.

use super::Outbox;
use crate::attachments;
use crate::control;
use crate::entity::{Column, Entity};
use crate::model::{Channel, Message, MessageState};
use crate::receipts::RECEIPT;
use atalaya_db::{Db, DbResult, Engine, Tx};
use chrono::{DateTime, TimeDelta, Utc};
use sea_orm::sea_query::{Expr, Func, LockBehavior, LockType};
use sea_orm::{ColumnTrait, Condition, EntityTrait, ExprTrait, QueryFilter, QueryOrder, QuerySelect, Select, UpdateMany};
use uuid::Uuid;

/// Messages of this channel that wait and are not claimed by a worker.
fn waiting(channel: Channel, now: DateTime<Utc>) -> Select<Entity> {
    let free = Condition::any().add(Column::LockedUntil.is_null()).add(Column::LockedUntil.lt(now));
    Entity::find().filter(Column::State.eq(MessageState::Queued.name())).filter(Column::Channel.eq(channel.name())).filter(free)
}

/// Claims the next due message of this channel for `lease`, unless an administrator stopped the delivery.
pub(crate) async fn claim(
    outbox: &Outbox,
    db: &Db,
    channel: Channel,
    now: DateTime<Utc>,
    lease: TimeDelta,
) -> DbResult<Option<Message>> {
    let tx = db.write().await?;
    if !control::store::is_running(&*tx).await? {
        return Ok(None);
    }
    let due = waiting(channel, now).filter(Column::NextAttemptAt.lte(now));
    let mut query = due.order_by_asc(Column::NextAttemptAt).order_by_asc(Column::Id).limit(1);
    if tx.engine() == Engine::Postgres {
        query = query.lock_with_behavior(LockType::Update, LockBehavior::SkipLocked);
    }
    let Some(mut row) = query.one(&*tx).await? else { return Ok(None) };
    row.attempts += 1;
    Entity::update_many()
        .col_expr(Column::Attempts, Expr::value(row.attempts))
        .col_expr(Column::LockedUntil, Expr::value(Some(now + lease)))
        .filter(Column::Id.eq(row.id))
        .exec(&*tx)
        .await?;
    let mut found = outbox.message(row);
    found.attachments = attachments::store::files(&*tx, found.id).await?;
    tx.commit().await?;
    Ok(Some(found))
}

/// When the next message of this channel is due that a worker may claim.
pub(crate) async fn next_due(db: &Db, channel: Channel, now: DateTime<Utc>) -> DbResult<Option<DateTime<Utc>>> {
    let query = waiting(channel, now).select_only().expr_as(Func::min(Expr::col(Column::NextAttemptAt)), "due");
    Ok(query.into_tuple::<Option<DateTime<Utc>>>().one(db.read()).await?.flatten())
}

/// Writes the outcome of an attempt. Answers false when another worker has claimed the message meanwhile.
pub(crate) async fn settle(tx: &Tx, message: &Message, next: Option<DateTime<Utc>>) -> DbResult<bool> {
    let held = Column::State.eq(MessageState::Queued.name()).and(Column::Attempts.eq(message.attempts));
    let done = written(message, next).filter(held).exec(&**tx).await?;
    // A receipt may have been faster than what it is about.
    tx.changed("outbox", RECEIPT);
    if done.rows_affected == 1 && message.state == MessageState::Sent && !message.attachments.is_empty() {
        attachments::store::forget(tx, message.id).await?;
    }
    Ok(done.rows_affected == 1)
}

/// The message of a receipt, locked until the transaction ends.
pub(crate) async fn lock(outbox: &Outbox, tx: &Tx, id: Uuid) -> DbResult<Option<Message>> {
    atalaya_db::lock_row(tx, "outbox", id).await?;
    Ok(Entity::find_by_id(id).one(&**tx).await?.map(|row| outbox.message(row)))
}

/// Writes the outcome that a receipt reports about a message read by [`lock`].
pub(crate) async fn write(tx: &Tx, message: &Message) -> DbResult<()> {
    written(message, None).exec(&**tx).await?;
    Ok(())
}

fn written(message: &Message, next: Option<DateTime<Utc>>) -> UpdateMany<Entity> {
    let mut update = Entity::update_many();
    if message.sent_at.is_some() {
        // Handed over: its recipient has the secret, and nobody else needs it.
        update = update.col_expr(Column::Secret, Expr::value(None::<String>));
    }
    update
        .col_expr(Column::State, Expr::value(message.state.name()))
        .col_expr(Column::ProviderId, Expr::value(message.provider_id.clone()))
        .col_expr(Column::Provider, Expr::value(message.provider.clone()))
        .col_expr(Column::Error, Expr::value(message.error.clone()))
        .col_expr(Column::Reason, Expr::value(message.reason.clone()))
        .col_expr(Column::SentAt, Expr::value(message.sent_at))
        .col_expr(Column::DeliveredAt, Expr::value(message.delivered_at))
        .col_expr(Column::FailedAt, Expr::value(message.failed_at))
        .col_expr(Column::NextAttemptAt, Expr::value(next))
        .col_expr(Column::LockedUntil, Expr::value(None::<DateTime<Utc>>))
        .filter(Column::Id.eq(message.id.0))
}
