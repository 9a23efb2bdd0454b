//! VIES, the Commission's service that knows which VAT numbers exist (ABROAD-3): its REST interface, one question at a time.

use crate::model::Consultation;
use crate::{FiscalError, FiscalResult};
use atalaya_checks::vat_number;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The service asks the member's own registry, which takes its time.
const PATIENCE: Duration = Duration::from_secs(15);
/// More than any answer about one number.
const ANSWER_MAX_BYTES: usize = 64 << 10;
/// Characters of a consultation's number that are kept.
const REFERENCE_MAX: usize = 60;

/// The service at the address of the setting `vies_url`; nothing else is called.
pub struct Vies {
    client: reqwest::Client,
    base: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Question<'a> {
    country_code: &'a str,
    vat_number: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    requester_member_state_code: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    requester_number: Option<&'a str>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Answer {
    /// Absent when the member's registry does not answer.
    valid: Option<bool>,
    #[serde(default)]
    request_identifier: Option<String>,
}

impl Vies {
    /// `base` is the address above `check-vat-number`, without a slash at its end.
    pub fn new(base: impl Into<String>) -> Self {
        let client = reqwest::Client::builder()
            .timeout(PATIENCE)
            .redirect(reqwest::redirect::Policy::none())
            .build()
            .expect("a client with fixed settings can be built");
        Self { client, base: base.into() }
    }

    /// Asks whether a VAT number with its prefix exists; `issuer` is the NIF of who asks, for whom VIES numbers the consultation.
    ///
    /// Errors: [`FiscalError`] `VatNumberUnknown`, `ViesUnavailable`.
    pub(crate) async fn consult(
        &self,
        country: &str,
        number: &str,
        issuer: Option<&str>,
        now: DateTime<Utc>,
    ) -> FiscalResult<Consultation> {
        let prefix = vat_number::prefix(country).ok_or(FiscalError::VatNumberUnknown)?;
        let question = Question {
            country_code: prefix,
            vat_number: number.strip_prefix(prefix).unwrap_or(number),
            requester_member_state_code: issuer.map(|_| "ES"),
            requester_number: issuer,
        };
        let answer = self.ask(&question).await.map_err(|why| {
            tracing::warn!(%why, "VIES does not answer");
            FiscalError::ViesUnavailable
        })?;
        match answer.valid {
            Some(true) => {
                let reference = answer.request_identifier.map(|text| text.chars().take(REFERENCE_MAX).collect::<String>());
                Ok(Consultation { at: now, reference: reference.filter(|text| !text.is_empty()) })
            }
            Some(false) => Err(FiscalError::VatNumberUnknown),
            None => Err(FiscalError::ViesUnavailable),
        }
    }

    async fn ask(&self, question: &Question<'_>) -> Result<Answer, String> {
        let said = |error: reqwest::Error| error.without_url().to_string();
        let request = self.client.post(format!("{}/check-vat-number", self.base)).json(question);
        let mut answer = request.send().await.map_err(said)?;
        if !answer.status().is_success() {
            return Err(format!("status {}", answer.status().as_u16()));
        }
        let mut body = Vec::new();
        while let Some(piece) = answer.chunk().await.map_err(said)? {
            if body.len() + piece.len() > ANSWER_MAX_BYTES {
                return Err("the answer is too long".into());
            }
            body.extend_from_slice(&piece);
        }
        serde_json::from_slice(&body).map_err(|_| "the answer cannot be read".to_owned())
    }
}
