//! Errors of this room, and their problems on the wire.

use atalaya_db::DbError;
use atalaya_messaging::TemplateError;
use atalaya_rest::Problem;

#[derive(Debug, thiserror::Error)]
pub enum PushError {
    #[error(transparent)]
    Db(#[from] DbError),
    /// A text is missing or lacks a value: a bug of ours.
    #[error(transparent)]
    Text(#[from] TemplateError),
    /// A problem with its own code and fields.
    #[error("refused")]
    Refused(Box<Problem>),
}

pub type PushResult<T> = Result<T, PushError>;

impl From<PushError> for Problem {
    fn from(error: PushError) -> Problem {
        match error {
            PushError::Db(ref db) => Problem::database(matches!(db, DbError::Unavailable(_)), db),
            PushError::Text(text) => Problem::internal(text),
            PushError::Refused(problem) => *problem,
        }
    }
}

impl From<Problem> for PushError {
    fn from(problem: Problem) -> Self {
        Self::Refused(Box::new(problem))
    }
}

impl From<atalaya_identity::IdentityError> for PushError {
    fn from(error: atalaya_identity::IdentityError) -> Self {
        Problem::from(error).into()
    }
}
