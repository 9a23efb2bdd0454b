//! Recurring jobs of the contexts below, as the worker runs them.

use async_trait::async_trait;
use atalaya_assistance::{Assistance, video_call_requests};
use atalaya_cases::{Cases, appointments, fallback};
use atalaya_client_files as client_files;
use atalaya_db::DbResult;
use atalaya_fiscal::Fiscal;
use atalaya_identity::{Identity, tasks};
use atalaya_jobs::{Handler, Job, JobFailure, JobResult, Look};
use atalaya_privacy::Privacy;
use atalaya_privacy::data_terms;
use atalaya_privacy::erasures::expiry;

/// Deletes files whose time is over.
pub(crate) struct ExpireMedia(pub Privacy);

impl ExpireMedia {
    pub const KIND: &'static str = "expire_media";
}

#[async_trait]
impl Handler for ExpireMedia {
    async fn run(&self, _: &Job) -> JobResult {
        // A term that cannot be carried out must not keep the files of conferences.
        if let Err(error) = data_terms::run(&self.0).await {
            tracing::error!(%error, "terms of data could not be carried out");
        }
        expiry::run(&self.0).await.map(drop).map_err(|error| JobFailure::Retry(error.to_string()))
    }
}

/// Deletes documents of fiscal requests that came to nothing.
pub(crate) struct ExpireFiscalDocuments(pub Fiscal);

impl ExpireFiscalDocuments {
    pub const KIND: &'static str = "expire_fiscal_documents";
}

#[async_trait]
impl Handler for ExpireFiscalDocuments {
    async fn run(&self, _: &Job) -> JobResult {
        atalaya_fiscal::expiry::run(&self.0).await.map(drop).map_err(|error| JobFailure::Retry(error.to_string()))
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

/// Sends a link that has not arrived by the next channel.
pub(crate) struct ReplaceLate(pub Cases);

impl ReplaceLate {
    pub const KIND: &'static str = atalaya_messaging::LATE_JOB;
}

#[async_trait]
impl Handler for ReplaceLate {
    async fn run(&self, job: &Job) -> JobResult {
        let id = job.payload["message"].as_str().and_then(|text| text.parse().ok());
        let id = id.ok_or_else(|| JobFailure::GiveUp("no message".into()))?;
        fallback::replace_late(&self.0, id).await.map(drop).map_err(|error| JobFailure::Retry(error.to_string()))
    }
}

/// Reminds both sides of an appointment.
pub(crate) struct RemindOfAppointments(pub Cases);

impl RemindOfAppointments {
    pub const KIND: &'static str = "remind_of_appointments";
}

#[async_trait]
impl Handler for RemindOfAppointments {
    async fn run(&self, _: &Job) -> JobResult {
        appointments::jobs::run(&self.0).await.map_err(|error| JobFailure::Retry(error.to_string()))
    }
}

#[async_trait]
impl Look for RemindOfAppointments {
    async fn is_due(&self) -> DbResult<bool> {
        appointments::jobs::is_due(&self.0).await
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

#[async_trait]
impl Look for AdvanceFileRequests {
    async fn is_due(&self) -> DbResult<bool> {
        client_files::jobs::is_due(&self.0).await
    }
}

#[async_trait]
impl Look for AdvanceVideoCallRequests {
    async fn is_due(&self) -> DbResult<bool> {
        video_call_requests::jobs::is_due(&self.0).await
    }
}
