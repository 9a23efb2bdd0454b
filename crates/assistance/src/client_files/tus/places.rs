//! How many requests may bring bytes at once: a few per link (FILES-19), and not too many overall.
//!
//! Each of them holds a connection and some memory while it lasts, and a link can be passed on.

use super::super::FilesError;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use uuid::Uuid;

/// Simultaneous requests of one link.
const PER_LINK: usize = 4;
/// Simultaneous requests overall.
const OF_ALL: usize = 64;
/// How long a request waits for a place.
const WAIT: Duration = Duration::from_secs(10);
/// `Retry-After` of a request that got no place, in seconds.
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
            // The link's place first: whoever waits for their own link must not hold a place that others need.
            let link = link.acquire_owned().await.ok()?;
            let all = self.all.clone().acquire_owned().await.ok()?;
            Some(Place { _link: link, _all: all })
        };
        tokio::time::timeout(WAIT, both).await.ok().flatten().ok_or(full)
    }

    fn of_link(&self, request: Uuid) -> Arc<Semaphore> {
        let mut links = self.links.lock().unwrap_or_else(PoisonError::into_inner);
        if links.len() >= SWEEP_AT {
            // Nobody else holds it, so that nobody is inside or waiting.
            links.retain(|_, link| Arc::strong_count(link) > 1);
        }
        links.entry(request).or_insert_with(|| Arc::new(Semaphore::new(PER_LINK))).clone()
    }
}
