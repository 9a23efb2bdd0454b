//! Runs jobs: claims the next due row, calls its handler, writes the outcome.

use crate::model::{Backoff, Job, JobState, NewJob};
use crate::store::{self, Jobs};
use async_trait::async_trait;
use atalaya_db::{Change, Db, DbResult};
use chrono::{DateTime, TimeDelta, Utc};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

/// Why a job did not succeed.
#[derive(Debug, thiserror::Error)]
pub enum JobFailure {
    /// Worth another attempt after a while.
    #[error("{0}")]
    Retry(String),
    /// Will never succeed.
    #[error("{0}")]
    GiveUp(String),
}

pub type JobResult = Result<(), JobFailure>;

/// Does one kind of job. *Invariant:* idempotent, because a job may run twice.
#[async_trait]
pub trait Handler: Send + Sync {
    async fn run(&self, job: &Job) -> JobResult;
}

/// Whether there is anything to do for periodic work; one cheap query.
#[async_trait]
pub trait Look: Send + Sync {
    async fn is_due(&self) -> DbResult<bool>;
}

struct Periodic {
    kind: &'static str,
    every: TimeDelta,
    payload: Value,
    look: Option<Arc<dyn Look>>,
}

/// The lease of a claimed job: when its worker dies, another may take the job after that time.
const LEASE: TimeDelta = TimeDelta::minutes(5);
/// How long the worker sleeps at most. It is woken by every job that this process or, on PostgreSQL, another one enqueues;
/// this is for a word that was lost.
const POLL: Duration = Duration::from_secs(60);
/// How long it sleeps at least, so that a job that others are about to claim is not asked for again and again.
const PAUSE: Duration = Duration::from_millis(100);
const AFTER_ERROR: TimeDelta = TimeDelta::seconds(1);
/// How long ended jobs stay readable, and how often those older are deleted.
const KEEP_ENDED: TimeDelta = TimeDelta::days(7);
const SWEEP: TimeDelta = TimeDelta::hours(1);

/// What came of looking for a job.
enum Ran {
    Job,
    /// None is due before then.
    Nothing(Option<DateTime<Utc>>),
}

/// The worker of this process.
pub struct Worker {
    db: Db,
    jobs: Jobs,
    handlers: BTreeMap<&'static str, Arc<dyn Handler>>,
    periodic: Vec<Periodic>,
    backoff: Backoff,
}

impl Worker {
    pub fn new(db: Db, jobs: Jobs) -> Self {
        Self { db, jobs, handlers: BTreeMap::new(), periodic: Vec::new(), backoff: Backoff::default() }
    }

    /// Registers the handler of a kind of job.
    pub fn handle(mut self, kind: &'static str, handler: Arc<dyn Handler>) -> Self {
        self.handlers.insert(kind, handler);
        self
    }

    /// Enqueues a job of this kind once per period, also when several processes share the database.
    pub fn every(mut self, kind: &'static str, every: Duration, payload: Value) -> Self {
        let every = TimeDelta::from_std(every).expect("a period is far below the range of a time span");
        self.periodic.push(Periodic { kind, every, payload, look: None });
        self
    }

    /// The same, but only when there is something to do.
    pub fn every_when(self, kind: &'static str, every: Duration, look: Arc<dyn Look>) -> Self {
        let mut worker = self.every(kind, every, Value::Null);
        if let Some(periodic) = worker.periodic.last_mut() {
            periodic.look = Some(look);
        }
        worker
    }

    pub fn backoff(mut self, backoff: Backoff) -> Self {
        self.backoff = backoff;
        self
    }

    /// Runs until it is stopped; the job in progress is finished first.
    pub async fn run(self, stop: CancellationToken) {
        let began = self.jobs.sources().now();
        let mut periods: Vec<_> = self.periodic.iter().map(|_| began).collect();
        let mut sweep = began;
        let mut waker = self.jobs.waker();
        let enqueued = self.enqueued();
        while !stop.is_cancelled() {
            if let Err(error) = self.start_periods(&mut periods).await {
                tracing::warn!(%error, "periodic jobs could not be enqueued");
            }
            let due = match self.run_due().await {
                Ok(Ran::Job) => continue,
                Ok(Ran::Nothing(due)) => due,
                Err(error) => {
                    tracing::warn!(%error, "the job table cannot be read");
                    Some(self.jobs.sources().now() + AFTER_ERROR)
                }
            };
            if let Err(error) = self.sweep(&mut sweep).await {
                tracing::warn!(%error, "ended jobs could not be deleted");
            }
            let pause = self.pause(periods.iter().copied().chain(due).min());
            tokio::select! {
                () = stop.cancelled() => {}
                // The sender lives as long as `self.jobs`.
                _ = waker.changed() => {}
                () = enqueued.notified() => {}
                () = tokio::time::sleep(pause) => {}
            }
        }
    }

