//! Errors of this room, and their problems on the wire.

use atalaya_db::DbError;
use atalaya_identity::IdentityError;
use atalaya_messaging::TemplateError;
use atalaya_rest::{FieldError, Problem};

#[derive(Debug, thiserror::Error)]
pub enum SmsTextError {
    #[error(transparent)]
    Db(#[from] DbError),
    #[error(transparent)]
    Identity(#[from] IdentityError),
    /// A text of ours that cannot be rendered.
    #[error(transparent)]
    Text(#[from] TemplateError),
    /// `INVALID_FIELDS`
    #[error("fields are not valid")]
    Invalid(Vec<FieldError>),
    /// `USER_NOT_FOUND`: no such user, or another company's.
    #[error("no such user for this caller")]
    UserNotFound,
    /// `SMS_SENDER_MISSING`
    #[error("the company has no sender name")]
    NoSender,
    /// `NOT_FOUND`: this process does not count SMS.
    #[error("no ceiling is configured")]
    NoCeiling,
    /// `SMS_SENDER_STATUS`
    #[error("the registration cannot go there from where it is")]
    Status,
}

impl From<FieldError> for SmsTextError {
    fn from(error: FieldError) -> Self {
        Self::Invalid(vec![error])
    }
}

impl From<SmsTextError> for Problem {
    fn from(error: SmsTextError) -> Problem {
        match error {
            SmsTextError::Db(ref db) => Problem::database(matches!(db, DbError::Unavailable(_)), db),
            SmsTextError::Identity(identity) => identity.into(),
            SmsTextError::Text(text) => Problem::internal(text),
            SmsTextError::Invalid(errors) => Problem::invalid(errors),
            SmsTextError::UserNotFound => Problem::not_found("USER_NOT_FOUND"),
            SmsTextError::NoSender => Problem::conflict("SMS_SENDER_MISSING"),
            SmsTextError::NoCeiling => Problem::not_found("NOT_FOUND"),
            SmsTextError::Status => Problem::conflict("SMS_SENDER_STATUS"),
        }
    }
}
