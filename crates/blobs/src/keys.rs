//! The master key of an installation and the data key of each conference.

use crate::BlobError;
use crate::seal::{self, TAG_BYTES};
use atalaya_kernel::Sources;
use secrecy::{ExposeSecret, SecretBox};
use std::fmt;
use std::sync::Arc;

const KEY_BYTES: usize = 32;
const KEY_ID_BYTES: usize = 8;
const NONCE_BYTES: usize = 24;
const WRAPPED_BYTES: usize = KEY_ID_BYTES + NONCE_BYTES + KEY_BYTES + TAG_BYTES;

/// The key of one conference's files. Exists in the clear in memory only, and is wiped when dropped.
#[derive(Clone)]
pub struct DataKey(Arc<SecretBox<[u8; KEY_BYTES]>>);

impl DataKey {
    /// A new random key.
    pub fn generate(sources: &Sources) -> Self {
        Self(Arc::new(SecretBox::init_with_mut(|key: &mut [u8; KEY_BYTES]| *key = sources.bytes())))
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

/// The installation's master keys: the current one wraps, retired ones still unwrap (STORE-20).
#[derive(Clone)]
pub struct MasterKeys {
    present: Arc<MasterKey>,
    retired: Vec<Arc<MasterKey>>,
}

struct MasterKey {
    id: [u8; KEY_ID_BYTES],
    key: SecretBox<[u8; KEY_BYTES]>,
}

impl MasterKeys {
    /// The keys from the secrets file: the current one, and those it replaced.
    pub fn new(present: [u8; KEY_BYTES], retired: impl IntoIterator<Item = [u8; KEY_BYTES]>) -> Self {
        let retired = retired.into_iter().map(|key| Arc::new(MasterKey::new(key))).collect();
        Self { present: Arc::new(MasterKey::new(present)), retired }
    }

    /// Seals a data key for the database: `key id ‖ nonce ‖ sealed key`, 80 bytes.
    ///
    /// `owner` names the row the key belongs to (such as `conference:{id}`); it must be the same when unwrapping.
    pub fn wrap(&self, data_key: &DataKey, owner: &str, sources: &Sources) -> Vec<u8> {
        let nonce = sources.bytes::<NONCE_BYTES>();
        let sealed = seal::seal(self.present.key.expose_secret(), &nonce, owner.as_bytes(), data_key.bytes());
        [&self.present.id[..], &nonce[..], &sealed[..]].concat()
    }

    /// Unwraps a data key from the database.
    ///
    /// Errors: `KEY_UNKNOWN` when no configured master key has its id, `BLOB_TAMPERED` when it was altered or
    /// belongs to another owner.
    pub fn unwrap(&self, wrapped: &[u8], owner: &str) -> Result<DataKey, BlobError> {
        let (id, rest) = wrapped.split_first_chunk::<KEY_ID_BYTES>().ok_or(BlobError::UnknownKey)?;
        let (nonce, sealed) = rest.split_first_chunk::<NONCE_BYTES>().ok_or(BlobError::UnknownKey)?;
        if wrapped.len() != WRAPPED_BYTES {
            return Err(BlobError::UnknownKey);
        }
        let mut all = std::iter::once(&self.present).chain(&self.retired);
        let master = all.find(|master| master.id == *id).ok_or(BlobError::UnknownKey)?;
        let plain = seal::open(master.key.expose_secret(), nonce, owner.as_bytes(), sealed)
            .map(|plain| SecretBox::new(plain.into_boxed_slice()))
            .ok_or(BlobError::Tampered("wrapped key"))?;
        let key = |key: &mut [u8; KEY_BYTES]| key.copy_from_slice(plain.expose_secret());
        Ok(DataKey(Arc::new(SecretBox::init_with_mut(key))))
    }

    /// Whether a key should be wrapped anew because its master key is retired.
    pub fn is_stale(&self, wrapped: &[u8]) -> bool {
        !wrapped.starts_with(&self.present.id)
    }
}

impl fmt::Debug for MasterKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MasterKeys(present {}, {} retired)", hex::encode(self.present.id), self.retired.len())
    }
}

impl MasterKey {
    fn new(mut bytes: [u8; KEY_BYTES]) -> Self {
        // The id must not help to find the key: it is the prefix of a domain-separated hash.
        let mut hashed = aws_lc_rs::digest::Context::new(&aws_lc_rs::digest::SHA256);
        hashed.update(b"atalaya master key id\0");
        hashed.update(&bytes);
        let mut id = [0; KEY_ID_BYTES];
        id.copy_from_slice(&hashed.finish().as_ref()[..KEY_ID_BYTES]);
        let key = SecretBox::init_with_mut(|key: &mut [u8; KEY_BYTES]| key.copy_from_slice(&bytes));
        bytes.fill(0);
        Self { id, key }
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
    #[test]
    fn a_data_key_comes_back_only_to_its_owner() {
        let sources = seeded(1);
        let keys = MasterKeys::new([7; 32], []);
        let data_key = DataKey::generate(&sources);
        let wrapped = keys.wrap(&data_key, "conference:1", &sources);
        assert_eq!(wrapped.len(), 80);
        assert_eq!(keys.unwrap(&wrapped, "conference:1").expect("opens").bytes(), data_key.bytes());
        assert_eq!(keys.unwrap(&wrapped, "conference:2").expect_err("another owner").code(), "BLOB_TAMPERED");
        for at in 0..wrapped.len() {
            let mut altered = wrapped.clone();
            altered[at] ^= 1;
            assert!(keys.unwrap(&altered, "conference:1").is_err(), "byte {at}");
        }
        assert_eq!(keys.unwrap(&wrapped[..79], "conference:1").expect_err("cut").code(), "KEY_UNKNOWN");
    }

    // STORE-20
    #[test]
    fn a_retired_master_key_still_unwraps() {
        let sources = seeded(2);
        let old = MasterKeys::new([1; 32], []);
        let data_key = DataKey::generate(&sources);
        let wrapped = old.wrap(&data_key, "c", &sources);
        let rotated = MasterKeys::new([2; 32], [[1; 32]]);
        assert!(rotated.is_stale(&wrapped) && !old.is_stale(&wrapped));
        assert_eq!(rotated.unwrap(&wrapped, "c").expect("opens").bytes(), data_key.bytes());
        let stranger = MasterKeys::new([3; 32], []);
        assert_eq!(stranger.unwrap(&wrapped, "c").expect_err("unknown").code(), "KEY_UNKNOWN");
    }

    // STORE-20
    #[test]
    fn keys_do_not_show_themselves() {
        let keys = MasterKeys::new([0xAB; 32], []);
        assert!(!format!("{keys:?}").contains("abab"));
        assert_eq!(format!("{:?}", DataKey::generate(&seeded(1))), "DataKey(…)");
    }
}
