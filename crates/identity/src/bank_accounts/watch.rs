//! Notifies of a company's changed account, within the same transaction: `billing` ends the mandate of the old one.

use crate::{Identity, IdentityResult};
use async_trait::async_trait;
use atalaya_db::Tx;
use atalaya_kernel::CompanyId;
use uuid::Uuid;

/// Called in the transaction that changes the account.
#[async_trait]
pub trait AccountWatcher: Send + Sync {
    /// `account`: the id of the new one; `None` when it was cleared. An error here leaves the account unchanged.
    async fn changed(&self, d: &Identity, tx: &Tx, company: CompanyId, account: Option<Uuid>) -> IdentityResult<()>;
}
