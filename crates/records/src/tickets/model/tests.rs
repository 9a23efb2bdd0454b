use super::*;
use serde_json::json;

fn sent(incidence: Value) -> Result<Sent, IncidenceError> {
    serde_json::from_value::<SendIncidence>(json!({"incidence": incidence})).expect("a body").check()
}

// INCID-10
#[test]
fn statuses_move_as_designed() {
    let table = |admin, author| {
        Status::ALL
            .iter()
            .map(|from| moves(*from, Standing { admin, author }).iter().map(|to| i16::from(*to)).collect())
            .collect()
    };
    let admins: Vec<Vec<i16>> = table(true, false);
    assert_eq!(admins, [vec![2], vec![4], vec![2], vec![3]]);
    let authors: Vec<Vec<i16>> = table(false, true);
    assert_eq!(authors, [vec![], vec![], vec![], vec![3]]);
    let others: Vec<Vec<i16>> = table(false, false);
    assert!(others.iter().all(Vec::is_empty));
}

// INCID-2
#[test]
fn what_is_missing_is_named() {
    let missing = |body: Value| match sent(body.clone()) {
        Err(IncidenceError::Missing(fields)) => fields,
        other => panic!("{body}: {other:?}"),
    };
    assert_eq!(missing(json!({})), ["type", "reason", "comments"]);
    assert_eq!(missing(json!({"type": 0, "reason": "0", "comments": "  \n"})), ["type", "reason", "comments"]);
    assert_eq!(missing(json!({"type": 1, "reason": 2, "comments": "Sin imagen"})), ["conferenceId"]);
    assert_eq!(missing(json!({"type": 2, "comments": "x"})), ["reason"]);
    assert_eq!(missing(json!({"incidenceId": "0192f0c1-7d2c-7bbb-8a5e-00000000beef"})), ["comments"]);
}

// INCID-1, INCID-3
#[test]
fn what_is_wrong_is_named() {
    let wrong = |body: Value| match sent(body.clone()) {
        Err(IncidenceError::Invalid(wrong)) => wrong.iter().map(|w| (w.field, w.code)).collect::<Vec<_>>(),
        other => panic!("{body}: {other:?}"),
    };
    assert_eq!(wrong(json!({"type": 7, "reason": 6, "comments": "x"})), [("type", "INVALID"), ("reason", "INVALID")]);
    let long = "ñ".repeat(2001);
    assert_eq!(wrong(json!({"type": 2, "reason": 5, "comments": long})), [("comments", "TOO_LONG")]);
    assert_eq!(wrong(json!({"type": 2, "reason": 5, "comments": "a\u{0}b"})), [("comments", "CHARACTERS_NOT_ALLOWED")]);
    let phone = json!({"type": 2, "reason": 5, "comments": "x", "phoneNumber": "12"});
    assert_eq!(wrong(phone)[0].0, "phoneNumber");
}

// INCID-1, INCID-3
#[test]
fn a_good_form_is_understood() {
    let comments = "ñ".repeat(2000);
    let body = json!({"type": "2", "reason": "3", "comments": comments, "expedientId": " 2026-1 ", "phoneNumber": "600 123 456",
        "conferenceId": "ignored", "browser": {"userAgent": "Mozilla\u{0}", "screen": {"deep": 1}, "width": 390}});
    let Ok(Sent::New(new)) = sent(body) else { panic!("a good form") };
    assert_eq!((new.kind, new.reason, new.conference), (Kind::General, Reason::Sms, None));
    assert_eq!((new.expedient.as_deref(), new.phone.as_deref()), (Some("2026-1"), Some("+34600123456")));
    assert_eq!(Value::from(new.browser), json!({"userAgent": "Mozilla", "width": 390}));
}

// INCID-2
#[test]
fn a_change_asks_for_something() {
    let change = |body: Value| serde_json::from_value::<IncidenceChange>(body).expect("a body").check();
    let id = "0192f0c1-7d2c-7bbb-8a5e-00000000beef";
    assert!(matches!(change(json!({"_id": id})), Err(IncidenceError::Missing(fields)) if fields == ["answer"]));
    assert!(matches!(change(json!({"_id": "x", "answer": "y"})), Err(IncidenceError::NotFound)));
    assert!(matches!(change(json!({"_id": id, "status": 9})), Err(IncidenceError::Invalid(_))));
    let (_, good) = change(json!({"_id": id, "status": "2", "answer": " Lo miramos "})).expect("good");
    assert_eq!(good, Change { status: Some(Status::Review), answer: Some("Lo miramos".into()), note: None });
}

// INCID-4, INCID-7
#[test]
fn numbers_and_days() {
    assert_eq!(shown_number(123), "INC-000123");
    let at = |text: &str| text.parse::<DateTime<chrono::Utc>>().expect("valid");
    let now = at("2026-11-27T09:00:00Z");
    assert!(is_recent(at("2026-11-19T23:00:00Z"), now), "the twentieth begins in Madrid");
    assert!(!is_recent(at("2026-11-19T22:59:59Z"), now));
}
