//! The tariff on the pricing vectors, and its properties on random months.

use atalaya_tariff::simulate::simulate;
use atalaya_tariff::{
    Accepted, Cents, Customer, Discount, Month, Outcome, Percent, PriceTable, Session, Statement, VatRegime, detailed, statement,
};
use chrono::{DateTime, FixedOffset, TimeDelta};
use proptest::prelude::*;
use serde_json::{Value, json};

const VECTORS: &str = include_str!("../../../vectors/pricing.json");

// TARIFF-4, TARIFF-5, TARIFF-7, TARIFF-9, TARIFF-10, TARIFF-12
#[test]
fn every_vector_comes_out_as_expected() {
    let vectors: Value = serde_json::from_str(VECTORS).unwrap();
    let answer = serde_json::to_value(simulate(VECTORS).unwrap()).unwrap();
    let (expected, found) = (vectors["examples"].as_array().unwrap(), answer["examples"].as_array().unwrap());
    assert!(expected.len() >= 16 && expected.len() == found.len());
    for (expected, found) in expected.iter().zip(found) {
        assert_eq!(found["name"], expected["name"]);
        assert_eq!(found["expected"], expected["expected"], "{}", expected["name"]);
    }
}

// TARIFF-14
#[test]
fn one_example_alone_is_a_file_too_and_wrong_ones_are_named() {
    let vectors: Value = serde_json::from_str(VECTORS).unwrap();
    let example = &vectors["examples"][0];
    assert_eq!(simulate(&example.to_string()).unwrap().examples[0].expected["total"], 3630);
    let wrong = |change: fn(&mut Value)| {
        let mut changed = example.clone();
        change(&mut changed);
        simulate(&changed.to_string()).unwrap_err().to_string()
    };
    assert!(
        wrong(|e| e["prices"][0]["discounts"] = json!([{"to": 5, "percent": 9}, {"to": 9, "percent": 1}]))
            .contains("P1: discounts")
    );
    assert!(wrong(|e| e["month"] = json!(13)).contains("month 13 of 2026"));
    assert!(wrong(|e| e["sessions"][0]["seconds"] = json!(-1)).contains("c1"));
    for beyond in [json!(i64::MAX), json!(366 * 86_400 + 1)] {
        let mut changed = example.clone();
        changed["sessions"][0]["seconds"] = beyond;
        assert!(simulate(&changed.to_string()).unwrap_err().to_string().contains("longer than a year"));
    }
    assert!(wrong(|e| e["sessions"][0]["start"] = json!("1969-12-31T23:59:59Z")).contains("1970"));
    assert!(wrong(|e| e["prices"][0]["connection"] = json!(i64::MAX)).contains("beyond"));
    assert!(wrong(|e| e["prices"] = json!("none")).contains("not in the format"));
    let mut many = example.clone();
    many["sessions"] = json!({"generate": {"count": 600_000, "seconds": 60, "first": "2026-10-05T08:00:00Z", "everyMinutes": 1,
        "conferenceId": "c%05d", "expedientNumber": "e"}});
    assert!(simulate(&json!({"examples": [many, many]}).to_string()).unwrap_err().to_string().contains("1000000 sessions"));
    assert!(simulate("[").unwrap_err().to_string().contains("not in the format"));
}

/// A connection belongs to the month in which it starts, on the clock of Madrid, and to the table in force then.
// TARIFF-1, TARIFF-6
#[test]
fn months_and_tables_at_their_edges() {
    let at = |text: &str| DateTime::parse_from_rfc3339(text).unwrap();
    let table = |id: &str, accepted: &str, connection: i64| Accepted {
        id: id.into(),
        accepted_at: at(accepted),
        table: PriceTable { connection: Cents(connection), min_payment: Cents(0), ..prices() },
    };
    let tables = [table("old", "2026-01-01T00:00:00Z", 100), table("new", "2026-10-15T12:00:00Z", 700)];
    let session = |n: u32, start: &str| Session {
        conference: format!("c{n}"),
        expedient: format!("{n}"),
        start: at(start).to_utc(),
        seconds: 60,
        guests: vec![],
    };
    let sessions = [
        session(1, "2026-10-01T00:00:00+02:00"),
        session(2, "2026-09-30T23:59:59+02:00"),
        session(3, "2026-10-31T23:59:59+01:00"),
        session(4, "2026-11-01T00:00:00+01:00"),
        session(5, "2026-10-15T11:59:59Z"),
        session(6, "2026-10-15T12:00:00Z"),
    ];
    let customer = Customer { pay_start: at("2026-02-01T00:00:00Z").to_utc(), regime: VatRegime::General, active: true };
    let Outcome::Invoice(october) = statement(Month::new(2026, 10).unwrap(), &customer, &tables, &sessions).unwrap() else {
        panic!("an invoice")
    };
    assert_eq!((october.connections, october.subtotal), (4, Cents(100 + 100 + 700 + 700)));
}

