//! Who is asked besides the token whether somebody may enter (ENGINE-29).

use crate::token::Claims;
use async_trait::async_trait;

/// What the gate says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    Admitted,
    /// The token's right has ended before the token.
    Revoked,
    /// It cannot be said now; the client comes again.
    Unknown,
}

/// Decides about a token whose signature, time and rights are good, at each join and each resumption.
#[async_trait]
pub trait Gate: Send + Sync {
    async fn admits(&self, claims: &Claims) -> Verdict;
}

/// A place in a room that is taken with a log-in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seat {
    pub room: String,
    pub identity: String,
    /// The claim `session`.
    pub session: String,
}
