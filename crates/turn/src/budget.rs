//! Budgets that refill: bytes of an allocation, answers to a source that has proved nothing.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::net::IpAddr;
use std::time::Instant;

/// A budget that refills at `rate` a second up to `burst`.
#[derive(Debug, Clone)]
pub(crate) struct Budget {
    left: f64,
    at: Instant,
}

impl Budget {
    pub fn new(now: Instant, burst: u32) -> Self {
        Self { left: f64::from(burst), at: now }
    }

    /// Takes `cost` when it is there.
    pub fn take(&mut self, now: Instant, cost: usize, rate: u32, burst: u32) -> bool {
        let gained = now.saturating_duration_since(self.at).as_secs_f64() * f64::from(rate);
        self.at = self.at.max(now);
        self.left = (self.left + gained).min(f64::from(burst));
        let cost = cost as f64;
        if self.left < cost {
            return false;
        }
        self.left -= cost;
        true
    }
}

/// Budgets of sources in a table that does not grow: sources that fall on the same place share one, so a flood from
/// made-up addresses costs no memory and is limited as a whole.
pub(crate) struct Sources {
    budgets: Vec<Budget>,
    hasher: RandomState,
}

impl Sources {
    const PLACES: usize = 4_096;

    pub fn new(now: Instant, burst: u32) -> Self {
        Self { budgets: vec![Budget::new(now, burst); Self::PLACES], hasher: RandomState::new() }
    }

    pub fn take(&mut self, now: Instant, source: IpAddr, rate: u32, burst: u32) -> bool {
        let place = self.hasher.hash_one(network(source)) as usize % Self::PLACES;
        self.budgets[place].take(now, 1, rate, burst)
    }
}

/// An IPv4 address, or the /64 of an IPv6 one, which is what one household gets.
fn network(source: IpAddr) -> [u8; 8] {
    let mut network = [0; 8];
    match source {
        IpAddr::V4(v4) => network[..4].copy_from_slice(&v4.octets()),
        IpAddr::V6(v6) => network.copy_from_slice(&v6.octets()[..8]),
    }
    network
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_budget_ends_and_refills() {
        let now = Instant::now();
        let mut budget = Budget::new(now, 10);
        assert!(budget.take(now, 10, 5, 10));
        assert!(!budget.take(now, 1, 5, 10));
        assert!(budget.take(now + Duration::from_secs(1), 5, 5, 10));
        assert!(!budget.take(now + Duration::from_secs(1), 1, 5, 10));
        assert!(!budget.take(now + Duration::from_secs(100), 11, 5, 10), "no more than the burst");
    }

    // TURN-4
    #[test]
    fn a_network_shares_a_budget() {
        let now = Instant::now();
        let mut sources = Sources::new(now, 1);
        let take = |sources: &mut Sources, address: &str| sources.take(now, address.parse().expect("an address"), 1, 1);
        assert!(take(&mut sources, "2001:db8::1"));
        assert!(!take(&mut sources, "2001:db8::2"), "the same /64");
    }
}
