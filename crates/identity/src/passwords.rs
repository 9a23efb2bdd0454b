//! Argon2id in a bounded pool, so that a storm of log-ins cannot starve the calls (AUTH-8).

use argon2::password_hash::{PasswordHasher, PasswordVerifier, phc};
use argon2::{Algorithm, Argon2, Params, Version};
use atalaya_kernel::Sources;
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::Semaphore;

/// A PHC string, `$argon2id$…`. Prints nothing of itself.
#[derive(Clone, PartialEq, Eq)]
pub struct PasswordHash(pub(crate) String);

impl PasswordHash {
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
    /// Next to nothing, for tests.
    Test,
}

/// Log-ins of one address that are checked or wait at the same time, at most.
pub const AT_ONCE: usize = 100;

/// A place in the queue.
pub struct Turn {
    inside: Arc<Mutex<HashMap<IpAddr, usize>>>,
    address: IpAddr,
}

impl Drop for Turn {
    fn drop(&mut self) {
        let mut inside = self.inside.lock().unwrap_or_else(PoisonError::into_inner);
        match inside.get_mut(&self.address) {
            Some(count) if *count > 1 => *count -= 1,
            _ => _ = inside.remove(&self.address),
        }
    }
}

/// Hashes and checks passwords, a few at a time.
#[derive(Clone)]
pub struct Passwords {
    params: Params,
    pool: Arc<Semaphore>,
    /// Who waits or is served, by address.
    inside: Arc<Mutex<HashMap<IpAddr, usize>>>,
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
        let decoy = hash(&params, b"nobody has this one", &sources.bytes()).into();
        Self { params, pool: Arc::new(Semaphore::new(workers.max(1))), inside: Arc::default(), sources, decoy }
    }

    /// A place in the queue for a log-in from this address, until it is dropped; `None` when it holds [`AT_ONCE`] already,
    /// so that one sender of a flood does not make everybody wait.
    pub fn enter(&self, address: IpAddr) -> Option<Turn> {
        let address = atalaya_rest::address::subscriber(address);
        let mut inside = self.inside.lock().unwrap_or_else(PoisonError::into_inner);
        let count = inside.entry(address).or_default();
        if *count >= AT_ONCE {
            return None;
        }
        *count += 1;
        Some(Turn { inside: self.inside.clone(), address })
    }

    /// Hashes with a fresh salt.
    pub async fn hash(&self, password: &str) -> PasswordHash {
        let (params, salt, password) = (self.params.clone(), self.sources.bytes::<16>(), password.to_owned());
        let _permit = self.pool.acquire().await.expect("the pool is never closed");
        let text = tokio::task::spawn_blocking(move || hash(&params, password.as_bytes(), &salt));
        PasswordHash(text.await.expect("hashing does not panic"))
    }

    /// Whether the password fits. Without a stored hash it does the same work and answers no.
    pub async fn verify(&self, password: &str, stored: Option<&PasswordHash>) -> bool {
        let text: Arc<str> = stored.map_or_else(|| self.decoy.clone(), |hash| hash.0.as_str().into());
        let password = password.to_owned();
        let _permit = self.pool.acquire().await.expect("the pool is never closed");
        let fits = tokio::task::spawn_blocking(move || verify(password.as_bytes(), &text));
        fits.await.expect("verifying does not panic") && stored.is_some()
    }
}

fn hash(params: &Params, password: &[u8], salt: &[u8; 16]) -> String {
    let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params.clone());
    argon2.hash_password_with_salt(password, salt).expect("salt and parameters are within Argon2's bounds").to_string()
}

fn verify(password: &[u8], stored: &str) -> bool {
    let Ok(parsed) = phc::PasswordHash::new(stored) else { return false };
    Argon2::default().verify_password(password, &parsed).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    // AUTH-8
    #[tokio::test]
    async fn only_the_right_password_fits() {
        let passwords = Passwords::new(Sources::system(), PasswordCost::Test, 2);
        let stored = passwords.hash("correcto caballo").await;
        assert!(stored.as_str().starts_with("$argon2id$"));
        assert!(passwords.verify("correcto caballo", Some(&stored)).await);
        assert!(!passwords.verify("correcto caballo ", Some(&stored)).await);
        assert!(!passwords.verify("nobody has this one", None).await, "the decoy opens nothing");
        assert!(!passwords.verify("x", Some(&PasswordHash("not a hash".into()))).await);
        assert_ne!(passwords.hash("correcto caballo").await, stored, "every hash has its own salt");
    }

    #[test]
    fn one_address_does_not_fill_the_queue() {
        let passwords = Passwords::new(Sources::system(), PasswordCost::Test, 1);
        let (one, other) = ([192, 0, 2, 1].into(), [192, 0, 2, 2].into());
        let turns: Vec<_> = (0..AT_ONCE).map_while(|_| passwords.enter(one)).collect();
        assert_eq!(turns.len(), AT_ONCE);
        assert!(passwords.enter(one).is_none() && passwords.enter(other).is_some());
        drop(turns);
        assert!(passwords.inside.lock().unwrap().is_empty(), "nothing is kept of who has left");
        assert!(passwords.enter(one).is_some());
    }

    // AUTH-8
    #[test]
    fn the_standard_cost_is_what_we_say() {
        let passwords = Passwords::new(Sources::system(), PasswordCost::Standard, 1);
        assert!(passwords.decoy.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"));
    }
}
