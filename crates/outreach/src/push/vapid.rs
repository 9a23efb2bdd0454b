//! The server's own key pair, by which push services recognise the sender (RFC 8292).

use atalaya_kernel::Sources;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::{DateTime, TimeDelta, Utc};
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use serde_json::json;
use std::fmt;
use std::sync::Arc;
use web_push_native::p256::SecretKey;
use web_push_native::p256::elliptic_curve::sec1::ToEncodedPoint;

/// How long a signature is valid; push services accept at most 24 hours (RFC 8292 §2).
const GOOD_FOR: TimeDelta = TimeDelta::hours(12);

/// The server's VAPID key pair, and the contact for push services. Cheap to clone.
#[derive(Clone)]
pub struct PushKeys(Arc<Inner>);

struct Inner {
    signing: EncodingKey,
    /// base64url of the uncompressed point, as browsers take it.
    public: String,
    contact: String,
}

impl PushKeys {
    /// A new private key for the secrets: 32 bytes in base64url.
    pub fn generate(sources: &Sources) -> String {
        loop {
            let bytes = sources.bytes::<32>();
            // Numbers outside the curve's order are not valid keys, about one in 2^32.
            if SecretKey::from_slice(&bytes).is_ok() {
                return URL_SAFE_NO_PAD.encode(bytes);
            }
        }
    }

    /// Reads the private key. `contact` is the `sub` of the signatures: `mailto:…` or `https:…`.
    ///
    /// `None` when it is not a valid key.
    pub fn read(private: &str, contact: &str) -> Option<Self> {
        let secret = SecretKey::from_slice(&URL_SAFE_NO_PAD.decode(private).ok()?).ok()?;
        let point = secret.public_key().to_encoded_point(false);
        let pair = aws_lc_rs::signature::EcdsaKeyPair::from_private_key_and_public_key(
            &aws_lc_rs::signature::ECDSA_P256_SHA256_FIXED_SIGNING,
            &secret.to_bytes(),
            point.as_bytes(),
        )
        .ok()?;
        let der = pair.to_pkcs8v1().ok()?;
        Some(Self(Arc::new(Inner {
            signing: EncodingKey::from_ec_der(der.as_ref()),
            public: URL_SAFE_NO_PAD.encode(point.as_bytes()),
            contact: contact.to_owned(),
        })))
    }

    /// The `applicationServerKey` for `pushManager.subscribe`.
    pub fn public(&self) -> &str {
        &self.0.public
    }

    /// The `Authorization` header for a push service of this origin.
    pub(crate) fn authorization(&self, origin: &str, now: DateTime<Utc>) -> Option<String> {
        let claims = json!({"aud": origin, "exp": (now + GOOD_FOR).timestamp(), "sub": self.0.contact});
        let token = jsonwebtoken::encode(&Header::new(Algorithm::ES256), &claims, &self.0.signing).ok()?;
        Some(format!("vapid t={token}, k={}", self.0.public))
    }
}

impl fmt::Debug for PushKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PushKeys({})", self.0.public)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED, UnparsedPublicKey};

    // PUSH-5
    #[test]
    fn a_signature_is_the_key_s() {
        let keys = PushKeys::read(&PushKeys::generate(&Sources::system()), "mailto:a@b.es").expect("a key");
        let header = keys.authorization("https://push.example", DateTime::UNIX_EPOCH).expect("a header");
        let (token, key) = header.strip_prefix("vapid t=").and_then(|rest| rest.split_once(", k=")).expect("two parts");
        assert_eq!(key, keys.public());
        let point = URL_SAFE_NO_PAD.decode(key).expect("base64url");
        assert_eq!((point.len(), point[0]), (65, 4));
        let (signed, signature) = token.rsplit_once('.').expect("a signature");
        let signature = URL_SAFE_NO_PAD.decode(signature).expect("base64url");
        UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, point).verify(signed.as_bytes(), &signature).expect("the key's");
    }

    #[test]
    fn what_is_no_key_is_refused() {
        let zero = URL_SAFE_NO_PAD.encode([0; 32]);
        for text in ["", "abc", "no key", zero.as_str(), &URL_SAFE_NO_PAD.encode([255; 32])] {
            assert!(PushKeys::read(text, "mailto:a@b.es").is_none(), "{text}");
        }
    }
}
