//! What this room refuses beyond [`IdentityError`], and its codes.

use crate::IdentityError;
use atalaya_rest::Problem;

#[derive(Debug)]
pub(super) enum PasskeyError {
    /// The public address is a number.
    Unavailable,
    Limit,
    Exists,
    NotFound,
    /// Why, for the log.
    Invalid(String),
}

impl From<PasskeyError> for IdentityError {
    fn from(error: PasskeyError) -> Self {
        Self::from(match error {
            PasskeyError::Unavailable => Problem::conflict("PASSKEYS_UNAVAILABLE"),
            PasskeyError::Limit => Problem::conflict("PASSKEY_LIMIT"),
            PasskeyError::Exists => Problem::conflict("PASSKEY_EXISTS"),
            PasskeyError::NotFound => Problem::not_found("PASSKEY_NOT_FOUND"),
            PasskeyError::Invalid(why) => Problem::unprocessable("PASSKEY_INVALID").because(why),
        })
    }
}
