//! Tokens that rooms above this one issue and `verify-token` knows too: those of advertising.

use crate::IdentityResult;
use async_trait::async_trait;
use std::sync::{Arc, OnceLock};

/// Looks a token of advertising up. Changes nothing.
#[async_trait]
pub trait MarketingTokens: Send + Sync {
    /// Its expiry in seconds while it may be used.
    async fn inspect(&self, token: &str) -> IdentityResult<Option<i64>>;
}

/// The room of advertising, registered once when the server is built; without it no such token is valid.
#[derive(Clone, Default)]
pub struct OtherTokens(Arc<OnceLock<Arc<dyn MarketingTokens>>>);

impl OtherTokens {
    /// The first one stays.
    pub fn set_marketing(&self, tokens: Arc<dyn MarketingTokens>) {
        if self.0.set(tokens).is_err() {
            tracing::warn!("tokens of advertising are known already");
        }
    }

    pub(super) async fn inspect_marketing(&self, token: &str) -> IdentityResult<Option<i64>> {
        match self.0.get() {
            Some(tokens) => tokens.inspect(token).await,
            None => Ok(None),
        }
    }
}
