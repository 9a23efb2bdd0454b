//! Why a bank's file is refused, or the manual settlement of a debit.

use atalaya_billing::BillingError;
use atalaya_db::DbError;
use atalaya_identity::IdentityError;

/// Errors of this context: its refusals, and those of the rooms it looks down on.
#[derive(Debug, thiserror::Error)]
pub enum BankError {
    #[error(transparent)]
    Refused(#[from] BankFileError),
    #[error(transparent)]
    Billing(#[from] BillingError),
}

pub(crate) type BankResult<T> = Result<T, BankError>;

impl From<DbError> for BankError {
    fn from(error: DbError) -> Self {
        Self::Billing(error.into())
    }
}

impl From<IdentityError> for BankError {
    fn from(error: IdentityError) -> Self {
        Self::Billing(error.into())
    }
}

/// Refusals of this room.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BankFileError {
    #[error("no such bank file")]
    NotFound,
    #[error("the file is too large")]
    TooLarge,
    #[error("no message that banks send about debits")]
    NotSupported,
    #[error("not well-formed, or not what it says")]
    Malformed,
    #[error("it has a document type or entities, which attack readers")]
    DtdRefused,
    #[error("about another account, or of another creditor")]
    OtherCreditor,
    #[error("no such debit")]
    DebitNotFound,
    #[error("the debit has an answer that nothing may follow")]
    DebitNotOpen,
    #[error("no such proposed payment")]
    ProposalNotFound,
    #[error("somebody decided already")]
    ProposalDecided,
    #[error("the invoice leaves another amount open by now")]
    ProposalOutdated,
    #[error("what was typed about the debit: {0:?}")]
    Settlement(SettlementFaults),
}

/// The errors of a manual settlement: a code for each field.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SettlementFaults {
    /// `DATE_IN_FUTURE`.
    pub at_in_future: bool,
    /// `DATE_BEFORE_DEBIT`.
    pub at_before_debit: bool,
    /// `REQUIRED` or `INVALID`.
    pub reason: Option<&'static str>,
}

impl SettlementFaults {
    /// Each with its field, in the order in which they are answered.
    pub fn list(self) -> impl Iterator<Item = (&'static str, &'static str)> {
        let all = [
            ("at", self.at_in_future.then_some("DATE_IN_FUTURE")),
            ("at", self.at_before_debit.then_some("DATE_BEFORE_DEBIT")),
            ("reason", self.reason),
        ];
        all.into_iter().filter_map(|(field, code)| Some((field, code?)))
    }
}

impl BankFileError {
    pub fn code(self) -> &'static str {
        match self {
            Self::NotFound => "BANK_FILE_NOT_FOUND",
            Self::TooLarge => "FILE_TOO_LARGE",
            Self::NotSupported => "SEPA_FORMAT_NOT_SUPPORTED",
            Self::Malformed => "SEPA_FILE_INVALID",
            Self::DtdRefused => "SEPA_DTD_REFUSED",
            Self::OtherCreditor => "SEPA_OTHER_CREDITOR",
            Self::DebitNotFound => "DEBIT_NOT_FOUND",
            Self::DebitNotOpen => "DEBIT_NOT_OPEN",
            Self::ProposalNotFound => "PROPOSAL_NOT_FOUND",
            Self::ProposalDecided => "PROPOSAL_DECIDED",
            Self::ProposalOutdated => "PROPOSAL_OUTDATED",
            Self::Settlement(_) => "INVALID_FIELDS",
        }
    }
}
