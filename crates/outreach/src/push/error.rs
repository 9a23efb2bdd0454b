//! Errors of this room, and their problems on the wire.

use atalaya_db::DbError;
use atalaya_identity::IdentityError;
use atalaya_messaging::TemplateError;
use atalaya_rest::Problem;

#[derive(Debug, thiserror::Error)]
pub enum PushError {
    #[error(transparent)]
    Db(#[from] DbError),
    /// A text is missing or lacks a value: a bug of ours.
    #[error(transparent)]
    Text(#[from] TemplateError),
    #[error(transparent)]
    Identity(#[from] IdentityError),
    /// What a browser sent as its address, with the code; 422 about `token`.
    #[error("no address of a push service: {0}")]
    Token(&'static str),
    /// `PUSH_TOKEN_NOT_FOUND` (404)
    #[error("no such browser for this caller")]
    TokenNotFound,
    /// `PUSH_DEVICE_NOT_FOUND` (404)
    #[error("no such device of this caller")]
    DeviceNotFound,
    /// `TOO_MANY_REQUESTS` (429), with the seconds until the next is allowed
    #[error("too many calls")]
    TooMany(u64),
}

pub type PushResult<T> = Result<T, PushError>;

impl From<PushError> for Problem {
    fn from(error: PushError) -> Problem {
        match error {
            PushError::Db(ref db) => Problem::database(matches!(db, DbError::Unavailable(_)), db),
            PushError::Text(text) => Problem::internal(text),
            PushError::Identity(error) => error.into(),
            PushError::Token(code) => Problem::invalid([]).field("token", code),
            PushError::TokenNotFound => Problem::not_found("PUSH_TOKEN_NOT_FOUND"),
            PushError::DeviceNotFound => Problem::not_found("PUSH_DEVICE_NOT_FOUND"),
            PushError::TooMany(seconds) => Problem::too_many("TOO_MANY_REQUESTS", seconds),
        }
    }
}
