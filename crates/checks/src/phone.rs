//! Phone numbers: any spelling in, E.164 out.

use rlibphonenumber::{PhoneNumber, PhoneNumberFormat, PhoneNumberType, Region};

/// Why a phone was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PhoneError {
    TooShort,
    TooLong,
    Invalid,
    /// It is whole, and no SMS reaches it.
    Landline,
}

impl PhoneError {
    /// Stable code for the field.
    pub fn code(self) -> &'static str {
        match self {
            PhoneError::TooShort | PhoneError::Invalid => "PHONE_INVALID",
            PhoneError::TooLong => "PHONE_TOO_LONG",
            PhoneError::Landline => "PHONE_LANDLINE",
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

/// The same for a phone that an SMS goes to (CASE-50).
pub fn to_mobile(raw: &str) -> Result<String, PhoneError> {
    to_e164(raw).and_then(|number| if is_landline(&number) { Err(PhoneError::Landline) } else { Ok(number) })
}

/// Whether a phone in E.164 never gets an SMS: landlines, and numbers of services (800, 900, 902 …). What a country does not
/// distinguish by its digits is taken for a mobile.
pub fn is_landline(e164: &str) -> bool {
    use PhoneNumberType::{FixedLine, PremiumRate, SharedCost, TollFree, UAN, VoiceMail};
    let Ok(number) = PhoneNumber::parse(e164, Some(Region::ES)) else { return false };
    matches!(number.get_type(), FixedLine | TollFree | PremiumRate | SharedCost | UAN | VoiceMail)
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

    // CASE-50
    #[test]
    fn landlines_get_no_sms() {
        for (phone, landline) in [
            ("+34912345678", true),
            ("+34871234567", true),
            ("+34900123456", true),
            ("+34902123456", true),
            ("+34600123123", false),
            ("+34711123123", false),
            ("+33612345678", false),
            ("+33142685300", true),
            ("+12015550123", false),
            ("", false),
        ] {
            assert_eq!(is_landline(phone), landline, "{phone}");
        }
        assert_eq!(to_mobile("912 345 678"), Err(PhoneError::Landline));
        assert_eq!(to_mobile("600 123 123").as_deref(), Ok("+34600123123"));
        assert_eq!(to_mobile("600"), Err(PhoneError::TooShort));
    }

    #[test]
    fn a_masked_phone_shows_its_ends() {
        assert_eq!(mask("+34600123123"), "+34 ••• ••• 123");
    }
}
