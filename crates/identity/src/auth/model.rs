//! Rules of the log-in, without database or HTTP.

use crate::digest::sha256_hex;
use atalaya_kernel::{SessionId, UserId};
use chrono::{DateTime, TimeDelta, Utc};
use std::net::IpAddr;

/// Wrong tries per account from one network, or from one known device, within the window (AUTH-5).
pub const TRIES_PER_NETWORK: usize = 5;
/// Wrong tries per account from anywhere (AUTH-5).
pub const TRIES_PER_ACCOUNT: usize = 50;
/// Wrong codes per account from anywhere: whoever gives one has the password (FACTOR-4).
pub const CODES_PER_ACCOUNT: usize = 5;
/// Wrong tries per address, whatever the account, within the window (AUTH-5).
pub const TRIES_PER_ADDRESS: usize = 20;
/// Minutes a wrong try counts (AUTH-5).
pub const LOCK_WINDOW_MINUTES: i64 = 15;
/// Minutes an id handed out by `prelogin` lives.
pub const TICKET_MINUTES: i64 = 10;
/// Seconds a token between password and second factor lives (FACTOR-2).
pub const PENDING_2FA_S: i64 = 300;

/// How somebody proved who he is. The names are those of the audit log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    Password,
    /// Password, then a code of the authenticator.
    Code,
    /// Password, then a recovery code.
    RecoveryCode,
    Passkey,
    /// The account was created from an invitation just now.
    Invitation,
}

impl Method {
    pub fn name(self) -> &'static str {
        match self {
            Self::Password => "password",
            Self::Code => "code",
            Self::RecoveryCode => "recoveryCode",
            Self::Passkey => "passkey",
            Self::Invitation => "invitation",
        }
    }
}

/// Whom wrong tries are counted against. Names and addresses are kept hashed: the table needs no personal data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject(pub String);

impl Subject {
    /// An account, from anywhere.
    pub fn user(id: UserId) -> Self {
        Self(format!("user:{id}"))
    }

    /// A user name without a chosen account, from anywhere.
    pub fn name(user_name: &str) -> Self {
        Self(format!("name:{}", sha256_hex(user_name.as_bytes())))
    }

    /// The codes of an account.
    pub fn code(id: UserId) -> Self {
        Self(format!("code:{id}"))
    }

    /// A device that is known at an account.
    pub fn device(id: SessionId) -> Self {
        Self(format!("device:{id}"))
    }

    /// The same account or name from one network: an IPv4 address, or the /48 of an IPv6 one, which is what one site gets.
    pub fn from(&self, address: IpAddr) -> Self {
        let key = match address {
            IpAddr::V4(v4) => v4.to_string(),
            IpAddr::V6(v6) => v6.segments()[..3].iter().map(|s| format!("{s:x}:")).collect(),
        };
        Self(format!("{}@{}", self.0, &sha256_hex(key.as_bytes())[..16]))
    }

    /// Whether tries against it are tries at a known account.
    pub fn is_account(&self) -> bool {
        ["user:", "code:", "device:"].iter().any(|kind| self.0.starts_with(kind))
    }

    /// An address; IPv6 by its /64, which one subscriber has whole.
    pub fn address(address: IpAddr) -> Self {
        let key = match address {
            IpAddr::V4(v4) => v4.to_string(),
            IpAddr::V6(v6) => v6.segments()[..4].iter().map(|s| format!("{s:x}:")).collect(),
        };
        Self(format!("address:{}", sha256_hex(key.as_bytes())))
    }
}

/// Start of the window that counts now.
pub fn window_start(now: DateTime<Utc>) -> DateTime<Utc> {
    now - TimeDelta::minutes(LOCK_WINDOW_MINUTES)
}

/// End of the window that counts now. Other nodes' clocks may be ahead of this one's; what lies further ahead was written by
/// a clock that has been set back since, and would lock an account for as long as it went back (CLOCK-1).
pub fn window_end(now: DateTime<Utc>) -> DateTime<Utc> {
    now + TimeDelta::minutes(LOCK_WINDOW_MINUTES)
}

/// Seconds to wait when these tries (oldest first, all within the window) are too many; `None` when one more may be made.
pub fn lock_seconds(tries: &[DateTime<Utc>], max: usize, now: DateTime<Utc>) -> Option<u64> {
    if tries.len() < max {
        return None;
    }
    // The next try is free when the newest `max` have become `max - 1`.
    let leaves = tries[tries.len() - max] + TimeDelta::minutes(LOCK_WINDOW_MINUTES);
    Some(u64::try_from(((leaves - now).num_milliseconds() + 999) / 1000).unwrap_or(0).max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(1_800_000_000 + seconds, 0).unwrap()
    }

    #[test]
    fn the_lock_opens_when_the_oldest_of_the_last_tries_leaves() {
        let tries: Vec<_> = (0..5).map(|n| at(n * 10)).collect();
        assert_eq!(lock_seconds(&tries[..4], 5, at(40)), None);
        assert_eq!(lock_seconds(&tries, 5, at(40)), Some(860));
        assert_eq!(lock_seconds(&tries, 5, at(899)), Some(1));
        let six: Vec<_> = (0..6).map(|n| at(n * 10)).collect();
        assert_eq!(lock_seconds(&six, 5, at(50)), Some(860));
    }

    // AUTH-5
    #[test]
    fn an_account_is_counted_by_network() {
        let user = Subject::name("ana@ejemplo.es");
        let from = |s: &str| user.from(s.parse().unwrap());
        assert_eq!(from("2001:db8:1:2::1"), from("2001:db8:1:ffff::9"));
        assert_ne!(from("2001:db8:1::1"), from("2001:db8:2::1"));
        assert_ne!(from("192.0.2.1"), from("192.0.2.2"));
        assert_ne!(from("192.0.2.1"), user);
    }

    #[test]
    fn neighbours_of_one_ipv6_network_are_one_address() {
        let subject = |s: &str| Subject::address(s.parse().unwrap());
        assert_eq!(subject("2001:db8:1:2::1"), subject("2001:db8:1:2:ffff::9"));
        assert_ne!(subject("2001:db8:1:2::1"), subject("2001:db8:1:3::1"));
        assert_ne!(subject("1.2.3.4"), subject("1.2.3.5"));
    }
}
