//! Time-limited credentials (draft-uberti-behave-turn-rest): who may relay is said in the user name and proved by a code
//! that both the issuer and the relay can compute. An external coturn with `use-auth-secret` reads the same.

use aws_lc_rs::hmac;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use std::sync::Arc;

/// Longest user name accepted, bytes.
const MAX_USER_NAME: usize = 128;

/// What a client proves itself with.
#[derive(Clone, PartialEq, Eq)]
pub struct Credentials {
    pub username: String,
    pub password: String,
}

/// The secret that issuer and relay share.
#[derive(Clone)]
pub struct SharedSecret(Arc<hmac::Key>);

impl SharedSecret {
    pub fn new(secret: &[u8]) -> Self {
        // SHA-1 because the scheme, and coturn, say so.
        Self(Arc::new(hmac::Key::new(hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY, secret)))
    }

    /// Credentials for `subject` that may begin to relay until `ttl_s` seconds after `now_s` (Unix seconds).
    pub fn issue(&self, subject: &str, now_s: i64, ttl_s: i64) -> Credentials {
        let username = format!("{}:{subject}", now_s.saturating_add(ttl_s));
        let password = self.password(&username);
        Credentials { username, password }
    }

    pub(crate) fn password(&self, username: &str) -> String {
        STANDARD.encode(hmac::sign(&self.0, username.as_bytes()))
    }
}

/// Expiry (Unix seconds) and subject of a user name.
pub(crate) fn parts(username: &str) -> Option<(i64, &str)> {
    if username.len() > MAX_USER_NAME {
        return None;
    }
    let (expiry, subject) = username.split_once(':')?;
    if subject.is_empty() {
        return None;
    }
    Some((expiry.parse().ok()?, subject))
}

#[cfg(test)]
mod tests {
    use super::*;

    // TURN-3
    #[test]
    fn credentials_are_those_of_the_rest_scheme() {
        // printf '1000060:PA_x' | openssl dgst -sha1 -hmac north -binary | base64
        let issued = SharedSecret::new(b"north").issue("PA_x", 1_000_000, 60);
        assert_eq!(issued.username, "1000060:PA_x");
        assert_eq!(issued.password, "1TLcrAbO0jawlNNvK91rVOqVmxk=");
        assert_eq!(parts(&issued.username), Some((1_000_060, "PA_x")));
        assert_ne!(SharedSecret::new(b"south").password("1000060:PA_x"), issued.password);
    }

    // TURN-3
    #[test]
    fn other_user_names_have_no_parts() {
        for name in ["", "PA_x", "soon:PA_x", "12:", "99999999999999999999:PA_x", &format!("1:{}", "x".repeat(200))] {
            assert_eq!(parts(name), None, "{name}");
        }
    }
}
