//! Queries on the `job` table.

use crate::entity::{ActiveModel, Column, Entity, Model};
use crate::model::{Backoff, Job, JobState, NewJob};
use atalaya_db::{Db, DbResult, Engine, Tx};
use atalaya_kernel::{JobId, Sources};
use chrono::{DateTime, TimeDelta, Utc};
use sea_orm::sea_query::{Expr, Func, LockBehavior, LockType, OnConflict};
use sea_orm::{ActiveValue::Set, ColumnTrait, Condition, EntityTrait, ExprTrait, QueryFilter, QueryOrder, QuerySelect};
use std::sync::Arc;
use tokio::sync::watch;

/// Enqueues jobs. Cheap to clone; the clones given to workers are woken by all others.
#[derive(Clone)]
pub struct Jobs {
    sources: Sources,
    wake: Arc<watch::Sender<()>>,
}

impl Jobs {
    pub fn new(sources: Sources) -> Self {
        Self { sources, wake: Arc::new(watch::Sender::new(())) }
    }

    /// Writes the job in the caller's transaction: it exists if and only if that transaction commits.
    ///
    /// Answers `None` when a job with the same deduplication key still waits or runs.
    pub async fn enqueue(&self, tx: &Tx, job: NewJob) -> DbResult<Option<JobId>> {
        let now = self.sources.now();
        let id: JobId = self.sources.id();
        tx.changed("job", job.kind);
        let row = ActiveModel {
            id: Set(id.0),
            kind: Set(job.kind.to_owned()),
            state: Set(JobState::Queued.name().to_owned()),
            dedup_key: Set(job.dedup_key),
            last_error: Set(None),
            payload: Set(job.payload),
            attempts: Set(0),
            max_attempts: Set(job.max_attempts),
            run_at: Set(job.run_at.unwrap_or(now)),
            locked_until: Set(None),
            created_at: Set(now),
            finished_at: Set(None),
        };
        let conflict = OnConflict::column(Column::DedupKey).do_nothing().to_owned();
        let added = Entity::insert(row).on_conflict(conflict).exec_without_returning(&**tx).await?;
        Ok((added > 0).then_some(id))
    }

    /// Wakes every worker of this process; call it after the commit.
    pub fn wake(&self) {
        self.wake.send_replace(());
    }

    /// Wakes one worker. Each worker has its own, so that a wake-up during its work is not lost.
    pub(crate) fn waker(&self) -> watch::Receiver<()> {
        self.wake.subscribe()
    }

    pub(crate) fn sources(&self) -> &Sources {
        &self.sources
    }
}

/// When the next job of these kinds is due, or the lease of one that runs ends.
pub(crate) async fn next_due(db: &Db, kinds: &[&str]) -> DbResult<Option<DateTime<Utc>>> {
    let waits = Column::State.eq(JobState::Queued.name());
    let due = Expr::case(waits, Expr::col(Column::RunAt)).finally(Expr::col(Column::LockedUntil));
    let query = Entity::find()
        .select_only()
        .expr_as(Func::min(due), "due")
        .filter(Column::State.is_in([JobState::Queued.name(), JobState::Running.name()]))
        .filter(Column::Kind.is_in(kinds.iter().copied()));
    Ok(query.into_tuple::<Option<DateTime<Utc>>>().one(db.read()).await?.flatten())
}

/// Takes the next due job of these kinds for `lease`, or a job whose former lease has ended.
///
/// PostgreSQL skips rows that another worker is just claiming; SQLite's writing transaction is alone.
pub(crate) async fn claim(db: &Db, kinds: &[&str], now: DateTime<Utc>, lease: TimeDelta) -> DbResult<Option<Job>> {
    let tx = db.write().await?;
    let due = Condition::any()
        .add(Column::State.eq(JobState::Queued.name()).and(Column::RunAt.lte(now)))
        .add(Column::State.eq(JobState::Running.name()).and(Column::LockedUntil.lt(now)));
    let mut query = Entity::find()
        .filter(due)
        .filter(Column::Kind.is_in(kinds.iter().copied()))
        .order_by_asc(Column::RunAt)
        .order_by_asc(Column::Id)
        .limit(1);
    if tx.engine() == Engine::Postgres {
        query = query.lock_with_behavior(LockType::Update, LockBehavior::SkipLocked);
    }
    let Some(row) = query.one(&*tx).await? else { return Ok(None) };
    Entity::update_many()
        .col_expr(Column::State, Expr::value(JobState::Running.name()))
        .col_expr(Column::Attempts, Expr::value(row.attempts + 1))
        .col_expr(Column::LockedUntil, Expr::value(Some(now + lease)))
        .filter(Column::Id.eq(row.id))
        .exec(&*tx)
        .await?;
    tx.commit().await?;
    Ok(Some(claimed(row)))
}

fn claimed(row: Model) -> Job {
    Job { id: JobId(row.id), kind: row.kind, payload: row.payload, attempt: row.attempts + 1, max_attempts: row.max_attempts }
}

/// Ends a job that did its work; its deduplication key is free again.
pub(crate) async fn finish(db: &Db, job: &Job, now: DateTime<Utc>) -> DbResult<()> {
    let tx = db.write().await?;
    ended(&tx, job, JobState::Done, now, None).await?;
    tx.commit().await
}

/// Puts a failed job back with a waiting time, or gives it up when its attempts are spent or `forever` is set.
pub(crate) async fn fail(
    db: &Db,
    job: &Job,
    error: &str,
    forever: bool,
    backoff: Backoff,
    now: DateTime<Utc>,
) -> DbResult<JobState> {
    let tx = db.write().await?;
    let state = if forever || job.attempt >= job.max_attempts {
        ended(&tx, job, JobState::Failed, now, Some(error)).await?;
        JobState::Failed
    } else {
        Entity::update_many()
            .col_expr(Column::State, Expr::value(JobState::Queued.name()))
            .col_expr(Column::RunAt, Expr::value(now + backoff.after(job.attempt)))
            .col_expr(Column::LockedUntil, Expr::value(None::<DateTime<Utc>>))
            .col_expr(Column::LastError, Expr::value(Some(error.to_owned())))
            .filter(held_by(job))
            .exec(&*tx)
            .await?;
        JobState::Queued
    };
    tx.commit().await?;
    Ok(state)
}

async fn ended(tx: &Tx, job: &Job, state: JobState, now: DateTime<Utc>, error: Option<&str>) -> DbResult<()> {
    Entity::update_many()
        .col_expr(Column::State, Expr::value(state.name()))
        .col_expr(Column::DedupKey, Expr::value(None::<String>))
        .col_expr(Column::LockedUntil, Expr::value(None::<DateTime<Utc>>))
        .col_expr(Column::FinishedAt, Expr::value(Some(now)))
        .col_expr(Column::LastError, Expr::value(error.map(str::to_owned)))
        .filter(held_by(job))
        .exec(&**tx)
        .await?;
    Ok(())
}

/// Only the attempt that holds the job may end it: a worker that lost its lease changes nothing.
fn held_by(job: &Job) -> Condition {
    Condition::all()
        .add(Column::Id.eq(job.id.0))
        .add(Column::State.eq(JobState::Running.name()))
        .add(Column::Attempts.eq(job.attempt))
}

/// Deletes ended jobs older than `before`.
pub(crate) async fn delete_ended(db: &Db, before: DateTime<Utc>) -> DbResult<u64> {
    let tx = db.write().await?;
    let gone = Entity::delete_many().filter(Column::FinishedAt.lt(before)).exec(&*tx).await?;
    tx.commit().await?;
    Ok(gone.rows_affected)
}
