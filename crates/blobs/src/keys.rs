//! The master key of an installation and the data key of each conference.

use crate::BlobError;
use crate::seal::{self, TAG_BYTES};
use atalaya_kernel::Sources;
use futures::future::BoxFuture;
use secrecy::{ExposeSecret, SecretBox, SecretSlice};
use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};

const KEY_BYTES: usize = 32;
/// What stands before a wrapped key and names the key that wrapped it.
pub const KEY_ID_BYTES: usize = 8;
const NONCE_BYTES: usize = 24;
/// Tokens have AES-GCM.
pub const TOKEN_NONCE_BYTES: usize = 12;

/// The key of one conference's files. Exists in the clear in memory only, and is wiped when dropped.
#[derive(Clone)]
pub struct DataKey(Arc<SecretBox<[u8; KEY_BYTES]>>);

impl DataKey {
    /// A new random key.
    pub fn generate(sources: &Sources) -> Self {
        Self(Arc::new(SecretBox::init_with_mut(|key: &mut [u8; KEY_BYTES]| *key = sources.bytes())))
    }

    /// Seals a short value for the database: `nonce ‖ sealed value`. `context` names where it stands, and must be the same when
    /// it is opened.
    pub fn seal(&self, context: &str, value: &[u8], sources: &Sources) -> Vec<u8> {
        let nonce = sources.bytes::<NONCE_BYTES>();
        [&nonce[..], &seal::seal(self.bytes(), &nonce, context.as_bytes(), value)[..]].concat()
    }

    /// Opens what [`DataKey::seal`] sealed. Errors: `BLOB_TAMPERED`.
    pub fn open(&self, context: &str, sealed: &[u8]) -> Result<Vec<u8>, BlobError> {
        let (nonce, rest) = sealed.split_first_chunk::<NONCE_BYTES>().ok_or(BlobError::Tampered("a sealed value is cut off"))?;
        seal::open(self.bytes(), nonce, context.as_bytes(), rest)
            .ok_or(BlobError::Tampered("a sealed value was altered or belongs elsewhere"))
    }

    pub(crate) fn bytes(&self) -> &[u8; KEY_BYTES] {
        self.0.expose_secret()
    }
}

impl fmt::Debug for DataKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("DataKey(…)")
    }
}

/// A key that never leaves its token, an HSM for instance, which seals and opens for us (KEYS-6).
pub trait TokenKey: Send + Sync + fmt::Debug {
    /// Stands before what the key wrapped.
    fn id(&self) -> [u8; KEY_ID_BYTES];

    /// Seals a data key with this nonce for its owner. Errors: `KEY_TOKEN_UNAVAILABLE`.
    fn seal<'a>(&'a self, nonce: [u8; TOKEN_NONCE_BYTES], owner: &'a str, key: SecretSlice<u8>)
    -> BoxFuture<'a, Sealed<Vec<u8>>>;

    /// Opens it again. Errors: `BLOB_TAMPERED`, `KEY_UNKNOWN`, `KEY_TOKEN_UNAVAILABLE`.
    fn open<'a>(
        &'a self,
        nonce: [u8; TOKEN_NONCE_BYTES],
        owner: &'a str,
        sealed: Vec<u8>,
    ) -> BoxFuture<'a, Sealed<SecretSlice<u8>>>;
}

/// What a token answers.
pub type Sealed<T> = Result<T, BlobError>;

/// A master key: its bytes, or a key in a token.
#[derive(Clone)]
pub enum Master {
    Bytes([u8; KEY_BYTES]),
    Token(Arc<dyn TokenKey>),
}

impl From<[u8; KEY_BYTES]> for Master {
    fn from(bytes: [u8; KEY_BYTES]) -> Self {
        Self::Bytes(bytes)
    }
}

impl fmt::Debug for Master {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bytes(_) => f.write_str("Master(…)"),
            Self::Token(key) => write!(f, "Master({key:?})"),
        }
    }
}

/// The installation's master keys: the current one wraps, retired ones still unwrap (STORE-20). Clones share them, and a running
/// server may be given others (KEYS-1).
#[derive(Clone)]
pub struct MasterKeys(Arc<RwLock<Arc<Ring>>>);

struct Ring {
    present: MasterKey,
    retired: Vec<MasterKey>,
}

