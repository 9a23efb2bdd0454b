//! Errors of webhooks.

use atalaya_db::DbError;
use atalaya_identity::IdentityError;
use atalaya_rest::problem::{FieldError, Problem};

#[derive(Debug, thiserror::Error)]
pub enum WebhookError {
    #[error("no such webhook for this caller")]
    NotFound,
    #[error("the customer has as many webhooks as it may have")]
    Limit,
    #[error("a field is wrong")]
    Field(&'static str, &'static str),
    #[error(transparent)]
    Db(#[from] DbError),
    #[error(transparent)]
    Identity(#[from] IdentityError),
}

impl From<WebhookError> for Problem {
    fn from(error: WebhookError) -> Self {
        match error {
            WebhookError::NotFound => Problem::not_found("WEBHOOK_NOT_FOUND"),
            WebhookError::Limit => Problem::conflict("WEBHOOK_LIMIT"),
            WebhookError::Field(field, code) => Problem::invalid([FieldError::new(field, code)]),
            WebhookError::Db(DbError::Unavailable(cause)) => Problem::unavailable("DATABASE_UNAVAILABLE").because(cause),
            WebhookError::Db(cause) => Problem::internal(cause),
            WebhookError::Identity(error) => error.into(),
        }
    }
}
