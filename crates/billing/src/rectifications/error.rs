//! Why an invoice cannot be rectified like that.

/// Refusals of this room; `field` is the field of the request that named the amounts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RectificationError {
    #[error("nothing of the invoice is left to rectify")]
    NotRectifiable,
    #[error("the invoice is older than the law lets it be rectified")]
    TooOld,
    #[error("a difference of nothing")]
    AmountZero { field: &'static str },
    #[error("more is taken off than is left")]
    AmountTooLow { field: &'static str },
    #[error("an amount beyond anything that can be invoiced")]
    AmountOutOfRange { field: &'static str, max_euros: i64 },
}

impl RectificationError {
    pub fn code(self) -> &'static str {
        match self {
            Self::NotRectifiable => "INVOICE_NOT_RECTIFIABLE",
            Self::TooOld => "INVOICE_TOO_OLD",
            Self::AmountZero { .. } => "AMOUNT_ZERO",
            Self::AmountTooLow { .. } => "AMOUNT_TOO_LOW",
            Self::AmountOutOfRange { .. } => "NUMBER_RANGE",
        }
    }
}
