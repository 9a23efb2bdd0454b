//! A sliding-window limiter in memory, for calls without a session. Lockouts that must outlive a restart are counted
//! in the database by `identity`.

use atalaya_kernel::Clock;
use chrono::{DateTime, TimeDelta, Utc};
use std::collections::{HashMap, VecDeque};
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};

/// Allows `max` hits per key within `window`. Cheap to clone; clones share their counts.
///
/// Keys live in two generations, each at least a window long; what is in the older one when a third begins has expired as a
/// whole. So no hit ever walks over other people's keys, however many addresses a flood comes from.
#[derive(Clone)]
pub struct RateLimiter<K> {
    generations: Arc<Mutex<Generations<K>>>,
    clock: Arc<dyn Clock>,
    max: usize,
    window: TimeDelta,
}

type Hits<K> = HashMap<K, VecDeque<DateTime<Utc>>>;

struct Generations<K> {
    current: Hits<K>,
    previous: Hits<K>,
    begun: DateTime<Utc>,
}

impl<K: Eq + Hash> Generations<K> {
    /// Begins a new generation when the current one is a window old; answers what has expired.
    fn turn(&mut self, now: DateTime<Utc>, window: TimeDelta) -> Option<Hits<K>> {
        // A clock that was set back must not keep a generation, and its memory, for as long as it went back.
        self.begun = self.begun.min(now);
        if now - self.begun < window {
            return None;
        }
        self.begun = now;
        let previous = std::mem::take(&mut self.current);
        Some(std::mem::replace(&mut self.previous, previous))
    }

    /// The times of a key, in the current generation from now on.
    fn times(&mut self, key: K) -> &mut VecDeque<DateTime<Utc>> {
        let earlier = self.previous.remove(&key);
        let times = self.current.entry(key).or_default();
        if let Some(earlier) = earlier {
            *times = earlier;
        }
        times
    }
}

impl<K: Eq + Hash> RateLimiter<K> {
    pub fn new(clock: Arc<dyn Clock>, max: usize, window: TimeDelta) -> Self {
        let generations = Generations { current: HashMap::new(), previous: HashMap::new(), begun: clock.now() };
        Self { generations: Arc::new(Mutex::new(generations)), clock, max, window }
    }

    /// Counts a hit. Errors: the seconds until the next one is allowed.
    pub fn hit(&self, key: K) -> Result<(), u64> {
        let now = self.clock.now();
        // Freed after the lock, because a flood leaves many.
        let _expired;
        let mut generations = self.generations.lock().unwrap_or_else(PoisonError::into_inner);
        _expired = generations.turn(now, self.window);
        let since = now - self.window;
        let times = generations.times(key);
        // What lies ahead was counted before the clock was set back: it is as young as can be, and no younger tomorrow.
        for time in times.iter_mut().rev().take_while(|time| **time > now) {
            *time = now;
        }
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

    // CLOCK-1
    #[test]
    fn a_clock_that_goes_back_a_day_locks_nobody_out_for_a_day() {
        let clock = ManualClock::at(DateTime::from_timestamp(1_800_000_000, 0).unwrap());
        let limiter = RateLimiter::new(clock.clone(), 2, TimeDelta::seconds(60));
        assert!(limiter.hit("a").is_ok() && limiter.hit("a").is_ok());
        clock.advance(TimeDelta::days(-1));
        assert_eq!(limiter.hit("a"), Err(60), "what was counted still counts");
        assert!(limiter.hit("b").is_ok());
        clock.advance(TimeDelta::seconds(60));
        assert!(limiter.hit("a").is_ok(), "for its window and no longer");
        clock.advance(TimeDelta::days(365));
        assert!(limiter.hit("a").is_ok() && limiter.hit("a").is_ok());
        assert_eq!(limiter.hit("a"), Err(60));
        for _ in 0..2 {
            clock.advance(TimeDelta::seconds(60));
            assert!(limiter.hit("c").is_ok());
        }
        let left = limiter.generations.lock().unwrap();
        assert_eq!((left.current.len(), left.previous.len()), (1, 0), "generations go on turning");
    }

    #[test]
    fn a_key_is_counted_across_generations() {
        let clock = ManualClock::at(DateTime::from_timestamp(1_800_000_000, 0).unwrap());
        let limiter = RateLimiter::new(clock.clone(), 2, TimeDelta::seconds(60));
        clock.advance(TimeDelta::seconds(50));
        assert!(limiter.hit("a").is_ok());
        clock.advance(TimeDelta::seconds(20));
        assert!(limiter.hit("a").is_ok());
        clock.advance(TimeDelta::seconds(20));
        assert_eq!(limiter.hit("a"), Err(20), "both are younger than a window, in whatever generation they began");
    }

    #[test]
    fn keys_of_a_flood_are_forgotten_without_a_walk() {
        let clock = ManualClock::at(DateTime::from_timestamp(1_800_000_000, 0).unwrap());
        let limiter = RateLimiter::new(clock.clone(), 2, TimeDelta::seconds(60));
        for key in 0..50_000 {
            assert!(limiter.hit(key).is_ok());
        }
        for _ in 0..2 {
            clock.advance(TimeDelta::seconds(60));
            assert!(limiter.hit(-1).is_ok());
        }
        let generations = limiter.generations.lock().unwrap();
        assert_eq!(generations.current.len() + generations.previous.len(), 1);
    }
}
