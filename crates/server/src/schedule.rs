//! Recurring jobs of the contexts below, as the worker runs them.

use async_trait::async_trait;
use atalaya_assistance::{Assistance, client_files, video_call_requests};
use atalaya_identity::{Identity, tasks};
use atalaya_jobs::{Handler, Job, JobFailure, JobResult};
use atalaya_records::Records;
use atalaya_records::privacy::expiry;

/// Deletes files whose time is over.
pub(crate) struct ExpireMedia(pub Records);

impl ExpireMedia {
    pub const KIND: &'static str = "expire_media";
}

#[async_trait]
impl Handler for ExpireMedia {
    async fn run(&self, _: &Job) -> JobResult {
        expiry::run(&self.0).await.map(drop).map_err(|error| JobFailure::Retry(error.to_string()))
    }
}

/// Forgets sessions, log-in tickets and failures that are of no use any more.
pub(crate) struct SweepSessions(pub Identity);

impl SweepSessions {
    pub const KIND: &'static str = "sweep_sessions";
}

#[async_trait]
impl Handler for SweepSessions {
    async fn run(&self, _: &Job) -> JobResult {
        tasks::sweep(&self.0).await.map(drop).map_err(|error| JobFailure::Retry(error.to_string()))
    }
}

/// Writes what is due about requested files, and sweeps uploads that nobody goes on with.
pub(crate) struct AdvanceFileRequests(pub Assistance);

impl AdvanceFileRequests {
    pub const KIND: &'static str = "tend_file_requests";
}

#[async_trait]
impl Handler for AdvanceFileRequests {
    async fn run(&self, _: &Job) -> JobResult {
        client_files::jobs::run(&self.0).await.map_err(|error| JobFailure::Retry(error.to_string()))
    }
}

/// Ends video-call requests whose time is over, and rings call-backs at theirs.
pub(crate) struct AdvanceVideoCallRequests(pub Assistance);

impl AdvanceVideoCallRequests {
    pub const KIND: &'static str = "tend_video_call_requests";
}

#[async_trait]
impl Handler for AdvanceVideoCallRequests {
    async fn run(&self, _: &Job) -> JobResult {
        video_call_requests::jobs::run(&self.0).await.map_err(|error| JobFailure::Retry(error.to_string()))
    }
}
