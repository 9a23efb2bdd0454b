//! How much a socket may say.

use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Messages of one socket within [`WINDOW`] at most. Our own pages send none.
const MAX: u32 = 20;
const WINDOW: Duration = Duration::from_secs(1);

/// Counts one socket's messages.
pub(super) struct Flood(Mutex<(Instant, u32)>);

impl Default for Flood {
    fn default() -> Self {
        Self(Mutex::new((Instant::now(), 0)))
    }
}

impl Flood {
    /// Counts a message; whether it is one too many.
    pub(super) fn is_too_much(&self) -> bool {
        self.count(Instant::now())
    }

    fn count(&self, now: Instant) -> bool {
        let mut held = self.0.lock().expect("nobody panics holding it");
        if now.duration_since(held.0) >= WINDOW {
            *held = (now, 0);
        }
        held.1 += 1;
        held.1 > MAX
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twenty_in_a_second_are_borne_and_one_more_is_not() {
        let (flood, start) = (Flood::default(), Instant::now());
        assert!((0..20).all(|_| !flood.count(start)));
        assert!(flood.count(start + Duration::from_millis(900)));
        assert!(!flood.count(start + Duration::from_millis(1100)), "a new second");
    }
}
