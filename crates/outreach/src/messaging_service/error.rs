//! Errors of this room, and their problems on the wire.

use atalaya_db::DbError;
use atalaya_identity::IdentityError;
use atalaya_messaging::{SendFailure, TemplateError};
use atalaya_rest::Problem;

#[derive(Debug, thiserror::Error)]
pub enum MessagingServiceError {
    #[error(transparent)]
    Db(#[from] DbError),
    #[error(transparent)]
    Identity(#[from] IdentityError),
    /// `WHATSAPP_NOT_CONFIGURED`
    #[error("there is no WhatsApp gateway")]
    NoWhatsapp,
    /// `WHATSAPP_UNAVAILABLE`: the gateway fails or answers nonsense.
    #[error("the WhatsApp gateway: {0}")]
    Gateway(#[from] SendFailure),
    /// A text of ours that cannot be rendered.
    #[error(transparent)]
    Text(#[from] TemplateError),
}

impl From<MessagingServiceError> for Problem {
    fn from(error: MessagingServiceError) -> Problem {
        match error {
            MessagingServiceError::Db(ref db) => Problem::database(matches!(db, DbError::Unavailable(_)), db),
            MessagingServiceError::Identity(identity) => identity.into(),
            MessagingServiceError::NoWhatsapp => Problem::conflict("WHATSAPP_NOT_CONFIGURED"),
            MessagingServiceError::Gateway(failure) => Problem::unavailable("WHATSAPP_UNAVAILABLE").because(failure),
            MessagingServiceError::Text(text) => Problem::internal(text),
        }
    }
}
