//! Fields that must not lie in the database in clear (IBANs): AES-256-GCM with the field-encryption key of the secrets.

use atalaya_kernel::Sources;
use aws_lc_rs::aead::{AES_256_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use aws_lc_rs::hmac;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};

/// The keys that seal fields. Clones share them, and a running server may be given others (KEYS-1).
#[derive(Clone)]
pub struct FieldKey(Arc<RwLock<Keys>>);

struct Keys {
    present: Sealing,
    accepted: Vec<Sealing>,
    digesting: hmac::Key,
}

struct Sealing {
    /// Stands before what it sealed.
    id: String,
    key: LessSafeKey,
}

const NONCE: usize = 12;

impl FieldKey {
    pub fn new(key: &[u8; 32]) -> Self {
        Self(Arc::new(RwLock::new(Keys::new(key, &[], &Self::digest_key(key)))))
    }

    /// The key of digests that belongs to a field key: derived, so that one key never serves two algorithms.
    pub fn digest_key(key: &[u8; 32]) -> [u8; 32] {
        let derived = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, key), b"atalaya field digest");
        derived.as_ref().try_into().expect("SHA-256 has 32 bytes")
    }

    /// What stands before the dot of a text that this key sealed.
    pub fn id_of(key: &[u8; 32]) -> String {
        Sealing::id_of(key)
    }

    /// Seals with this key from now on, and opens what it or one of `accepted` sealed. Digests keep their key, since rows are
    /// found by them.
    pub fn replace(&self, key: &[u8; 32], accepted: &[[u8; 32]], digest_key: &[u8; 32]) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = Keys::new(key, accepted, digest_key);
    }

    fn keys(&self) -> RwLockReadGuard<'_, Keys> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// A keyed hash of a field's text, in hex: equal texts have equal hashes, and without the key texts cannot be guessed.
    pub fn digest(&self, field: &str, text: &str) -> String {
        let mut context = hmac::Context::with_key(&self.keys().digesting);
        context.update(field.as_bytes());
        context.update(&[0]);
        context.update(text.as_bytes());
        hex::encode(context.sign().as_ref())
    }

    /// Seals a text for one place (`context`, for instance `company.iban:{id}`); it opens nowhere else. The key's id and a dot
    /// stand before it.
    pub fn seal(&self, sources: &Sources, context: &str, text: &str) -> String {
        let keys = self.keys();
        let nonce = sources.bytes::<NONCE>();
        let mut sealed = text.as_bytes().to_vec();
        let aad = Aad::from(context.as_bytes());
        let key = &keys.present.key;
        key.seal_in_place_append_tag(Nonce::assume_unique_for_key(nonce), aad, &mut sealed).expect("a short text can be sealed");
        format!("{}.{}", keys.present.id, STANDARD_NO_PAD.encode([&nonce[..], &sealed].concat()))
    }

    /// The text again; `None` when it was changed, moved or sealed with a key that is not known here. What was sealed before
    /// there were ids has none, and every key is tried.
    pub fn open(&self, context: &str, sealed: &str) -> Option<String> {
        let keys = self.keys();
        let (id, sealed) = sealed.split_once('.').map_or((None, sealed), |(id, rest)| (Some(id), rest));
        let mut all = std::iter::once(&keys.present).chain(&keys.accepted);
        all.find_map(|one| id.is_none_or(|id| one.id == id).then(|| one.open(context, sealed)).flatten())
    }

    /// Whether a text should be sealed anew: by an earlier key, or from before there were ids.
    pub fn is_stale(&self, sealed: &str) -> bool {
        sealed.split_once('.').is_none_or(|(id, _)| id != self.keys().present.id)
    }
}

impl Keys {
    fn new(key: &[u8; 32], accepted: &[[u8; 32]], digest_key: &[u8; 32]) -> Self {
        Self {
            present: Sealing::new(key),
            accepted: accepted.iter().map(Sealing::new).collect(),
            digesting: hmac::Key::new(hmac::HMAC_SHA256, digest_key),
        }
    }
}

