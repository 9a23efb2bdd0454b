//! Room for uploads that are held in memory (EDGE-4): places per link and per network address, and a budget of bytes.
//!
//! A body takes its place with its first byte and its memory as bytes arrive, so that a silent connection takes nothing.
//! When the budget is spent, one body at a time may exceed it: otherwise bodies that have half arrived would wait for
//! each other.

use crate::address::{ClientAddress, subscriber};
use crate::caller::Caller;
use crate::problem::Problem;
use crate::shares::Shares;
use axum::body::{Body, Bytes, HttpBody};
use axum::extract::Request;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures::StreamExt;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::{OwnedMutexGuard, OwnedSemaphorePermit, Semaphore};

/// What uploads may take.
#[derive(Clone, Copy, Debug)]
pub struct UploadLimits {
    /// Bodies of one link at a time; the others wait.
    pub per_link: usize,
    /// Bodies of one network address at a time.
    pub per_address: usize,
    /// Bytes of all bodies together.
    pub bytes: usize,
    /// How long a body waits for its place or for memory.
    pub wait: Duration,
}

impl Default for UploadLimits {
    fn default() -> Self {
        let bytes = 10 * atalaya_kernel::limits::UPLOAD_MAX_BYTES;
        Self { per_link: 4, per_address: 8, bytes, wait: Duration::from_secs(60) }
    }
}

/// `Retry-After` of a body that got no place, in seconds.
const RETRY_AFTER_S: u64 = 5;

/// The places and the budget. Cheap to clone.
#[derive(Clone)]
pub struct Uploads(Arc<Inner>);

struct Inner {
    limits: UploadLimits,
    links: Shares<String>,
    addresses: Shares<IpAddr>,
    /// In KiB.
    room: Arc<Semaphore>,
    beyond: Arc<tokio::sync::Mutex<()>>,
}

impl Uploads {
    pub fn new(limits: UploadLimits) -> Self {
        Self(Arc::new(Inner {
            links: Shares::new(limits.per_link),
            addresses: Shares::new(limits.per_address),
            room: Arc::new(Semaphore::new(limits.bytes >> 10)),
            beyond: Arc::default(),
            limits,
        }))
    }
}

/// Middleware of routes that hold whole bodies in memory. A link is a path of its own; with a session it is that of one
/// person.
///
/// Errors: `TOO_MANY_REQUESTS` (429) when there was no place or no room in time.
pub async fn hold(req: Request, next: Next) -> Response {
    let found = req.extensions().get::<Uploads>().cloned().filter(|_| !req.body().is_end_stream());
    let Some(uploads) = found else { return next.run(req).await };
    let address = req.extensions().get().map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |ClientAddress(ip)| subscriber(*ip));
    let link = match req.extensions().get::<Caller>() {
        Some(caller) => format!("{} {}", caller.user, req.uri().path()),
        None => req.uri().path().to_owned(),
    };
    let held = Arc::new(tokio::sync::Mutex::new(Held::new(uploads, link, address)));
    let refused = Arc::new(Mutex::new(None));
    let (holding, refusing) = (held.clone(), refused.clone());
    let req = req.map(|body| {
        Body::from_stream(body.into_data_stream().then(move |chunk| {
            let (holding, refusing) = (holding.clone(), refusing.clone());
            async move { admit(&holding, &refusing, chunk?).await }
        }))
    });
    // `held` is dropped with the answer: until then the handler may hold every byte.
    let response = next.run(req).await;
    let refusal = refused.lock().unwrap_or_else(PoisonError::into_inner).take();
    refusal.map_or(response, |problem: Problem| problem.into_response())
}

async fn admit(held: &tokio::sync::Mutex<Held>, refused: &Mutex<Option<Problem>>, chunk: Bytes) -> Result<Bytes, axum::Error> {
    if held.lock().await.grow(chunk.len()).await.is_some() {
        return Ok(chunk);
    }
    let problem = Problem::too_many("TOO_MANY_REQUESTS", RETRY_AFTER_S);
    *refused.lock().unwrap_or_else(PoisonError::into_inner) = Some(problem);
    Err(axum::Error::new("there is no room for this upload"))
}

