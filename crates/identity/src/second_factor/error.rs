//! What this room refuses beyond [`IdentityError`], and its codes.

use crate::IdentityError;
use atalaya_rest::Problem;

#[derive(Debug)]
pub(super) enum SecondFactorError {
    Active,
    Inactive,
    CodeInvalid,
    /// The token between password and code was used or is too old.
    LoginExpired,
}

impl From<SecondFactorError> for IdentityError {
    fn from(error: SecondFactorError) -> Self {
        Self::from(match error {
            SecondFactorError::Active => Problem::conflict("SECOND_FACTOR_ACTIVE"),
            SecondFactorError::Inactive => Problem::conflict("SECOND_FACTOR_INACTIVE"),
            SecondFactorError::CodeInvalid => Problem::unprocessable("CODE_INVALID"),
            SecondFactorError::LoginExpired => Problem::unprocessable("LOGIN_EXPIRED"),
        })
    }
}
