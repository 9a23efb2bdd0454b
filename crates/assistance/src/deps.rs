//! What this context needs, built once by the server.

use crate::calls::MediaEngine;
use crate::calls::recording::KeyRing;
use crate::live::Live;
use crate::retention::register::Register;
use atalaya_blobs::{BlobStore, MasterKeys};
use atalaya_content::Content;
use atalaya_db::Db;
use atalaya_identity::Identity;
use atalaya_kernel::Sources;
use atalaya_messaging::{Outbox, Templates};
use std::ops::Deref;
use std::path::PathBuf;
use std::sync::Arc;

/// The parts from which [`Assistance`] is built.
pub struct Parts {
    pub db: Db,
    pub sources: Sources,
    pub identity: Identity,
    pub content: Content,
    pub outbox: Outbox,
    pub templates: Arc<Templates>,
    pub blobs: BlobStore,
    /// Wraps the key of each conference.
    pub master: MasterKeys,
    /// Where recordings under way are spooled, sealed.
    pub spool: PathBuf,
    /// The register of erasures, outside database and backup.
    pub erasures: Register,
    pub engine: Arc<dyn MediaEngine>,
    /// Keys of recordings under way; shared with the engine's recording sink.
    pub keys: KeyRing,
    /// Scheme, host and port under which people reach us, without a slash at the end.
    pub public_url: String,
}

/// The context's dependencies. Cheap to clone.
#[derive(Clone)]
pub struct Assistance {
    parts: Arc<Parts>,
    pub live: Live,
}

impl Assistance {
    pub fn new(parts: Parts) -> Self {
        Self { parts: Arc::new(parts), live: Live::default() }
    }
}

impl Deref for Assistance {
    type Target = Parts;
    fn deref(&self) -> &Parts {
        &self.parts
    }
}
