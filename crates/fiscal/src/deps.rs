//! What this context needs, built once by the server.

use crate::{FiscalResult, Vies};
use async_trait::async_trait;
use atalaya_blobs::{BlobStore, MasterKeys};
use atalaya_db::{Db, Tx};
use atalaya_identity::Identity;
use atalaya_kernel::{CompanyId, Hook, Sources};
use atalaya_outreach::Outreach;
use std::ops::Deref;
use std::sync::Arc;

/// The parts from which [`Fiscal`] is built.
#[derive(Clone)]
pub struct Parts {
    pub db: Db,
    pub sources: Sources,
    pub identity: Identity,
    pub outreach: Outreach,
    pub blobs: BlobStore,
    /// Wraps the key of each document.
    pub master: MasterKeys,
    /// Notified of other tax ids.
    pub tax_id_watch: Hook<dyn TaxIdWatcher>,
    /// Empty while VIES is not asked.
    pub vies: Hook<Vies>,
}

/// Called in the transaction in which a company becomes another taxpayer (FISCAL-8).
#[async_trait]
pub trait TaxIdWatcher: Send + Sync {
    /// An error here leaves the company as it was.
    async fn tax_id_changed(&self, d: &Identity, tx: &Tx, company: CompanyId) -> FiscalResult<()>;
}

/// The context's dependencies. Cheap to clone.
#[derive(Clone)]
pub struct Fiscal(Arc<Parts>);

impl Fiscal {
    pub fn new(parts: Parts) -> Self {
        Self(Arc::new(parts))
    }
}

impl Deref for Fiscal {
    type Target = Parts;
    fn deref(&self) -> &Parts {
        &self.0
    }
}
