//! Errors of campaigns.

use crate::marketing::MarketingError;
use atalaya_db::DbError;
use atalaya_identity::IdentityError;
use atalaya_messaging::{MessageError, TemplateError};
use atalaya_rest::{FieldError, Problem};

/// Why a call about campaigns was refused.
#[derive(Debug, thiserror::Error)]
pub enum CampaignError {
    #[error(transparent)]
    Db(#[from] DbError),
    #[error(transparent)]
    Identity(#[from] IdentityError),
    #[error(transparent)]
    Marketing(#[from] MarketingError),
    #[error(transparent)]
    Template(#[from] TemplateError),
    #[error(transparent)]
    Message(#[from] MessageError),
    /// `INVALID_FIELDS` (422)
    #[error("fields are wrong")]
    Invalid(Vec<FieldError>),
    /// `CAMPAIGN_NOT_FOUND` (404)
    #[error("no such campaign")]
    NotFound,
    /// `CAMPAIGN_OVER` (409): done, or already stopped.
    #[error("the campaign is over")]
    Over,
    /// `CAMPAIGN_EMPTY` (422) about `data.audience`: nobody in it said yes.
    #[error("nobody would receive it")]
    Empty,
    /// `IDEMPOTENCY_MISMATCH` (409): the key was used for another campaign.
    #[error("the key was used for another request")]
    KeyUsed,
    /// `MARKETING_SUPPRESSED` (409) about `data.test`.
    #[error("the address of the test is on the suppression list")]
    TestSuppressed,
}

impl From<CampaignError> for Problem {
    fn from(error: CampaignError) -> Self {
        match error {
            CampaignError::Db(ref db) => Problem::database(matches!(db, DbError::Unavailable(_)), db),
            CampaignError::Identity(error) => error.into(),
            CampaignError::Marketing(error) => error.into(),
            CampaignError::Message(MessageError::Database(db)) => CampaignError::Db(db).into(),
            CampaignError::Template(error) => Problem::internal(error),
            CampaignError::Message(error) => Problem::internal(error),
            CampaignError::Invalid(errors) => Problem::invalid(errors),
            CampaignError::NotFound => Problem::not_found("CAMPAIGN_NOT_FOUND"),
            CampaignError::Over => Problem::conflict("CAMPAIGN_OVER"),
            CampaignError::Empty => Problem::unprocessable("CAMPAIGN_EMPTY").field("data.audience", "CAMPAIGN_EMPTY"),
            CampaignError::KeyUsed => Problem::conflict("IDEMPOTENCY_MISMATCH"),
            CampaignError::TestSuppressed => Problem::conflict("MARKETING_SUPPRESSED").field("data.test", "MARKETING_SUPPRESSED"),
        }
    }
}
