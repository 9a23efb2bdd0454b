//! The hourly anchor: one tree of all new roots, stamped by an outside authority (CERT-17).

use crate::Records;
use crate::timestamps::authority::{self, AuthorityError};
use async_trait::async_trait;
use atalaya_cases::evidence::{merkle, stamps};
use atalaya_jobs::{Handler, Job, JobFailure, JobResult};
use std::time::Duration;

/// An authority that stamps; setting `timestamp_url`.
#[derive(Clone, Debug)]
pub struct Authority {
    pub url: String,
    /// Of a qualified trust service provider; setting `timestamp_qualified`.
    pub qualified: bool,
}

/// How long an authority may take.
const PATIENCE: Duration = Duration::from_secs(30);
/// Larger than any real answer with its certificates.
const ANSWER_MAX_BYTES: usize = 256 << 10;

impl Authority {
    /// Asks for a time stamp of this hash.
    pub(super) async fn ask(&self, imprint: &merkle::Hash, nonce: &[u8; 8]) -> Result<stamps::Stamped, AuthorityError> {
        let unreachable = |error: reqwest::Error| AuthorityError::Unreachable(error.without_url().to_string());
        let none = reqwest::redirect::Policy::none();
        let client = reqwest::Client::builder().timeout(PATIENCE).redirect(none).build().map_err(unreachable)?;
        let mut answer = client
            .post(&self.url)
            .header("content-type", "application/timestamp-query")
            .body(authority::request(imprint, nonce)?)
            .send()
            .await
            .and_then(reqwest::Response::error_for_status)
            .map_err(unreachable)?;
        if !answer.status().is_success() {
            return Err(AuthorityError::Unreachable(format!("status {}", answer.status().as_u16())));
        }
        let mut body = Vec::new();
        while let Some(piece) = answer.chunk().await.map_err(unreachable)? {
            if body.len() + piece.len() > ANSWER_MAX_BYTES {
                return Err(AuthorityError::Unreadable("it is too long".into()));
            }
            body.extend_from_slice(&piece);
        }
        let mut stamped = authority::read(&body, imprint, nonce)?;
        if stamped.authority.is_empty() {
            stamped.authority = host(&self.url).to_owned();
        }
        stamped.qualified = self.qualified;
        Ok(stamped)
    }
}

fn host(url: &str) -> &str {
    url.split('/').nth(2).unwrap_or(url)
}

/// Checks that the authority works, with a time stamp over random bytes. Answers its name.
pub async fn try_authority(authority: &Authority, sources: &atalaya_kernel::Sources) -> Result<String, AuthorityError> {
    let stamped = authority.ask(&sources.bytes::<32>(), &authority::nonce(sources.bytes::<8>())).await?;
    Ok(stamped.authority)
}

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
