use super::*;
use chrono::TimeDelta;
use proptest::prelude::*;

fn at(days: i64, seconds: i64) -> DateTime<Utc> {
    DateTime::from_timestamp(1_800_000_000, 0).unwrap() + TimeDelta::days(days) + TimeDelta::seconds(seconds)
}

fn sms() -> NewRequest {
    NewRequest {
        contact_type: Some(1),
        contact_text: Some("Necesitamos fotos de su expediente.".into()),
        page_show_text: Some("Fotos del golpe, por favor.".into()),
        to: Some("600 123 456".into()),
        ..NewRequest::default()
    }
}

fn email() -> NewRequest {
    NewRequest {
        contact_type: Some(2),
        to: Some("luis@correo.example".into()),
        email_title: Some("Archivos de su expediente".into()),
        ..sms()
    }
}

/// The one finding, if any, as `field code`.
fn finding(request: &NewRequest, before: bool) -> Option<String> {
    let wrong = request.check(before).err()?;
    assert_eq!(wrong.len(), 1, "{wrong:?}");
    Some(format!("{} {}", wrong[0].field, wrong[0].code))
}

// FILES-3
#[test]
fn texts_may_have_exactly_their_maximum() {
    let x = |n: usize| Some("ñ".repeat(n));
    for (max, make, field) in [
        (100, Box::new(|n| NewRequest { contact_text: x(n), ..sms() }) as Box<dyn Fn(usize) -> NewRequest>, "contactText"),
        (400, Box::new(|n| NewRequest { contact_text: x(n), ..email() }), "contactText"),
        (70, Box::new(|n| NewRequest { email_title: x(n), ..email() }), "emailTitle"),
        (250, Box::new(|n| NewRequest { page_show_text: x(n), ..sms() }), "pageShowText"),
    ] {
        assert_eq!(finding(&make(max - 1), false), None, "{field} {max}");
        assert_eq!(finding(&make(max), false), None, "{field} {max}");
        assert_eq!(finding(&make(max + 1), false), Some(format!("{field} TOO_LONG")), "{max}");
        assert_eq!(make(max + 1).check(false).unwrap_err()[0].max, Some(max), "the number is told");
    }
}

// FILES-3
#[test]
fn an_address_may_have_350_characters() {
    // Labels of a domain have 63 characters at most.
    let of = |length: usize| {
        let labels = format!("{0}.{0}.{0}.{0}", "d".repeat(63));
        let rest = length - "a@".len() - labels.len() - ".".len() - ".es".len();
        let (first, second) = (rest / 2, rest - rest / 2 - 1);
        NewRequest { to: Some(format!("a@{labels}.{}.{}.es", "e".repeat(first), "f".repeat(second))), ..email() }
    };
    assert_eq!(of(350).to.as_ref().map(String::len), Some(350));
    assert_eq!(finding(&of(349), false), None);
    assert_eq!(finding(&of(350), false), None);
    assert_eq!(finding(&of(351), false), Some("to TOO_LONG".into()));
    for bad in ["luis", "luis@correo", "a b@c.es", "a@b.es\r\nBcc: x@y.es", "<a@b.es>"] {
        assert_eq!(finding(&NewRequest { to: Some(bad.into()), ..email() }, false), Some("to EMAIL_INVALID".into()), "{bad}");
    }
}

// FILES-3
#[test]
fn a_phone_has_7_to_19_characters() {
    use atalaya_checks::phone::{PhoneError, to_e164};
    assert_eq!(to_e164("600123"), Err(PhoneError::TooShort), "6");
    assert_eq!(to_e164("6001234"), Err(PhoneError::Invalid), "7: long enough, and nobody's number");
    for (raw, expected) in [
        ("+6907290", None),
        ("+34 600 12-34-56", None),
        ("+34-(600)-12-34-56", None),
        ("+34 -(600)-12-34-56", None),
        ("+34 - (600)-12-34-56", Some("to PHONE_TOO_LONG")),
        ("600123", Some("to PHONE_INVALID")),
        ("600 123 45", Some("to PHONE_INVALID")),
        ("seiscientos", Some("to PHONE_INVALID")),
    ] {
        let request = NewRequest { to: Some(raw.into()), ..sms() };
        assert_eq!(finding(&request, false).as_deref(), expected, "{raw} ({})", raw.len());
    }
    assert_eq!("+34 -(600)-12-34-56".len(), 19);
}