impl Sealing {
    fn id_of(key: &[u8; 32]) -> String {
        // The id must not help to find the key.
        let id = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, key), b"atalaya field key id");
        hex::encode(&id.as_ref()[..4])
    }

    fn new(key: &[u8; 32]) -> Self {
        let sealing = UnboundKey::new(&AES_256_GCM, key).expect("the key has the cipher's length");
        Self { id: Self::id_of(key), key: LessSafeKey::new(sealing) }
    }

    fn open(&self, context: &str, sealed: &str) -> Option<String> {
        let bytes = STANDARD_NO_PAD.decode(sealed).ok()?;
        let (nonce, body) = bytes.split_at_checked(NONCE)?;
        let nonce = Nonce::try_assume_unique_for_key(nonce).ok()?;
        let mut body = body.to_vec();
        let text = self.key.open_in_place(nonce, Aad::from(context.as_bytes()), &mut body).ok()?;
        String::from_utf8(text.to_vec()).ok()
    }
}

/// The seal of an outbox: this key, with its source of nonces.
pub struct OutboxSeal {
    pub key: FieldKey,
    pub sources: Sources,
}

impl super::Seal for OutboxSeal {
    fn seal(&self, context: &str, text: &str) -> String {
        self.key.seal(&self.sources, context, text)
    }

    fn open(&self, context: &str, sealed: &str) -> Option<String> {
        self.key.open(context, sealed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sealed_field_opens_only_in_its_place() {
        let key = FieldKey::new(&[7; 32]);
        let sealed = key.seal(&Sources::system(), "company.iban:1", "ES9121000418450200051332");
        assert!(!sealed.contains("ES91"));
        assert_eq!(key.open("company.iban:1", &sealed).as_deref(), Some("ES9121000418450200051332"));
        assert_eq!(key.open("company.iban:2", &sealed), None);
        assert_eq!(FieldKey::new(&[8; 32]).open("company.iban:1", &sealed), None);
        assert_eq!(key.open("company.iban:1", "AAAA"), None);
    }

    #[test]
    fn a_digest_needs_the_key_and_the_field() {
        let (key, other) = (FieldKey::new(&[7; 32]), FieldKey::new(&[8; 32]));
        let digest = key.digest("company.iban", "ES9121000418450200051332");
        assert_eq!(digest.len(), 64);
        assert_eq!(digest, key.digest("company.iban", "ES9121000418450200051332"));
        assert_ne!(digest, key.digest("company.iban", "ES9121000418450200051333"));
        assert_ne!(digest, key.digest("other", "ES9121000418450200051332"));
        assert_ne!(digest, other.digest("company.iban", "ES9121000418450200051332"));
    }

    // KEYS-2
    #[test]
    fn a_changed_key_opens_what_the_one_before_sealed_until_it_is_forgotten() {
        let (old, new) = ([7; 32], [8; 32]);
        let (key, sources) = (FieldKey::new(&old), Sources::system());
        let (sealed, digest) = (key.seal(&sources, "f:1", "secret"), key.digest("f", "secret"));
        let bare = sealed.split_once('.').expect("an id").1;
        assert!(!key.is_stale(&sealed) && key.is_stale(bare));
        key.replace(&new, &[old], &FieldKey::digest_key(&old));
        assert!(key.is_stale(&sealed));
        for sealed in [sealed.as_str(), bare] {
            assert_eq!(key.open("f:1", sealed).as_deref(), Some("secret"));
            assert_eq!(key.open("f:2", sealed), None);
        }
        assert_eq!(key.digest("f", "secret"), digest, "rows are found as before");
        let anew = key.seal(&sources, "f:1", "secret");
        assert!(!key.is_stale(&anew));
        key.replace(&new, &[], &FieldKey::digest_key(&old));
        assert_eq!((key.open("f:1", &anew).as_deref(), key.open("f:1", &sealed)), (Some("secret"), None));
    }
}