/// What one body holds.
struct Held {
    uploads: Uploads,
    link: String,
    address: IpAddr,
    place: Option<(OwnedSemaphorePermit, OwnedSemaphorePermit)>,
    bytes: usize,
    room: Option<OwnedSemaphorePermit>,
    beyond: Option<OwnedMutexGuard<()>>,
}

impl Held {
    fn new(uploads: Uploads, link: String, address: IpAddr) -> Self {
        Self { uploads, link, address, place: None, bytes: 0, room: None, beyond: None }
    }

    /// Takes room for more bytes; `None` when there was none in time.
    async fn grow(&mut self, bytes: usize) -> Option<()> {
        let inner = self.uploads.0.clone();
        if self.place.is_none() {
            let link = std::mem::take(&mut self.link);
            let place = async {
                // The link's first: whoever waits for their own link must not hold what others need.
                let link = inner.links.of(link).acquire_owned().await.ok()?;
                Some((link, inner.addresses.of(self.address).acquire_owned().await.ok()?))
            };
            self.place = Some(tokio::time::timeout(inner.limits.wait, place).await.ok()??);
        }
        self.bytes += bytes;
        let has = self.room.as_ref().map_or(0, OwnedSemaphorePermit::num_permits);
        let kib = u32::try_from((self.bytes >> 10).saturating_sub(has)).ok()?;
        if kib == 0 || self.beyond.is_some() {
            return Some(());
        }
        let more = match inner.room.clone().try_acquire_many_owned(kib) {
            Ok(more) => more,
            Err(_) => tokio::select! {
                more = inner.room.clone().acquire_many_owned(kib) => more.ok()?,
                turn = inner.beyond.clone().lock_owned() => {
                    self.beyond = Some(turn);
                    return Some(());
                }
                () = tokio::time::sleep(inner.limits.wait) => return None,
            },
        };
        match &mut self.room {
            Some(room) => room.merge(more),
            none => *none = Some(more),
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn held(uploads: &Uploads, link: &str, last: u8) -> Held {
        Held::new(uploads.clone(), link.into(), [192, 0, 2, last].into())
    }

    fn uploads(per_link: usize, per_address: usize) -> Uploads {
        Uploads::new(UploadLimits { per_link, per_address, bytes: 100 << 10, wait: Duration::from_millis(100) })
    }

    // EDGE-4
    #[tokio::test]
    async fn a_link_and_an_address_have_shares() {
        let uploads = uploads(1, 2);
        let mut first = held(&uploads, "a", 1);
        assert!(first.grow(1).await.is_some());
        assert!(held(&uploads, "a", 2).grow(1).await.is_none(), "the link's place is taken");
        let mut second = held(&uploads, "b", 1);
        assert!(second.grow(1).await.is_some());
        assert!(held(&uploads, "c", 1).grow(1).await.is_none(), "the address has two");
        assert!(held(&uploads, "c", 2).grow(1).await.is_some());
        drop(first);
        assert!(held(&uploads, "a", 1).grow(1).await.is_some());
    }

    // EDGE-4
    #[tokio::test]
    async fn bodies_that_are_half_there_do_not_wait_for_each_other() {
        let uploads = uploads(4, 8);
        let (mut one, mut other, mut third) = (held(&uploads, "a", 1), held(&uploads, "b", 2), held(&uploads, "c", 3));
        for _ in 0..50 {
            assert!(one.grow(1 << 10).await.is_some() && other.grow(1 << 10).await.is_some());
        }
        assert!(one.grow(50 << 10).await.is_some(), "one goes on beyond the budget");
        assert!(other.grow(1 << 10).await.is_none() && third.grow(2 << 10).await.is_none());
        drop(one);
        assert!(other.grow(40 << 10).await.is_some());
    }
}
