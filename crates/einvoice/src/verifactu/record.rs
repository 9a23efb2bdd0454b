//! What a record says.

use atalaya_tariff::{Cents, Percent};
use chrono::{DateTime, NaiveDate, SecondsFormat, SubsecRound, Utc};
use chrono_tz::Europe::Madrid;

/// Who issued which invoice when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvoiceId {
    /// NIF of the issuer.
    pub issuer: String,
    /// Series and number, printable ASCII, ≤ 60.
    pub number: String,
    pub issue_date: NaiveDate,
}

/// A name with its NIF.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Person {
    pub name: String,
    pub nif: String,
}

/// A recipient without a NIF (`IDOtro`, ABROAD-4).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Elsewhere {
    /// Two letters.
    pub country: String,
    /// A VAT number of the European Union with its prefix; else what the country identifies a taxpayer by.
    pub id: String,
    pub is_vat_number: bool,
}

/// Which tax a record is about (list L1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tax {
    #[default]
    Iva,
    Igic,
}

/// List L2 of the AEAT; simplified invoices are not issued here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InvoiceType {
    /// A complete invoice.
    F1,
    /// Rectifying: error founded in law, arts. 80.One, Two and Six.
    R1,
    /// Rectifying: insolvency, art. 80.Three.
    R2,
    /// Rectifying: bad debt, art. 80.Four.
    R3,
    /// Rectifying: the rest.
    R4,
}

impl InvoiceType {
    pub fn code(self) -> &'static str {
        match self {
            Self::F1 => "F1",
            Self::R1 => "R1",
            Self::R2 => "R2",
            Self::R3 => "R3",
            Self::R4 => "R4",
        }
    }

    /// The type of that code.
    pub fn of(code: &str) -> Option<Self> {
        [Self::F1, Self::R1, Self::R2, Self::R3, Self::R4].into_iter().find(|kind| kind.code() == code)
    }
}

/// Whether a record puts another one right, and what the tax office has of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Correction {
    /// The first record of this invoice.
    #[default]
    None,
    /// The one before was accepted, with errors perhaps.
    Accepted,
    /// The tax office has an earlier one, and rejected the last.
    Refused,
    /// The tax office has none of this invoice: all were rejected, or never sent.
    Unknown,
}

/// List L8A of the AEAT: under which rules of the tax an operation falls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Regime {
    #[default]
    General,
    /// In the Canaries, Ceuta and Melilla, which have taxes of their own (IGIC, IPSI).
    OtherTerritory,
}

impl Regime {
    /// Of an operation at this rate: without the tax is only what lies outside its territory.
    pub fn of(rate: Percent) -> Self {
        if rate == Percent(0) { Self::OtherTerritory } else { Self::General }
    }

    pub fn code(self) -> &'static str {
        match self {
            Self::General => "01",
            Self::OtherTerritory => "08",
        }
    }
}

/// One rate of the invoice. A rate of 0 is an operation that is not subject by its place (N2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Breakdown {
    pub regime: Regime,
    pub rate: Percent,
    pub base: Cents,
    pub vat: Cents,
}

/// An issued invoice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Registration {
    pub id: InvoiceId,
    pub issuer_name: String,
    pub correction: Correction,
    pub kind: InvoiceType,
    /// By differences (I); empty unless `kind` is a rectifying one.
    pub rectifies: Vec<InvoiceId>,
    pub operation_date: Option<NaiveDate>,
    pub description: String,
    pub recipient: Person,
    /// Takes the place of the recipient's NIF.
    pub elsewhere: Option<Elsewhere>,
    pub tax: Tax,
    pub breakdown: Vec<Breakdown>,
    pub vat: Cents,
    pub total: Cents,
}

/// An invoice that was issued by mistake and never delivered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Annulment {
    pub id: InvoiceId,
    /// The tax office has no record of the invoice.
    pub without_record: bool,
    /// It rejected an annulment before.
    pub rejected_before: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Body {
    Registration(Box<Registration>),
    Annulment(Annulment),
}

impl Body {
    pub fn id(&self) -> &InvoiceId {
        match self {
            Body::Registration(registration) => &registration.id,
            Body::Annulment(annulment) => &annulment.id,
        }
    }
}

/// The record before this one in the chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Previous {
    pub id: InvoiceId,
    pub hash: String,
}

/// The program that makes the records, and who made the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct System {
    pub producer: Person,
    /// ≤ 30.
    pub name: String,
    /// ≤ 2.
    pub id: String,
    /// ≤ 50.
    pub version: String,
    /// ≤ 100.
    pub installation: String,
}

/// A link of the chain, before it is hashed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    pub body: Body,
    /// `None` for the first of the chain.
    pub previous: Option<Previous>,
    pub system: System,
    pub at: DateTime<Utc>,
}

/// `31-10-2026`.
pub fn day(date: NaiveDate) -> String {
    date.format("%d-%m-%Y").to_string()
}

/// `2026-11-03T09:30:00+01:00`: the local time of Madrid with the offset in force, without fractions.
pub fn moment(at: DateTime<Utc>) -> String {
    at.trunc_subsecs(0).with_timezone(&Madrid).to_rfc3339_opts(SecondsFormat::Secs, false)
}
