//! What can go wrong here, and how the outside sees it.

use atalaya_content::ContentError;
use atalaya_db::DbError;
use atalaya_identity::IdentityError;
use atalaya_messaging::TemplateError;
use atalaya_rest::Problem;
use atalaya_tariff::TariffError;

#[derive(Debug, thiserror::Error)]
pub enum BillingError {
    #[error(transparent)]
    Db(#[from] DbError),
    /// A text is missing or lacks a value: ours to mend.
    #[error(transparent)]
    Text(#[from] TemplateError),
    /// An amount or a month beyond what can be calculated.
    #[error(transparent)]
    Tariff(#[from] TariffError),
    /// A problem with its own code and fields, made where the fields are known.
    #[error("refused")]
    Refused(Box<Problem>),
    /// A document could not be made, kept or read.
    #[error("document: {0}")]
    Document(String),
    /// A stored row cannot be understood.
    #[error("stored data: {0}")]
    Corrupt(String),
}

pub type BillingResult<T> = Result<T, BillingError>;

impl From<BillingError> for Problem {
    fn from(error: BillingError) -> Problem {
        match error {
            BillingError::Db(ref db) => Problem::database(matches!(db, DbError::Unavailable(_)), db),
            BillingError::Text(text) => Problem::internal(text),
            BillingError::Tariff(tariff) => Problem::internal(tariff),
            BillingError::Refused(problem) => *problem,
            BillingError::Document(what) => Problem::internal(BillingError::Document(what)),
            BillingError::Corrupt(what) => Problem::internal(BillingError::Corrupt(what)),
        }
    }
}

impl From<Problem> for BillingError {
    fn from(problem: Problem) -> Self {
        Self::Refused(Box::new(problem))
    }
}

impl From<IdentityError> for BillingError {
    fn from(error: IdentityError) -> Self {
        Problem::from(error).into()
    }
}

impl From<ContentError> for BillingError {
    fn from(error: ContentError) -> Self {
        Problem::from(error).into()
    }
}
