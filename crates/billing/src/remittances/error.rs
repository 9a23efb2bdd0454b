//! Why a remittance cannot be made or withdrawn.

/// Refusals of this room.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RemittanceError {
    #[error("no such remittance")]
    NotFound,
    #[error("nothing is due that can be debited")]
    Empty,
    #[error("the remittance is settled or withdrawn")]
    Ended,
    #[error("the bank has answered some of it")]
    Answered,
    /// The platform's own account, to which the money goes.
    #[error("the creditor's account cannot be read")]
    CreditorAccountUnreadable,
}

impl RemittanceError {
    pub fn code(self) -> &'static str {
        match self {
            Self::NotFound => "REMITTANCE_NOT_FOUND",
            Self::Empty => "REMITTANCE_EMPTY",
            Self::Ended => "REMITTANCE_ENDED",
            Self::Answered => "REMITTANCE_ANSWERED",
            Self::CreditorAccountUnreadable => "ISSUER_INCOMPLETE",
        }
    }
}
