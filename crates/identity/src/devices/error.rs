//! What this room refuses beyond [`IdentityError`], and its codes.

use crate::IdentityError;
use atalaya_rest::Problem;

#[derive(Debug)]
pub(super) enum DeviceError {
    SessionNotFound,
}

impl From<DeviceError> for IdentityError {
    fn from(error: DeviceError) -> Self {
        Self::from(match error {
            DeviceError::SessionNotFound => Problem::not_found("SESSION_NOT_FOUND"),
        })
    }
}
