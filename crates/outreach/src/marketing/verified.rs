//! Tokens of advertising as `verify-token` asks for them.

use super::MarketingError;
use super::service;
use crate::Outreach;
use async_trait::async_trait;
use atalaya_identity::IdentityResult;
use atalaya_identity::auth::MarketingTokens;

/// The tokens of this room.
pub struct Tokens(pub Outreach);

#[async_trait]
impl MarketingTokens for Tokens {
    async fn inspect(&self, token: &str) -> IdentityResult<Option<i64>> {
        match service::read(&self.0, token).await {
            Ok(token) => Ok(Some(token.expires_at.timestamp())),
            Err(MarketingError::TokenInvalid | MarketingError::TokenExpired) => Ok(None),
            Err(other) => Err(other.into()),
        }
    }
}
