//! An issued invoice with everything that stands on it, as PDF and Facturae need it.

use crate::verifactu::InvoiceId;
use atalaya_tariff::{Cents, Percent};
use chrono::NaiveDate;
use serde::{Deserialize, Serialize};

/// Issuer or recipient, as on the day of issue.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Party {
    pub name: String,
    pub nif: String,
    pub address: String,
    pub postal_code: String,
    pub city: String,
    pub region: String,
    /// Of the issuer: its entry in the Registro Mercantil.
    pub registry_data: Option<String>,
    pub email: Option<String>,
}

/// What a line is about; its text is in the language of whoever reads it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum LineKind {
    Connection,
    OtherConnections,
    ExceededMinute,
    GuestMinute,
    Discount {
        percent: u32,
    },
    Minimum {
        days: i64,
        days_in_month: i64,
        minimum: i64,
    },
    /// Of a rectifying invoice: in the words of who wrote it.
    Text {
        text: String,
    },
}

/// A line of the invoice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DocumentLine {
    pub kind: LineKind,
    /// With the unit price; lines without are one whole.
    pub quantity: Option<i64>,
    pub unit: Option<Cents>,
    pub amount: Cents,
}

/// How it is paid.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Payment {
    /// `ES•• •••• … 1332`.
    pub iban_masked: Option<String>,
    pub umr: Option<String>,
    pub creditor_id: Option<String>,
}

/// What a rectifying invoice rectifies, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rectified {
    pub number: String,
    pub issue_date: NaiveDate,
    pub reason: String,
}

/// The invoice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InvoiceDocument {
    /// `A2026-000001`.
    pub number: String,
    pub issue_date: NaiveDate,
    pub operation_date: NaiveDate,
    pub period_from: NaiveDate,
    pub period_to: NaiveDate,
    pub due_date: NaiveDate,
    pub issuer: Party,
    pub recipient: Party,
    /// Two letters, of the customer.
    pub language: String,
    pub lines: Vec<DocumentLine>,
    pub base: Cents,
    /// Hundredths of a percent; 0 is not subject by its place.
    pub vat_rate: u32,
    pub vat: Cents,
    pub total: Cents,
    pub payment: Option<Payment>,
    pub rectifies: Option<Rectified>,
}

impl InvoiceDocument {
    pub fn id(&self) -> InvoiceId {
        InvoiceId { issuer: self.issuer.nif.clone(), number: self.number.clone(), issue_date: self.issue_date }
    }

    pub fn rate(&self) -> Percent {
        Percent(self.vat_rate)
    }
}