    /// Is notified when a job of our kinds was enqueued, here or by another process.
    fn enqueued(&self) -> Arc<Notify> {
        let (notify, kinds) = (Arc::new(Notify::new()), self.kinds().into_iter().collect::<Vec<_>>());
        let weak = Arc::downgrade(&notify);
        self.db.changes().observe(move |change| {
            let ours = match change {
                Change::Of { table, key } => table == "job" && kinds.contains(&key.as_str()),
                Change::Anything => true,
            };
            if let Some(notify) = weak.upgrade().filter(|_| ours) {
                notify.notify_one();
            }
        });
        notify
    }

    fn kinds(&self) -> Vec<&'static str> {
        self.handlers.keys().copied().collect()
    }

    /// How long there is nothing to do, if nobody wakes it.
    fn pause(&self, next: Option<DateTime<Utc>>) -> Duration {
        let now = self.jobs.sources().now();
        next.map_or(POLL, |at| (at - now).to_std().unwrap_or_default().clamp(PAUSE, POLL))
    }

    /// Runs one due job. Answers whether there was one. Tests call this instead of [`Worker::run`].
    pub async fn run_next(&self) -> DbResult<bool> {
        Ok(matches!(self.run_due().await?, Ran::Job))
    }

    async fn run_due(&self) -> DbResult<Ran> {
        let (kinds, now) = (self.kinds(), self.jobs.sources().now());
        // Reads first, so that an empty table does not cost a writer's turn.
        let due = store::next_due(&self.db, &kinds).await?;
        if due.is_none_or(|due| due > now) {
            return Ok(Ran::Nothing(due));
        }
        let Some(job) = store::claim(&self.db, &kinds, now, LEASE).await? else { return Ok(Ran::Nothing(due)) };
        let handler = self.handlers.get(job.kind.as_str()).expect("only handled kinds are claimed").clone();
        let outcome = attempt(handler, job.clone()).await;
        let now = self.jobs.sources().now();
        match outcome {
            Ok(()) => store::finish(&self.db, &job, now).await?,
            Err(failure) => {
                let forever = matches!(failure, JobFailure::GiveUp(_));
                let state = store::fail(&self.db, &job, &failure.to_string(), forever, self.backoff, now).await?;
                let given_up = state == JobState::Failed;
                tracing::warn!(job.id = %job.id, job.kind, job.attempt, given_up, error = %failure, "job failed");
            }
        }
        Ok(Ran::Job)
    }

    async fn start_periods(&self, due: &mut [DateTime<Utc>]) -> DbResult<()> {
        let now = self.jobs.sources().now();
        for (periodic, due) in self.periodic.iter().zip(due) {
            if now < *due {
                continue;
            }
            *due = now + periodic.every;
            if let Some(look) = &periodic.look
                && !look.is_due().await?
            {
                continue;
            }
            let tx = self.db.write().await?;
            let job = NewJob::new(periodic.kind, periodic.payload.clone()).dedup(format!("every:{}", periodic.kind));
            self.jobs.enqueue(&tx, job.max_attempts(1)).await?;
            tx.commit().await?;
        }
        Ok(())
    }

    /// Deletes old jobs; by the worker of periodic work only.
    async fn sweep(&self, due: &mut DateTime<Utc>) -> DbResult<()> {
        let now = self.jobs.sources().now();
        if now < *due || self.periodic.is_empty() {
            return Ok(());
        }
        *due = now + SWEEP;
        store::delete_ended(&self.db, now - KEEP_ENDED).await.map(drop)
    }
}

/// A panic in a handler fails that job only.
async fn attempt(handler: Arc<dyn Handler>, job: Job) -> JobResult {
    match tokio::spawn(async move { handler.run(&job).await }).await {
        Ok(outcome) => outcome,
        Err(error) => Err(JobFailure::Retry(if error.is_panic() { "panic".into() } else { error.to_string() })),
    }
}
