//! What this context needs, built once by the server.

use crate::calls::MediaEngine;
use crate::calls::recording::KeyRing;
use crate::places::Geocoder;
use atalaya_blobs::BlobStore;
use atalaya_cases::Cases;
use atalaya_content::Content;
use atalaya_outreach::Outreach;
use std::ops::Deref;
use std::path::PathBuf;
use std::sync::Arc;
use tokio::sync::{Semaphore, SemaphorePermit};

/// The parts from which [`Assistance`] is built. They lead on to those of [`Cases`], so that whoever has an `Assistance`
/// can call the rooms below with it.
#[derive(Clone)]
pub struct Parts {
    pub cases: Cases,
    /// Notifications, web push and open screens.
    pub outreach: Outreach,
    pub content: Content,
    pub blobs: BlobStore,
    /// Where running recordings are spooled, sealed.
    pub spool: PathBuf,
    pub engine: Arc<dyn MediaEngine>,
    /// Keys of running recordings; shared with the engine's recording sink.
    pub keys: KeyRing,
    /// Looks addresses up; none when no service is configured.
    pub geocoder: Option<Arc<Geocoder>>,
}

impl Deref for Parts {
    type Target = Cases;
    fn deref(&self) -> &Cases {
        &self.cases
    }
}

/// The context's dependencies. Cheap to clone.
#[derive(Clone)]
pub struct Assistance {
    parts: Arc<Parts>,
    writers: Arc<Semaphore>,
}

/// How many arriving files may write their rows at a time.
const WRITERS: usize = 2;

impl Assistance {
    pub fn new(parts: Parts) -> Self {
        Self { parts: Arc::new(parts), writers: Arc::new(Semaphore::new(WRITERS)) }
    }

    /// A turn to write the row of an arrived file. Files of one conference lock its row, and waiting for that lock here
    /// rather than in the database saves its few connections. Take it before the transaction begins.
    pub async fn turn_to_write(&self) -> Option<SemaphorePermit<'_>> {
        self.writers.acquire().await.ok()
    }
}

impl Deref for Assistance {
    type Target = Parts;
    fn deref(&self) -> &Parts {
        &self.parts
    }
}
