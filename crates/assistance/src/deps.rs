//! What this context needs, built once by the server.

use crate::calls::MediaEngine;
use crate::calls::recording::KeyRing;
use crate::live::Live;
use crate::retention::register::Register;
use crate::webhooks::Gateway;
use atalaya_blobs::{BlobStore, MasterKeys};
use atalaya_content::Content;
use atalaya_db::Db;
use atalaya_identity::Identity;
use atalaya_kernel::Sources;
use atalaya_messaging::{Outbox, Templates};
use atalaya_outreach::Outreach;
use std::ops::Deref;
use std::path::PathBuf;
use std::sync::Arc;
use tokio::sync::{Semaphore, SemaphorePermit};

/// The parts from which [`Assistance`] is built.
pub struct Parts {
    pub db: Db,
    pub sources: Sources,
    pub identity: Identity,
    /// Notifications, web push and open screens.
    pub outreach: Outreach,
    pub content: Content,
    pub outbox: Outbox,
    pub templates: Arc<Templates>,
    pub blobs: BlobStore,
    /// Wraps the key of each conference.
    pub master: MasterKeys,
    /// Where running recordings are spooled, sealed.
    pub spool: PathBuf,
    /// The register of erasures, outside database and backup.
    pub erasures: Register,
    pub engine: Arc<dyn MediaEngine>,
    /// Keys of running recordings; shared with the engine's recording sink.
    pub keys: KeyRing,
    /// Whether webhooks may go to internal addresses and without TLS; for tests.
    pub webhooks_inside: bool,
    /// Scheme, host and port under which people reach us, without a slash at the end.
    pub public_url: String,
}

/// The context's dependencies. Cheap to clone.
#[derive(Clone)]
pub struct Assistance {
    parts: Arc<Parts>,
    pub live: Live,
    /// Sends webhooks.
    pub(crate) hooks: Gateway,
    writers: Arc<Semaphore>,
}

/// How many arriving files may write their rows at a time.
const WRITERS: usize = 2;

impl Assistance {
    pub fn new(parts: Parts) -> Self {
        let hooks = Gateway::new(parts.webhooks_inside);
        Self { parts: Arc::new(parts), live: Live::default(), hooks, writers: Arc::new(Semaphore::new(WRITERS)) }
    }

    /// A turn to write the row of an arrived file. Files of one conference lock its row, and waiting for that lock here
    /// rather than in the database saves its few connections. Take it before the transaction begins.
    pub(crate) async fn turn_to_write(&self) -> Option<SemaphorePermit<'_>> {
        self.writers.acquire().await.ok()
    }
}

impl Deref for Assistance {
    type Target = Parts;
    fn deref(&self) -> &Parts {
        &self.parts
    }
}
