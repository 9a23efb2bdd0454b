//! Who has to know, at once, that a company's account is another one: `billing` ends the mandate of the old one.

use crate::{Identity, IdentityResult};
use async_trait::async_trait;
use atalaya_db::Tx;
use atalaya_kernel::CompanyId;
use std::sync::{Arc, OnceLock};
use uuid::Uuid;

/// Is told in the transaction that changes the account.
#[async_trait]
pub trait AccountWatcher: Send + Sync {
    /// `account`: the id of the new one; `None` when it was cleared. What fails here keeps the account as it was.
    async fn changed(&self, d: &Identity, tx: &Tx, company: CompanyId, account: Option<Uuid>) -> IdentityResult<()>;
}

/// The watcher, put in once by whoever builds the server; without one nobody is told.
#[derive(Clone, Default)]
pub struct AccountWatch(Arc<OnceLock<Arc<dyn AccountWatcher>>>);

impl AccountWatch {
    /// The first one stays.
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
