//! Tokens that rooms above this one issue and `verify-token` knows too: those of advertising.

use crate::IdentityResult;
use async_trait::async_trait;

/// Looks a token of advertising up. Changes nothing.
#[async_trait]
pub trait MarketingTokens: Send + Sync {
    /// Its expiry in seconds while it may be used.
    async fn inspect(&self, token: &str) -> IdentityResult<Option<i64>>;
}