struct MasterKey {
    id: [u8; KEY_ID_BYTES],
    by: By,
}

enum By {
    Key(SecretBox<[u8; KEY_BYTES]>),
    Token(Arc<dyn TokenKey>),
}

impl MasterKeys {
    /// The keys from the secrets file: the current one, and those it replaced.
    pub fn new(present: impl Into<Master>, retired: Vec<Master>) -> Self {
        Self(Arc::new(RwLock::new(Arc::new(Ring::new(present.into(), retired)))))
    }

    /// What stands before everything that this key wraps.
    pub fn id_of(key: Master) -> [u8; KEY_ID_BYTES] {
        MasterKey::of(key).id
    }

    /// Wraps with this key from now on, and unwraps what it or one of `retired` wrapped.
    pub fn replace(&self, present: impl Into<Master>, retired: Vec<Master>) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(Ring::new(present.into(), retired));
    }

    fn ring(&self) -> Arc<Ring> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Seals a data key for the database: `key id ‖ nonce ‖ sealed key`, 80 bytes, or 68 by a token.
    ///
    /// `owner` names the row the key belongs to (such as `conference:{id}`); it must be the same when unwrapping. Not for the
    /// inside of a transaction: a token may take its time.
    ///
    /// Errors: `KEY_TOKEN_UNAVAILABLE`, never without a token.
    pub async fn wrap(&self, data_key: &DataKey, owner: &str, sources: &Sources) -> Result<Vec<u8>, BlobError> {
        let ring = self.ring();
        let id = &ring.present.id[..];
        match &ring.present.by {
            By::Key(key) => {
                let nonce = sources.bytes::<NONCE_BYTES>();
                let sealed = seal::seal(key.expose_secret(), &nonce, owner.as_bytes(), data_key.bytes());
                Ok([id, &nonce[..], &sealed[..]].concat())
            }
            By::Token(token) => {
                let nonce = sources.bytes::<TOKEN_NONCE_BYTES>();
                let sealed = token.seal(nonce, owner, SecretSlice::from(data_key.bytes().to_vec())).await?;
                Ok([id, &nonce[..], &sealed[..]].concat())
            }
        }
    }

    /// Unwraps a data key from the database.
    ///
    /// Errors: `KEY_UNKNOWN` when no configured master key made it, `BLOB_TAMPERED` when it was altered or belongs elsewhere,
    /// `KEY_TOKEN_UNAVAILABLE`.
    pub async fn unwrap(&self, wrapped: &[u8], owner: &str) -> Result<DataKey, BlobError> {
        let (id, rest) = wrapped.split_first_chunk::<KEY_ID_BYTES>().ok_or(BlobError::UnknownKey)?;
        let ring = self.ring();
        let mut all = std::iter::once(&ring.present).chain(&ring.retired);
        let master = all.find(|master| master.id == *id).ok_or(BlobError::UnknownKey)?;
        let plain = match &master.by {
            By::Key(key) => {
                let (nonce, sealed) = rest.split_first_chunk::<NONCE_BYTES>().ok_or(BlobError::UnknownKey)?;
                whole(sealed)?;
                seal::open(key.expose_secret(), nonce, owner.as_bytes(), sealed)
                    .map(SecretSlice::from)
                    .ok_or(BlobError::Tampered("the wrapped key was altered or belongs elsewhere"))?
            }
            By::Token(token) => {
                let (nonce, sealed) = rest.split_first_chunk::<TOKEN_NONCE_BYTES>().ok_or(BlobError::UnknownKey)?;
                whole(sealed)?;
                token.open(*nonce, owner, sealed.to_vec()).await?
            }
        };
        let plain = plain.expose_secret();
        if plain.len() != KEY_BYTES {
            return Err(BlobError::Tampered("the wrapped key has another length"));
        }
        Ok(DataKey(Arc::new(SecretBox::init_with_mut(|key: &mut [u8; KEY_BYTES]| key.copy_from_slice(plain)))))
    }

    /// Whether a key should be wrapped anew because its master key is retired.
    pub fn is_stale(&self, wrapped: &[u8]) -> bool {
        !wrapped.starts_with(&self.ring().present.id)
    }
}

