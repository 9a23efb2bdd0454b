//! A device is a family of sessions: those of one log-in, renewed one to the next.

use crate::sessions::Token;
use atalaya_checks::browser::browser_and_system;
use atalaya_kernel::SessionId;
use chrono::{DateTime, Utc};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Device {
    /// Of the family's first token, so that it stays the same over renewals.
    pub id: SessionId,
    /// The one that asks.
    pub current: bool,
    pub user_agent: Option<String>,
    pub browser: &'static str,
    pub system: &'static str,
    pub address: Option<String>,
    /// Of the log-in.
    pub created_at: DateTime<Utc>,
    /// Of the last renewal: an open page renews about every three quarters of an hour.
    pub last_seen_at: DateTime<Utc>,
    pub expires_at: DateTime<Utc>,
}

/// The devices that are still logged in, the one that asks first, then the latest seen.
pub(crate) fn devices(mut tokens: Vec<Token>, asking: SessionId, now: DateTime<Utc>) -> Vec<Device> {
    tokens.sort_by_key(|token| (token.created_at, token.id.0));
    let own = tokens.iter().find(|token| token.id == asking).map(|token| token.family.clone());
    let mut families: Vec<(Token, Token)> = Vec::new();
    for token in tokens {
        match families.iter_mut().find(|(first, _)| first.family == token.family) {
            Some((_, last)) => *last = token,
            None => families.push((token.clone(), token)),
        }
    }
    let mut devices: Vec<Device> = families
        .into_iter()
        .filter(|(_, last)| last.expires_at > now)
        .map(|(first, last)| {
            let (browser, system) = browser_and_system(last.user_agent.as_deref().unwrap_or(""));
            Device {
                id: first.id,
                current: own.as_ref() == Some(&first.family),
                browser,
                system,
                user_agent: last.user_agent,
                address: last.address,
                created_at: first.created_at,
                last_seen_at: last.created_at,
                expires_at: last.expires_at,
            }
        })
        .collect();
    devices.sort_by_key(|device| (!device.current, std::cmp::Reverse(device.last_seen_at)));
    devices
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    fn at(minute: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(1_800_000_000 + minute * 60, 0).unwrap()
    }

    fn token(id: u128, family: &str, minute: i64) -> Token {
        let (created_at, expires_at) = (at(minute), at(minute + 60));
        Token { id: Uuid::from_u128(id).into(), family: family.into(), created_at, expires_at, user_agent: None, address: None }
    }

    #[test]
    fn a_family_is_one_device_from_its_first_token_to_its_last() {
        let tokens = vec![token(3, "b", 10), token(1, "a", 0), token(2, "a", 45), token(4, "c", -60)];
        let found = devices(tokens, Uuid::from_u128(2).into(), at(50));
        let seen: Vec<_> = found.iter().map(|d| (d.id.0.as_u128(), d.current, d.created_at, d.last_seen_at)).collect();
        assert_eq!(seen, [(1, true, at(0), at(45)), (3, false, at(10), at(10))], "the third has expired");
        assert_eq!(found[0].expires_at, at(105));
    }
}
