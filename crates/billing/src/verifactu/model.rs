//! Records as this room uses them. Pure.

use crate::invoices::model::Invoice;
use crate::words::spanish_month;
use atalaya_checks::country;
use atalaya_einvoice::verifactu::{
    Body, Breakdown, Correction, Elsewhere, InvoiceId, InvoiceType, Person, Regime, Registration, Tax, words,
};
use atalaya_tariff::Place;
use chrono::{DateTime, Datelike, NaiveDate, Utc};
use serde::Serialize;
use uuid::Uuid;

/// Where a record stands on its way to the tax office.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = VerifactuState)]
pub enum State {
    /// Made while sending was off; it stays here.
    Local,
    /// Waits for its turn.
    Pending,
    /// Sent without an answer yet; sent again until there is one.
    Sent,
    Accepted,
    /// Accepted, and to be put right.
    WithErrors,
    /// The tax office does not have it.
    Rejected,
}

impl State {
    pub const ALL: [Self; 6] = [Self::Local, Self::Pending, Self::Sent, Self::Accepted, Self::WithErrors, Self::Rejected];

    pub fn name(self) -> &'static str {
        match self {
            Self::Local => "local",
            Self::Pending => "pending",
            Self::Sent => "sent",
            Self::Accepted => "accepted",
            Self::WithErrors => "withErrors",
            Self::Rejected => "rejected",
        }
    }

    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.name() == name)
    }

    /// Whether a new record of the same invoice is to be made; what it says of those before is [`super::History`]'s.
    pub fn is_unsettled(self, sending: bool) -> bool {
        match self {
            Self::WithErrors | Self::Rejected => true,
            Self::Local => sending,
            Self::Pending | Self::Sent | Self::Accepted => false,
        }
    }
}

/// What a record is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = VerifactuKind)]
pub enum RecordKind {
    Issued,
    Annulled,
}

impl RecordKind {
    pub fn name(self) -> &'static str {
        match self {
            Self::Issued => "issued",
            Self::Annulled => "annulled",
        }
    }

    pub fn parse(name: &str) -> Option<Self> {
        [Self::Issued, Self::Annulled].into_iter().find(|kind| kind.name() == name)
    }
}

/// The chain of an issuer.
#[derive(Clone, Debug, PartialEq)]
pub struct Chain {
    pub id: Uuid,
    /// NIF.
    pub issuer: String,
    pub records: i64,
    /// The last record.
    pub head: Option<Link>,
    /// When the last record was made.
    pub at: Option<DateTime<Utc>>,
    /// Calls that failed in a row.
    pub failures: i32,
    /// When the next call may be made.
    pub next_at: Option<DateTime<Utc>>,
    pub last_error: Option<String>,
    pub last_error_at: Option<DateTime<Utc>>,
    /// What the tax office said of the call.
    pub last_error_text: Option<String>,
}

/// A record as the next one names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    pub number: String,
    /// `None` where something that is no date is stored: somebody changed it.
    pub issue_date: Option<NaiveDate>,
    pub hash: String,
}

/// A record as it was written, with the state in its row.
#[derive(Clone, Debug, PartialEq)]
pub struct Written {
    pub seq: i64,
    pub link: Link,
    pub xml: String,
}

/// A stored record with what became of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Stored {
    pub id: Uuid,
    pub chain: Uuid,
    pub invoice: Uuid,
    pub seq: i64,
    pub at: DateTime<Utc>,
    pub kind: RecordKind,
    /// The mode in which it was made.
    pub environment: String,
    pub invoice_type: Option<String>,
    /// It puts an earlier one right.
    pub correction: bool,
    pub number: String,
    pub issue_date: NaiveDate,
    pub total: Option<i64>,
    pub hash: String,
    pub xml: String,
    pub state: State,
    pub sent_at: Option<DateTime<Utc>>,
    pub csv: Option<String>,
    pub code: Option<String>,
    pub message: Option<String>,
    /// A later record of the same invoice took its place.
    pub superseded: bool,
}

impl Stored {
    /// Whether a new record with other words may take its place: also where the tax office found nothing wrong.
    pub fn is_correctable(&self, sending: bool) -> bool {
        let accepted = !self.superseded && self.state == State::Accepted;
        self.kind == RecordKind::Issued && (accepted || self.is_resendable(sending))
    }

