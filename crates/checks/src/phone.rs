//! Phone numbers: any spelling in, E.164 out.

use rlibphonenumber::{PhoneNumber, PhoneNumberFormat, Region};

/// Why a phone was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PhoneError {
    TooShort,
    TooLong,
    Invalid,
}

impl PhoneError {
    /// Stable code for the field.
    pub fn code(self) -> &'static str {
        match self {
            PhoneError::TooShort | PhoneError::Invalid => "PHONE_INVALID",
            PhoneError::TooLong => "PHONE_TOO_LONG",
        }
    }
}

/// Turns a raw phone of 7 to 19 characters into E.164; numbers without a prefix are Spanish.
pub fn to_e164(raw: &str) -> Result<String, PhoneError> {
    let raw = raw.trim();
    match raw.chars().count() {
        0..7 => return Err(PhoneError::TooShort),
        20.. => return Err(PhoneError::TooLong),
        _ => {}
    }
    if !raw.chars().all(|c| c.is_ascii_digit() || " +-().".contains(c)) {
        return Err(PhoneError::Invalid);
    }
    let number = PhoneNumber::parse(raw, Some(Region::ES)).map_err(|_| PhoneError::Invalid)?;
    if !number.is_valid() {
        return Err(PhoneError::Invalid);
    }
    Ok(number.format_as(PhoneNumberFormat::E164).into_owned())
}

/// Shows a phone with its middle hidden, for certificates and logs of messages: `+34 ••• ••• 123`.
pub fn mask(e164: &str) -> String {
    let tail: String = e164.chars().rev().take(3).collect::<Vec<_>>().into_iter().rev().collect();
    let head: String = e164.chars().take(3).collect();
    format!("{head} ••• ••• {tail}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_become_e164() {
        for (raw, expected) in [
            ("600 123 123", "+34600123123"),
            ("+34 600-12-31-23", "+34600123123"),
            ("0034600123123", "+34600123123"),
            ("+44 7400 123456", "+447400123456"),
            ("(+34) 912 345 678", "+34912345678"),
        ] {
            assert_eq!(to_e164(raw).as_deref(), Ok(expected), "{raw}");
        }
    }

    #[test]
    fn refusals() {
        for (raw, expected) in [
            ("", PhoneError::TooShort),
            ("60012", PhoneError::TooShort),
            ("600123123600123123600", PhoneError::TooLong),
            ("600 123 12", PhoneError::Invalid),
            ("100000000", PhoneError::Invalid),
            ("<b>600123123", PhoneError::Invalid),
            ("600123123;x", PhoneError::Invalid),
        ] {
            assert_eq!(to_e164(raw), Err(expected), "{raw}");
        }
    }

    #[test]
    fn a_masked_phone_shows_its_ends() {
        assert_eq!(mask("+34600123123"), "+34 ••• ••• 123");
    }
}
