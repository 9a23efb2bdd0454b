//! How many requests bring bytes at once: a few per link, and not too many of everybody.
//!
//! Each of them holds a connection and some memory for as long as it lasts, and a link is a secret that can be passed on.

use super::super::FilesError;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use uuid::Uuid;

/// Requests of one link at once.
const PER_LINK: usize = 4;
/// Requests of everybody at once.
const OF_ALL: usize = 64;
/// How long a request waits for a place.
const WAIT: Duration = Duration::from_secs(10);
/// What one that got none is told to wait, in seconds.
const RETRY_AFTER_S: u64 = 5;
/// Links kept before idle ones are swept.
const SWEEP_AT: usize = 1000;

/// The places. Cheap to clone.
#[derive(Clone)]
pub struct Places {
    all: Arc<Semaphore>,
    links: Arc<Mutex<HashMap<Uuid, Arc<Semaphore>>>>,
}

/// A place taken; free again when dropped.
pub struct Place {
    _link: OwnedSemaphorePermit,
    _all: OwnedSemaphorePermit,
}

impl Default for Places {
    fn default() -> Self {
        Self { all: Arc::new(Semaphore::new(OF_ALL)), links: Arc::default() }
    }
}

impl Places {
    /// Waits a little for a place. Errors: `TOO_MANY_REQUESTS`.
    pub async fn take(&self, request: Uuid) -> Result<Place, FilesError> {
        let full = FilesError::TooManyCalls { retry_after_s: RETRY_AFTER_S };
        let link = self.of_link(request);
        let both = async {
            // The link's first: whoever waits for his own link keeps no place from the others.
            let link = link.acquire_owned().await.ok()?;
            let all = self.all.clone().acquire_owned().await.ok()?;
            Some(Place { _link: link, _all: all })
        };
        tokio::time::timeout(WAIT, both).await.ok().flatten().ok_or(full)
    }

    fn of_link(&self, request: Uuid) -> Arc<Semaphore> {
        let mut links = self.links.lock().unwrap_or_else(PoisonError::into_inner);
        if links.len() >= SWEEP_AT {
            // Nobody else holds it: nobody is inside, and nobody waits.
            links.retain(|_, link| Arc::strong_count(link) > 1);
        }
        links.entry(request).or_insert_with(|| Arc::new(Semaphore::new(PER_LINK))).clone()
    }
}
