//! Deletes expired tokens and proofs.

use super::MarketingError;
use super::model::{KEEP_PROOF, TOKEN_LIFE};
use super::store;
use crate::Outreach;
use async_trait::async_trait;
use atalaya_jobs::{Handler, Job, JobFailure, JobResult};

/// The hourly job. An expired token answers `TOKEN_EXPIRED` for a year before it becomes unknown.
pub struct TidyMarketing(pub Outreach);

impl TidyMarketing {
    pub const KIND: &'static str = "tidy_marketing";

    /// Answers how many rows were deleted.
    pub async fn tidy(d: &Outreach) -> Result<u64, MarketingError> {
        let now = d.sources.now();
        let tx = d.db.write().await?;
        let gone = store::delete_old(&tx, now - TOKEN_LIFE, now - KEEP_PROOF).await?;
        tx.commit().await?;
        Ok(gone)
    }
}

#[async_trait]
impl Handler for TidyMarketing {
    async fn run(&self, _: &Job) -> JobResult {
        Self::tidy(&self.0).await.map(drop).map_err(|error| JobFailure::Retry(error.to_string()))
    }
}
