//! How many requests may bring bytes at once: a few per link (FILES-19) and per network address, and not too many overall.
//!
//! Each of them holds a connection and some memory while it lasts, and a link can be passed on.

use crate::FilesError;
use atalaya_rest::address::subscriber;
use atalaya_rest::shares::Shares;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use uuid::Uuid;

/// Simultaneous requests of one link.
const PER_LINK: usize = 4;
/// Simultaneous requests of one network address, which may be that of many phones.
const PER_ADDRESS: usize = 16;
/// Simultaneous requests overall.
const OF_ALL: usize = 128;
/// How long a request waits for a place.
const WAIT: Duration = Duration::from_secs(10);
/// `Retry-After` of a request that got no place, in seconds.
const RETRY_AFTER_S: u64 = 5;

/// The places. Cheap to clone.
#[derive(Clone)]
pub struct Places {
    all: Arc<Semaphore>,
    links: Shares<Uuid>,
    addresses: Shares<IpAddr>,
}

/// A place taken; free again when dropped.
pub struct Place {
    _held: [OwnedSemaphorePermit; 3],
}

impl Default for Places {
    fn default() -> Self {
        Self { all: Arc::new(Semaphore::new(OF_ALL)), links: Shares::new(PER_LINK), addresses: Shares::new(PER_ADDRESS) }
    }
}

impl Places {
    /// Waits a little for a place. Errors: `TOO_MANY_REQUESTS`.
    pub async fn take(&self, request: Uuid, address: IpAddr) -> Result<Place, FilesError> {
        let place = async {
            // The own shares first: whoever waits for them must not hold a place that others need.
            let link = self.links.of(request).acquire_owned().await.ok()?;
            let address = self.addresses.of(subscriber(address)).acquire_owned().await.ok()?;
            let all = self.all.clone().acquire_owned().await.ok()?;
            Some(Place { _held: [link, address, all] })
        };
        let full = FilesError::TooManyCalls { retry_after_s: RETRY_AFTER_S };
        tokio::time::timeout(WAIT, place).await.ok().flatten().ok_or(full)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use atalaya_kernel::Sources;
    use futures::FutureExt;

    // FILES-19, EDGE-4
    #[tokio::test]
    async fn no_address_takes_all_places() {
        let (places, sources) = (Places::default(), Sources::system());
        let (greedy, other) = (IpAddr::from([192, 0, 2, 1]), IpAddr::from([192, 0, 2, 2]));
        let mut held = Vec::new();
        for _ in 0..PER_ADDRESS {
            held.push(places.take(sources.uuid(), greedy).await.expect("a place"));
        }
        assert!(places.take(sources.uuid(), greedy).now_or_never().is_none(), "the address has its share");
        assert!(places.take(sources.uuid(), other).now_or_never().is_some(), "others do not wait");
    }
}
