//! A session and its life, without database.

use crate::directory::User;
use atalaya_kernel::{SessionId, limits};
use chrono::{DateTime, TimeDelta, Utc};

/// A living session with its user.
pub(crate) struct LiveSession {
    pub id: SessionId,
    pub session_key: String,
    pub expires_at: DateTime<Utc>,
    pub user: User,
}

/// A token of a log-in, as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    pub id: SessionId,
    /// The same for every token of a log-in.
    pub family: String,
    pub created_at: DateTime<Utc>,
    pub expires_at: DateTime<Utc>,
    pub user_agent: Option<String>,
    pub address: Option<String>,
}

/// When a token issued now expires.
pub fn expiry(now: DateTime<Utc>) -> DateTime<Utc> {
    now + TimeDelta::seconds(limits::TOKEN_LIFE_S)
}

/// When a token that was just renewed dies: soon, but never later than it would have.
pub fn expiry_after_renewal(expires_at: DateTime<Utc>, now: DateTime<Utc>) -> DateTime<Utc> {
    expires_at.min(now + TimeDelta::seconds(limits::TOKEN_GRACE_S))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(1_800_000_000 + seconds, 0).unwrap()
    }

    #[test]
    fn a_renewed_token_lives_a_minute_at_most() {
        assert_eq!(expiry_after_renewal(at(3600), at(0)), at(60));
        assert_eq!(expiry_after_renewal(at(20), at(0)), at(20));
    }
}
