//! Tax ids of taxpayers outside Spain: VAT numbers of the European Union by each member's format, elsewhere what fits a record
//! of the tax office (ABROAD-1).
//!
//! Formats: the European Commission's list of VAT identification numbers (VIES, question 11). No check digits: VIES knows whether
//! a number exists, a sum does not.

use crate::country;

/// A number that is not of its country's format.
pub const CODE: &str = "VAT_NUMBER_INVALID";
/// Characters of an id that records of the tax office take (`ID` of `IDOtro`).
pub const ID_MAX: usize = 20;

/// Member, its prefix, and its formats: `9` is a digit, `A` a letter, `X` a digit or a letter other than I and O, `+` a letter,
/// `+` or `*`; everything else stands for itself.
const FORMATS: &[(&str, &str, &[&str])] = &[
    ("AT", "AT", &["U99999999"]),
    ("BE", "BE", &["0999999999", "1999999999"]),
    ("BG", "BG", &["999999999", "9999999999"]),
    ("CY", "CY", &["99999999A"]),
    ("CZ", "CZ", &["99999999", "999999999", "9999999999"]),
    ("DE", "DE", &["999999999"]),
    ("DK", "DK", &["99999999"]),
    ("EE", "EE", &["999999999"]),
    ("FI", "FI", &["99999999"]),
    ("FR", "FR", &["XX999999999"]),
    ("GR", "EL", &["999999999"]),
    ("HR", "HR", &["99999999999"]),
    ("HU", "HU", &["99999999"]),
    ("IE", "IE", &["9999999A", "9999999AA", "9+99999A"]),
    ("IT", "IT", &["99999999999"]),
    ("LT", "LT", &["999999999", "999999999999"]),
    ("LU", "LU", &["99999999"]),
    ("LV", "LV", &["99999999999"]),
    ("MT", "MT", &["99999999"]),
    ("NL", "NL", &["999999999B99"]),
    ("PL", "PL", &["9999999999"]),
    ("PT", "PT", &["999999999"]),
    ("RO", "RO", &["99", "999", "9999", "99999", "999999", "9999999", "99999999", "999999999", "9999999999"]),
    ("SE", "SE", &["999999999999"]),
    ("SI", "SI", &["99999999"]),
    ("SK", "SK", &["9999999999"]),
];

/// The prefix of a member's VAT numbers: its code, but `EL` of Greece. `None` outside the Union, and of Spain.
pub fn prefix(country: &str) -> Option<&'static str> {
    FORMATS.iter().find(|(code, ..)| *code == country).map(|(_, prefix, _)| *prefix)
}

/// A tax id of this country as it is kept: without spaces, dots and dashes, a VAT number with its prefix. `None`: it is not one.
/// Spain's are checked by [`crate::tax_id`].
pub fn check(country: &str, text: &str) -> Option<String> {
    if !country::is_country(country) || country == country::SPAIN {
        return None;
    }
    let Some((_, prefix, formats)) = FORMATS.iter().find(|(code, ..)| *code == country) else { return elsewhere(text) };
    let tidy: String = text.chars().filter(|c| !c.is_whitespace() && !matches!(c, '.' | '-')).collect();
    let tidy = tidy.to_ascii_uppercase();
    let number = tidy.strip_prefix(prefix).unwrap_or(&tidy);
    formats.iter().any(|format| fits(number, format)).then(|| format!("{prefix}{number}"))
}

/// Outside the Union there is no common format: letters, digits and what ids are written with.
fn elsewhere(text: &str) -> Option<String> {
    let tidy = text.trim().to_ascii_uppercase();
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '/' | ' ');
    let has_body = tidy.chars().filter(char::is_ascii_alphanumeric).count() >= 2;
    (has_body && tidy.len() <= ID_MAX && tidy.chars().all(allowed)).then_some(tidy)
}

