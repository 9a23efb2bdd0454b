//! Queries about the dispatcher as a whole.

use super::entity;
use super::{ChannelStatus, RunState, ServiceStatus};
use crate::dispatch::{LEASE, SEND_MAX};
use crate::entity::{Column, Entity};
use crate::failure::Reason;
use crate::model::{Channel, MessageState};
use crate::store::Outbox;
use atalaya_db::{DbResult, Tx};
use chrono::{DateTime, TimeDelta, Utc};
use sea_orm::sea_query::{Expr, OnConflict, Query};
use sea_orm::{ActiveValue::Set, ColumnTrait, Condition, ConnectionTrait, EntityTrait};
use sea_orm::{PaginatorTrait, QueryFilter, QueryOrder, QuerySelect};

const DISPATCHER: &str = "dispatcher";

/// Reasons that a retry may overcome.
const PASSING: [Reason; 6] =
    [Reason::Timeout, Reason::Unreachable, Reason::Unavailable, Reason::Limited, Reason::BadAnswer, Reason::Credentials];

pub(crate) async fn is_running(on: &impl ConnectionTrait) -> DbResult<bool> {
    Ok(run_state(on).await?.running)
}

async fn run_state(on: &impl ConnectionTrait) -> DbResult<RunState> {
    let row = entity::Entity::find_by_id(DISPATCHER).one(on).await?;
    Ok(match row {
        None => RunState { running: true, changed_at: None, changed_by: None },
        Some(row) => RunState { running: row.running, changed_at: Some(row.changed_at), changed_by: Some(row.changed_by) },
    })
}

impl Outbox {
    /// The dispatcher and its channels now.
    pub async fn status(&self, on: &impl ConnectionTrait) -> DbResult<ServiceStatus> {
        let now = self.sources().now();
        let mut channels = Vec::with_capacity(Channel::ALL.len());
        for channel in Channel::ALL {
            channels.push(self.channel_status(on, channel, now - TimeDelta::hours(1)).await?);
        }
        let oldest: Option<DateTime<Utc>> = Entity::find()
            .select_only()
            .column(Column::CreatedAt)
            .filter(Column::State.eq(MessageState::Queued.name()))
            .order_by_asc(Column::CreatedAt)
            .into_tuple()
            .one(on)
            .await?;
        let failures = failures(on, now - TimeDelta::hours(24)).await?;
        Ok(ServiceStatus { run: run_state(on).await?, oldest_queued_at: oldest, channels, failures })
    }

    async fn channel_status(&self, on: &impl ConnectionTrait, channel: Channel, since: DateTime<Utc>) -> DbResult<ChannelStatus> {
        let all = || Entity::find().filter(Column::Channel.eq(channel.name()));
        let last = |column: Column| {
            let query = all().select_only().column(column).filter(column.is_not_null()).order_by_desc(column);
            async move { query.into_tuple::<DateTime<Utc>>().one(on).await }
        };
        Ok(ChannelStatus {
            channel,
            provider: self.providers().get(channel).map(|provider| provider.name()),
            queued: all().filter(Column::State.eq(MessageState::Queued.name())).count(on).await?,
            captured: all().filter(Column::State.eq(MessageState::Captured.name())).count(on).await?,
            sent_last_hour: all().filter(Column::SentAt.gte(since)).count(on).await?,
            failed_last_hour: all().filter(Column::FailedAt.gte(since)).count(on).await?,
            last_delivered_at: Ord::max(last(Column::DeliveredAt).await?, last(Column::SentAt).await?),
        })
    }

    /// Stops or starts the delivery on all nodes. Waiting messages stay; one that is being sent is finished (MSG-14).
    pub async fn set_running(&self, tx: &Tx, running: bool, by: &str) -> DbResult<()> {
        let row = entity::ActiveModel {
            name: Set(DISPATCHER.to_owned()),
            changed_by: Set(by.to_owned()),
            running: Set(running),
            changed_at: Set(self.sources().now()),
        };
        let mut again = OnConflict::column(entity::Column::Name);
        again.update_columns([entity::Column::ChangedBy, entity::Column::Running, entity::Column::ChangedAt]);
        entity::Entity::insert(row).on_conflict(again).exec_without_returning(&**tx).await?;
        Ok(())
    }

    /// Makes everything that waits due now, and retries what failed in the last 24 hours for a reason that may have passed
    /// and did not reach its recipient by another channel (MSG-15). Answers how many.
    ///
    /// A message that a worker is sending at this moment is left alone, since it would be sent twice.
    pub async fn reset(&self, tx: &Tx) -> DbResult<u64> {
        let now = self.sources().now();
        let abandoned = now + LEASE - SEND_MAX;
        let waiting = Entity::update_many()
            .col_expr(Column::NextAttemptAt, Expr::value(Some(now)))
            .col_expr(Column::LockedUntil, Expr::value(None::<DateTime<Utc>>))
            .filter(Column::State.eq(MessageState::Queued.name()))
            .filter(Condition::any().add(Column::LockedUntil.is_null()).add(Column::LockedUntil.lt(abandoned)))
            .filter(Condition::any().add(Column::LockedUntil.is_not_null()).add(Column::NextAttemptAt.gt(now)))
            .exec(&**tx)
            .await?;
        let fell_back =
            Query::select().column(Column::FallbackOf).from(Entity).and_where(Column::FallbackOf.is_not_null()).to_owned();
        let failed = Entity::update_many()
            .col_expr(Column::State, Expr::value(MessageState::Queued.name()))
            .col_expr(Column::Attempts, Expr::value(0))
            .col_expr(Column::NextAttemptAt, Expr::value(Some(now)))
            .col_expr(Column::FailedAt, Expr::value(None::<DateTime<Utc>>))
            .filter(Column::State.eq(MessageState::Failed.name()))
            .filter(Column::FailedAt.gte(now - TimeDelta::hours(24)))
            .filter(Column::Reason.is_in(PASSING.map(Reason::name)))
            .filter(Column::Id.not_in_subquery(fell_back))
            .exec(&**tx)
            .await?;
        Ok(waiting.rows_affected + failed.rows_affected)
    }
}

async fn failures(on: &impl ConnectionTrait, since: DateTime<Utc>) -> DbResult<Vec<(String, u64)>> {
    let rows: Vec<(Option<String>, i64)> = Entity::find()
        .select_only()
        .column(Column::Reason)
        .column_as(Column::Id.count(), "count")
        .filter(Column::FailedAt.gte(since))
        .group_by(Column::Reason)
        .into_tuple()
        .all(on)
        .await?;
    let mut rows: Vec<(String, u64)> = rows
        .into_iter()
        .map(|(reason, count)| (reason.unwrap_or_else(|| Reason::Other.name().to_owned()), count.unsigned_abs()))
        .collect();
    rows.sort_by(|(one, a), (other, b)| b.cmp(a).then_with(|| one.cmp(other)));
    Ok(rows)
}
