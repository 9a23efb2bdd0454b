//! The hash of a record: SHA-256 of `name=value` pairs in a fixed order (art. 13, AEAT document v0.1.2).

use super::record::{Body, Record, day, moment};
use aws_lc_rs::digest::{SHA256, digest};

/// The values that are hashed, as texts exactly as they stand in the XML.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hashed {
    pub issuer: String,
    pub number: String,
    pub issue_date: String,
    /// Of a registration.
    pub kind: String,
    pub vat: String,
    pub total: String,
    /// Hash of the record before; empty for the first.
    pub previous: String,
    pub at: String,
}

/// What is hashed of a registration.
pub fn registration_text(values: &Hashed) -> String {
    pairs(&[
        ("IDEmisorFactura", &values.issuer),
        ("NumSerieFactura", &values.number),
        ("FechaExpedicionFactura", &values.issue_date),
        ("TipoFactura", &values.kind),
        ("CuotaTotal", &values.vat),
        ("ImporteTotal", &values.total),
        ("Huella", &values.previous),
        ("FechaHoraHusoGenRegistro", &values.at),
    ])
}

/// What is hashed of an annulment.
pub fn annulment_text(values: &Hashed) -> String {
    pairs(&[
        ("IDEmisorFacturaAnulada", &values.issuer),
        ("NumSerieFacturaAnulada", &values.number),
        ("FechaExpedicionFacturaAnulada", &values.issue_date),
        ("Huella", &values.previous),
        ("FechaHoraHusoGenRegistro", &values.at),
    ])
}

fn pairs(pairs: &[(&str, &String)]) -> String {
    let pairs: Vec<String> = pairs.iter().map(|(name, value)| format!("{name}={}", value.trim())).collect();
    pairs.join("&")
}

/// 64 upper-case hexadecimal digits.
pub fn fingerprint(text: &str) -> String {
    hex::encode_upper(digest(&SHA256, text.as_bytes()))
}

impl Record {
    /// The values that are hashed.
    pub fn hashed(&self) -> Hashed {
        let id = self.body.id();
        let (kind, vat, total) = match &self.body {
            Body::Registration(one) => (one.kind.code().to_owned(), one.vat.to_string(), one.total.to_string()),
            Body::Annulment(_) => Default::default(),
        };
        Hashed {
            issuer: id.issuer.clone(),
            number: id.number.clone(),
            issue_date: day(id.issue_date),
            kind,
            vat,
            total,
            previous: self.previous.as_ref().map(|previous| previous.hash.clone()).unwrap_or_default(),
            at: moment(self.at),
        }
    }

    /// Its hash, the link that the next record names.
    pub fn hash(&self) -> String {
        let values = self.hashed();
        fingerprint(&match self.body {
            Body::Registration(_) => registration_text(&values),
            Body::Annulment(_) => annulment_text(&values),
        })
    }
}