// FILES-4, FILES-6
#[test]
fn what_is_required() {
    for (request, expected) in [
        (NewRequest { contact_type: None, ..sms() }, "contactType REQUIRED"),
        (NewRequest { contact_type: Some(3), ..sms() }, "contactType INVALID"),
        (NewRequest { contact_text: Some("  ".into()), ..sms() }, "contactText REQUIRED"),
        (NewRequest { to: None, ..sms() }, "to REQUIRED"),
        (NewRequest { email_title: None, ..email() }, "emailTitle REQUIRED"),
        (NewRequest { page_show_text: None, ..sms() }, "pageShowText REQUIRED"),
        (NewRequest { contact_text: Some("a\nb".into()), ..sms() }, "contactText CHARACTERS_NOT_ALLOWED"),
        (NewRequest { email_title: Some("a\r\nBcc: x".into()), ..email() }, "emailTitle CHARACTERS_NOT_ALLOWED"),
    ] {
        assert_eq!(finding(&request, false).as_deref(), Some(expected));
    }
    assert_eq!(finding(&NewRequest { page_show_text: None, ..sms() }, true), None, "asked for the first time only");
    assert_eq!(finding(&NewRequest { contact_text: Some("a\n\nb".into()), ..email() }, false), None);
    let nothing = NewRequest::default().check(false).unwrap_err();
    assert_eq!(nothing.iter().map(|w| w.field).collect::<Vec<_>>(), ["contactType", "contactText", "to", "pageShowText"]);
}

// FILES-5
#[test]
fn thirty_things_at_most_and_each_with_a_name() {
    let of = |n: usize, label: &str| NewRequest {
        items: vec![NewItem { label: Some(label.into()), ..NewItem::default() }; n],
        ..sms()
    };
    assert_eq!(finding(&of(30, "Matrícula"), false), None);
    assert_eq!(finding(&of(31, "Matrícula"), false), Some("items TOO_MANY".into()));
    assert_eq!(finding(&of(1, " "), false), Some("items REQUIRED".into()));
    assert_eq!(finding(&of(1, &"x".repeat(61)), false), Some("items TOO_LONG".into()));
}

// FILES-9
#[test]
fn a_request_stands_where_its_things_stand() {
    use ItemState::{Approved, Asked, Received, Rejected};
    let of = |items: &[ItemState], opened, cancelled, days| {
        Standing { items, opened, cancelled, expires_at: at(30, 0) }.state(at(days, 0))
    };
    assert_eq!(of(&[Asked, Asked], false, false, 1), RequestState::Sent);
    assert_eq!(of(&[Asked, Asked], true, false, 1), RequestState::Opened);
    assert_eq!(of(&[Received, Asked], true, false, 1), RequestState::Partial);
    assert_eq!(of(&[Received, Rejected], true, false, 1), RequestState::Partial);
    assert_eq!(of(&[Received, Approved], true, false, 1), RequestState::Complete);
    assert_eq!(of(&[Received, Approved], true, false, 40), RequestState::Complete, "what came stays");
    assert_eq!(of(&[Received, Asked], true, false, 30), RequestState::Expired);
    assert_eq!(of(&[Received, Approved], true, true, 1), RequestState::Cancelled);
}

// FILES-8
#[test]
fn a_link_is_open_until_something_ends_it() {
    let of = |erased, cancelled, finished, seconds| link_state(erased, cancelled, finished, at(30, 0), at(30, seconds));
    assert_eq!(of(false, false, false, -1), LinkState::Open);
    assert_eq!(of(false, false, false, 0), LinkState::Expired);
    assert_eq!(of(false, false, true, -1), LinkState::Finished);
    assert_eq!(of(false, true, true, -1), LinkState::Cancelled);
    assert_eq!(of(true, true, true, -1), LinkState::Erased);
}

proptest! {
    #[test]
    fn no_text_makes_the_check_fail_over(text in any::<String>(), to in any::<String>(), kind in any::<Option<i16>>()) {
        let request = NewRequest {
            contact_type: kind,
            contact_text: Some(text.clone()),
            page_show_text: Some(text.clone()),
            email_title: Some(text),
            to: Some(to),
            ..NewRequest::default()
        };
        if let Ok(checked) = request.check(false) {
            prop_assert!(checked.contact_text.chars().count() <= limits::EMAIL_TEXT_MAX);
        }
    }
}
