//! Addresses, signatures, and the times of retries. Pure.

use atalaya_jobs::Backoff;
use aws_lc_rs::hmac;
use chrono::{DateTime, TimeDelta, Utc};
use reqwest::Url;

/// Maximum number of webhooks of a customer.
pub const WEBHOOKS_MAX: u64 = 5;
/// Maximum length of an address.
const URL_MAX: usize = 1000;
/// What every secret begins with.
pub const SECRET_PREFIX: &str = "whsec_";
/// Random characters of a secret: 43 of base62 are 256 bits.
pub const SECRET_LENGTH: usize = 43;
/// How long a webhook may accept nothing before it is disabled (HOOK-6).
pub const GIVE_UP: TimeDelta = TimeDelta::hours(24);
/// Maximum number of tries of one delivery, about a day of them (HOOK-5).
pub const TRIES_MAX: i32 = 32;
/// How long deliveries are kept and can be replayed.
pub const KEPT: TimeDelta = TimeDelta::days(30);
/// How long an idempotency key is remembered.
pub const KEYS_KEPT: TimeDelta = TimeDelta::hours(24);
/// Waits between tries.
const WAITS: Backoff = Backoff { first: TimeDelta::seconds(10), longest: TimeDelta::hours(1) };

/// The time of the next try after this many failures in a row.
pub fn next_try(failures: i32, now: DateTime<Utc>) -> DateTime<Utc> {
    now + WAITS.after(failures)
}

/// Whether a webhook is disabled because it has accepted nothing since then.
pub fn is_given_up(failing_since: DateTime<Utc>, now: DateTime<Utc>) -> bool {
    now - failing_since >= GIVE_UP
}

/// An address in its normal form; `None` when it is not a plain https address (`plain` allows `http`, for tests).
pub fn address(text: &str, plain: bool) -> Option<Url> {
    let text = text.trim();
    if text.len() > URL_MAX || text.bytes().any(|b| b <= b' ' || b == b'\\' || b >= 0x7f) {
        return None;
    }
    let url = Url::parse(text).ok()?;
    let scheme = url.scheme() == "https" || (plain && url.scheme() == "http");
    let bare = url.username().is_empty() && url.password().is_none() && url.fragment().is_none();
    (scheme && bare && url.host_str().is_some_and(|host| !host.is_empty())).then_some(url)
}

/// The header `Atalaya-Signature`: `t=…,v1=HMAC-SHA256(secret, t.body)`, the HMAC in hex.
pub fn signature(secret: &str, at: DateTime<Utc>, body: &str) -> String {
    let t = at.timestamp();
    let key = hmac::Key::new(hmac::HMAC_SHA256, secret.as_bytes());
    let tag = hmac::sign(&key, format!("{t}.{body}").as_bytes());
    format!("t={t},v1={}", hex::encode(tag.as_ref()))
}

/// Why a try failed; its wire name is the one in the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    Timeout,
    Unreachable,
    /// The address leads into our own network.
    Address,
    /// The receiver answered with a status other than 2xx.
    Status(u16),
}

impl Failure {
    pub fn name(self) -> &'static str {
        match self {
            Self::Timeout => "TIMEOUT",
            Self::Unreachable => "UNREACHABLE",
            Self::Address => "WEBHOOK_ADDRESS",
            Self::Status(_) => "STATUS",
        }
    }

    pub fn status(self) -> Option<u16> {
        match self {
            Self::Status(status) => Some(status),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // HOOK-8
    #[test]
    fn addresses_are_plain_https() {
        for good in ["https://example.es/hook", "https://example.es:8443/a?b=c", "https://8.8.8.8/"] {
            assert!(address(good, false).is_some(), "{good}");
        }
        for bad in [
            "http://example.es/",
            "ftp://example.es/",
            "https://user@example.es/",
            "https://user:secret@example.es/",
            "https://example.es/#a",
            "https://",
            "example.es",
            "https://exa mple.es/",
            "https://example.es/\\x",
            "https://ejemplo.es/ñ",
            "file:///etc/passwd",
            "",
        ] {
            assert!(address(bad, false).is_none(), "{bad}");
        }
        assert!(address(&format!("https://example.es/{}", "x".repeat(URL_MAX)), false).is_none());
        assert!(address("http://127.0.0.1:9/", true).is_some());
    }

    // HOOK-5, HOOK-6
    #[test]
    fn tries_go_on_for_a_day() {
        let start = DateTime::from_timestamp(1_800_000_000, 0).expect("a time");
        let (mut now, mut tries) = (start, 0);
        while !is_given_up(start, now) {
            tries += 1;
            now = next_try(tries, now);
        }
        assert!((28..=TRIES_MAX).contains(&tries), "{tries}");
    }

    // HOOK-3
    #[test]
    fn a_signature_covers_time_and_body() {
        let at = |s| DateTime::from_timestamp(s, 0).expect("a time");
        let one = signature("whsec_x", at(1_800_000_000), "{}");
        // printf '1800000000.{}' | openssl dgst -sha256 -hmac whsec_x
        assert!(one.starts_with("t=1800000000,v1=") && one.len() == 16 + 64, "{one}");
        assert_ne!(one, signature("whsec_x", at(1_800_000_001), "{}"));
        assert_ne!(one, signature("whsec_x", at(1_800_000_000), "{ }"));
        assert_ne!(one, signature("whsec_y", at(1_800_000_000), "{}"));
    }
}
