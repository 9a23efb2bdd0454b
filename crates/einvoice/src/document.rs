//! An issued invoice with everything that stands on it, as PDF and Facturae need it.

use crate::verifactu::InvoiceId;
use atalaya_tariff::{Cents, Percent, Place, VatRegime};
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
    /// Two letters (ISO 3166-1); none: Spain.
    #[serde(default)]
    pub country: Option<String>,
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

impl LineKind {
    /// In the language of the tax office.
    pub fn text(&self) -> &str {
        match self {
            Self::Connection => "Conexiones",
            Self::OtherConnections => "Otras conexiones",
            Self::ExceededMinute => "Minutos excedidos",
            Self::GuestMinute => "Minutos de invitados",
            Self::Discount { .. } => "Descuento por volumen",
            Self::Minimum { .. } => "Complemento hasta el consumo mínimo",
            Self::Text { text } => text,
        }
    }
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
    /// The taxable base alone goes down, for want of payment (art. 80.Three and Four Ley 37/1992).
    #[serde(default)]
    pub unpaid: bool,
}

/// The offices of a public body that its invoices go to, by their codes in the directory DIR3.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Offices {
    /// `Oficina contable`.
    pub accounting: String,
    /// `Órgano gestor`.
    pub managing: String,
    /// `Unidad tramitadora`.
    pub processing: String,
}

/// What the recipient wants to read on invoices to him, for his own programs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BuyerCodes {
    /// An order, a cost centre … (BT-10).
    pub reference: Option<String>,
    pub offices: Option<Offices>,
}

/// Why an invoice bears no tax (ABROAD-5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Legend {
    Outside,
    /// The recipient owes the VAT of his member state.
    ReverseUnion,
    /// The issuer is in the Canaries.
    OutsideIgic,
    ReverseUnionIgic,
    /// The recipient on the peninsula owes Spanish VAT, since the issuer is not established in its territory.
    ReversePeninsula,
}

impl Legend {
    /// Of a regime, the issuer's postal code, and whether the recipient is outside Spain.
    pub fn of(regime: VatRegime, issuer_postal_code: &str, abroad: bool) -> Option<Self> {
        let igic = Place::of_postal_code(issuer_postal_code) == Place::Canaries;
        match regime {
            VatRegime::General | VatRegime::Igic => None,
            VatRegime::Outside if igic => Some(Self::OutsideIgic),
            VatRegime::Outside => Some(Self::Outside),
            VatRegime::ReverseCharge if igic && abroad => Some(Self::ReverseUnionIgic),
            VatRegime::ReverseCharge if igic => Some(Self::ReversePeninsula),
            VatRegime::ReverseCharge => Some(Self::ReverseUnion),
        }
    }

    /// In the language of the tax office; `inversión del sujeto pasivo` is the mention of RD 1619/2012 art. 6.1.m.
    pub fn text(self) -> &'static str {
        match self {
            Self::Outside => "Operación no sujeta al IVA por reglas de localización (art. 69 Ley 37/1992)",
            Self::ReverseUnion => {
                "Operación no sujeta al IVA por reglas de localización (art. 69 Ley 37/1992). Inversión del sujeto pasivo (art. 196 \
                 Directiva 2006/112/CE)"
            }
            Self::OutsideIgic => "Operación no sujeta al IGIC por reglas de localización (art. 17 Ley 20/1991)",
            Self::ReverseUnionIgic => {
                "Operación no sujeta al IGIC por reglas de localización (art. 17 Ley 20/1991). Inversión del sujeto pasivo (art. 196 \
                 Directiva 2006/112/CE)"
            }
            Self::ReversePeninsula => {
                "Operación no sujeta al IGIC por reglas de localización (art. 17 Ley 20/1991). Inversión del sujeto pasivo (art. \
                 84.Uno.2.º Ley 37/1992)"
            }
        }
    }
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
    #[serde(default)]
    pub regime: VatRegime,
    /// By direct debit.
    pub payment: Option<Payment>,
    /// The issuer's account, whole, of who pays by transfer.
    #[serde(default)]
    pub transfer_iban: Option<String>,
    #[serde(default)]
    pub buyer: BuyerCodes,
    pub rectifies: Option<Rectified>,
}

impl InvoiceDocument {
    pub fn id(&self) -> InvoiceId {
        InvoiceId { issuer: self.issuer.nif.clone(), number: self.number.clone(), issue_date: self.issue_date }
    }

    /// Its tax is that of the Canaries.
    pub fn is_igic(&self) -> bool {
        Place::of_postal_code(&self.issuer.postal_code) == Place::Canaries
    }

    /// Why it bears no tax, if it bears none.
    pub fn legend(&self) -> Option<Legend> {
        Legend::of(self.regime, &self.issuer.postal_code, self.recipient.country.is_some())
    }

    pub fn rate(&self) -> Percent {
        Percent(self.vat_rate)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // ABROAD-5, ABROAD-6
    #[test]
    fn every_invoice_without_tax_says_why() {
        for (regime, issuer, abroad, legend) in [
            (VatRegime::General, "28001", false, None),
            (VatRegime::Igic, "35001", false, None),
            (VatRegime::Outside, "28001", false, Some(Legend::Outside)),
            (VatRegime::Outside, "28001", true, Some(Legend::Outside)),
            (VatRegime::ReverseCharge, "28001", true, Some(Legend::ReverseUnion)),
            (VatRegime::Outside, "38001", true, Some(Legend::OutsideIgic)),
            (VatRegime::ReverseCharge, "38001", true, Some(Legend::ReverseUnionIgic)),
            (VatRegime::ReverseCharge, "38001", false, Some(Legend::ReversePeninsula)),
        ] {
            assert_eq!(Legend::of(regime, issuer, abroad), legend, "{regime:?} {issuer} {abroad}");
        }
        for legend in [Legend::ReverseUnion, Legend::ReverseUnionIgic, Legend::ReversePeninsula] {
            assert!(legend.text().contains("Inversión del sujeto pasivo"));
        }
        assert!(!Legend::Outside.text().contains("Inversión"));
    }
}
