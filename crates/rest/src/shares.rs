//! Shared places: each key has a few of its own, so that none can take all of them.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::Semaphore;

/// Number of keys from which idle ones are deleted.
const SWEEP_AT: usize = 1000;

/// A share of places for each key. Cheap to clone; clones share their places.
#[derive(Clone)]
pub struct Shares<K> {
    places: usize,
    of: Arc<Mutex<HashMap<K, Arc<Semaphore>>>>,
}

impl<K: Eq + Hash> Shares<K> {
    /// `places` for each key.
    pub fn new(places: usize) -> Self {
        Self { places, of: Arc::default() }
    }

    /// The places of a key.
    pub fn of(&self, key: K) -> Arc<Semaphore> {
        let mut of = self.of.lock().unwrap_or_else(PoisonError::into_inner);
        if of.len() >= SWEEP_AT {
            // Nobody else holds it, so that nobody is inside or waiting.
            of.retain(|_, places| Arc::strong_count(places) > 1);
        }
        of.entry(key).or_insert_with(|| Arc::new(Semaphore::new(self.places))).clone()
    }
}
