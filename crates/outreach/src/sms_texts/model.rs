//! Rules about a company's SMS. Pure.

use atalaya_identity::companies::sms::SenderStatus;
use atalaya_kernel::limits::{SMS_SENDER_MAX, SMS_TEXT_MAX};
use atalaya_messaging::sms;
use atalaya_rest::FieldError;
use chrono::{DateTime, NaiveDate, TimeDelta, Utc};

/// Maximum length of a provider's name.
const PROVIDER_MAX: usize = 60;

/// Generic names, which the Registry refuses (SMS-5).
const GENERIC: &[&str] = &[
    "alerta",
    "alertas",
    "aviso",
    "avisos",
    "banco",
    "cita",
    "cliente",
    "clientes",
    "codigo",
    "correos",
    "dgt",
    "empresa",
    "info",
    "informacion",
    "mensaje",
    "notice",
    "oferta",
    "ofertas",
    "pago",
    "perito",
    "peritos",
    "policia",
    "prueba",
    "seguro",
    "seguros",
    "sms",
    "taller",
    "test",
    "urgente",
    "verify",
    "whatsapp",
];

/// The company's own text; `None` returns to the default text (SMS-3).
///
/// Errors on `sms`: `SMS_TEXT_TOO_LONG` over 100 characters, `CHARACTERS_NOT_ALLOWED` for line breaks, `<` and `>`.
pub fn check_text(raw: &str, default: &str) -> Result<Option<String>, FieldError> {
    let text = raw.trim();
    if text.chars().count() > SMS_TEXT_MAX {
        return Err(FieldError::new("sms", "SMS_TEXT_TOO_LONG").param("max", SMS_TEXT_MAX));
    }
    if text.chars().any(|c| c.is_control() || c == '<' || c == '>') {
        return Err(FieldError::new("sms", "CHARACTERS_NOT_ALLOWED"));
    }
    Ok((!text.is_empty() && text != default).then(|| text.to_owned()))
}

/// A sender name; `None` gives it up. Spaces at the ends are an error and not trimmed: the Registry counts every character.
///
/// Errors on `sms`: `SMS_SENDER_TOO_LONG` over 11 characters, `SMS_SENDER_INVALID`, `SMS_SENDER_GENERIC`.
pub fn check_sender(name: &str) -> Result<Option<String>, FieldError> {
    if name.is_empty() {
        return Ok(None);
    }
    if name.chars().count() > SMS_SENDER_MAX {
        return Err(FieldError::new("sms", "SMS_SENDER_TOO_LONG").param("max", SMS_SENDER_MAX));
    }
    if !sms::is_sender(name) {
        return Err(FieldError::new("sms", "SMS_SENDER_INVALID"));
    }
    if GENERIC.contains(&name.to_ascii_lowercase().as_str()) {
        return Err(FieldError::new("sms", "SMS_SENDER_GENERIC"));
    }
    Ok(Some(name.to_owned()))
}

/// Whether an administrator may make this move (SMS-7); the same state again corrects date and provider.
pub fn may_move(from: SenderStatus, to: SenderStatus) -> bool {
    use SenderStatus::{Draft, Registered, Rejected, Requested};
    from == to
        || matches!(
            (from, to),
            (Draft, Requested | Registered)
                | (Requested, Draft | Registered | Rejected)
                | (Rejected, Draft | Requested)
                | (Registered, Rejected)
        )
}

/// The date of the Registry's answer: a day or a moment, not after tomorrow, which allows for time zones.
pub fn check_evidence(raw: &str, now: DateTime<Utc>) -> Result<DateTime<Utc>, FieldError> {
    let day = || raw.parse::<NaiveDate>().ok()?.and_hms_opt(0, 0, 0).map(|at| at.and_utc());
    let at = DateTime::parse_from_rfc3339(raw).ok().map(|at| at.to_utc()).or_else(day);
    at.filter(|at| *at <= now + TimeDelta::days(1)).ok_or_else(|| FieldError::new("evidenceAt", "INVALID"))
}

/// The messaging provider named in the registration. Errors on `provider`: `TOO_LONG`, `CHARACTERS_NOT_ALLOWED`.
pub fn check_provider(raw: &str) -> Result<Option<String>, FieldError> {
    let name = raw.trim();
    if name.chars().count() > PROVIDER_MAX {
        return Err(FieldError::new("provider", "TOO_LONG").param("max", PROVIDER_MAX));
    }
    if name.chars().any(|c| c.is_control() || c == '<' || c == '>') {
        return Err(FieldError::new("provider", "CHARACTERS_NOT_ALLOWED"));
    }
    Ok((!name.is_empty()).then(|| name.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    // SMS-3
    #[test]
    fn texts_may_have_exactly_the_maximum() {
        let code = |text: &str| check_text(text, "Pulse:").map_err(|error| error.code.into_owned());
        assert_eq!(code(&"ñ".repeat(100)), Ok(Some("ñ".repeat(100))));
        assert_eq!(code(&"x".repeat(101)), Err("SMS_TEXT_TOO_LONG".into()));
        assert_eq!(code("  "), Ok(None));
        assert_eq!(code(" Pulse: "), Ok(None), "the default text is nobody's own");
        for bad in ["a\nb", "<b>", "a\u{7}"] {
            assert_eq!(code(bad), Err("CHARACTERS_NOT_ALLOWED".into()), "{bad:?}");
        }
    }

    // SMS-5
    #[test]
    fn senders_are_names_that_the_registry_takes() {
        let code = |name: &str| check_sender(name).map_err(|error| error.code.into_owned());
        assert_eq!(code("Peritos-1"), Ok(Some("Peritos-1".into())));
        assert_eq!(code(""), Ok(None));
        assert_eq!(code("Aseguradora12"), Err("SMS_SENDER_TOO_LONG".into()));
        for bad in ["AB", "12345678901", " Taller", "Mi  Taller", "Taller/1", "Ñandú", "A\nBC"] {
            assert_eq!(code(bad), Err("SMS_SENDER_INVALID".into()), "{bad:?}");
        }
        assert_eq!(code("Info"), Err("SMS_SENDER_GENERIC".into()));
    }

    // SMS-7
    #[test]
    fn registrations_go_their_way() {
        use SenderStatus::*;
        let ways = |from| SenderStatus::ALL.into_iter().filter(|to| may_move(from, *to)).collect::<Vec<_>>();
        assert_eq!(ways(Draft), [Draft, Requested, Registered]);
        assert_eq!(ways(Requested), [Draft, Requested, Registered, Rejected]);
        assert_eq!(ways(Registered), [Registered, Rejected]);
        assert_eq!(ways(Rejected), [Draft, Requested, Rejected]);
    }

    // SMS-7
    #[test]
    fn evidence_has_a_date_that_has_been() {
        let now = DateTime::from_timestamp(1_800_000_000, 0).unwrap();
        assert!(check_evidence("2026-12-01", now).is_ok() && check_evidence("2026-12-01T10:00:00Z", now).is_ok());
        for bad in ["2030-01-01", "ayer", "", "2026-13-01"] {
            assert!(check_evidence(bad, now).is_err(), "{bad}");
        }
    }
}