    /// Whether an administrator may have a new record of the same invoice made and sent.
    pub fn is_resendable(&self, sending: bool) -> bool {
        !self.superseded && self.state.is_unsettled(sending)
    }
}

/// Words of a record that its invoice had wrong; amounts, numbers and tax ids are the invoice's (the tax office calls it subsanación).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Corrected {
    pub recipient_name: Option<String>,
    pub description: Option<String>,
}

impl Corrected {
    pub fn is_empty(&self) -> bool {
        self.recipient_name.is_none() && self.description.is_none()
    }

    /// These words, and where they say nothing those of the record that is put right: an earlier correction stays.
    pub fn after(&self, xml: &str) -> Self {
        let before = words(xml);
        Self {
            recipient_name: self.recipient_name.clone().or_else(|| before.as_ref().map(|one| one.recipient_name.clone())),
            description: self.description.clone().or_else(|| before.map(|one| one.description)),
        }
    }

    /// The record with these words.
    pub fn apply(&self, body: Body) -> Body {
        match body {
            Body::Registration(mut one) => {
                if let Some(name) = &self.recipient_name {
                    one.recipient.name.clone_from(name);
                }
                if let Some(text) = &self.description {
                    one.description.clone_from(text);
                }
                Body::Registration(one)
            }
            other => other,
        }
    }
}

/// The name of a correction in the table.
pub fn correction_name(correction: Correction) -> &'static str {
    match correction {
        Correction::None => "none",
        Correction::Accepted => "accepted",
        Correction::Refused => "refused",
        Correction::Unknown => "unknown",
    }
}

/// What the operation was, in the language of the tax office.
fn description(invoice: &Invoice) -> String {
    match &invoice.header.rectified {
        Some(rectified) => format!("Rectificación de la factura {}: {}", rectified.number, rectified.reason),
        None => {
            let from = invoice.period_from;
            format!("Servicio de videoasistencia, {} de {}", spanish_month(from), from.year())
        }
    }
}

/// The issuer as records name it.
pub fn issuer(invoice: &Invoice) -> Person {
    Person { name: invoice.header.issuer.name.clone(), nif: invoice.header.issuer.nif.clone() }
}

/// How records name an invoice.
pub fn invoice_id(invoice: &Invoice) -> InvoiceId {
    InvoiceId { issuer: invoice.header.issuer.nif.clone(), number: invoice.number.clone(), issue_date: invoice.issue_date }
}

/// The record of an issued invoice.
pub fn registration(invoice: &Invoice, correction: Correction) -> Body {
    let totals = &invoice.totals;
    let rectifies = invoice.header.rectified.as_ref().map(|rectified| InvoiceId {
        issuer: invoice.header.issuer.nif.clone(),
        number: rectified.number.clone(),
        issue_date: rectified.issue_date,
    });
    let recipient = &invoice.header.recipient;
    let is_igic = Place::of_postal_code(&invoice.header.issuer.postal_code) == Place::Canaries;
    Body::Registration(Box::new(Registration {
        id: invoice_id(invoice),
        issuer_name: invoice.header.issuer.name.clone(),
        correction,
        kind: InvoiceType::of(&invoice.invoice_type).unwrap_or(InvoiceType::F1),
        rectifies: rectifies.into_iter().collect(),
        operation_date: Some(invoice.operation_date),
        description: description(invoice),
        recipient: Person { name: recipient.name.clone(), nif: recipient.nif.clone() },
        elsewhere: recipient.country.as_ref().map(|country| Elsewhere {
            country: country.clone(),
            id: recipient.nif.clone(),
            is_vat_number: country::is_in_union(country),
        }),
        tax: if is_igic { Tax::Igic } else { Tax::Iva },
        breakdown: vec![Breakdown {
            // Key 08 is for what Canarias, Ceuta and Melilla tax themselves; a recipient abroad is outside by the place of supply.
            regime: if is_igic || recipient.country.is_some() { Regime::General } else { Regime::of(totals.vat_rate) },
            rate: totals.vat_rate,
            base: totals.base,
            vat: totals.vat,
        }],
        vat: totals.vat,
        total: totals.total,
    }))
}
