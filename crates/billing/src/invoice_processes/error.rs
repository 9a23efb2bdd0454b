//! Why no run is begun.

use atalaya_tariff::Month;

/// Refusals of this room.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvoiceProcessError {
    #[error("no closed month of ours")]
    PeriodInvalid,
    #[error("the month has not ended")]
    PeriodOpen,
    /// 409: another job works, on this month.
    #[error("another job works on {}", .0.name())]
    JobRunning(Month),
}

impl InvoiceProcessError {
    pub fn code(self) -> &'static str {
        match self {
            Self::PeriodInvalid => "INVALID",
            Self::PeriodOpen => "PERIOD_OPEN",
            Self::JobRunning(_) => "INVOICE_JOB_RUNNING",
        }
    }
}
