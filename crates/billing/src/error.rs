//! Errors of this context: each room's refusals, and faults of no room in particular.
//!
//! A room's refusals are its enum (`room::error`), with a code each; what they are over HTTP is said in that room's `http`.

use crate::invoice_processes::InvoiceProcessError;
use crate::invoices::InvoiceError;
use crate::issuing::IssuingError;
use crate::mandates::MandateError;
use crate::rectifications::RectificationError;
use crate::remittances::RemittanceError;
use crate::verifactu::VerifactuError;
use atalaya_content::ContentError;
use atalaya_db::DbError;
use atalaya_identity::IdentityError;
use atalaya_messaging::{MessageError, TemplateError};
use atalaya_tariff::TariffError;
use std::fmt;

#[derive(Debug, thiserror::Error)]
pub enum BillingError {
    #[error(transparent)]
    Db(#[from] DbError),
    /// A text is missing or lacks a value: a fault of ours.
    #[error(transparent)]
    Text(#[from] TemplateError),
    /// An amount or a month beyond what can be calculated.
    #[error(transparent)]
    Tariff(#[from] TariffError),
    #[error(transparent)]
    Content(#[from] ContentError),
    #[error(transparent)]
    Identity(IdentityError),
    #[error(transparent)]
    Invoice(#[from] InvoiceError),
    #[error(transparent)]
    Issuing(#[from] IssuingError),
    #[error(transparent)]
    Rectification(#[from] RectificationError),
    #[error(transparent)]
    Mandate(#[from] MandateError),
    #[error(transparent)]
    Remittance(#[from] RemittanceError),
    #[error(transparent)]
    InvoiceProcess(#[from] InvoiceProcessError),
    #[error(transparent)]
    Verifactu(#[from] VerifactuError),
    #[error(transparent)]
    Blob(#[from] atalaya_blobs::BlobError),
    /// A document could not be made, or is not what was kept.
    #[error("document: {0}")]
    Document(String),
    /// A stored row cannot be understood.
    #[error("stored data: {0}")]
    Corrupt(String),
    /// Something else that never happens unless something of ours is broken.
    #[error("{0}")]
    Internal(String),
}

pub type BillingResult<T> = Result<T, BillingError>;

impl BillingError {
    pub fn internal(cause: impl fmt::Display) -> Self {
        Self::Internal(cause.to_string())
    }

    /// The code of a refusal; `None` of a fault.
    pub fn code(&self) -> Option<&'static str> {
        match self {
            Self::Identity(IdentityError::CompanyNotFound) => Some("COMPANY_NOT_FOUND"),
            Self::Invoice(error) => Some(error.code()),
            Self::Issuing(error) => Some(error.code()),
            Self::Rectification(error) => Some(error.code()),
            Self::Mandate(error) => Some(error.code()),
            Self::Remittance(error) => Some(error.code()),
            Self::InvoiceProcess(error) => Some(error.code()),
            Self::Verifactu(error) => Some(error.code()),
            _ => None,
        }
    }
}

impl From<IdentityError> for BillingError {
    fn from(error: IdentityError) -> Self {
        match error {
            IdentityError::Db(db) => Self::Db(db),
            other => Self::Identity(other),
        }
    }
}

impl From<MessageError> for BillingError {
    fn from(error: MessageError) -> Self {
        match error {
            MessageError::Database(db) => Self::Db(db),
            other => Self::internal(other),
        }
    }
}
