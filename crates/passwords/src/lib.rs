//! Argon2id in a bounded pool, so that a storm of log-ins cannot starve the calls (AUTH-8).

use argon2::password_hash::phc;
use argon2::{Algorithm, Argon2, Block, Params, Version};
use atalaya_kernel::Sources;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// A PHC string, `$argon2id$…`. Its debug output is empty.
#[derive(Clone, PartialEq, Eq)]
pub struct PasswordHash(String);

impl PasswordHash {
    /// One that was stored before.
    pub fn stored(text: String) -> Self {
        Self(text)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Debug for PasswordHash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("PasswordHash(…)")
    }
}

/// How much work one hash is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PasswordCost {
    /// 19 MiB, two passes (OWASP's first choice for Argon2id).
    Standard,
    /// The cheapest parameters, for tests.
    Test,
}

/// Passwords that wait or are hashed at the same time in one lane, at most: twice an office in the morning, and as many as
/// one core hashes within three seconds.
pub const QUEUE: usize = 64;

/// Who waits for a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lane {
    /// Of unknown origin.
    Stranger,
    /// A device that logged in to this account before, or the holder of a session or a link: it does not wait for strangers.
    Known,
}

/// A place in a lane, until it is dropped.
pub struct Place {
    lane: Lane,
    _place: OwnedSemaphorePermit,
}

/// The right to hash one password now.
pub struct Turn {
    _place: Option<Place>,
    _stranger: Option<OwnedSemaphorePermit>,
    _worker: OwnedSemaphorePermit,
}

/// Hashes and checks passwords, a few at a time.
#[derive(Clone)]
pub struct Passwords {
    params: Params,
    pool: Arc<Semaphore>,
    /// Strangers who wait for a worker; the others wait in another lane, so that at most one stranger a worker is before them.
    strangers: Arc<Semaphore>,
    places: [Arc<Semaphore>; 2],
    memory: Arc<Memory>,
    sources: Sources,
    /// Checked when there is no account, so that an unknown user name costs the same.
    decoy: Arc<str>,
}

impl Passwords {
    /// `workers` hashes run at the same time at most.
    pub fn new(sources: Sources, cost: PasswordCost, workers: usize) -> Self {
        let params = match cost {
            PasswordCost::Standard => Params::DEFAULT,
            PasswordCost::Test => Params::new(Params::MIN_M_COST, 1, 1, None).expect("the smallest parameters are valid"),
        };
        let (workers, memory) = (workers.max(1), Arc::new(Memory::default()));
        let decoy = hash(&params, b"nobody has this one", &sources.bytes(), &mut memory.take()).into();
        let of = |size| Arc::new(Semaphore::new(size));
        Self { params, pool: of(workers), strangers: of(workers), places: [of(QUEUE), of(QUEUE)], memory, sources, decoy }
    }

    /// A place in a lane; `None` when all [`QUEUE`] are taken, so that waiting times and memory are bounded (AUTH-9).
    pub fn enter(&self, lane: Lane) -> Option<Place> {
        let places = self.places[lane as usize].clone();
        Some(Place { lane, _place: places.try_acquire_owned().ok()? })
    }

    /// Waits for the turn of a place.
    pub async fn turn(&self, place: Place) -> Turn {
        let stranger = match place.lane {
            Lane::Stranger => Some(acquire(&self.strangers).await),
            Lane::Known => None,
        };
        Turn { _stranger: stranger, _worker: acquire(&self.pool).await, _place: Some(place) }
    }

    /// Hashes with a fresh salt.
    pub async fn hash(&self, password: &str) -> PasswordHash {
        let (params, salt, password) = (self.params.clone(), self.sources.bytes::<16>(), password.to_owned());
        let turn = Turn { _stranger: None, _worker: acquire(&self.pool).await, _place: None };
        PasswordHash(self.work(turn, move |memory| hash(&params, password.as_bytes(), &salt, memory)).await)
    }

    /// Whether the password fits. Without a stored hash it does the same work and answers no.
    pub async fn verify(&self, turn: Turn, password: &str, stored: Option<&PasswordHash>) -> bool {
        let text: Arc<str> = stored.map_or_else(|| self.decoy.clone(), |hash| hash.0.as_str().into());
        let password = password.to_owned();
        self.work(turn, move |memory| verify(password.as_bytes(), &text, memory)).await && stored.is_some()
    }

    /// Runs in a thread. The turn goes along: a caller who hangs up does not make room for another hash beside this one.
    async fn work<T: Send + 'static>(&self, turn: Turn, work: impl FnOnce(&mut Vec<Block>) -> T + Send + 'static) -> T {
        let (memory, pool) = (self.memory.clone(), self.pool.clone());
        let done = tokio::task::spawn_blocking(move || {
            let mut blocks = memory.take();
            let outcome = work(&mut blocks);
            drop(turn);
            memory.put(blocks, pool.available_permits());
            outcome
        });
        done.await.expect("hashing does not panic")
    }
}

async fn acquire(semaphore: &Arc<Semaphore>) -> OwnedSemaphorePermit {
    semaphore.clone().acquire_owned().await.expect("never closed")
}

/// The memory of hashes: reused while others wait, freed when none does. It reveals no more of a password than its hash.
#[derive(Default)]
struct Memory(Mutex<Vec<Vec<Block>>>);

impl Memory {
    fn take(&self) -> Vec<Block> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default()
    }

    /// `idle`: workers without work.
    fn put(&self, blocks: Vec<Block>, idle: usize) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match idle {
            0 => kept.push(blocks),
            _ => kept.clear(),
        }
    }
}

