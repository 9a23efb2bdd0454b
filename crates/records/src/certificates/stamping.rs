//! The hourly anchor: one tree of all new roots, stamped by an outside authority (CERT-17).

use crate::Records;
use crate::timestamps::authority::{self, AuthorityError};
pub use crate::timestamps::client::{Authority, try_authority};
use async_trait::async_trait;
use atalaya_cases::evidence::{merkle, stamps};
use atalaya_jobs::{Handler, Job, JobFailure, JobResult};

/// Stamps all seals without a time stamp together, under a single one. Answers how many they were.
pub async fn stamp_new(deps: &Records, authority: &Authority) -> Result<usize, AuthorityError> {
    let seals = stamps::unstamped(deps.db.read()).await?;
    if seals.is_empty() {
        return Ok(0);
    }
    let roots: Vec<merkle::Hash> = seals.iter().map(|seal| seal.root).collect();
    let root = merkle::root(&roots);
    let stamped = authority.ask(&root, &authority::nonce(deps.sources.bytes::<8>())).await?;
    let tx = deps.db.write().await?;
    stamps::insert(&tx, &deps.sources, &seals, &root, stamped).await?;
    tx.commit().await?;
    tracing::info!(seals = seals.len(), "seals stamped");
    Ok(seals.len())
}

/// The hourly job.
pub struct StampSeals {
    pub deps: Records,
    pub authority: Authority,
}

impl StampSeals {
    pub const KIND: &'static str = "stamp_seals";
}

#[async_trait]
impl Handler for StampSeals {
    async fn run(&self, _: &Job) -> JobResult {
        stamp_new(&self.deps, &self.authority).await.map(drop).map_err(|error| JobFailure::Retry(error.to_string()))
    }
}
