//! What the schema would refuse a record for. One such record has the whole call refused, so it is found before it is sent.

use super::chain::read;
use super::hash::{annulment_text, fingerprint, registration_text};
use crate::tree::{Element, parse};

/// The element that the tax office's schema does not take, or the hash that is not that of the values; `None` of a sound record.
pub fn flaw(fragment: &str) -> Option<&'static str> {
    let Ok(tree) = parse(fragment) else { return Some("XML") };
    let Some(record) = tree.find("RegistroAlta").or_else(|| tree.find("RegistroAnulacion")) else { return Some("XML") };
    let ending = if record.name == "RegistroAnulacion" { "Anulada" } else { "" };
    let of_id = |name: &str| record.text_at(&["IDFactura", &format!("{name}{ending}")]);
    if !is_nif(of_id("IDEmisorFactura")) {
        return Some("IDEmisorFactura");
    }
    if !is_number(of_id("NumSerieFactura")) {
        return Some("NumSerieFactura");
    }
    let wrong = if ending.is_empty() { registration(record) } else { None };
    wrong.or_else(|| (!is_hashed(fragment)).then_some("Huella"))
}

/// The parts that only a registration has.
fn registration(record: &Element) -> Option<&'static str> {
    let recipient = |name: &str| record.text_at(&["Destinatarios", "IDDestinatario", name]);
    let domestic = record.at(&["Destinatarios", "IDDestinatario", "IDOtro"]).is_none();
    let amounts = ["CuotaTotal", "ImporteTotal"];
    if record.text_at(&["NombreRazonEmisor"]).is_empty() {
        Some("NombreRazonEmisor")
    } else if record.text_at(&["DescripcionOperacion"]).is_empty() {
        Some("DescripcionOperacion")
    } else if recipient("NombreRazon").is_empty() {
        Some("NombreRazon")
    } else if domestic && !is_nif(recipient("NIF")) {
        Some("NIF")
    } else {
        amounts.into_iter().find(|name| !is_amount(record.text_at(&[*name])))
    }
}

fn is_nif(text: &str) -> bool {
    text.len() == 9 && text.chars().all(|c| c.is_ascii_digit() || c.is_ascii_uppercase())
}

/// Printable ASCII without what the tax office refuses in a number.
fn is_number(text: &str) -> bool {
    (1..=60).contains(&text.len()) && text.chars().all(|c| matches!(c, ' '..='~') && !"\"'<>=".contains(c))
}

/// Twelve digits at most before the point, two after it.
fn is_amount(text: &str) -> bool {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    let all = |text: &str| text.chars().all(|c| c.is_ascii_digit());
    (1..=12).contains(&whole.len()) && part.len() <= 2 && all(whole) && all(part)
}

fn is_hashed(fragment: &str) -> bool {
    read(fragment).is_some_and(|read| {
        let text = if read.annulment { annulment_text(&read.values) } else { registration_text(&read.values) };
        fingerprint(&text) == read.hash
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    // FACTU-4
    #[test]
    fn amounts_and_numbers_are_those_of_the_schema() {
        for good in ["0.00", "-105.00", "+1", "999999999999.99", "12."] {
            assert!(is_amount(good), "{good}");
        }
        for bad in ["", "1,00", "1.000", "1234567890123.00", "-", "1e5", "NaN"] {
            assert!(!is_amount(bad), "{bad}");
        }
        for (number, good) in
            [("A2026-000001", true), ("A 2027/1", true), ("", false), ("A<1", false), ("Ñ1", false), ("A=1", false)]
        {
            assert_eq!(is_number(number), good, "{number}");
        }
        assert!(is_number(&"9".repeat(60)) && !is_number(&"9".repeat(61)));
        for (nif, good) in [("B85626240", true), ("X1234567L", true), ("ESB85626240", false), ("b85626240", false), ("", false)] {
            assert_eq!(is_nif(nif), good, "{nif}");
        }
    }
}
