//! What this room refuses beyond [`IdentityError`], and its codes.

use crate::IdentityError;
use atalaya_rest::Problem;

#[derive(Debug)]
pub(super) enum PresenceError {
    SocketNotFound,
    OtherUser,
}

impl From<PresenceError> for IdentityError {
    fn from(error: PresenceError) -> Self {
        Self::from(match error {
            PresenceError::SocketNotFound => Problem::not_found("SOCKET_NOT_FOUND"),
            PresenceError::OtherUser => Problem::forbidden("SOCKET_USER_MISMATCH"),
        })
    }
}
