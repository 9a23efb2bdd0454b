//! Background work in our own database: a row per job, enqueued in the caller's transaction, run by workers.
//!
//! Called by rooms (`Jobs::enqueue` inside their transaction) and by the server, which runs one [`Worker`].
//! *Invariants:* a job runs at least once, so handlers are idempotent; two workers never hold one job at a time; a
//! job whose worker died is taken again when its lease ends.

mod entity;
mod model;
mod store;
mod worker;

pub use model::{Backoff, Job, JobState, NewJob};
pub use store::Jobs;
pub use worker::{Handler, JobFailure, JobResult, Look, Worker};
