//! Fields that must not lie in the database in clear (IBANs): AES-256-GCM with the field-encryption key of the secrets.

use atalaya_kernel::Sources;
use aws_lc_rs::aead::{AES_256_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use std::sync::Arc;

/// The key that seals fields.
#[derive(Clone)]
pub struct FieldKey(Arc<LessSafeKey>);

const NONCE: usize = 12;

impl FieldKey {
    pub fn new(key: &[u8; 32]) -> Self {
        let key = UnboundKey::new(&AES_256_GCM, key).expect("the key has the cipher's length");
        Self(Arc::new(LessSafeKey::new(key)))
    }

    /// Seals a text for one place (`context`, for instance `company.iban:{id}`); it opens nowhere else.
    pub fn seal(&self, sources: &Sources, context: &str, text: &str) -> String {
        let nonce = sources.bytes::<NONCE>();
        let mut sealed = text.as_bytes().to_vec();
        let aad = Aad::from(context.as_bytes());
        self.0
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
        let text = self.0.open_in_place(nonce, Aad::from(context.as_bytes()), &mut body).ok()?;
        String::from_utf8(text.to_vec()).ok()
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
}
