//! What this context needs, built once by the server.

use atalaya_blobs::{BlobStore, MasterKeys};
use atalaya_cases::Cases;
use atalaya_content::Content;
use atalaya_db::Db;
use atalaya_fiscal::Fiscal;
use atalaya_identity::Identity;
use atalaya_jobs::Jobs;
use atalaya_kernel::Sources;
use atalaya_messaging::{Outbox, Templates};
use atalaya_outreach::Outreach;
use std::ops::Deref;
use std::sync::Arc;

/// The parts from which [`Billing`] is built.
#[derive(Clone)]
pub struct Parts {
    pub db: Db,
    pub sources: Sources,
    pub identity: Identity,
    pub content: Content,
    pub outreach: Outreach,
    pub fiscal: Fiscal,
    pub cases: Cases,
    pub jobs: Jobs,
    pub outbox: Outbox,
    pub templates: Arc<Templates>,
    pub blobs: BlobStore,
    /// Wraps the key of each stored document.
    pub master: MasterKeys,
    pub settings: BillingSettings,
    /// Scheme, host and port under which people reach us, without a slash at the end.
    pub public_url: String,
}

/// What the operator of the platform decides about billing; the rooms document their own parts.
#[derive(Clone, Debug, Default)]
pub struct BillingSettings {
    pub verifactu: crate::verifactu::VerifactuSettings,
    pub sepa: crate::remittances::SepaSettings,
    /// What recipients say of invoices is kept (EINV-17).
    pub invoice_messages: bool,
}

/// The context's dependencies. Cheap to clone.
#[derive(Clone)]
pub struct Billing(Arc<Parts>);

impl Billing {
    pub fn new(parts: Parts) -> Self {
        Self(Arc::new(parts))
    }
}

impl Deref for Billing {
    type Target = Parts;
    fn deref(&self) -> &Parts {
        &self.0
    }
}
