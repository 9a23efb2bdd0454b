//! The hourly job: closes days that are over, then has their roots stamped.

use crate::Records;
use crate::timestamps::authority::{self, AuthorityError};
use crate::timestamps::client::Authority;
use async_trait::async_trait;
use atalaya_cases::evidence::days;
use atalaya_db::DbResult;
use atalaya_jobs::{Handler, Job, JobFailure, JobResult};

/// Days that are stamped in one run.
const STAMPS_A_RUN: u64 = 100;

/// Closes every day that is over, the earliest first. Answers how many there were.
pub async fn close(deps: &Records) -> DbResult<usize> {
    let mut closed = 0;
    loop {
        let tx = deps.db.write().await?;
        let Some(day) = days::close_next(&tx, deps).await? else { return Ok(closed) };
        for observer in &deps.day_observers {
            observer.closed(&tx, &deps.sources, &day).await?;
        }
        tx.commit().await?;
        tracing::info!(seals = day.seals, "a day of evidence was closed");
        closed += 1;
    }
}

/// Has the roots of closed days stamped, each by itself.
pub async fn stamp(deps: &Records, authority: &Authority) -> Result<(), AuthorityError> {
    for (day, root) in days::unstamped(deps.db.read(), STAMPS_A_RUN).await? {
        let stamped = authority.ask(&root, &authority::nonce(deps.sources.bytes::<8>())).await?;
        let tx = deps.db.write().await?;
        days::stamp(&tx, &deps.sources, day, stamped).await?;
        tx.commit().await?;
    }
    Ok(())
}

/// The hourly job.
pub struct CloseDays {
    pub deps: Records,
    pub authority: Option<Authority>,
}

impl CloseDays {
    pub const KIND: &'static str = "close_evidence_days";
}

#[async_trait]
impl Handler for CloseDays {
    async fn run(&self, _: &Job) -> JobResult {
        close(&self.deps).await.map_err(|error| JobFailure::Retry(error.to_string()))?;
        if let Some(authority) = &self.authority {
            stamp(&self.deps, authority).await.map_err(|error| JobFailure::Retry(error.to_string()))?;
        }
        Ok(())
    }
}
