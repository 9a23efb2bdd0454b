//! Errors of this room, and their problems on the wire.

use atalaya_db::DbError;
use atalaya_identity::IdentityError;
use atalaya_messaging::{SendFailure, TemplateError};
use atalaya_rest::Problem;

#[derive(Debug, thiserror::Error)]
pub enum MessageServiceError {
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

impl From<MessageServiceError> for Problem {
    fn from(error: MessageServiceError) -> Problem {
        match error {
            MessageServiceError::Db(ref db) => Problem::database(matches!(db, DbError::Unavailable(_)), db),
            MessageServiceError::Identity(identity) => identity.into(),
            MessageServiceError::NoWhatsapp => Problem::conflict("WHATSAPP_NOT_CONFIGURED"),
            MessageServiceError::Gateway(failure) => Problem::unavailable("WHATSAPP_UNAVAILABLE").because(failure),
            MessageServiceError::Text(text) => Problem::internal(text),
        }
    }
}
