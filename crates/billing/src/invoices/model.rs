//! What an invoice is and what may happen to it. Pure.

use atalaya_kernel::{CompanyId, InvoiceId, Language};
use atalaya_tariff::{Cents, Ground, Percent, Relief, VatRegime};
use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Where an invoice stands; names as on the wire and in the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum InvoiceStatus {
    /// Calculated, without a number.
    Draft,
    Issued,
    Sent,
    InRemittance,
    Paid,
    Returned,
    Unpaid,
    Rectified,
    Cancelled,
}

impl InvoiceStatus {
    pub const ALL: [Self; 9] = [
        Self::Draft,
        Self::Issued,
        Self::Sent,
        Self::InRemittance,
        Self::Paid,
        Self::Returned,
        Self::Unpaid,
        Self::Rectified,
        Self::Cancelled,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Draft => "draft",
            Self::Issued => "issued",
            Self::Sent => "sent",
            Self::InRemittance => "in_remittance",
            Self::Paid => "paid",
            Self::Returned => "returned",
            Self::Unpaid => "unpaid",
            Self::Rectified => "rectified",
            Self::Cancelled => "cancelled",
        }
    }

    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.name() == name)
    }

    /// Money is still expected for it.
    pub fn is_open(self) -> bool {
        matches!(self, Self::Issued | Self::Sent | Self::InRemittance | Self::Returned | Self::Unpaid)
    }
}

/// What happens to an invoice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// It gets its number.
    Issue,
    /// It went to the customer.
    Send,
    /// It is in a file for the bank.
    Remit,
    /// That file was withdrawn or refused: it stands where it stood.
    TakeBack { sent: bool, returned: bool },
    /// The bank paid.
    Collect,
    /// It was paid otherwise, an administrator says.
    PayByHand,
    /// The bank gave the debit back.
    Return,
    /// No attempt is left, or an administrator gave up.
    GiveUp,
    /// Nothing of it remains: a rectifying invoice brought it to zero.
    Rectify,
    /// Issued by mistake and never delivered.
    Cancel,
}

/// Where a move leads; `None` when it is not allowed.
pub fn next(status: InvoiceStatus, what: Move) -> Option<InvoiceStatus> {
    use InvoiceStatus::{Cancelled, Draft, InRemittance, Issued, Paid, Rectified, Returned, Sent, Unpaid};
    match (status, what) {
        (Draft, Move::Issue) => Some(Issued),
        (Issued, Move::Send) => Some(Sent),
        (Issued | Sent | Returned, Move::Remit) => Some(InRemittance),
        (InRemittance, Move::TakeBack { returned: true, .. }) => Some(Returned),
        (InRemittance, Move::TakeBack { sent: true, .. }) => Some(Sent),
        (InRemittance, Move::TakeBack { .. }) => Some(Issued),
        (InRemittance, Move::Collect) => Some(Paid),
        (Issued | Sent | Returned | Unpaid, Move::PayByHand) => Some(Paid),
        (InRemittance | Paid, Move::Return) => Some(Returned),
        (Issued | Sent | Returned, Move::GiveUp) => Some(Unpaid),
        (Issued | Sent | Paid | Returned | Unpaid, Move::Rectify) => Some(Rectified),
        (Issued, Move::Cancel) => Some(Cancelled),
        _ => None,
    }
}

/// Which series an invoice is numbered in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = InvoiceKind)]
pub enum Kind {
    Normal,
    Rectifying,
}

impl Kind {
    pub fn series(self) -> &'static str {
        match self {
            Self::Normal => "A",
            Self::Rectifying => "R",
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Normal => "normal",
            Self::Rectifying => "rectifying",
        }
    }

    pub fn parse(name: &str) -> Option<Self> {
        [Self::Normal, Self::Rectifying].into_iter().find(|kind| kind.name() == name)
    }
}

/// A number that was given: `A2026-000001`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Number {
    pub kind: Kind,
    pub year: i32,
    pub number: i64,
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{:04}-{:06}", self.kind.series(), self.year, self.number)
    }
}

/// Who issues or receives, as it was on the day of issue.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = InvoiceParty)]
pub struct Party {
    pub name: String,
    pub nif: String,
    pub address: String,
    pub postal_code: String,
    pub city: String,
    pub region: String,
    /// Commercial registry entry; of the issuer only.
    pub registry_data: Option<String>,
    pub email: Option<String>,
    /// Two letters (ISO 3166-1); none: Spain.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub country: Option<String>,
}

