//! What can go wrong with a case and its notes, and its codes.

use atalaya_cases::conferences::ConferenceError;
use atalaya_db::DbError;
use atalaya_identity::IdentityError;
use atalaya_kernel::limits;
use atalaya_rest::problem::{FieldError, Problem};

/// Why a call about a case was refused.
#[derive(Debug, thiserror::Error)]
pub enum ExpedientError {
    #[error("no conference of this case for this caller")]
    NotFound,
    #[error("no such note for this caller")]
    NoteNotFound,
    /// A colleague's note.
    #[error("the role may not delete it")]
    RoleNotAllowed,
    /// The text of a note, with its code.
    #[error("the text of the note: {0}")]
    Text(&'static str),
    #[error(transparent)]
    Conference(#[from] ConferenceError),
}

impl From<DbError> for ExpedientError {
    fn from(error: DbError) -> Self {
        Self::Conference(error.into())
    }
}

impl From<IdentityError> for ExpedientError {
    fn from(error: IdentityError) -> Self {
        Self::Conference(error.into())
    }
}

impl From<ExpedientError> for Problem {
    fn from(error: ExpedientError) -> Self {
        match error {
            ExpedientError::NotFound => Problem::not_found("EXPEDIENT_NOT_FOUND"),
            ExpedientError::NoteNotFound => Problem::not_found("NOTE_NOT_FOUND"),
            ExpedientError::RoleNotAllowed => Problem::forbidden("ROLE_NOT_ALLOWED"),
            ExpedientError::Text(code @ "TOO_LONG") => {
                Problem::invalid([FieldError::new("text", code).param("max", limits::EXPEDIENT_NOTE_MAX)])
            }
            ExpedientError::Text(code) => Problem::invalid([FieldError::new("text", code)]),
            ExpedientError::Conference(error) => error.into(),
        }
    }
}
