//! Why something cannot be done with a mandate, or with the secret.

/// Refusals of this room.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MandateError {
    /// Also another tenant's.
    #[error("no such mandate for this caller")]
    NotFound,
    #[error("nothing was signed or uploaded")]
    DocumentNotFound,
    #[error("the mandate has ended")]
    Ended,
    #[error("the account is another one by now")]
    Outdated,
    #[error("the mandate is signed already")]
    Signed,
    #[error("the customer has no account")]
    IbanMissing,
    /// Neither the server's key nor the secret opens it.
    #[error("the account cannot be read")]
    IbanUnreadable,
    #[error("the account changed meanwhile")]
    IbanChanged,
    /// With the fields of the company's form that the platform lacks.
    #[error("the creditor lacks {0:?}")]
    CreditorIncomplete(Vec<&'static str>),
    #[error("signed on a day that has not come")]
    SignedInFuture,
    #[error("signed before the mandate was made")]
    SignedBeforeMandate,
    #[error("no secret was typed")]
    SecretRequired,
    #[error("the secret is too long")]
    SecretTooLong { max: usize },
    /// Of a first one.
    #[error("the secret is too short")]
    SecretTooShort { min: usize },
    /// Of a first one.
    #[error("the secret is easy to guess")]
    SecretWeak,
    #[error("another secret")]
    SecretMismatch,
}

impl MandateError {
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotFound => "MANDATE_NOT_FOUND",
            Self::DocumentNotFound => "MANDATE_DOCUMENT_NOT_FOUND",
            Self::Ended => "MANDATE_ENDED",
            Self::Outdated => "MANDATE_OUTDATED",
            Self::Signed => "MANDATE_SIGNED",
            Self::IbanMissing => "IBAN_MISSING",
            Self::IbanUnreadable => "IBAN_UNREADABLE",
            Self::IbanChanged => "IBAN_CHANGED",
            Self::CreditorIncomplete(_) => "ISSUER_INCOMPLETE",
            Self::SignedInFuture => "DATE_IN_FUTURE",
            Self::SignedBeforeMandate => "DATE_BEFORE_MANDATE",
            Self::SecretRequired => "REQUIRED",
            Self::SecretTooLong { .. } => "TOO_LONG",
            Self::SecretTooShort { .. } => "SECRET_TOO_SHORT",
            Self::SecretWeak => "SECRET_WEAK",
            Self::SecretMismatch => "SECRET_MISMATCH",
        }
    }
}
