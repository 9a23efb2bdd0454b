//! Spanish tax ids: DNI, NIE, the K/L/M ids of natural persons and those of entities.
//!
//! An id is accepted when the specification's rule or the stricter official one accepts it; an entity's control character of
//! the kind its letter does not usually have is accepted with a hint.

const LETTERS: &[u8; 23] = b"TRWAGMYFPDXBNJZSQVHLCKE";
const ENTITY_LETTERS: &[u8] = b"ABCDEFGHJNPQRSUVW";
const CONTROL_LETTERS: &[u8; 10] = b"JABCDEFGHI";
/// Entities whose control is always a letter, and those whose control is always a digit (Orden EHA/451/2008 and use).
const LETTER_ONLY: &[u8] = b"NPQRSW";
const DIGIT_ONLY: &[u8] = b"ABEH";

/// Whose id it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Dni,
    Nie,
    /// Natural persons without DNI or NIE: K, L, M.
    Klm,
    Entity,
}

/// Why an id was refused. The field's code is `FISCAL_INCORRECT` for both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaxIdError {
    Format,
    Control,
}

/// An accepted id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaxId {
    /// Nine characters, upper-case: the form that is stored.
    pub value: String,
    pub kind: Kind,
    /// The control character is right, but a letter where a digit is usual or the other way round.
    pub warning: bool,
}

/// Stable code of the field for both refusals.
pub const CODE: &str = "FISCAL_INCORRECT";

/// Removes white space and hyphens and upper-cases.
pub fn normalise(raw: &str) -> String {
    raw.chars().filter(|c| !c.is_whitespace() && *c != '-').map(|c| c.to_ascii_uppercase()).collect()
}

/// Checks an id in any spelling.
pub fn check(raw: &str) -> Result<TaxId, TaxIdError> {
    let value = normalise(raw);
    let bytes: [u8; 9] = value.as_bytes().try_into().map_err(|_| TaxIdError::Format)?;
    let (first, control) = (bytes[0], bytes[8]);
    let mut digits = [0; 7];
    for (digit, byte) in digits.iter_mut().zip(&bytes[1..8]) {
        *digit = byte.is_ascii_digit().then(|| u32::from(byte - b'0')).ok_or(TaxIdError::Format)?;
    }
    let number = digits.iter().fold(0, |n, d| n * 10 + d);
    let (kind, warning) = match first {
        b'0'..=b'9' => (Kind::Dni, person(u32::from(first - b'0') * 10_000_000 + number, control)?),
        b'X' | b'Y' | b'Z' => (Kind::Nie, person(u32::from(first - b'X') * 10_000_000 + number, control)?),
        b'K' | b'L' | b'M' => (Kind::Klm, person(number, control)?),
        letter if ENTITY_LETTERS.contains(&letter) => (Kind::Entity, entity(letter, digits, control)?),
        _ => return Err(TaxIdError::Format),
    };
    Ok(TaxId { value, kind, warning })
}

/// Checks the control letter of a natural person's number; never a warning.
fn person(number: u32, control: u8) -> Result<bool, TaxIdError> {
    match control {
        c if c == LETTERS[(number % 23) as usize] => Ok(false),
        c if LETTERS.contains(&c) => Err(TaxIdError::Control),
        _ => Err(TaxIdError::Format),
    }
}

/// Checks an entity's control; answers whether it is of the unusual kind for its letter.
fn entity(letter: u8, digits: [u32; 7], control: u8) -> Result<bool, TaxIdError> {
    let sum: u32 = digits
        .iter()
        .enumerate()
        .map(|(i, d)| match i % 2 {
            0 => d * 2 / 10 + d * 2 % 10,
            _ => *d,
        })
        .sum();
    let expected = ((10 - sum % 10) % 10) as usize;
    // A number that begins with 00 is a non-resident's, whose control may be a letter whatever the first letter is.
    let non_resident = digits[0] == 0 && digits[1] == 0;
    match control {
        b'0'..=b'9' if usize::from(control - b'0') == expected => Ok(LETTER_ONLY.contains(&letter)),
        b'A'..=b'J' if control == CONTROL_LETTERS[expected] => Ok(DIGIT_ONLY.contains(&letter) && !non_resident),
        b'0'..=b'9' | b'A'..=b'J' => Err(TaxIdError::Control),
        _ => Err(TaxIdError::Format),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::Value;

    #[test]
    fn vectors() {
        let vectors: Value = serde_json::from_str(include_str!("../../../vectors/nif.json")).unwrap();
        let cases = vectors["cases"].as_array().unwrap();
        assert_eq!(cases.len(), 58);
        for case in cases {
            let input = case["input"].as_str().unwrap();
            let found = check(input);
            assert_eq!(found.is_ok(), case["accept"] == true, "{input}");
            assert_eq!(normalise(input), case["normalized"].as_str().unwrap(), "{input}");
            match found {
                Ok(id) => {
                    assert_eq!(id.warning, case["warning"] == "control_type", "{input}");
                    let kind = match id.kind {
                        Kind::Dni => "DNI",
                        Kind::Nie => "NIE",
                        Kind::Klm => "NIF_KLM",
                        Kind::Entity => "CIF",
                    };
                    assert!(case["kind"].is_null() || case["kind"] == kind, "{input}: {kind}");
                    assert_eq!(id.value, case["normalized"].as_str().unwrap());
                }
                Err(_) => assert!(!case["reason"].is_null(), "{input}"),
            }
        }
    }

    fn person_id() -> impl Strategy<Value = String> {
        let dni = (0..100_000_000_u32).prop_map(|n| format!("{n:08}{}", LETTERS[(n % 23) as usize] as char));
        let nie = (0..3_u32, 0..10_000_000_u32).prop_map(|(first, n)| {
            let letter = LETTERS[((first * 10_000_000 + n) % 23) as usize] as char;
            format!("{}{n:07}{letter}", (b'X' + u8::try_from(first).unwrap()) as char)
        });
        prop_oneof![dni, nie]
    }

    proptest! {
        #[test]
        fn generated_ids_are_accepted_and_any_other_control_is_refused(id in person_id(), other in b'A'..=b'Z') {
            prop_assert_eq!(check(&id).map(|t| (t.value, t.warning)), Ok((id.clone(), false)));
            prop_assume!(!id.ends_with(other as char));
            let changed = format!("{}{}", &id[..8], other as char);
            prop_assert!(check(&changed).is_err());
        }

        #[test]
        fn separators_and_case_do_not_matter(id in person_id(), at in 0..9_usize) {
            let spelled = format!(" {}-{} ", &id[..at], id[at..].to_lowercase());
            prop_assert_eq!(check(&spelled).map(|t| t.value), Ok(id));
        }

        #[test]
        fn any_text_is_answered(text in "\\PC{0,40}") {
            let _ = check(&text);
        }
    }
}
