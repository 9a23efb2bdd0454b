//! The root of each day over all seals of it: closed once a day, stamped, published, and sent to webhooks, so that not even
//! whoever runs the installation can change a case of yesterday unseen (EVID-50 to EVID-53).

pub mod http;
pub mod jobs;

use async_trait::async_trait;
use atalaya_cases::evidence::days::Day;
use atalaya_db::{DbResult, Tx};
use atalaya_kernel::Sources;

/// Learns that a day was closed, in the transaction that closes it.
#[async_trait]
pub trait Observer: Send + Sync {
    async fn closed(&self, tx: &Tx, sources: &Sources, day: &Day) -> DbResult<()>;
}
