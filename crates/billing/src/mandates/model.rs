//! What a mandate is and when it may be used. Pure.

use atalaya_kernel::CompanyId;
use atalaya_sepa::{Scheme, Sequence};
use chrono::{DateTime, Months, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// Months without use after which a mandate becomes invalid.
pub const UNUSED_MONTHS: u32 = 36;
/// Bytes of a signed paper.
pub const DOCUMENT_MAX: usize = 10 * 1024 * 1024;

/// State of a mandate. Whether it is signed is independent of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum MandateStatus {
    Active,
    /// A bank said that the account cannot be debited.
    Suspended,
    Cancelled,
    Expired,
}

impl MandateStatus {
    pub fn name(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Suspended => "suspended",
            Self::Cancelled => "cancelled",
            Self::Expired => "expired",
        }
    }

    pub fn parse(name: &str) -> Option<Self> {
        [Self::Active, Self::Suspended, Self::Cancelled, Self::Expired].into_iter().find(|status| status.name() == name)
    }

    /// It still binds: no other is made for its account.
    pub fn stands(self) -> bool {
        matches!(self, Self::Active | Self::Suspended)
    }
}

/// How it was signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Method {
    /// On the screen, by somebody who may act for the company.
    Acceptance,
    /// A paper signed by hand was uploaded.
    Document,
}

/// The evidence of a signature.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Signature {
    pub method: Method,
    pub user_id: Uuid,
    pub ip: String,
    pub user_agent: Option<String>,
    /// Of the mandate as it was shown.
    pub pdf_sha256: String,
    /// Under which that very document is kept.
    #[serde(default)]
    pub pdf_id: Option<Uuid>,
    /// `CORE` or `B2B`, as its text said.
    #[serde(default)]
    pub scheme: Option<String>,
    /// Where a paper was signed.
    #[serde(default)]
    pub place: Option<String>,
    /// Of the signed paper.
    #[serde(default)]
    pub document_sha256: Option<String>,
    /// The text of the terms in force then.
    #[serde(default)]
    pub legal_id: Option<Uuid>,
}

/// A mandate.
#[derive(Clone, Debug, PartialEq)]
pub struct Mandate {
    pub id: Uuid,
    pub umr: String,
    pub company: CompanyId,
    pub account: Uuid,
    pub scheme: Scheme,
    pub sequence: Sequence,
    pub status: MandateStatus,
    pub signed_at: Option<DateTime<Utc>>,
    pub signature: Option<Signature>,
    pub masked_iban: String,
    pub debtor_name: String,
    pub debtor_nif: Option<String>,
    pub created_at: DateTime<Utc>,
    pub last_used_at: Option<DateTime<Utc>>,
    pub reason: Option<String>,
    pub document_name: Option<String>,
}

impl Mandate {
    /// When it becomes invalid: 36 months after its last use, or after its signature if it was never used.
    pub fn expires_at(&self) -> DateTime<Utc> {
        let since = self.last_used_at.or(self.signed_at).unwrap_or(self.created_at);
        since + Months::new(UNUSED_MONTHS)
    }

    /// Why nothing may be debited with it from this account today; the codes are those of the list of what stays out.
    pub fn refusal(&self, account: Uuid, now: DateTime<Utc>) -> Option<&'static str> {
        match self.status {
            MandateStatus::Cancelled => Some("MANDATE_CANCELLED"),
            MandateStatus::Expired => Some("MANDATE_EXPIRED"),
            _ if self.account != account => Some("NO_MANDATE"),
            MandateStatus::Suspended => Some("MANDATE_SUSPENDED"),
            MandateStatus::Active if self.signed_at.is_none() => Some("MANDATE_UNSIGNED"),
            MandateStatus::Active => (self.expires_at() <= now).then_some("MANDATE_EXPIRED"),
        }
    }
}

/// `VP-000017-01`: the customer's number and that of the account.
pub fn umr(customer: i64, nth: i64) -> String {
    format!("VP-{customer:06}-{nth:02}")
}

pub fn scheme_name(scheme: Scheme) -> &'static str {
    match scheme {
        Scheme::Core => "CORE",
        Scheme::B2b => "B2B",
    }
}

pub fn parse_scheme(name: &str) -> Option<Scheme> {
    [Scheme::Core, Scheme::B2b].into_iter().find(|scheme| scheme_name(*scheme) == name)
}

pub fn sequence_name(sequence: Sequence) -> &'static str {
    match sequence {
        Sequence::Frst => "FRST",
        Sequence::Rcur => "RCUR",
        Sequence::Ooff => "OOFF",
    }
}

pub fn parse_sequence(name: &str) -> Option<Sequence> {
    [Sequence::Frst, Sequence::Rcur, Sequence::Ooff].into_iter().find(|sequence| sequence_name(*sequence) == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> DateTime<Utc> {
        text.parse().unwrap()
    }

    fn mandate() -> Mandate {
        Mandate {
            id: Uuid::from_u128(1),
            umr: umr(17, 1),
            company: Uuid::from_u128(2).into(),
            account: Uuid::from_u128(3),
            scheme: Scheme::Core,
            sequence: Sequence::Rcur,
            status: MandateStatus::Active,
            signed_at: Some(at("2026-01-15T10:00:00Z")),
            signature: None,
            masked_iban: String::new(),
            debtor_name: String::new(),
            debtor_nif: None,
            created_at: at("2026-01-10T10:00:00Z"),
            last_used_at: None,
            reason: None,
            document_name: None,
        }
    }

    // MAND-1, MAND-3
    #[test]
    fn a_mandate_is_used_signed_for_its_account_and_not_for_ever() {
        assert_eq!(mandate().umr, "VP-000017-01");
        let (own, other, now) = (Uuid::from_u128(3), Uuid::from_u128(4), at("2026-11-20T10:00:00Z"));
        assert_eq!(mandate().refusal(own, now), None);
        assert_eq!(mandate().refusal(other, now), Some("NO_MANDATE"));
        assert_eq!(Mandate { signed_at: None, ..mandate() }.refusal(own, now), Some("MANDATE_UNSIGNED"));
        assert_eq!(mandate().refusal(own, at("2029-01-15T09:59:59Z")), None);
        assert_eq!(mandate().refusal(own, at("2029-01-15T10:00:00Z")), Some("MANDATE_EXPIRED"));
        let used = Mandate { last_used_at: Some(at("2028-06-01T10:00:00Z")), ..mandate() };
        assert_eq!(used.refusal(own, at("2031-05-31T10:00:00Z")), None);
        for (status, code) in [
            (MandateStatus::Suspended, "MANDATE_SUSPENDED"),
            (MandateStatus::Cancelled, "MANDATE_CANCELLED"),
            (MandateStatus::Expired, "MANDATE_EXPIRED"),
        ] {
            assert_eq!(Mandate { status, ..mandate() }.refusal(own, now), Some(code));
        }
    }
}
