//! The chain recomputed from what the records say: each hash, and each link to the record before.

use super::hash::{Hashed, annulment_text, fingerprint, registration_text};
use crate::tree::{Element, parse};

/// What does not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It cannot be read.
    Unreadable,
    /// Its hash is not that of its values.
    Hash,
    /// It does not name the record before.
    Link,
}

/// The first record that does not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Break {
    /// Counted from 0 within what was given.
    pub index: usize,
    pub fault: Fault,
}

/// A record as it is read again.
pub(super) struct Read {
    pub annulment: bool,
    pub values: Hashed,
    pub hash: String,
    first: bool,
    /// Issuer, number and day of the record before.
    link: [String; 3],
}

/// Checks records in the order of the chain; `before` is the hash before the first, empty at the chain's beginning.
/// Answers the last hash.
///
/// Errors: the first [`Break`].
pub fn check<'a>(fragments: impl IntoIterator<Item = &'a str>, before: Option<(&[String; 3], &str)>) -> Result<(), Break> {
    let mut last = before.map(|(id, hash)| (id.clone(), hash.to_owned()));
    for (index, fragment) in fragments.into_iter().enumerate() {
        let broken = |fault| Break { index, fault };
        let read = read(fragment).ok_or(broken(Fault::Unreadable))?;
        let fits = match &last {
            None => read.first && read.values.previous.is_empty(),
            Some((id, hash)) => !read.first && read.values.previous == *hash && read.link == *id,
        };
        if !fits {
            return Err(broken(Fault::Link));
        }
        let text = if read.annulment { annulment_text(&read.values) } else { registration_text(&read.values) };
        if fingerprint(&text) != read.hash {
            return Err(broken(Fault::Hash));
        }
        last = Some(([read.values.issuer, read.values.number, read.values.issue_date], read.hash));
    }
    Ok(())
}

pub(super) fn read(fragment: &str) -> Option<Read> {
    let tree = parse(fragment).ok()?;
    let record = tree.find("RegistroAlta").or_else(|| tree.find("RegistroAnulacion"))?;
    let annulment = record.name == "RegistroAnulacion";
    let ending = if annulment { "Anulada" } else { "" };
    let text = |path: &[&str]| record.text_at(path).to_owned();
    let id = |name: &str| text(&["IDFactura", &format!("{name}{ending}")]);
    let before = record.at(&["Encadenamiento", "RegistroAnterior"]);
    let of_before = |name: &str| before.map_or("", |element: &Element| element.text_at(&[name])).to_owned();
    Some(Read {
        annulment,
        values: Hashed {
            issuer: id("IDEmisorFactura"),
            number: id("NumSerieFactura"),
            issue_date: id("FechaExpedicionFactura"),
            kind: text(&["TipoFactura"]),
            vat: text(&["CuotaTotal"]),
            total: text(&["ImporteTotal"]),
            previous: of_before("Huella"),
            at: text(&["FechaHoraHusoGenRegistro"]),
        },
        hash: text(&["Huella"]),
        first: text(&["Encadenamiento", "PrimerRegistro"]) == "S",
        link: [of_before("IDEmisorFactura"), of_before("NumSerieFactura"), of_before("FechaExpedicionFactura")],
    })
}
