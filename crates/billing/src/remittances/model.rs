//! Debits, what a remittance chooses, and what a bank's answer does. Pure.

use atalaya_kernel::{CompanyId, InvoiceId};
use atalaya_sepa::reasons::Retry;
use atalaya_sepa::{Scheme, Sequence, Version};
use atalaya_tariff::Euros;
use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// Days a debtor may give a CORE debit back without a reason (DOMAIN §3.1).
pub const REVOCABLE_DAYS: i64 = 56;

/// What the operator decides about direct debits.
#[derive(Clone, Debug)]
pub struct SepaSettings {
    pub version: Version,
    /// Days between an invoice's issue and its debit, as agreed.
    pub notice_days: u32,
    /// Days on which banks work between the file and the debit.
    pub lead_days: u32,
    /// The first debit of a mandate goes as FRST.
    pub first_sequence: bool,
    /// The file is mailed as it is, without the ZIP under the secret.
    pub plain_mail: bool,
    /// Days after a return after which an invoice is unpaid.
    pub unpaid_days: u32,
    /// Returns of one invoice after which it is unpaid.
    pub max_returns: u32,
    /// An unpaid invoice makes its customer unpaid (status 5), which blocks it.
    pub auto_suspend: bool,
    /// Where files and alarms go.
    pub mailbox: String,
}

impl Default for SepaSettings {
    fn default() -> Self {
        Self {
            version: Version::default(),
            notice_days: 7,
            lead_days: 2,
            first_sequence: false,
            plain_mail: false,
            unpaid_days: 30,
            max_returns: 2,
            auto_suspend: false,
            mailbox: "admin@localhost".into(),
        }
    }
}

/// Where a debit stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = DebitState)]
pub enum AttemptState {
    Open,
    Paid,
    /// The money came and went.
    Returned,
    /// Before any money moved.
    Rejected,
    /// Its file was withdrawn.
    Cancelled,
}

impl AttemptState {
    pub const ALL: [Self; 5] = [Self::Open, Self::Paid, Self::Returned, Self::Rejected, Self::Cancelled];

    pub fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Paid => "paid",
            Self::Returned => "returned",
            Self::Rejected => "rejected",
            Self::Cancelled => "cancelled",
        }
    }

    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.name() == name)
    }
}

/// A debit asked of the bank.
#[derive(Clone, Debug, PartialEq)]
pub struct Attempt {
    pub id: Uuid,
    pub remittance: Uuid,
    pub invoice: InvoiceId,
    pub company: CompanyId,
    pub mandate: Uuid,
    pub end_to_end: String,
    pub number: String,
    pub block: String,
    pub umr: String,
    pub scheme: Scheme,
    pub sequence: Sequence,
    pub collection: NaiveDate,
    pub state: AttemptState,
    pub reason: Option<String>,
    /// When the bank booked its return.
    pub booked: Option<NaiveDate>,
    /// When the bank paid.
    pub settled: Option<NaiveDate>,
    /// `auto` or `correct`.
    pub retry: Option<String>,
    pub retry_at: Option<DateTime<Utc>>,
    /// 1 for the first of its invoice.
    pub attempt: i16,
    pub amount: i64,
    pub charges: i64,
    pub created_at: DateTime<Utc>,
    pub changed_at: DateTime<Utc>,
}

/// `A2026-000001`, of a second attempt `A2026-000001-2`: no bank gets one twice.
pub fn end_to_end(number: &str, attempt: i16) -> String {
    if attempt == 1 { number.to_owned() } else { format!("{number}-{attempt}") }
}

/// Why an invoice that came back waits or stays out; `None`: it may be debited again.
///
/// `last` is its last attempt. A cancelled one says nothing: its file was never worked on.
pub fn retry_refusal(last: &Attempt, now: DateTime<Utc>) -> Option<&'static str> {
    match (last.state, last.retry.as_deref()) {
        (AttemptState::Open | AttemptState::Paid, _) => Some("ALREADY_IN_REMITTANCE"),
        (AttemptState::Cancelled, _) | (_, Some("correct")) => None,
        (_, Some("auto")) => last.retry_at.is_some_and(|at| at > now).then_some("RETRY_LATER"),
        _ => Some("NO_RETRY_LEFT"),
    }
}

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
    /// Told by an earlier file.
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

/// A bank's code and what it means.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[schema(as = BankReason)]
pub struct Reason {
    pub code: String,
    pub label: String,
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

/// How many, and how much.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
#[schema(as = SepaTally)]
pub struct Tally {
    pub count: u32,
    #[schema(value_type = f64)]
    pub amount: Euros,
}

impl Tally {
    pub fn add(&mut self, cents: i64) {
        self.count += 1;
        self.amount = Euros(atalaya_tariff::Cents(self.amount.0.0.saturating_add(cents)));
    }
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

/// A block of a remittance.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = RemittanceBlock)]
pub struct BlockFacts {
    pub pmt_inf_id: String,
    #[schema(value_type = String)]
    pub scheme: Scheme,
    #[schema(value_type = String)]
    pub sequence: Sequence,
    pub collection_date: NaiveDate,
    pub nb_of_txs: usize,
    #[schema(value_type = f64)]
    pub ctrl_sum: Euros,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_debit_is_tried_again_as_its_reason_allows() {
        assert_eq!(
            (end_to_end("A2026-000001", 1), end_to_end("A2026-000001", 3)),
            ("A2026-000001".into(), "A2026-000001-3".into())
        );
        assert_eq!(retry_after(Retry::No, 1, 2), None);
        assert_eq!(retry_after(Retry::Once { days: 10 }, 1, 2), Some("auto"));
        assert_eq!(retry_after(Retry::Once { days: 10 }, 2, 2), None, "once");
        assert_eq!(retry_after(Retry::Once { days: 10 }, 2, 5), None, "once, whatever is configured");
        assert_eq!(retry_after(Retry::Once { days: 10 }, 1, 1), None, "one return is enough");
        assert_eq!(retry_after(Retry::AfterCorrection, 7, 2), Some("correct"));
    }
}
