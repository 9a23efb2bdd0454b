//! Why fiscal data are not changed.

use atalaya_blobs::BlobError;
use atalaya_db::DbError;
use atalaya_identity::IdentityError;
use atalaya_messaging::{MessageError, TemplateError};
use std::fmt;

#[derive(Debug, thiserror::Error)]
pub enum FiscalError {
    #[error(transparent)]
    Db(#[from] DbError),
    #[error(transparent)]
    Identity(IdentityError),
    /// Also another tenant's.
    #[error("no such request for this caller")]
    NotFound,
    #[error("the request has no document")]
    DocumentNotFound,
    /// One waits for the administrator already, and wants something else.
    #[error("a request is open")]
    Open,
    #[error("the request is decided or withdrawn")]
    Closed,
    #[error("these are the data in force")]
    Unchanged,
    /// Nothing is approved without what proves it.
    #[error("the document is missing")]
    DocumentMissing,
    /// What the administrator reads is what was approved.
    #[error("the request has its document")]
    DocumentKept,
    #[error("a day that has not come")]
    DateInFuture,
    /// Earlier than the version in force.
    #[error("a day before the data in force")]
    DateBeforeVersion,
    /// VIES has no such VAT number.
    #[error("no such VAT number")]
    VatNumberUnknown,
    #[error("VIES does not answer")]
    ViesUnavailable,
    #[error("a reason is needed")]
    ReasonRequired,
    #[error("a text is too long")]
    TooLong { field: &'static str, max: usize },
    #[error("too many requests within a day")]
    TooMany { retry_after_s: u64 },
    /// A stored row or file cannot be understood, or something else of ours is broken.
    #[error("{0}")]
    Internal(String),
}

pub type FiscalResult<T> = Result<T, FiscalError>;

impl FiscalError {
    pub(crate) fn internal(cause: impl fmt::Display) -> Self {
        Self::Internal(cause.to_string())
    }

    /// The code of a refusal.
    pub(crate) fn code(&self) -> &'static str {
        match self {
            Self::NotFound => "FISCAL_REQUEST_NOT_FOUND",
            Self::DocumentNotFound => "FISCAL_DOCUMENT_NOT_FOUND",
            Self::Open => "FISCAL_REQUEST_OPEN",
            Self::Closed => "FISCAL_REQUEST_CLOSED",
            Self::Unchanged => "FISCAL_UNCHANGED",
            Self::DocumentMissing => "FISCAL_DOCUMENT_MISSING",
            Self::DocumentKept => "FISCAL_DOCUMENT_KEPT",
            Self::DateInFuture => "DATE_IN_FUTURE",
            Self::DateBeforeVersion => "DATE_BEFORE_VERSION",
            Self::VatNumberUnknown => "VAT_NUMBER_UNKNOWN",
            Self::ViesUnavailable => "VIES_UNAVAILABLE",
            Self::ReasonRequired => "REQUIRED",
            Self::TooLong { .. } => "TOO_LONG",
            Self::TooMany { .. } => "TOO_MANY_REQUESTS",
            Self::Db(_) | Self::Identity(_) | Self::Internal(_) => "INTERNAL",
        }
    }
}

impl From<IdentityError> for FiscalError {
    fn from(error: IdentityError) -> Self {
        match error {
            IdentityError::Db(db) => Self::Db(db),
            other => Self::Identity(other),
        }
    }
}

impl From<MessageError> for FiscalError {
    fn from(error: MessageError) -> Self {
        IdentityError::from(error).into()
    }
}

impl From<TemplateError> for FiscalError {
    fn from(error: TemplateError) -> Self {
        IdentityError::from(error).into()
    }
}

impl From<BlobError> for FiscalError {
    fn from(error: BlobError) -> Self {
        Self::internal(error)
    }
}
