//! What this room refuses beyond [`IdentityError`], and its codes.

use crate::IdentityError;
use atalaya_rest::Problem;

#[derive(Debug)]
pub(super) enum InvitationError {
    NotFound,
    /// Neither a link nor a session.
    SessionRequired,
    NoticeFailed,
}

impl From<InvitationError> for IdentityError {
    fn from(error: InvitationError) -> Self {
        Self::from(match error {
            InvitationError::NotFound => Problem::not_found("INVITATION_NOT_FOUND"),
            InvitationError::SessionRequired => Problem::unauthenticated("SESSION_REQUIRED"),
            InvitationError::NoticeFailed => Problem::unavailable("ACTIVATION_EMAIL_FAILED"),
        })
    }
}
