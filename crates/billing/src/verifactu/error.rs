//! Why a record cannot be had or made.

/// Refusals of this room.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum VerifactuError {
    #[error("no such record")]
    RecordNotFound,
    /// It waits, was accepted, or another took its place.
    #[error("no new record may take its place")]
    RecordNotResendable,
    /// By now an invoice needs its record sent to the tax office.
    #[error("records have to be sent to the tax office")]
    SendingRequired,
}

impl VerifactuError {
    pub fn code(self) -> &'static str {
        match self {
            Self::RecordNotFound => "RECORD_NOT_FOUND",
            Self::RecordNotResendable => "RECORD_NOT_RESENDABLE",
            Self::SendingRequired => "VERIFACTU_REQUIRED",
        }
    }
}
