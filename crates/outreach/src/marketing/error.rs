//! Errors of consent and its tokens. None is a 401, which would end the session of a logged-in user (PROMO-3).

use atalaya_db::DbError;
use atalaya_identity::IdentityError;
use atalaya_messaging::{MessageError, TemplateError};
use atalaya_rest::Problem;

/// Why a call about consent was refused.
#[derive(Debug, thiserror::Error)]
pub enum MarketingError {
    #[error(transparent)]
    Db(#[from] DbError),
    #[error(transparent)]
    Identity(#[from] IdentityError),
    /// `TOKEN_INVALID` (422): not one of ours.
    #[error("the token is not valid")]
    TokenInvalid,
    /// `TOKEN_EXPIRED` (422)
    #[error("the token has expired")]
    TokenExpired,
    /// `MARKETING_EMAIL` (422) about `email`: the token belongs to another address.
    #[error("the token belongs to another address")]
    OtherAddress,
    /// `MARKETING_PURPOSE` (403): a link that unsubscribes cannot subscribe.
    #[error("the token is for something else")]
    OtherPurpose,
    /// `MARKETING_NO_EMAIL` (422) about `email`: the account has no address.
    #[error("the account has no e-mail address")]
    NoAddress,
    /// `MARKETING_SUPPRESSED` (409): the address must not be written to, whatever its holder's account says.
    #[error("the address is on the suppression list")]
    Suppressed,
    #[error("a message could not be written: {0}")]
    Message(String),
}

impl From<MessageError> for MarketingError {
    fn from(error: MessageError) -> Self {
        match error {
            MessageError::Database(db) => Self::Db(db),
            other => Self::Message(other.to_string()),
        }
    }
}

impl From<TemplateError> for MarketingError {
    fn from(error: TemplateError) -> Self {
        Self::Message(error.to_string())
    }
}

/// For the log-in's rooms, which ask about these tokens.
impl From<MarketingError> for IdentityError {
    fn from(error: MarketingError) -> Self {
        Problem::from(error).into()
    }
}

impl From<MarketingError> for Problem {
    fn from(error: MarketingError) -> Self {
        match error {
            MarketingError::Db(ref db) => Problem::database(matches!(db, DbError::Unavailable(_)), db),
            MarketingError::Identity(error) => error.into(),
            MarketingError::TokenInvalid => Problem::unprocessable("TOKEN_INVALID"),
            MarketingError::TokenExpired => Problem::unprocessable("TOKEN_EXPIRED"),
            MarketingError::OtherAddress => Problem::unprocessable("MARKETING_EMAIL").field("email", "MARKETING_EMAIL"),
            MarketingError::OtherPurpose => Problem::forbidden("MARKETING_PURPOSE"),
            MarketingError::NoAddress => Problem::unprocessable("MARKETING_NO_EMAIL").field("email", "MARKETING_NO_EMAIL"),
            MarketingError::Suppressed => Problem::conflict("MARKETING_SUPPRESSED"),
            MarketingError::Message(cause) => Problem::internal(cause),
        }
    }
}