/// As many blocks as these parameters need.
fn blocks<'a>(memory: &'a mut Vec<Block>, params: &Params) -> &'a mut [Block] {
    let count = params.block_count();
    if memory.len() < count {
        memory.resize(count, Block::default());
    }
    &mut memory[..count]
}

fn hash(params: &Params, password: &[u8], salt: &[u8; 16], memory: &mut Vec<Block>) -> String {
    const FITS: &str = "salt and parameters are within Argon2's bounds";
    let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params.clone());
    let mut out = [0; Params::DEFAULT_OUTPUT_LEN];
    argon2.hash_password_into_with_memory(password, salt, &mut out, blocks(memory, params)).expect(FITS);
    let text = phc::PasswordHash {
        algorithm: Algorithm::Argon2id.ident(),
        version: Some(Version::V0x13.into()),
        params: params.try_into().expect(FITS),
        salt: Some(phc::Salt::new(salt).expect(FITS)),
        hash: Some(phc::Output::new(&out).expect(FITS)),
    };
    text.to_string()
}

fn verify(password: &[u8], stored: &str, memory: &mut Vec<Block>) -> bool {
    let mut computed = || {
        let parsed = phc::PasswordHash::new(stored).ok()?;
        let (salt, expected) = (parsed.salt.as_ref()?, parsed.hash.as_ref()?);
        let algorithm = Algorithm::try_from(parsed.algorithm.as_str()).ok()?;
        let version = parsed.version.map(Version::try_from).transpose().ok()?.unwrap_or_default();
        let params = Params::try_from(&parsed).ok()?;
        let mut out = [0; phc::Output::MAX_LENGTH];
        let out = out.get_mut(..expected.len())?;
        let argon2 = Argon2::new(algorithm, version, params.clone());
        argon2.hash_password_into_with_memory(password, salt, out, blocks(memory, &params)).ok()?;
        // Compares in constant time.
        Some(phc::Output::new(out).ok()? == *expected)
    };
    computed().unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn verified(passwords: &Passwords, password: &str, stored: Option<&PasswordHash>) -> bool {
        let place = passwords.enter(Lane::Stranger).expect("a place");
        let turn = passwords.turn(place).await;
        passwords.verify(turn, password, stored).await
    }

    // AUTH-8
    #[tokio::test]
    async fn only_the_right_password_fits() {
        let passwords = Passwords::new(Sources::system(), PasswordCost::Test, 2);
        let stored = passwords.hash("correcto caballo").await;
        assert!(stored.as_str().starts_with("$argon2id$"));
        assert!(verified(&passwords, "correcto caballo", Some(&stored)).await);
        assert!(!verified(&passwords, "correcto caballo ", Some(&stored)).await);
        assert!(!verified(&passwords, "nobody has this one", None).await, "the decoy opens nothing");
        assert!(!verified(&passwords, "x", Some(&PasswordHash("not a hash".into()))).await);
        assert_ne!(passwords.hash("correcto caballo").await, stored, "every hash has its own salt");
    }

    // AUTH-8: hashes that argon2 itself made before are read as it reads them.
    #[test]
    fn the_format_is_that_of_argon2() {
        use argon2::password_hash::{PasswordHasher, PasswordVerifier};
        let argon2 = Argon2::default();
        let theirs = argon2.hash_password_with_salt(b"correcto caballo", b"sixteen bytes ..").unwrap().to_string();
        let mut memory = Vec::new();
        assert!(verify(b"correcto caballo", &theirs, &mut memory));
        assert!(!verify(b"correcto", &theirs, &mut memory));
        let ours = hash(&Params::DEFAULT, b"correcto caballo", b"sixteen bytes ..", &mut memory);
        assert_eq!(ours, theirs);
        assert!(argon2.verify_password(b"correcto caballo", ours.as_str()).is_ok());
    }

    // AUTH-9
    #[tokio::test]
    async fn a_lane_is_bounded_and_strangers_do_not_delay_known_devices() {
        let passwords = Passwords::new(Sources::system(), PasswordCost::Test, 1);
        let mut places: Vec<_> = (0..QUEUE).map_while(|_| passwords.enter(Lane::Stranger)).collect();
        assert_eq!(places.len(), QUEUE);
        assert!(passwords.enter(Lane::Stranger).is_none());
        let known = passwords.enter(Lane::Known).expect("the other lane is free");
        let first = passwords.turn(places.pop().expect("a place")).await;
        let waiting = passwords.clone();
        let strangers = places.into_iter().map(|place| {
            let passwords = waiting.clone();
            tokio::spawn(async move { drop(passwords.turn(place).await) })
        });
        let strangers: Vec<_> = strangers.collect();
        tokio::task::yield_now().await;
        let mut turn = Box::pin(passwords.turn(known));
        assert!(futures::poll!(&mut turn).is_pending(), "the worker is busy");
        drop(first);
        let turn = turn.await;
        assert!(strangers.iter().filter(|one| one.is_finished()).count() <= 1, "one stranger was before it");
        drop(turn);
        for one in strangers {
            one.await.unwrap();
        }
        assert!(passwords.enter(Lane::Stranger).is_some(), "places are given back");
    }

    // AUTH-9
    #[tokio::test]
    async fn the_memory_of_hashes_is_used_again_and_given_back() {
        let memory = Memory::default();
        memory.put(vec![Block::default(); 3], 0);
        assert_eq!(memory.take().len(), 3);
        memory.put(vec![Block::default(); 3], 0);
        memory.put(vec![Block::default(); 3], 1);
        assert_eq!(memory.take().len(), 0, "nobody waits");
    }

    // AUTH-8
    #[test]
    fn the_standard_cost_is_what_we_say() {
        let passwords = Passwords::new(Sources::system(), PasswordCost::Standard, 1);
        assert!(passwords.decoy.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"));
    }
}
