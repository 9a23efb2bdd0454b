//! Notifies of a company's changed account, within the same transaction: `billing` ends the mandate of the old one.

use crate::{Identity, IdentityResult};
use async_trait::async_trait;
use atalaya_db::Tx;
use atalaya_kernel::CompanyId;
use std::sync::{Arc, OnceLock};
use uuid::Uuid;

/// Called in the transaction that changes the account.
#[async_trait]
pub trait AccountWatcher: Send + Sync {
    /// `account`: the id of the new one; `None` when it was cleared. An error here leaves the account unchanged.
    async fn changed(&self, d: &Identity, tx: &Tx, company: CompanyId, account: Option<Uuid>) -> IdentityResult<()>;
}

/// The watcher, registered once when the server is built; without one nobody is notified.
#[derive(Clone, Default)]
pub struct AccountWatch(Arc<OnceLock<Arc<dyn AccountWatcher>>>);

impl AccountWatch {
    /// Later ones are ignored.
    pub fn set(&self, watcher: Arc<dyn AccountWatcher>) {
        if self.0.set(watcher).is_err() {
            tracing::warn!("accounts are watched already");
        }
    }

    pub(crate) async fn tell(&self, d: &Identity, tx: &Tx, company: CompanyId, account: Option<Uuid>) -> IdentityResult<()> {
        match self.0.get() {
            Some(watcher) => watcher.changed(d, tx, company, account).await,
            None => Ok(()),
        }
    }
}