// TARIFF-1
#[test]
fn months_are_read_and_counted() {
    let month = Month::parse("2026-12").unwrap();
    assert_eq!(
        (month.name(), month.following().name(), month.previous().name()),
        ("2026-12".into(), "2027-01".into(), "2026-11".into())
    );
    assert_eq!((month.first_day().to_string(), month.last_day().to_string()), ("2026-12-01".into(), "2026-12-31".into()));
    let at = |text: &str| DateTime::parse_from_rfc3339(text).unwrap().to_utc();
    assert_eq!(Month::of(at("2026-10-31T23:00:00Z")).name(), "2026-11", "winter: one hour ahead");
    for wrong in ["2026-13", "2026-1", "26-10", "2026-10-01", "+026-10", "2026", ""] {
        assert_eq!(Month::parse(wrong), None, "{wrong}");
    }
}

fn prices() -> PriceTable {
    PriceTable {
        connection: Cents(600),
        other_connections: Cents(300),
        minute_limit: Some(10),
        exceeded_minute: Cents(35),
        guest_minute: Cents(20),
        min_payment: Cents(3000),
        discounts: vec![Discount { to: 2, percent: Percent(0) }, Discount { to: 5, percent: Percent(1250) }],
    }
}

fn begin() -> DateTime<FixedOffset> {
    DateTime::parse_from_rfc3339("2026-09-20T00:00:00Z").unwrap()
}

fn table() -> Accepted {
    Accepted { id: "P".into(), accepted_at: begin() - TimeDelta::days(100), table: prices() }
}

fn customer(pay_day: i64) -> Customer {
    Customer { pay_start: begin().to_utc() + TimeDelta::days(pay_day), regime: VatRegime::General, active: true }
}

fn month_of(sessions: &[Session], pay_day: i64) -> Outcome {
    statement(Month::new(2026, 10).unwrap(), &customer(pay_day), &[table()], sessions).unwrap()
}

prop_compose! {
    fn any_session()(conference in 0..6_u8, case in 0..4_u8, minute in 0..80_000_i64, seconds in 0..4000_i64,
        guests in proptest::collection::vec(0..2000_i64, 0..3)) -> Session {
        let begin = DateTime::parse_from_rfc3339("2026-09-20T00:00:00Z").unwrap().to_utc();
        Session { conference: format!("c{conference}"), expedient: format!("E {case}"), start: begin + TimeDelta::minutes(minute), seconds, guests }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]
    // TARIFF-11
    #[test]
    fn lines_add_up_and_order_does_not_matter(
        sessions in proptest::collection::vec(any_session(), 0..30),
        order in any::<prop::sample::Index>(),
        pay_day in 0..50_i64,
    ) {
        let outcome = month_of(&sessions, pay_day);
        let mut turned = sessions.clone();
        if !turned.is_empty() {
            let by = order.index(turned.len());
            turned.rotate_left(by);
            turned.reverse();
        }
        // Sessions that begin at the same instant in the same conference may swap their case; cases differ only by conference here.
        let distinct = sessions.iter().map(|s| (s.conference.clone(), s.start)).collect::<std::collections::HashSet<_>>().len() == sessions.len();
        if distinct {
            prop_assert_eq!(&outcome, &month_of(&turned, pay_day));
        }
        let (_, charges) = detailed(Month::new(2026, 10).unwrap(), &customer(pay_day), &[table()], &sessions).unwrap();
        if let Outcome::Invoice(Statement { subtotal, connections, .. }) = &outcome {
            prop_assert_eq!(charges.iter().map(|charge| charge.amount.0).sum::<i64>(), subtotal.0);
            prop_assert_eq!(charges.len() as i64, *connections);
        }
        if let Outcome::Invoice(Statement { lines, base, vat, total, minimum, net, .. }) = outcome {
            prop_assert_eq!(lines.iter().map(|line| line.amount().0).sum::<i64>(), base.0);
            prop_assert_eq!(base, net.max(minimum));
            prop_assert_eq!(base.0 + vat.0, total.0);
            prop_assert!((vat.0 * 100 - base.0 * 21).abs() <= 50);
        }
    }
}
