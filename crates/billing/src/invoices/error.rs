//! Why something cannot be done with an invoice.

/// Refusals of this room.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvoiceError {
    /// Also another tenant's.
    #[error("no such invoice for this caller")]
    NotFound,
    #[error("the invoice is in a live file for the bank")]
    InRemittance,
    #[error("the invoice stands where this cannot happen")]
    StatusRefused,
    #[error("the invoice was sent already")]
    Sent,
    #[error("an invoice of a later day was issued already")]
    IssueDateBackwards,
    #[error("paid on a day that has not come")]
    PaidInFuture,
    #[error("paid before its issue")]
    PaidBeforeIssue,
}

impl InvoiceError {
    pub fn code(self) -> &'static str {
        match self {
            Self::NotFound => "INVOICE_NOT_FOUND",
            Self::InRemittance => "INVOICE_IN_REMITTANCE",
            Self::StatusRefused => "INVOICE_STATUS_REFUSED",
            Self::Sent => "INVOICE_SENT",
            Self::IssueDateBackwards => "ISSUE_DATE_BACKWARDS",
            Self::PaidInFuture => "DATE_IN_FUTURE",
            Self::PaidBeforeIssue => "DATE_BEFORE_ISSUE",
        }
    }
}