/// How it is paid, as agreed on the day of issue.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = InvoicePayment)]
pub struct Payment {
    /// By direct debit; else by transfer to `transfer_iban`.
    pub direct_debit: bool,
    /// The customer's account, masked.
    pub iban: Option<String>,
    /// Reference of the mandate.
    pub umr: Option<String>,
    /// Days between the notice of its debit and the debit, as agreed with the mandate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notice_days: Option<u32>,
    /// The issuer's SEPA creditor identifier.
    pub creditor_id: Option<String>,
    /// The issuer's account, whole, since people pay to it.
    pub transfer_iban: Option<String>,
}

/// What a rectifying invoice corrects (RD 1619/2012 art. 15.4).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = InvoiceRectified)]
pub struct Rectified {
    #[serde(rename = "_id")]
    pub id: InvoiceId,
    pub number: String,
    pub issue_date: NaiveDate,
    pub reason: String,
    /// The conditions of art. 80 under which the base was lowered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub relief: Option<Relief>,
}

/// What is printed besides lines and totals; stored whole, never changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    pub issuer: Party,
    pub recipient: Party,
    pub payment: Payment,
    pub language: Language,
    pub rectified: Option<Rectified>,
    /// How it is taxed; of invoices from before there were more than two, the rate says it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub regime: Option<VatRegime>,
}

/// A line as it is stored. Descriptions are Spanish: the language of Spanish invoices; `code` lets others say it in theirs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct InvoiceLine {
    /// `connection otherConnections exceededMinute guestMinute discount minimum`, of rectifying ones also `adjustment`.
    pub code: String,
    pub description: String,
    pub price_id: Option<String>,
    pub quantity: i64,
    /// Without tax.
    pub unit: Cents,
    pub amount: Cents,
    /// Of the discount.
    pub percent: Option<Percent>,
    /// Of a prorated minimum: days that count, of so many.
    pub days: Option<i64>,
    pub days_in_month: Option<i64>,
    /// The minimum up to which the complement goes.
    pub minimum: Option<Cents>,
}

/// The sums.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    pub subtotal: Cents,
    pub discount: Percent,
    pub base: Cents,
    /// 0 outside the territory of VAT: `Operación no sujeta`.
    pub vat_rate: Percent,
    pub vat: Cents,
    pub total: Cents,
}

impl Totals {
    /// The operation is subject to Spanish VAT.
    pub fn is_subject(&self) -> bool {
        self.vat_rate != Percent(0)
    }
}

/// An issued invoice as it stands in the table, without the rows of its connections.
#[derive(Clone, Debug, PartialEq)]
pub struct Invoice {
    pub id: InvoiceId,
    pub number: String,
    pub kind: Kind,
    /// `F1`, `R1` ….
    pub invoice_type: String,
    pub customer: CompanyId,
    /// `2026-10`; none in rectifying ones.
    pub period: Option<String>,
    pub period_from: NaiveDate,
    pub period_to: NaiveDate,
    pub issue_date: NaiveDate,
    pub operation_date: NaiveDate,
    pub due_date: NaiveDate,
    pub issued_at: DateTime<Utc>,
    pub connections: i64,
    pub totals: Totals,
    pub header: Header,
    pub lines: Vec<InvoiceLine>,
    pub state: State,
}

impl Invoice {
    /// How it is taxed.
    pub fn regime(&self) -> VatRegime {
        let of_rate = if self.totals.is_subject() { VatRegime::General } else { VatRegime::Outside };
        self.header.regime.unwrap_or(of_rate)
    }

    /// The day whose tax return it belongs to: that of the operation, of a rectifying one that of its issue (art. 89.Five Ley 37/1992).
    pub fn settled_on(&self) -> NaiveDate {
        match self.kind {
            Kind::Normal => self.operation_date,
            Kind::Rectifying => self.issue_date,
        }
    }

    /// It changes the taxable base for want of payment: what is owed stays owed.
    pub fn lowers_base_only(&self) -> bool {
        Ground::of(&self.invoice_type).is_some()
    }
}

