//! What this room refuses beyond [`IdentityError`], and its codes.

use atalaya_identity::IdentityError;
use atalaya_rest::Problem;

#[derive(Debug)]
pub(super) enum ApiKeyError {
    /// The company has as many living keys as it may.
    Limit,
    NotFound,
    /// No living key of this text.
    Unknown,
}

impl From<ApiKeyError> for IdentityError {
    fn from(error: ApiKeyError) -> Self {
        Self::from(match error {
            ApiKeyError::Limit => Problem::conflict("API_KEY_LIMIT"),
            ApiKeyError::NotFound => Problem::not_found("API_KEY_NOT_FOUND"),
            ApiKeyError::Unknown => Problem::unauthenticated("API_KEY_INVALID"),
        })
    }
}
