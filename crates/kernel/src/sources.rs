//! Time, ids and randomness as parameters, so that every rule about days and seconds is tested at its edges.

use chrono::{DateTime, SubsecRound, Utc};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use uuid::Uuid;

/// Tells the time. Times have milliseconds, as they are stored and shown.
pub trait Clock: Send + Sync {
    fn now(&self) -> DateTime<Utc>;
}

/// Gives unpredictable bytes.
pub trait Entropy: Send + Sync {
    fn fill(&self, bytes: &mut [u8]);
}

/// What a room needs of the outside world's time and chance. Cheap to clone.
#[derive(Clone)]
pub struct Sources {
    clock: Arc<dyn Clock>,
    entropy: Arc<dyn Entropy>,
}

const BASE62: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

impl Sources {
    pub fn new(clock: Arc<dyn Clock>, entropy: Arc<dyn Entropy>) -> Self {
        Self { clock, entropy }
    }

    /// The system's clock and randomness, for the running server.
    pub fn system() -> Self {
        Self::new(Arc::new(SystemClock), Arc::new(SystemEntropy))
    }

    pub fn now(&self) -> DateTime<Utc> {
        self.clock.now()
    }

    pub fn clock(&self) -> Arc<dyn Clock> {
        self.clock.clone()
    }

    pub fn entropy(&self) -> &dyn Entropy {
        self.entropy.as_ref()
    }

    pub fn bytes<const N: usize>(&self) -> [u8; N] {
        let mut bytes = [0; N];
        self.entropy.fill(&mut bytes);
        bytes
    }

    /// A new UUIDv7 of the present millisecond (RFC 9562 §5.7).
    pub fn uuid(&self) -> Uuid {
        let millis = u64::try_from(self.now().timestamp_millis()).unwrap_or(0);
        uuid::Builder::from_unix_timestamp_millis(millis, &self.bytes::<10>()).into_uuid()
    }

    /// A new id of any of the [`crate::ids`] types.
    pub fn id<T: From<Uuid>>(&self) -> T {
        self.uuid().into()
    }

    /// Lower-case hex of `N` random bytes.
    pub fn hex<const N: usize>(&self) -> String {
        self.bytes::<N>().iter().map(|b| format!("{b:02x}")).collect()
    }

    /// `len` random characters of `0-9A-Za-z`, each equally likely.
    pub fn base62(&self, len: usize) -> String {
        let mut text = String::with_capacity(len);
        while text.len() < len {
            // Values from 248 on would favour the first characters.
            let [byte] = self.bytes::<1>();
            if byte < 248 {
                text.push(BASE62[usize::from(byte % 62)] as char);
            }
        }
        text
    }

    /// `len` random decimal digits, each equally likely.
    pub fn digits(&self, len: usize) -> String {
        let mut text = String::with_capacity(len);
        while text.len() < len {
            let [byte] = self.bytes::<1>();
            if byte < 250 {
                text.push(char::from(b'0' + byte % 10));
            }
        }
        text
    }
}

/// The machine's clock.
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> DateTime<Utc> {
        Utc::now().trunc_subsecs(3)
    }
}

/// The operating system's randomness.
pub struct SystemEntropy;

impl Entropy for SystemEntropy {
    fn fill(&self, bytes: &mut [u8]) {
        rand::fill(bytes);
    }
}

/// A clock that moves only when told to. For tests.
pub struct ManualClock {
    millis: AtomicI64,
    per_look: AtomicI64,
}

impl ManualClock {
    pub fn at(start: DateTime<Utc>) -> Arc<Self> {
        Arc::new(Self { millis: AtomicI64::new(start.timestamp_millis()), per_look: AtomicI64::new(0) })
    }

    pub fn advance(&self, by: chrono::TimeDelta) {
        self.millis.fetch_add(by.num_milliseconds(), Ordering::SeqCst);
    }

    /// From now on each reading is a millisecond later than the one before, as in real operation.
    pub fn run(&self) {
        self.per_look.store(1, Ordering::SeqCst);
    }

    pub fn set(&self, to: DateTime<Utc>) {
        self.millis.store(to.timestamp_millis(), Ordering::SeqCst);
    }
}

impl Clock for ManualClock {
    fn now(&self) -> DateTime<Utc> {
        let millis = self.millis.fetch_add(self.per_look.load(Ordering::SeqCst), Ordering::SeqCst);
        DateTime::from_timestamp_millis(millis).expect("a test sets a representable time")
    }
}

/// Bytes that look random and are the same in every run of one seed. For tests.
pub struct SeededEntropy(AtomicU64);

impl SeededEntropy {
    pub fn new(seed: u64) -> Arc<Self> {
        Arc::new(Self(AtomicU64::new(seed)))
    }
}

impl Entropy for SeededEntropy {
    fn fill(&self, bytes: &mut [u8]) {
        for chunk in bytes.chunks_mut(8) {
            // SplitMix64 step.
            let mut z = self.0.fetch_add(0x9E37_79B9_7F4A_7C15, Ordering::SeqCst).wrapping_add(0x9E37_79B9_7F4A_7C15);
            z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
            z ^= z >> 31;
            chunk.copy_from_slice(&z.to_le_bytes()[..chunk.len()]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_sort_by_time() {
        let clock = ManualClock::at(DateTime::from_timestamp(1_800_000_000, 0).expect("valid"));
        let sources = Sources::new(clock.clone(), SeededEntropy::new(7));
        let first = sources.uuid();
        clock.advance(chrono::TimeDelta::milliseconds(1));
        assert!(first < sources.uuid());
        assert_eq!(first.get_version_num(), 7);
    }

    #[test]
    fn codes_have_their_length_and_alphabet() {
        let sources = Sources::new(Arc::new(SystemClock), SeededEntropy::new(1));
        assert!(sources.base62(10).chars().all(|c| c.is_ascii_alphanumeric()));
        assert_eq!(sources.digits(6).len(), 6);
        assert_eq!(sources.hex::<16>().len(), 32);
    }
}
