//! Errors of a program's call, beyond those of the rooms it goes through.

use atalaya_cases::conferences::ConferenceError;
use atalaya_db::DbError;
use atalaya_rest::problem::Problem;

#[derive(Debug, thiserror::Error)]
pub enum ExtError {
    #[error("the idempotency key was used with another body")]
    KeyReused,
    #[error(transparent)]
    Conference(#[from] ConferenceError),
}

impl From<DbError> for ExtError {
    fn from(error: DbError) -> Self {
        Self::Conference(error.into())
    }
}

impl From<ExtError> for Problem {
    fn from(error: ExtError) -> Self {
        match error {
            ExtError::KeyReused => Problem::conflict("IDEMPOTENCY_KEY_REUSED"),
            ExtError::Conference(error) => error.into(),
        }
    }
}
