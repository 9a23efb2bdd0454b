//! One request at a time per upload: a newer one makes the older one let go (FILES-20).
//!
//! A phone that lost its connection comes back before the server notices; its old request still waits for bytes.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::OwnedMutexGuard;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

/// Entries kept before idle ones are removed.
const SWEEP_AT: usize = 1000;

#[derive(Default)]
struct Place {
    turn: Arc<tokio::sync::Mutex<()>>,
    /// Cancelled when another request waits.
    stop: Mutex<CancellationToken>,
}

/// Whose turn it is. Cheap to clone.
#[derive(Clone, Default)]
pub struct Turns(Arc<Mutex<HashMap<Uuid, Arc<Place>>>>);

/// The turn of one request.
pub struct Turn {
    _held: OwnedMutexGuard<()>,
    /// Cancelled when another request wants the turn.
    pub stop: CancellationToken,
}

impl Turns {
    /// Makes the older request let go, and waits until it has.
    pub async fn take(&self, id: Uuid) -> Turn {
        let place = {
            let mut places = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            if places.len() >= SWEEP_AT {
                places.retain(|_, place| Arc::strong_count(place) > 1 || place.turn.try_lock().is_err());
            }
            places.entry(id).or_default().clone()
        };
        place.stop.lock().unwrap_or_else(PoisonError::into_inner).cancel();
        let held = place.turn.clone().lock_owned().await;
        let stop = CancellationToken::new();
        *place.stop.lock().unwrap_or_else(PoisonError::into_inner) = stop.clone();
        Turn { _held: held, stop }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use atalaya_kernel::Sources;

    // FILES-20
    #[tokio::test]
    async fn the_newer_request_makes_the_older_let_go() {
        let (turns, sources) = (Turns::default(), Sources::system());
        let (one, other) = (sources.uuid(), sources.uuid());
        let first = turns.take(one).await;
        let _elsewhere = turns.take(other).await;
        assert!(!first.stop.is_cancelled());
        let next = tokio::spawn({
            let turns = turns.clone();
            async move { turns.take(one).await }
        });
        first.stop.cancelled().await;
        drop(first);
        assert!(!next.await.expect("no panic").stop.is_cancelled());
    }
}
