//! What a job is, and when a failed one runs again.

use atalaya_kernel::JobId;
use chrono::{DateTime, TimeDelta, Utc};
use serde_json::Value;

/// States of the `job` table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JobState {
    Queued,
    Running,
    Done,
    /// Given up; stays in the table with its error.
    Failed,
}

impl JobState {
    pub fn name(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Running => "running",
            Self::Done => "done",
            Self::Failed => "failed",
        }
    }
}

/// A job to be enqueued.
#[derive(Clone, Debug)]
pub struct NewJob {
    pub(crate) kind: &'static str,
    pub(crate) payload: Value,
    pub(crate) dedup_key: Option<String>,
    pub(crate) run_at: Option<DateTime<Utc>>,
    pub(crate) max_attempts: i32,
}

impl NewJob {
    /// A job that runs as soon as a worker is free, at most ten times.
    pub fn new(kind: &'static str, payload: Value) -> Self {
        Self { kind, payload, dedup_key: None, run_at: None, max_attempts: 10 }
    }

    /// While a job with this key waits or runs, enqueueing another does nothing.
    pub fn dedup(mut self, key: impl Into<String>) -> Self {
        self.dedup_key = Some(key.into());
        self
    }

    /// Runs at this time at the earliest.
    pub fn at(mut self, time: DateTime<Utc>) -> Self {
        self.run_at = Some(time);
        self
    }

    pub fn max_attempts(mut self, attempts: i32) -> Self {
        self.max_attempts = attempts;
        self
    }
}

/// A claimed job, as its handler sees it.
#[derive(Clone, Debug)]
pub struct Job {
    pub id: JobId,
    pub kind: String,
    pub payload: Value,
    /// 1 on the first run.
    pub attempt: i32,
    pub max_attempts: i32,
}

/// Waiting times between attempts: doubling from `first`, never longer than `longest`.
#[derive(Clone, Copy, Debug)]
pub struct Backoff {
    pub first: TimeDelta,
    pub longest: TimeDelta,
}

impl Default for Backoff {
    fn default() -> Self {
        Self { first: TimeDelta::seconds(5), longest: TimeDelta::hours(1) }
    }
}

impl Backoff {
    /// Time to wait after the given attempt (1 = the first) failed.
    pub fn after(&self, attempt: i32) -> TimeDelta {
        let doublings = attempt.saturating_sub(1).clamp(0, 30);
        let wait = self.first.num_milliseconds().saturating_mul(1 << doublings);
        TimeDelta::milliseconds(wait.min(self.longest.num_milliseconds()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_up_to_the_longest() {
        let backoff = Backoff::default();
        let seconds: Vec<i64> = [1, 2, 3, 4, 10, 11, 500].iter().map(|n| backoff.after(*n).num_seconds()).collect();
        assert_eq!(seconds, [5, 10, 20, 40, 2560, 3600, 3600]);
    }
}