fn fits(number: &str, format: &str) -> bool {
    let one = |(c, shape): (char, char)| match shape {
        '9' => c.is_ascii_digit(),
        'A' => c.is_ascii_uppercase(),
        'X' => c.is_ascii_digit() || (c.is_ascii_uppercase() && c != 'I' && c != 'O'),
        '+' => c.is_ascii_uppercase() || c == '+' || c == '*',
        fixed => c == fixed,
    };
    number.len() == format.len() && number.is_ascii() && number.chars().zip(format.chars()).all(one)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A number of each member as it is written, and one that is too short or has the wrong shape.
    const TABLE: &[(&str, &str, &str, &str)] = &[
        ("AT", "ATU12345678", "ATU12345678", "AT12345678"),
        ("BE", "BE 0123.456.789", "BE0123456789", "BE2123456789"),
        ("BG", "BG1234567890", "BG1234567890", "BG12345678"),
        ("CY", "12345678X", "CY12345678X", "CY123456789"),
        ("CZ", "CZ12345678", "CZ12345678", "CZ1234567"),
        ("DE", "de 123456789", "DE123456789", "DE12345678"),
        ("DK", "DK 12 34 56 78", "DK12345678", "DK123456789"),
        ("EE", "EE123456789", "EE123456789", "EE12345678"),
        ("FI", "FI12345678", "FI12345678", "FI1234567"),
        ("FR", "FR AB 123456789", "FRAB123456789", "FRIO123456789"),
        ("GR", "EL123456789", "EL123456789", "GR123456789"),
        ("HR", "HR12345678901", "HR12345678901", "HR1234567890"),
        ("HU", "HU12345678", "HU12345678", "HU123456789"),
        ("IE", "IE1234567WA", "IE1234567WA", "IE12345678"),
        ("IT", "IT12345678901", "IT12345678901", "IT1234567890"),
        ("LT", "LT123456789012", "LT123456789012", "LT1234567890"),
        ("LU", "LU12345678", "LU12345678", "LU1234567"),
        ("LV", "LV12345678901", "LV12345678901", "LV123456789"),
        ("MT", "MT12345678", "MT12345678", "MT1234567"),
        ("NL", "NL123456789B01", "NL123456789B01", "NL123456789A01"),
        ("PL", "PL 123-456-78-90", "PL1234567890", "PL123456789"),
        ("PT", "501964843", "PT501964843", "PT50196484"),
        ("RO", "RO12", "RO12", "RO1"),
        ("SE", "SE123456789001", "SE123456789001", "SE1234567890"),
        ("SI", "SI12345678", "SI12345678", "SI1234567"),
        ("SK", "SK1234567890", "SK1234567890", "SK123456789"),
    ];

    // ABROAD-1
    #[test]
    fn every_member_has_its_format() {
        assert_eq!(TABLE.len(), FORMATS.len());
        for (country, typed, kept, wrong) in TABLE {
            assert!(country::is_in_union(country));
            assert_eq!(check(country, typed).as_deref(), Some(*kept), "{country} {typed}");
            assert_eq!(check(country, kept).as_deref(), Some(*kept), "what is kept is kept");
            assert_eq!(check(country, wrong), None, "{country} {wrong}");
            assert_eq!(check(country, ""), None);
            assert!(prefix(country).is_some_and(|prefix| kept.starts_with(prefix)) && kept.len() <= ID_MAX);
        }
        assert_eq!(check("IE", "1+23456A").as_deref(), Some("IE1+23456A"));
        assert_eq!(check("PT", "DE123456789"), None, "another country's number");
    }

    // ABROAD-1
    #[test]
    fn spain_has_its_own_check_and_other_countries_have_none() {
        assert_eq!(check("ES", "B64717838"), None);
        assert_eq!(check("XX", "123456789"), None);
        assert_eq!(check("GB", " gb 123 4567 89 ").as_deref(), Some("GB 123 4567 89"));
        assert_eq!(check("US", "12-3456789").as_deref(), Some("12-3456789"));
        for wrong in ["", "-", "1", "=cmd()", "123456789012345678901", "ñ123"] {
            assert_eq!(check("US", wrong), None, "{wrong}");
        }
        assert_eq!(prefix("GB"), None);
    }
}
