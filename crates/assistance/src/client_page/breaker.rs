//! Slows the guessing of dictated codes (CLIENT-44). A breaker counts wrong guesses by network and over all networks; it
//! delays and refuses networks that guess, and lets a code from any other network through at once.
//!
//! A guess counts as wrong from the moment it asks until it proves right, so that a thousand at the same time gain
//! nothing. The counts are this process's own.

use atalaya_kernel::{Clock, limits};
use chrono::{DateTime, TimeDelta, Utc};
use std::collections::{HashMap, VecDeque};
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// How long a wrong guess is remembered.
const MEMORY: TimeDelta = TimeDelta::minutes(limits::DICTATED_CODE_MINUTES);
/// Between two guesses of a network that has to wait; no code waits longer.
const PACE: TimeDelta = TimeDelta::seconds(10);
/// Between two guesses of all networks that used up their tries: four a second.
const COMMON_PACE: TimeDelta = TimeDelta::milliseconds(250);
/// Wrong guesses of all networks within [`ALARM_WINDOW`] that open the breaker. Honest typing errors stay far below.
const ALARM: usize = 60;
const ALARM_WINDOW: TimeDelta = TimeDelta::minutes(1);
/// Networks are swept once in this time.
const SWEEP: TimeDelta = TimeDelta::minutes(1);

/// The breaker. Cheap to clone; clones share their counts.
#[derive(Clone)]
pub struct Breaker {
    counts: Arc<Mutex<Counts>>,
    clock: Arc<dyn Clock>,
}

/// Too many guesses: ask again after these seconds.
#[derive(Debug, PartialEq, Eq)]
pub struct Refused {
    pub retry_after_s: u64,
}

#[derive(Default)]
struct Counts {
    networks: HashMap<IpAddr, Network>,
    /// The latest wrong guesses of all networks, [`ALARM`] at most.
    wrong: VecDeque<DateTime<Utc>>,
    /// When the next guess of a network without tries may be checked.
    common_turn: Option<DateTime<Utc>>,
    swept_at: Option<DateTime<Utc>>,
}

#[derive(Default)]
struct Network {
    /// Guesses that were wrong, or are not answered yet.
    guesses: VecDeque<DateTime<Utc>>,
    /// A guess waits for its turn.
    waits: bool,
}

/// A network: an IPv4 address, or the /48 of an IPv6 one, which is what one site gets.
fn network_of(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V6(v6) => {
            let s = v6.segments();
            Ipv6Addr::new(s[0], s[1], s[2], 0, 0, 0, 0, 0).into()
        }
        v4 => v4,
    }
}

impl Counts {
    fn is_open(&self, now: DateTime<Utc>) -> bool {
        self.wrong.len() >= ALARM && self.wrong.front().is_some_and(|first| *first > now - ALARM_WINDOW)
    }

    /// The moment at which a guess of this network may be checked; it is counted.
    fn ask(&mut self, network: IpAddr, now: DateTime<Utc>) -> Result<DateTime<Utc>, Refused> {
        if self.swept_at.is_none_or(|at| at <= now - SWEEP) {
            self.networks.retain(|_, one| one.waits || one.guesses.back().is_some_and(|last| *last > now - MEMORY));
            self.swept_at = Some(now);
        }
        let is_open = self.is_open(now);
        let one = self.networks.entry(network).or_default();
        while one.guesses.front().is_some_and(|first| *first <= now - MEMORY) {
            one.guesses.pop_front();
        }
        let tries = one.guesses.len();
        let mut turn = now;
        if tries >= limits::DICTATED_CODE_TRIES || (is_open && tries > 0) {
            if one.waits {
                return Err(Refused { retry_after_s: PACE.num_seconds().unsigned_abs() });
            }
            turn = one.guesses.back().map_or(now, |last| now.max(*last + PACE));
            if tries >= limits::DICTATED_CODE_TRIES {
                turn = self.common_turn.map_or(turn, |common| turn.max(common));
                if turn > now + PACE {
                    return Err(Refused { retry_after_s: PACE.num_seconds().unsigned_abs() });
                }
                self.common_turn = Some(turn + COMMON_PACE);
            }
            one.waits = turn > now;
        }
        // What happened within the memory matters; of a network that guesses all day the latest few suffice.
        if one.guesses.len() > limits::DICTATED_CODE_TRIES {
            one.guesses.pop_front();
        }
        one.guesses.push_back(turn);
        Ok(turn)
    }

    fn take_back(&mut self, network: IpAddr, turn: DateTime<Utc>) {
        if let Some(one) = self.networks.get_mut(&network)
            && let Some(place) = one.guesses.iter().rposition(|at| *at == turn)
        {
            one.guesses.remove(place);
        }
    }

    fn was_wrong(&mut self, now: DateTime<Utc>) {
        if self.wrong.len() >= ALARM {
            self.wrong.pop_front();
        }
        self.wrong.push_back(now);
    }
}

impl Breaker {
    pub fn new(clock: Arc<dyn Clock>) -> Self {
        Self { counts: Arc::default(), clock }
    }

    fn counts(&self) -> MutexGuard<'_, Counts> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks for a turn to check a guess.
    pub fn ask(&self, address: IpAddr) -> Result<Turn, Refused> {
        let (network, now) = (network_of(address), self.clock.now());
        let at = self.counts().ask(network, now)?;
        Ok(Turn { breaker: self.clone(), network, at, waited: at <= now })
    }
}

/// A place in the line. Dropped before its turn, it leaves no trace.
pub struct Turn {
    breaker: Breaker,
    network: IpAddr,
    at: DateTime<Utc>,
    waited: bool,
}

impl Turn {
    /// Waits for the turn, at most ten seconds.
    pub async fn wait(mut self) -> Guess {
        if !self.waited {
            tokio::time::sleep((self.at - self.breaker.clock.now()).to_std().unwrap_or_default()).await;
            self.waited = true;
            self.leave_line();
        }
        Guess { breaker: self.breaker.clone(), network: self.network, at: self.at, is_right: false }
    }

    fn leave_line(&self) {
        if let Some(one) = self.breaker.counts().networks.get_mut(&self.network) {
            one.waits = false;
        }
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        if !self.waited {
            self.leave_line();
            self.breaker.counts().take_back(self.network, self.at);
        }
    }
}

/// A guess that is being checked. It counts as wrong, also when its caller hangs up, unless it proves right.
pub struct Guess {
    breaker: Breaker,
    network: IpAddr,
    at: DateTime<Utc>,
    is_right: bool,
}

impl Guess {
    pub fn was_right(mut self) {
        self.is_right = true;
        self.breaker.counts().take_back(self.network, self.at);
    }
}

impl Drop for Guess {
    fn drop(&mut self) {
        if !self.is_right {
            let now = self.breaker.clock.now();
            self.breaker.counts().was_wrong(now);
        }
    }
}

#[cfg(test)]
mod tests;
