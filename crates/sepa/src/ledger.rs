//! Remittances and their debits, as an installation keeps them. Pure.

use crate::{Scheme, Sequence, Version};
use atalaya_kernel::{CompanyId, InvoiceId, UserId};
use atalaya_tariff::{Cents, Euros};
use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

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

/// A bank's code and what it means.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[schema(as = BankReason)]
pub struct Reason {
    pub code: String,
    pub label: String,
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
        self.amount = Euros(Cents(self.amount.0.0.saturating_add(cents)));
    }
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

/// Where a remittance stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RemittanceState {
    Live,
    /// Every debit has an answer.
    Settled,
    Cancelled,
}

impl RemittanceState {
    pub fn name(self) -> &'static str {
        match self {
            Self::Live => "live",
            Self::Settled => "settled",
            Self::Cancelled => "cancelled",
        }
    }

    pub fn parse(name: &str) -> Option<Self> {
        [Self::Live, Self::Settled, Self::Cancelled].into_iter().find(|state| state.name() == name)
    }
}

/// A file that asked a bank for debits.
#[derive(Clone, Debug, PartialEq)]
pub struct Remittance {
    pub id: Uuid,
    pub msg_id: String,
    pub state: RemittanceState,
    pub debits: i32,
    pub total: Cents,
    pub blocks: Vec<BlockFacts>,
    pub created_by: UserId,
    pub created_at: DateTime<Utc>,
    pub ended_at: Option<DateTime<Utc>>,
    pub cancel_reason: Option<String>,
}

/// One that was just written.
#[derive(Clone, Debug)]
pub struct NewRemittance {
    pub id: Uuid,
    pub msg_id: String,
    pub version: Version,
    /// Of the file.
    pub sha256: String,
    pub first_collection: Option<NaiveDate>,
    pub debits: usize,
    pub total: Cents,
    /// What was left out, as it is answered.
    pub excluded: serde_json::Value,
    pub blocks: Vec<BlockFacts>,
    /// As the file tells banks.
    pub creditor: CreditorTold,
    pub created_by: UserId,
    pub created_at: DateTime<Utc>,
}

/// A creditor as debtors and their banks know it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CreditorTold {
    pub name: String,
    pub id: String,
}

/// Count and sum of a remittance's debits at one state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StateTally {
    pub remittance: Uuid,
    pub state: AttemptState,
    pub count: i64,
    pub sum: Cents,
}

#[cfg(test)]
mod tests {
    use super::*;

    // REMIT-7
    #[test]
    fn a_reference_counts_its_attempts() {
        assert_eq!(
            (end_to_end("A2026-000001", 1), end_to_end("A2026-000001", 3)),
            ("A2026-000001".into(), "A2026-000001-3".into())
        );
    }
}
