//! Why an invoice cannot be rectified like that.

use atalaya_tariff::ReliefFault;

/// Refusals of this room; `field` is the field of the request that named the amounts.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RectificationError {
    #[error("nothing of the invoice is left to rectify")]
    NotRectifiable,
    #[error("the invoice is older than the law lets it be rectified")]
    TooOld,
    #[error("a difference of nothing")]
    AmountZero { field: &'static str },
    #[error("more is taken off than is left")]
    AmountTooLow { field: &'static str },
    #[error("more is put back on the base than was taken off for want of payment")]
    AmountTooHigh { field: &'static str },
    #[error("conditions of the law that are not met: {0:?}")]
    Relief(Vec<ReliefFault>),
    #[error("an amount beyond anything that can be invoiced")]
    AmountOutOfRange { field: &'static str, max_euros: i64 },
}

impl RectificationError {
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotRectifiable => "INVOICE_NOT_RECTIFIABLE",
            Self::TooOld => "INVOICE_TOO_OLD",
            Self::AmountZero { .. } => "AMOUNT_ZERO",
            Self::AmountTooLow { .. } => "AMOUNT_TOO_LOW",
            Self::AmountTooHigh { .. } => "AMOUNT_TOO_HIGH",
            Self::Relief(_) => "INVALID_FIELDS",
            Self::AmountOutOfRange { .. } => "NUMBER_RANGE",
        }
    }
}
