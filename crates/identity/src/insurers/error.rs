//! What this room refuses beyond [`IdentityError`], and its codes.

use crate::IdentityError;
use atalaya_rest::Problem;

#[derive(Debug)]
pub(super) enum InsurerError {
    NotFound,
    NameTaken,
}

impl From<InsurerError> for IdentityError {
    fn from(error: InsurerError) -> Self {
        Self::from(match error {
            InsurerError::NotFound => Problem::not_found("INSURANCE_NOT_FOUND"),
            InsurerError::NameTaken => Problem::conflict("INSURANCE_NAME_TAKEN").field("name", "INSURANCE_NAME_TAKEN"),
        })
    }
}
