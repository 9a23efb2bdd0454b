//! The lines of a bank's file and their effects. Pure.

use crate::remittances::model::{Reason, Tally};
use atalaya_kernel::{CompanyId, InvoiceId, UserId};
use atalaya_sepa::reasons::Retry;
use atalaya_tariff::Euros;
use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// Days a debtor may give a CORE debit back without a reason.
pub const REVOCABLE_DAYS: i64 = 56;

/// What is allowed after this return: `returns` counts it and those before it.
pub fn retry_after(retry: Retry, returns: u32, max: u32) -> Option<&'static str> {
    match retry {
        Retry::AfterCorrection => Some("correct"),
        Retry::Once { .. } if returns < max.min(2) => Some("auto"),
        _ => None,
    }
}

/// What was done about an item; the web has a sentence for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "kebab-case")]
#[schema(as = BankAction)]
pub enum Action {
    Paid,
    Returned,
    Retry,
    Correct,
    BackToSent,
    Review,
    Unpaid,
    /// Reported by an earlier file.
    Known,
}

impl Action {
    pub fn name(self) -> &'static str {
        match self {
            Self::Paid => "paid",
            Self::Returned => "returned",
            Self::Retry => "retry",
            Self::Correct => "correct",
            Self::BackToSent => "back-to-sent",
            Self::Review => "review",
            Self::Unpaid => "unpaid",
            Self::Known => "known",
        }
    }
}

/// One line of a bank file that concerns a debit of ours.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = BankItem)]
pub struct Item {
    pub end_to_end_id: String,
    pub invoice_id: InvoiceId,
    /// Its number.
    pub invoice: String,
    pub customer_id: CompanyId,
    pub company: String,
    /// `reject`, `return`, `refund`, `confirmation` or `reversal`.
    pub kind: String,
    pub reason: Option<Reason>,
    #[schema(value_type = f64)]
    pub amount: Euros,
    pub booking_date: Option<NaiveDate>,
    pub action: Action,
    pub retry_on: Option<NaiveDate>,
    /// `suspended`, `cancelled` or `core`.
    pub mandate: Option<String>,
    /// The customer was blocked for it.
    pub blocked: bool,
}

/// One that concerns nothing of ours.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = BankUnmatched)]
pub struct Unmatched {
    pub end_to_end_id: Option<String>,
    pub kind: String,
    pub reason: Option<Reason>,
    #[schema(value_type = f64)]
    pub amount: Euros,
    /// `NOT_FOUND`, `AMOUNT_DIFFERS`, `AMBIGUOUS`, `STATUS_REFUSED` or `AMOUNTS_DO_NOT_ADD_UP`.
    pub why: String,
}

/// What the bank charges; never part of an invoice.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = BankCharge)]
pub struct Charge {
    #[schema(value_type = f64)]
    pub amount: Euros,
    pub text: Option<String>,
    pub booking_date: Option<NaiveDate>,
    pub invoice: Option<String>,
}

/// Sums of a bank file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
#[schema(as = BankTotals)]
pub struct FileTotals {
    pub confirmed: Tally,
    pub returned: Tally,
    pub unmatched: Tally,
    pub charges: Tally,
}

/// What a bank file did, as it is stored and answered again.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = BankSummary)]
pub struct Summary {
    pub items: Vec<Item>,
    pub unmatched: Vec<Unmatched>,
    pub charges: Vec<Charge>,
    pub totals: FileTotals,
}

/// A bank's file that was taken in.
#[derive(Clone, Debug, PartialEq)]
pub struct BankFile {
    pub id: Uuid,
    pub sha256: String,
    pub name: String,
    /// `pain.002`, `camt.053` or `camt.054`; several in a ZIP.
    pub messages: String,
    pub size: i64,
    pub created_by: UserId,
    pub created_at: DateTime<Utc>,
    pub summary: Summary,
}

/// A line's report about a debit; the same report is applied once.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct DebitEvent {
    pub id: Uuid,
    pub file: Uuid,
    pub attempt: Uuid,
    pub end_to_end: String,
    pub kind: &'static str,
    /// Empty without one.
    pub reason: String,
    pub booked: Option<NaiveDate>,
    pub action: Action,
    pub amount: i64,
    pub charges: i64,
    pub at: DateTime<Utc>,
}

#[cfg(test)]
mod tests {
    use super::*;

    // BANK-6
    #[test]
    fn a_debit_is_tried_again_as_its_reason_allows() {
        assert_eq!(retry_after(Retry::No, 1, 2), None);
        assert_eq!(retry_after(Retry::Once { days: 10 }, 1, 2), Some("auto"));
        assert_eq!(retry_after(Retry::Once { days: 10 }, 2, 2), None, "once");
        assert_eq!(retry_after(Retry::Once { days: 10 }, 2, 5), None, "once, whatever is configured");
        assert_eq!(retry_after(Retry::Once { days: 10 }, 1, 1), None, "one return is enough");
        assert_eq!(retry_after(Retry::AfterCorrection, 7, 2), Some("correct"));
    }
}
