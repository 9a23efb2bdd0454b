//! What a mandate is and when it may be used. Pure.

pub use crate::ledger::CreditorTold;
use crate::{Scheme, Sequence};
use atalaya_kernel::CompanyId;
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
    /// Days between the notice of a debit and the debit, as its text said.
    #[serde(default)]
    pub notice_days: Option<u32>,
    /// Who collects, as its text said.
    #[serde(default)]
    pub creditor: Option<CreditorTold>,
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
    /// Reference of the mandate in use before the customer changed the account.
    pub follows: Option<String>,
}

/// Days that every text promised before mandates kept their own.
const NOTICE_DAYS: u32 = 7;

impl Mandate {
    /// Days between the notice of a debit and the debit: never fewer than its signed text says (MAND-13).
    pub fn notice_days(&self, configured: u32) -> u32 {
        let signed = self.signature.as_ref().filter(|_| self.signed_at.is_some());
        signed.map_or(configured, |signature| configured.max(signature.notice_days.unwrap_or(NOTICE_DAYS)))
    }

    /// Whether its text was signed for this scheme: none stands in for the other's.
    pub fn is_signed_for(&self, scheme: Scheme) -> bool {
        let text = self.signature.as_ref().and_then(|signature| Scheme::parse(signature.scheme.as_deref()?));
        self.signed_at.is_some() && text.unwrap_or(self.scheme) == scheme
    }

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
            follows: None,
        }
    }

    fn signature(scheme: &str, notice_days: Option<u32>) -> Option<Signature> {
        serde_json::from_value(serde_json::json!({"method": "acceptance", "userId": Uuid::nil(), "ip": "::1", "userAgent": null,
            "pdfSha256": "", "scheme": scheme, "noticeDays": notice_days}))
        .ok()
    }

    // MAND-13
    #[test]
    fn the_notice_is_at_least_what_was_signed() {
        let of = |days| Mandate { signature: signature("CORE", days), ..mandate() };
        assert_eq!((of(Some(14)).notice_days(7), of(Some(14)).notice_days(20)), (14, 20));
        assert_eq!(of(None).notice_days(2), 7, "texts of before promised a week");
        assert_eq!(Mandate { signed_at: None, ..of(Some(14)) }.notice_days(2), 2, "nothing is promised yet");
    }

    // MAND-7
    #[test]
    fn a_signature_is_of_one_scheme() {
        let b2b = Mandate { scheme: Scheme::B2b, signature: signature("B2B", None), ..mandate() };
        assert!(b2b.is_signed_for(Scheme::B2b) && !b2b.is_signed_for(Scheme::Core));
        assert!(Mandate { signature: signature("CORE", None), ..mandate() }.is_signed_for(Scheme::Core));
        assert!(!Mandate { signed_at: None, ..b2b }.is_signed_for(Scheme::B2b));
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
