//! Why nothing can be issued.

/// Refusals of this room.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IssuingError {
    /// With the fields of the company's form that the issuer lacks; none before there is an issuer.
    #[error("the issuer lacks {0:?}")]
    IssuerIncomplete(Vec<&'static str>),
}

impl IssuingError {
    pub fn code(&self) -> &'static str {
        match self {
            Self::IssuerIncomplete(_) => "ISSUER_INCOMPLETE",
        }
    }
}
