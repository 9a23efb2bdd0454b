//! Errors of the bell.

use atalaya_db::DbError;
use atalaya_identity::IdentityError;
use atalaya_rest::{FieldError, Problem};

/// Why a call of the bell was refused.
#[derive(Debug, thiserror::Error)]
pub enum NotificationError {
    #[error(transparent)]
    Db(#[from] DbError),
    #[error(transparent)]
    Identity(#[from] IdentityError),
    /// `NOTIFICATION_NOT_FOUND` (404): unknown, another's, or not in force for the caller.
    #[error("no such notification for this caller")]
    NotFound,
    /// `INVALID_FIELDS` (422)
    #[error("fields are wrong")]
    Invalid(Vec<FieldError>),
    /// `NOTIFICATION_OVER` (409): already withdrawn, or expired.
    #[error("the notification is over")]
    Over,
}

impl From<NotificationError> for Problem {
    fn from(error: NotificationError) -> Self {
        match error {
            NotificationError::Db(ref db) => Problem::database(matches!(db, DbError::Unavailable(_)), db),
            NotificationError::Identity(error) => error.into(),
            NotificationError::NotFound => Problem::not_found("NOTIFICATION_NOT_FOUND"),
            NotificationError::Invalid(errors) => Problem::invalid(errors),
            NotificationError::Over => Problem::conflict("NOTIFICATION_OVER"),
        }
    }
}
