//! An API key and its rules, without database or HTTP.

use atalaya_kernel::{ApiKeyId, CompanyId, Sources, UserId};
use chrono::{DateTime, TimeDelta, Utc};

/// What every key begins with (KEY-1).
pub const PREFIX: &str = "atl_";
/// Random characters of a key: 43 of base62 are 256 bits.
const SECRET_LENGTH: usize = 43;
/// Characters of a key that lists show.
const SHOWN_LENGTH: usize = PREFIX.len() + 6;
/// Keys of a company that work at once: the old and the new one of a rotation.
pub const LIVE_MAX: u64 = 2;
/// Seconds between two writings of a key's last use.
const USE_WRITTEN_EVERY_S: i64 = 60;

/// A stored key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApiKey {
    pub id: ApiKeyId,
    pub company: CompanyId,
    pub created_by: UserId,
    pub prefix: String,
    pub created_at: DateTime<Utc>,
    pub last_used_at: Option<DateTime<Utc>>,
    pub revoked_at: Option<DateTime<Utc>>,
}

impl ApiKey {
    /// Whether this use is to be written: at most once a minute, so that a busy key does not write all the time.
    pub fn writes_use(&self, now: DateTime<Utc>) -> bool {
        self.last_used_at.is_none_or(|last| last + TimeDelta::seconds(USE_WRITTEN_EVERY_S) <= now)
    }
}

/// A new key, in clear: shown once, stored nowhere.
pub fn generate(sources: &Sources) -> String {
    format!("{PREFIX}{}", sources.base62(SECRET_LENGTH))
}

/// Whether a text may be one of our keys at all.
pub fn is_key(text: &str) -> bool {
    text.strip_prefix(PREFIX)
        .is_some_and(|secret| secret.len() == SECRET_LENGTH && secret.bytes().all(|b| b.is_ascii_alphanumeric()))
}

/// What lists show of a key.
pub fn shown(key: &str) -> String {
    key.chars().take(SHOWN_LENGTH).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    // KEY-1
    #[test]
    fn keys_have_their_form_and_show_little() {
        let key = generate(&Sources::system());
        assert_eq!((key.len(), is_key(&key)), (47, true));
        assert_eq!(shown(&key), key[..10]);
        for other in ["", "atl_", "atl_short", &key[1..], &format!("{key}x"), &key.replace("atl_", "atl-")] {
            assert!(!is_key(other), "{other}");
        }
    }

    // KEY-5
    #[test]
    fn a_use_is_written_once_a_minute() {
        let at = |s: i64| DateTime::from_timestamp(1_800_000_000 + s, 0).unwrap();
        let id = Uuid::from_u128(1);
        let key = |last_used_at| ApiKey {
            id: id.into(),
            company: id.into(),
            created_by: id.into(),
            prefix: String::new(),
            created_at: at(0),
            last_used_at,
            revoked_at: None,
        };
        assert!(key(None).writes_use(at(0)));
        assert!(!key(Some(at(0))).writes_use(at(59)));
        assert!(key(Some(at(0))).writes_use(at(60)));
    }
}
