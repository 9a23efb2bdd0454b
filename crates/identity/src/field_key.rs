//! Fields that must not lie in the database in clear (IBANs): AES-256-GCM with the field-encryption key of the secrets.

use atalaya_kernel::Sources;
use aws_lc_rs::aead::{AES_256_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use aws_lc_rs::hmac;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use std::sync::Arc;

/// The key that seals fields.
#[derive(Clone)]
pub struct FieldKey(Arc<Keys>);

struct Keys {
    sealing: LessSafeKey,
    digesting: hmac::Key,
}

const NONCE: usize = 12;

impl FieldKey {
    pub fn new(key: &[u8; 32]) -> Self {
        let sealing = UnboundKey::new(&AES_256_GCM, key).expect("the key has the cipher's length");
        // Derived, so that one key never serves two algorithms.
        let derived = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, key), b"atalaya field digest");
        let digesting = hmac::Key::new(hmac::HMAC_SHA256, derived.as_ref());
        Self(Arc::new(Keys { sealing: LessSafeKey::new(sealing), digesting }))
    }

    /// A keyed hash of a field's text, in hex: equal texts have equal hashes, and without the key texts cannot be guessed.
    pub fn digest(&self, field: &str, text: &str) -> String {
        let mut context = hmac::Context::with_key(&self.0.digesting);
        context.update(field.as_bytes());
        context.update(&[0]);
        context.update(text.as_bytes());
        hex::encode(context.sign().as_ref())
    }

    /// Seals a text for one place (`context`, for instance `company.iban:{id}`); it opens nowhere else.
    pub fn seal(&self, sources: &Sources, context: &str, text: &str) -> String {
        let nonce = sources.bytes::<NONCE>();
        let mut sealed = text.as_bytes().to_vec();
        let aad = Aad::from(context.as_bytes());
        self.0
            .sealing
            .seal_in_place_append_tag(Nonce::assume_unique_for_key(nonce), aad, &mut sealed)
            .expect("a short text can be sealed");
        STANDARD_NO_PAD.encode([&nonce[..], &sealed].concat())
    }

    /// The text again; `None` when it was changed, moved or sealed with another key.
    pub fn open(&self, context: &str, sealed: &str) -> Option<String> {
        let bytes = STANDARD_NO_PAD.decode(sealed).ok()?;
        let (nonce, body) = bytes.split_at_checked(NONCE)?;
        let nonce = Nonce::try_assume_unique_for_key(nonce).ok()?;
        let mut body = body.to_vec();
        let text = self.0.sealing.open_in_place(nonce, Aad::from(context.as_bytes()), &mut body).ok()?;
        String::from_utf8(text.to_vec()).ok()
    }
}

/// The seal of an outbox: this key, with its source of nonces.
pub struct OutboxSeal {
    pub key: FieldKey,
    pub sources: Sources,
}

impl atalaya_messaging::Seal for OutboxSeal {
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
}
