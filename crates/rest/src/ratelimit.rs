//! A sliding-window limiter in memory, for calls without a session. Lockouts that must outlive a restart are counted
//! in the database by `identity`.

use atalaya_kernel::Clock;
use chrono::{DateTime, TimeDelta, Utc};
use std::collections::{HashMap, VecDeque};
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};

/// Allows `max` hits per key within `window`. Cheap to clone; clones share their counts.
#[derive(Clone)]
pub struct RateLimiter<K> {
    hits: Arc<Mutex<HashMap<K, VecDeque<DateTime<Utc>>>>>,
    clock: Arc<dyn Clock>,
    max: usize,
    window: TimeDelta,
}

/// Number of keys from which idle ones are deleted.
const SWEEP_AT: usize = 10_000;

impl<K: Eq + Hash> RateLimiter<K> {
    pub fn new(clock: Arc<dyn Clock>, max: usize, window: TimeDelta) -> Self {
        Self { hits: Arc::default(), clock, max, window }
    }

    /// Counts a hit. Errors: the seconds until the next one is allowed.
    pub fn hit(&self, key: K) -> Result<(), u64> {
        let now = self.clock.now();
        let since = now - self.window;
        let mut hits = self.hits.lock().unwrap_or_else(PoisonError::into_inner);
        if hits.len() >= SWEEP_AT {
            hits.retain(|_, times| times.back().is_some_and(|last| *last > since));
        }
        let times = hits.entry(key).or_default();
        while times.front().is_some_and(|first| *first <= since) {
            times.pop_front();
        }
        if times.len() >= self.max {
            let wait = times.front().map_or(self.window, |first| *first + self.window - now);
            return Err(u64::try_from((wait.num_milliseconds() + 999) / 1000).unwrap_or(1).max(1));
        }
        times.push_back(now);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use atalaya_kernel::sources::ManualClock;

    #[test]
    fn the_window_slides() {
        let clock = ManualClock::at(DateTime::from_timestamp(1_800_000_000, 0).unwrap());
        let limiter = RateLimiter::new(clock.clone(), 2, TimeDelta::seconds(60));
        assert!(limiter.hit("a").is_ok());
        clock.advance(TimeDelta::seconds(30));
        assert!(limiter.hit("a").is_ok());
        assert_eq!(limiter.hit("a"), Err(30));
        assert!(limiter.hit("b").is_ok());
        clock.advance(TimeDelta::seconds(30));
        assert!(limiter.hit("a").is_ok());
        assert_eq!(limiter.hit("a"), Err(30));
    }
}