/// Both ciphers add a tag of 16 bytes. Errors: `KEY_UNKNOWN` when the rest is no wrapped key.
fn whole(sealed: &[u8]) -> Result<(), BlobError> {
    if sealed.len() == KEY_BYTES + TAG_BYTES { Ok(()) } else { Err(BlobError::UnknownKey) }
}

impl fmt::Debug for MasterKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ring = self.ring();
        write!(f, "MasterKeys(present {}, {} retired)", hex::encode(ring.present.id), ring.retired.len())
    }
}

impl Ring {
    fn new(present: Master, retired: Vec<Master>) -> Self {
        Self { present: MasterKey::of(present), retired: retired.into_iter().map(MasterKey::of).collect() }
    }
}

impl MasterKey {
    fn of(master: Master) -> Self {
        match master {
            Master::Bytes(bytes) => Self::new(bytes),
            Master::Token(token) => Self { id: token.id(), by: By::Token(token) },
        }
    }

    fn new(mut bytes: [u8; KEY_BYTES]) -> Self {
        // The id must not help to find the key: it is the prefix of a domain-separated hash.
        let mut hashed = aws_lc_rs::digest::Context::new(&aws_lc_rs::digest::SHA256);
        hashed.update(b"atalaya master key id\0");
        hashed.update(&bytes);
        let mut id = [0; KEY_ID_BYTES];
        id.copy_from_slice(&hashed.finish().as_ref()[..KEY_ID_BYTES]);
        let key = SecretBox::init_with_mut(|key: &mut [u8; KEY_BYTES]| key.copy_from_slice(&bytes));
        bytes.fill(0);
        Self { id, by: By::Key(key) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use atalaya_kernel::sources::{SeededEntropy, SystemClock};

    fn seeded(seed: u64) -> Sources {
        Sources::new(Arc::new(SystemClock), SeededEntropy::new(seed))
    }

    // STORE-20
    #[tokio::test]
    async fn a_data_key_comes_back_only_to_its_owner() {
        let sources = seeded(1);
        let keys = MasterKeys::new([7; 32], Vec::new());
        let data_key = DataKey::generate(&sources);
        let wrapped = keys.wrap(&data_key, "conference:1", &sources).await.expect("wraps");
        assert_eq!(wrapped.len(), 80);
        assert_eq!(keys.unwrap(&wrapped, "conference:1").await.expect("opens").bytes(), data_key.bytes());
        assert_eq!(keys.unwrap(&wrapped, "conference:2").await.expect_err("another owner").code(), "BLOB_TAMPERED");
        for at in 0..wrapped.len() {
            let mut altered = wrapped.clone();
            altered[at] ^= 1;
            assert!(keys.unwrap(&altered, "conference:1").await.is_err(), "byte {at}");
        }
        assert_eq!(keys.unwrap(&wrapped[..79], "conference:1").await.expect_err("cut").code(), "KEY_UNKNOWN");
    }

    // STORE-20
    #[tokio::test]
    async fn a_retired_master_key_still_unwraps() {
        let sources = seeded(2);
        let old = MasterKeys::new([1; 32], Vec::new());
        let data_key = DataKey::generate(&sources);
        let wrapped = old.wrap(&data_key, "c", &sources).await.expect("wraps");
        let rotated = MasterKeys::new([2; 32], vec![[1; 32].into()]);
        assert!(rotated.is_stale(&wrapped) && !old.is_stale(&wrapped));
        assert_eq!(rotated.unwrap(&wrapped, "c").await.expect("opens").bytes(), data_key.bytes());
        // KEYS-1
        let shared = old.clone();
        old.replace([2; 32], vec![[1; 32].into()]);
        assert!(shared.is_stale(&wrapped) && shared.unwrap(&wrapped, "c").await.is_ok());
        let stranger = MasterKeys::new([3; 32], Vec::new());
        assert_eq!(stranger.unwrap(&wrapped, "c").await.expect_err("unknown").code(), "KEY_UNKNOWN");
    }

    // STORE-20
    #[test]
    fn keys_do_not_show_themselves() {
        let keys = MasterKeys::new([0xAB; 32], Vec::new());
        assert!(!format!("{keys:?}").contains("abab"));
        assert_eq!(format!("{:?}", DataKey::generate(&seeded(1))), "DataKey(…)");
    }
}
