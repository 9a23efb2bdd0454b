//! Errors about a person's data.

use atalaya_cases::conferences::model::{ConferenceError, Wrong};
use atalaya_db::DbError;
use atalaya_rest::problem::Problem;

/// Errors of this room.
#[derive(Debug, thiserror::Error)]
pub enum PrivacyError {
    /// `CONFERENCE_OPEN` (409)
    #[error("a conference that is open is not erased")]
    Open,
    /// `PERSON_UNKNOWN` (404)
    #[error("nobody is known by that phone or e-mail")]
    PersonUnknown,
    /// `ERASURE_REGISTER_UNAVAILABLE` (503)
    #[error("the register of erasures cannot be written: {0}")]
    Register(#[from] std::io::Error),
    /// `INVALID_FIELDS` (422)
    #[error("fields are wrong")]
    Invalid(Vec<Wrong>),
    #[error(transparent)]
    Conference(#[from] ConferenceError),
}

impl From<DbError> for PrivacyError {
    fn from(error: DbError) -> Self {
        Self::Conference(error.into())
    }
}

impl From<atalaya_blobs::BlobError> for PrivacyError {
    fn from(error: atalaya_blobs::BlobError) -> Self {
        Self::Conference(error.into())
    }
}

impl From<atalaya_identity::IdentityError> for PrivacyError {
    fn from(error: atalaya_identity::IdentityError) -> Self {
        Self::Conference(error.into())
    }
}

impl From<PrivacyError> for Problem {
    fn from(error: PrivacyError) -> Self {
        match error {
            PrivacyError::Open => Problem::conflict("CONFERENCE_OPEN"),
            PrivacyError::PersonUnknown => Problem::not_found("PERSON_UNKNOWN"),
            PrivacyError::Register(cause) => Problem::unavailable("ERASURE_REGISTER_UNAVAILABLE").because(cause),
            PrivacyError::Invalid(wrong) => ConferenceError::Invalid(wrong).into(),
            PrivacyError::Conference(error) => error.into(),
        }
    }
}