/// What happened to it since.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    pub status: InvoiceStatus,
    pub superseded: bool,
    /// Its customer has it: it was mailed, or taken from the list before.
    pub sent_at: Option<DateTime<Utc>>,
    /// Its e-mail, which is also the notice of a debit, was written.
    pub mailed: bool,
    pub paid_at: Option<DateTime<Utc>>,
    /// `remittance` or `transfer`.
    pub paid_by: Option<String>,
    /// When the bank debits or debited it.
    pub charge_date: Option<NaiveDate>,
    /// Until then a CORE debit can be given back without a reason.
    pub revocable_until: Option<NaiveDate>,
    pub return_code: Option<String>,
    pub returned_at: Option<DateTime<Utc>>,
    pub cancelled_at: Option<DateTime<Utc>>,
    pub rectified_by: Option<InvoiceId>,
}

impl State {
    /// Of an invoice that was just issued.
    pub(crate) fn issued() -> Self {
        Self {
            status: InvoiceStatus::Issued,
            superseded: false,
            sent_at: None,
            mailed: false,
            paid_at: None,
            paid_by: None,
            charge_date: None,
            revocable_until: None,
            return_code: None,
            returned_at: None,
            cancelled_at: None,
            rectified_by: None,
        }
    }

    /// It stands, so that its customer may be sent it.
    pub fn may_go_out(&self) -> bool {
        !matches!(self.status, InvoiceStatus::Draft | InvoiceStatus::Cancelled | InvoiceStatus::Rectified)
    }
}

/// Whose invoices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    Everybody,
    Customer(CompanyId),
}

/// What a month's invoices come to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct MonthTotals {
    pub base: Cents,
    pub vat: Cents,
    pub total: Cents,
    pub connections: i64,
    pub invoices: i64,
}

/// What the invoices of a book come to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct BookTotals {
    pub invoices: i64,
    /// Of these.
    pub rectifying: i64,
    pub base: Cents,
    pub vat: Cents,
    pub total: Cents,
}

/// What became of a run's invoices.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct RunTotals {
    pub issued: i64,
    pub sent: i64,
    pub remitted: i64,
    pub base: Cents,
    pub vat: Cents,
    pub total: Cents,
}

#[cfg(test)]
mod tests {
    use super::*;

    // INV-5
    #[test]
    fn the_status_machine() {
        use InvoiceStatus::*;
        let back = |sent, returned| Move::TakeBack { sent, returned };
        for (what, allowed) in [
            (Move::Issue, &[(Draft, Issued)][..]),
            (Move::Send, &[(Issued, Sent)]),
            (Move::Remit, &[(Issued, InRemittance), (Sent, InRemittance), (Returned, InRemittance)]),
            (back(true, false), &[(InRemittance, Sent)]),
            (back(false, false), &[(InRemittance, Issued)]),
            (back(true, true), &[(InRemittance, Returned)]),
            (Move::Collect, &[(InRemittance, Paid)]),
            (Move::PayByHand, &[(Issued, Paid), (Sent, Paid), (Returned, Paid), (Unpaid, Paid)]),
            (Move::Return, &[(InRemittance, Returned), (Paid, Returned)]),
            (Move::GiveUp, &[(Issued, Unpaid), (Sent, Unpaid), (Returned, Unpaid)]),
            (
                Move::Rectify,
                &[(Issued, Rectified), (Sent, Rectified), (Paid, Rectified), (Returned, Rectified), (Unpaid, Rectified)],
            ),
            (Move::Cancel, &[(Issued, Cancelled)]),
        ] {
            for status in InvoiceStatus::ALL {
                let expected = allowed.iter().find(|(from, _)| *from == status).map(|(_, to)| *to);
                assert_eq!(next(status, what), expected, "{status:?} {what:?}");
            }
        }
    }

    // INV-2
    #[test]
    fn numbers_fit_the_tax_office_s_field() {
        let number = |kind, number| Number { kind, year: 2026, number }.to_string();
        assert_eq!(number(Kind::Normal, 1), "A2026-000001");
        assert_eq!(number(Kind::Rectifying, 120), "R2026-000120");
        assert_eq!(number(Kind::Normal, 1_234_567), "A2026-1234567", "the millionth still has its number");
        assert!(number(Kind::Normal, i64::MAX).len() <= 60);
    }

    #[test]
    fn statuses_have_names_of_their_own() {
        for status in InvoiceStatus::ALL {
            assert_eq!(InvoiceStatus::parse(status.name()), Some(status));
            assert_eq!(serde_json::to_value(status).unwrap(), status.name());
        }
    }
}
