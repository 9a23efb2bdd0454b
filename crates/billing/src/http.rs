//! What the rooms' endpoints have in common: faults as the outside sees them.

use crate::BillingError;
use atalaya_blobs::BlobError;
use atalaya_db::DbError;
use atalaya_rest::Problem;
pub(crate) use atalaya_rest::forms::{FORM_BYTES, FormFile, file, kind_of, slice};

impl From<BillingError> for Problem {
    fn from(error: BillingError) -> Problem {
        match error {
            BillingError::Db(ref db) => Problem::database(matches!(db, DbError::Unavailable(_)), db),
            BillingError::Identity(error) => error.into(),
            BillingError::Content(error) => error.into(),
            BillingError::Invoice(error) => error.into(),
            BillingError::Issuing(error) => error.into(),
            BillingError::Rectification(error) => error.into(),
            BillingError::Mandate(error) => error.into(),
            BillingError::Remittance(error) => error.into(),
            BillingError::InvoiceProcess(error) => error.into(),
            BillingError::Verifactu(error) => error.into(),
            BillingError::Blob(cause @ BlobError::TokenUnavailable(_)) => {
                Problem::unavailable("KEY_TOKEN_UNAVAILABLE").because(cause)
            }
            fault @ (BillingError::Text(_)
            | BillingError::Blob(_)
            | BillingError::Tariff(_)
            | BillingError::Document(_)
            | BillingError::Corrupt(_)
            | BillingError::Internal(_)) => Problem::internal(fault),
        }
    }
}
