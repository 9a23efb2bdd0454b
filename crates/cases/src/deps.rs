//! What this context needs, built once by the server.

use crate::evidence::Observer;
use crate::evidence_keys::KeySource;
use crate::lists::UnseenFiles;
use crate::live::Live;
use atalaya_blobs::MasterKeys;
use atalaya_db::Db;
use atalaya_identity::Identity;
use atalaya_kernel::Sources;
use atalaya_messaging::{Outbox, Templates};
use std::ops::Deref;
use std::sync::Arc;

/// The parts from which [`Cases`] is built.
#[derive(Clone)]
pub struct Parts {
    pub db: Db,
    pub sources: Sources,
    pub identity: Identity,
    pub outbox: Outbox,
    pub templates: Arc<Templates>,
    /// Wraps the key of each conference.
    pub master: MasterKeys,
    /// Signs seals and certificates.
    pub evidence_key: Arc<dyn KeySource>,
    /// Scheme, host and port under which people reach us, without a slash at the end.
    pub public_url: String,
    /// Learn of every track in its transaction.
    pub observers: Vec<Arc<dyn Observer>>,
    /// Counts the files that lists mark as new.
    pub unseen: Arc<dyn UnseenFiles>,
}

/// The context's dependencies. Cheap to clone.
#[derive(Clone)]
pub struct Cases {
    parts: Arc<Parts>,
    pub live: Live,
}

impl Cases {
    pub fn new(parts: Parts) -> Self {
        Self { parts: Arc::new(parts), live: Live::default() }
    }

    /// The same cases with other sources and without watchers, whose messages go elsewhere: for example data in the past.
    pub fn unwatched(&self, sources: Sources, outbox: Outbox) -> Self {
        Self::new(Parts { sources, outbox, ..Parts::clone(self) })
    }
}

impl Deref for Cases {
    type Target = Parts;
    fn deref(&self) -> &Parts {
        &self.parts
    }
}
