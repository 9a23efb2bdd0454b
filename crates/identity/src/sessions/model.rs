//! A session and its life, without database.

use crate::directory::{Company, User};
use atalaya_kernel::{SessionId, limits};
use chrono::{DateTime, TimeDelta, Utc};

/// A living session with its user and company.
pub(crate) struct LiveSession {
    pub id: SessionId,
    pub session_key: String,
    pub expires_at: DateTime<Utc>,
    pub log_in: LogIn,
    pub user: User,
    pub company: Company,
}

/// The log-in that a token goes back to; renewals hand it on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LogIn {
    pub opened_at: DateTime<Utc>,
    /// When its holder last proved who he is.
    pub proved_at: Option<DateTime<Utc>>,
}

impl LogIn {
    /// One that begins now, with a proof.
    pub fn begun(now: DateTime<Utc>) -> Self {
        Self { opened_at: now, proved_at: Some(now) }
    }

    /// Whether its holder proved who he is within the last [`PROOF_MINUTES`] (PROOF-1).
    pub fn is_fresh(&self, now: DateTime<Utc>) -> bool {
        self.proved_at.is_some_and(|at| at > now - TimeDelta::minutes(PROOF_MINUTES))
    }
}

/// Minutes for which a proof of identity is fresh.
pub const PROOF_MINUTES: i64 = 10;
/// Days after which a log-in ends, however often it was renewed.
pub const LOG_IN_DAYS: i64 = 30;

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

/// When a token issued now expires: in an hour, or with its log-in (SESSION-8).
pub fn expiry(now: DateTime<Utc>, opened_at: DateTime<Utc>) -> DateTime<Utc> {
    (now + TimeDelta::seconds(limits::TOKEN_LIFE_S)).min(opened_at + TimeDelta::days(LOG_IN_DAYS))
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

    // PROOF-1
    #[test]
    fn a_proof_is_fresh_for_ten_minutes() {
        let log_in = LogIn::begun(at(0));
        assert!(log_in.is_fresh(at(599)));
        assert!(!log_in.is_fresh(at(600)));
        assert!(!LogIn { proved_at: None, ..log_in }.is_fresh(at(0)));
    }

    // SESSION-8
    #[test]
    fn a_token_lives_an_hour_and_no_longer_than_its_log_in() {
        let end = LOG_IN_DAYS * 86_400;
        assert_eq!(expiry(at(0), at(0)), at(3600));
        assert_eq!(expiry(at(end - 3601), at(0)), at(end - 1));
        assert_eq!(expiry(at(end - 60), at(0)), at(end));
    }

    #[test]
    fn a_renewed_token_lives_a_minute_at_most() {
        assert_eq!(expiry_after_renewal(at(3600), at(0)), at(60));
        assert_eq!(expiry_after_renewal(at(20), at(0)), at(20));
    }
}
