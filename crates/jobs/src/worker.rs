//! Runs jobs: claims the next due row, calls its handler, writes the outcome.

use crate::model::{Backoff, Job, JobState, NewJob};
use crate::store::{self, Jobs};
use async_trait::async_trait;
use atalaya_db::{Db, DbResult};
use chrono::TimeDelta;
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
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

struct Periodic {
    kind: &'static str,
    every: TimeDelta,
    payload: Value,
}

/// The lease of a claimed job: when its worker dies, another may take the job after that time.
const LEASE: TimeDelta = TimeDelta::minutes(5);
/// How long the worker sleeps when nothing wakes it.
const POLL: Duration = Duration::from_secs(1);
/// How long ended jobs stay readable.
const KEEP_ENDED: TimeDelta = TimeDelta::days(7);

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
        self.periodic.push(Periodic { kind, every, payload });
        self
    }

    pub fn backoff(mut self, backoff: Backoff) -> Self {
        self.backoff = backoff;
        self
    }

    /// Runs until it is stopped; the job in progress is finished first.
    pub async fn run(self, stop: CancellationToken) {
        let mut periods: Vec<_> = self.periodic.iter().map(|_| self.jobs.sources().now()).collect();
        let mut waker = self.jobs.waker();
        while !stop.is_cancelled() {
            if let Err(error) = self.start_periods(&mut periods).await {
                tracing::warn!(%error, "periodic jobs could not be enqueued");
            }
            match self.run_next().await {
                Ok(true) => continue,
                Ok(false) => {}
                Err(error) => tracing::warn!(%error, "the job table cannot be read"),
            }
            tokio::select! {
                () = stop.cancelled() => {}
                // The sender lives as long as `self.jobs`.
                _ = waker.changed() => {}
                () = tokio::time::sleep(POLL) => {}
            }
        }
    }

    /// Runs one due job. Answers whether there was one. Tests call this instead of [`Worker::run`].
    pub async fn run_next(&self) -> DbResult<bool> {
        let kinds: Vec<&str> = self.handlers.keys().copied().collect();
        let now = self.jobs.sources().now();
        let Some(job) = store::claim(&self.db, &kinds, now, LEASE).await? else { return Ok(false) };
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
        Ok(true)
    }

    async fn start_periods(&self, due: &mut [chrono::DateTime<chrono::Utc>]) -> DbResult<()> {
        let now = self.jobs.sources().now();
        for (periodic, due) in self.periodic.iter().zip(due) {
            if now < *due {
                continue;
            }
            *due = now + periodic.every;
            let tx = self.db.write().await?;
            let job = NewJob::new(periodic.kind, periodic.payload.clone()).dedup(format!("every:{}", periodic.kind));
            self.jobs.enqueue(&tx, job.max_attempts(1)).await?;
            tx.commit().await?;
            store::delete_ended(&self.db, now - KEEP_ENDED).await?;
        }
        Ok(())
    }
}

/// A panic in a handler fails that job only.
async fn attempt(handler: Arc<dyn Handler>, job: Job) -> JobResult {
    match tokio::spawn(async move { handler.run(&job).await }).await {
        Ok(outcome) => outcome,
        Err(error) => Err(JobFailure::Retry(if error.is_panic() { "panic".into() } else { error.to_string() })),
    }
}
