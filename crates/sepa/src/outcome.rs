//! What a bank's file did, line by line, as it is stored and answered. Pure.

use crate::ledger::{Reason, Tally};
use crate::reasons::Retry;
use atalaya_kernel::{CompanyId, InvoiceId, UserId};
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

/// A booked line that moved nothing: it concerns nothing of ours, or a person has to look.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = BankUnmatched)]
pub struct Unmatched {
    pub end_to_end_id: Option<String>,
    /// As of a debit's line, or `incoming` or `outgoing`: money that moved otherwise.
    pub kind: String,
    pub reason: Option<Reason>,
    #[schema(value_type = f64)]
    pub amount: Euros,
    /// `NOT_FOUND`, `AMOUNT_DIFFERS`, `AMBIGUOUS`, `STATUS_REFUSED`, `AMOUNTS_DO_NOT_ADD_UP`, `OTHER_CREDITOR`, `NO_INVOICE`,
    /// `INVOICE_NOT_OPEN` or `NOT_OURS`.
    pub why: String,
    #[serde(default)]
    pub booking_date: Option<NaiveDate>,
    /// Whoever paid.
    #[serde(default)]
    pub payer: Option<String>,
    /// What was written along with the money.
    #[serde(default)]
    pub text: Option<String>,
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
    /// Invoices that transfers propose to be paid.
    #[serde(default)]
    pub proposed: Tally,
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
    /// Ids of the payments that its transfers propose, of earlier files too.
    #[serde(default)]
    pub proposed: Vec<Uuid>,
    /// Accounts of its other statements, which were left aside; masked.
    #[serde(default)]
    pub other_accounts: Vec<String>,
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
pub struct DebitEvent {
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

/// Where a proposed payment stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ProposalState {
    Open,
    /// A person confirmed it: its invoice is paid.
    Accepted,
    /// It is of something else.
    Dismissed,
}

impl ProposalState {
    pub fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Accepted => "accepted",
            Self::Dismissed => "dismissed",
        }
    }

    pub fn parse(name: &str) -> Option<Self> {
        [Self::Open, Self::Accepted, Self::Dismissed].into_iter().find(|state| state.name() == name)
    }
}

/// A transfer that quotes an invoice: a person says whether it pays it.
#[derive(Clone, Debug, PartialEq)]
pub struct Proposal {
    pub id: Uuid,
    pub file: Uuid,
    pub invoice: InvoiceId,
    pub company: CompanyId,
    /// Of the invoice.
    pub number: String,
    /// What the invoice left open when the transfer was read: the part of it that pays this one.
    pub amount: i64,
    pub booked: Option<NaiveDate>,
    pub payer: Option<String>,
    pub text: Option<String>,
    /// One and the same transfer has it in every file.
    pub reference: String,
    pub state: ProposalState,
    pub decided_by: Option<UserId>,
    pub decided_at: Option<DateTime<Utc>>,
    pub created_at: DateTime<Utc>,
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
