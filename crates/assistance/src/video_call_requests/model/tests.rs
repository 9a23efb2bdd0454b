use super::*;

fn at(minutes: i64) -> DateTime<Utc> {
    DateTime::from_timestamp(1_800_000_000, 0).unwrap() + TimeDelta::minutes(minutes)
}

// REQUEST-18. Rows are states, columns the steps.
#[test]
fn the_states_of_a_request() {
    use State::*;
    let steps = [Step::Accept, Step::Refuse, Step::Withdraw, Step::Expire, Step::CallBack];
    for (state, after) in [
        (Waiting, [Some(Accepted), Some(Refused), Some(Withdrawn), Some(Expired), Some(Scheduled)]),
        (Scheduled, [Some(Accepted), Some(Refused), Some(Withdrawn), Some(Expired), Some(Scheduled)]),
        (Accepted, [None; 5]),
        (Refused, [None, None, None, None, Some(Scheduled)]),
        (Withdrawn, [None; 5]),
        (Expired, [None, None, None, None, Some(Scheduled)]),
    ] {
        assert_eq!(steps.map(|step| state.after(step)), after, "{state:?}");
        assert_eq!(State::parse(state.name()), state);
        assert_eq!(state.is_open(), matches!(state, Waiting | Scheduled));
    }
}

// REQUEST-3, REQUEST-13
#[test]
fn a_request_rings_ten_minutes_and_a_call_back_thirty_from_its_time_on() {
    let second = TimeDelta::seconds(1);
    let waiting = Times::waiting(at(0));
    let scheduled = Times::scheduled(at(60));
    for (times, now, open, rings) in [
        (waiting, at(0), true, true),
        (waiting, at(10) - second, true, true),
        (waiting, at(10), false, false),
        (waiting, at(10) + second, false, false),
        (scheduled, at(0), true, false),
        (scheduled, at(60) - second, true, false),
        (scheduled, at(60), true, true),
        (scheduled, at(90) - second, true, true),
        (scheduled, at(90), false, false),
        (Times { state: State::Accepted, ..waiting }, at(1), false, false),
    ] {
        assert_eq!((times.is_open(now), times.rings(now)), (open, rings), "{times:?} at {now}");
    }
}

// REQUEST-12
#[test]
fn a_call_back_is_five_minutes_to_fourteen_days_ahead() {
    let second = TimeDelta::seconds(1);
    let code = |ahead: TimeDelta| check_callback(at(0) + ahead, at(0)).err().map(|wrong| wrong.code);
    let (min, max) = (TimeDelta::minutes(5), TimeDelta::days(14));
    assert_eq!(code(min - second), Some("CALLBACK_TOO_SOON"));
    assert_eq!((code(min), code(max)), (None, None));
    assert_eq!(code(max + second), Some("CALLBACK_TOO_LATE"));
    assert_eq!(code(TimeDelta::days(-1)), Some("CALLBACK_TOO_SOON"));
}

fn asked(change: impl FnOnce(&mut NewRequest)) -> Vec<(&'static str, &'static str)> {
    let id = Some("018f3b2a-0000-7000-8000-00000000dead".to_owned());
    let mut new = NewRequest {
        region: Some("Valencia".into()),
        customer_id: id.clone(),
        insurance_company_id: id,
        expedient: Some("EXP-1".into()),
        request_type: Some(2),
        ..NewRequest::default()
    };
    change(&mut new);
    new.check(at(0)).err().unwrap_or_default().iter().map(|wrong| (wrong.field, wrong.code)).collect()
}

// REQUEST-1
#[test]
fn fields_are_checked_all_at_once() {
    assert_eq!(asked(|_| ()), []);
    let all = asked(|new| *new = NewRequest::default());
    let required = ["region", "expedient", "type", "customerId"].map(|field| (field, "REQUIRED"));
    assert_eq!(all, required);
    let text = |n: usize| Some("a".repeat(n));
    assert_eq!(asked(|new| new.region = text(60)), []);
    assert_eq!(asked(|new| new.region = text(61)), [("region", "TOO_LONG")]);
    assert_eq!(asked(|new| new.expedient = text(60)), []);
    assert_eq!(asked(|new| new.expedient = text(61)), [("expedient", "TOO_LONG")]);
    assert_eq!(asked(|new| new.region = Some("<b>".into())), [("region", "CHARACTERS_NOT_ALLOWED")]);
    assert_eq!(asked(|new| new.request_type = Some(3)), [("type", "INVALID")]);
    assert_eq!(asked(|new| new.customer_id = Some("x".into())), [("customerId", "INVALID")]);
    assert_eq!(asked(|new| new.insurance_company_id = Some("x".into())), [("insuranceCompanyId", "INVALID")]);
    assert_eq!(asked(|new| new.insurance_company_id = None), []);
    for (phone, wrong) in [
        ("600123", vec![("starterPhone", "PHONE_INVALID")]),
        ("600123123", vec![]),
        ("0034 600 123 123", vec![]),
        ("+34 600 123 123 0000", vec![("starterPhone", "PHONE_TOO_LONG")]),
    ] {
        assert_eq!(asked(|new| new.starter_phone = Some(phone.into())), wrong, "{phone}");
    }
    assert_eq!(asked(|new| new.plate = Some("1234 BCD".into())), []);
    assert_eq!(asked(|new| new.plate = Some("¿?".into())), [("plate", "CAR_ID_INVALID")]);
    assert_eq!(asked(|new| new.callback_at = Some("mañana".into())), [("callbackAt", "INVALID")]);
    assert_eq!(asked(|new| new.callback_at = Some(at(4).to_rfc3339())), [("callbackAt", "CALLBACK_TOO_SOON")]);
    assert_eq!(asked(|new| new.callback_at = Some(at(5).to_rfc3339())), []);
}

// REQUEST-8, REQUEST-12
#[test]
fn reasons_and_call_backs_are_read() {
    assert_eq!(read_reason(&None), Ok(None));
    assert_eq!(read_reason(&Some("a".repeat(200))).map(|reason| reason.map(|r| r.len())), Ok(Some(200)));
    assert!(read_reason(&Some("a".repeat(201))).is_err());
    assert_eq!(read_callback(&None, at(0)).unwrap_err()[0].code, "REQUIRED");
    assert_eq!(read_callback(&Some(at(9).to_rfc3339()), at(0)), Ok(at(9)));
}
