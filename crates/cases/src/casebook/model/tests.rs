use super::*;

fn good() -> OpenConference {
    OpenConference {
        phone_number: Some("600 123 123".into()),
        expedient_number: Some(" 2026-118392 ".into()),
        conference_type: Some(1),
        ..Default::default()
    }
}

fn codes(input: OpenConference) -> Vec<(&'static str, &'static str)> {
    input.check().expect_err("refused").into_iter().map(|w| (w.field, w.code)).collect()
}

// CASE-1, CASE-4
#[test]
fn the_three_required_fields_are_enough() {
    let opening = good().check().expect("accepted");
    assert_eq!(opening.phone_number, "+34600123123");
    assert_eq!(opening.expedient_number, "2026-118392");
    assert_eq!(
        (opening.conference_type, opening.channel, opening.app_type.as_str()),
        (ConferenceType::Autos, LinkChannel::Sms, "web")
    );
}

// CASE-2
#[test]
fn everything_wrong_is_told_at_once() {
    let input = OpenConference {
        phone_number: Some("12".into()),
        conference_type: Some(9),
        car_id: Some("<script>1".into()),
        postal_code: Some("99999".into()),
        channel: LinkChannel::Email,
        sms_text: Some("x".repeat(101)),
        ..Default::default()
    };
    assert_eq!(
        codes(input),
        [
            ("expedientNumber", "REQUIRED"),
            ("phoneNumber", "PHONE_INVALID"),
            ("type", "TYPE_UNKNOWN"),
            ("carId", "CAR_ID_INVALID"),
            ("postalCode", "POSTAL_CODE_INVALID"),
            ("email", "REQUIRED"),
            ("smsText", "TOO_LONG"),
        ]
    );
}

// CASE-3
#[test]
fn one_field_wrong() {
    for (input, expected) in [
        (OpenConference { phone_number: None, ..good() }, ("phoneNumber", "REQUIRED")),
        (OpenConference { phone_number: Some("6".repeat(20)), ..good() }, ("phoneNumber", "PHONE_TOO_LONG")),
        (OpenConference { expedient_number: Some("  ".into()), ..good() }, ("expedientNumber", "REQUIRED")),
        (OpenConference { expedient_number: Some("e".repeat(61)), ..good() }, ("expedientNumber", "TOO_LONG")),
        (OpenConference { expedient_number: Some("a\r\nb".into()), ..good() }, ("expedientNumber", "CHARACTERS_NOT_ALLOWED")),
        (OpenConference { conference_type: None, ..good() }, ("type", "REQUIRED")),
        (OpenConference { contact_person: Some("<b>Carmen".into()), ..good() }, ("contactPerson", "CHARACTERS_NOT_ALLOWED")),
        (OpenConference { email: Some("a@b".into()), ..good() }, ("email", "EMAIL_INVALID")),
        (OpenConference { contact_id: Some("x".into()), ..good() }, ("contactId", "INVALID")),
        (OpenConference { app_type: Some("tv".into()), ..good() }, ("appType", "INVALID")),
    ] {
        assert_eq!(codes(input), [expected]);
    }
    assert!(OpenConference { sms_text: Some("x".repeat(100)), ..good() }.check().is_ok());
}

// CASE-1
#[test]
fn the_type_may_be_text() {
    for (json, expected) in
        [(r#"{"type":2}"#, Some(2)), (r#"{"type":"2"}"#, Some(2)), (r#"{"type":""}"#, None), (r#"{"type":true}"#, Some(-1))]
    {
        let input: OpenConference = serde_json::from_str(json).expect("parses");
        assert_eq!(input.conference_type, expected, "{json}");
    }
}

// CASE-18
#[test]
fn the_same_case_has_the_same_key() {
    assert_eq!(expedient_key(" exp 77"), expedient_key("EXP77"));
}

fn at(s: i64) -> DateTime<Utc> {
    DateTime::from_timestamp(1_800_000_000 + s, 0).expect("valid")
}

// CASE-10, CASE-14
#[test]
fn links_and_idle_conferences_at_their_edges() {
    let created = at(0);
    assert!(link_is_live(link_expiry(created), at(86_399)));
    assert!(!link_is_live(link_expiry(created), at(86_400)));
    assert!(!is_idle(None, at(1_000_000)));
    assert!(!is_idle(Some(at(0)), at(299)));
    assert!(is_idle(Some(at(0)), at(300)));
}

// CASE-13
#[test]
fn duration_is_the_time_together() {
    let span = |staff, from, to: Option<i64>| Span { staff, from: at(from), to: to.map(at) };
    for (spans, expected) in [
        (vec![], 0),
        (vec![span(true, 0, Some(100))], 0),
        (vec![span(true, 0, Some(100)), span(false, 10, Some(40))], 30),
        (vec![span(true, 0, None), span(false, 50, None)], 150),
        (vec![span(true, 0, Some(20)), span(true, 10, Some(60)), span(false, 5, Some(15)), span(false, 30, Some(90))], 40),
        (vec![span(true, 0, Some(10)), span(false, 10, Some(20))], 0),
        (vec![span(false, 0, Some(5)), span(true, 0, Some(5)), span(false, 5, Some(9)), span(true, 5, Some(9))], 9),
    ] {
        assert_eq!(together_s(&spans, at(200)), expected, "{spans:?}");
    }
}
