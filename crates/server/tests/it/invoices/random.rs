//! A thousand random customers: what is issued is what `billing simulate` says, lines add up, numbers have no gaps.

use super::*;
use atalaya_content::prices::service as prices;
use atalaya_testkit::Engine;
use atalaya_testkit::bulk::{BulkCall, calls};
use std::collections::{BTreeSet, HashMap};

const CUSTOMERS: usize = 1000;

/// Numbers that look random and are the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: i64) -> i64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        i64::try_from(self.0 >> 33).unwrap() % n
    }
}

fn cents(value: &Value) -> i64 {
    #[expect(clippy::cast_possible_truncation)]
    let cents = (value.as_f64().unwrap_or_else(|| panic!("{value} is no amount")) * 100.0).round() as i64;
    cents
}

// ISSUE-5
#[tokio::test]
async fn what_is_issued_is_what_is_simulated() {
    let app = TestApp::on(Engine::Sqlite).await.expect("SQLite needs nothing");
    app.clock.set(at("2026-09-01T09:00:00Z"));
    issuer(&app).await;
    let mut dice = Dice(7);
    let mut people = Vec::with_capacity(CUSTOMERS);
    for nth in 0..CUSTOMERS {
        let postal = ["46001", "35001", "28013", "51001"][usize::try_from(dice.below(4)).unwrap()];
        let pay_start = at("2026-09-15T22:00:00Z") + TimeDelta::days(dice.below(50));
        let mut new = NewCompany::named(CompanyKind::Customer, format!("Cliente {nth}")).paying(pay_start);
        new.cif = Some(nif(app.next()));
        new.address = Some("Calle Mayor, 1".into());
        new.city = Some("Valencia".into());
        new.postal_code = Some(postal.into());
        let company = app.company_with(new).await;
        let principal = app.person_in(company, Role::Customer).await;
        app.accept_terms(&principal).await;
        people.push((principal, postal, pay_start));
    }
    let mut all: Vec<BulkCall> = Vec::new();
    for (person, ..) in &people {
        let many = if dice.below(20) == 0 { 120 } else { 12 };
        for _ in 0..dice.below(many) {
            let seconds = dice.below(2400);
            let guests = (0..dice.below(3)).map(|_| dice.below(seconds.max(2) - 1)).collect();
            // Some lie in the month before or after.
            let start = at("2026-09-29T00:00:00Z") + TimeDelta::seconds(dice.below(35 * 86_400));
            let expedient = format!("{} {}", ["exp", "EXP"][usize::try_from(dice.below(2)).unwrap()], dice.below(8));
            all.push(BulkCall { company: person.company, user: person.id, expedient, start, seconds, guests });
        }
    }
    let ids = calls(&app.db, &app.sources, &all).await;
    let price = prices::in_force(&app.content, None, at("2026-11-20T10:00:00Z")).await.unwrap();
    let table = serde_json::to_value(price.accepted(at("2026-09-01T09:00:00Z"))).unwrap();
    let mut used: HashMap<CompanyId, Vec<Value>> = HashMap::new();
    for (call, id) in all.iter().zip(&ids) {
        used.entry(call.company).or_default().push(json!({
            "conferenceId": id.to_string(), "expedientNumber": call.expedient, "start": call.start, "seconds": call.seconds, "guests": call.guests,
        }));
    }
    let examples: Vec<Value> = people.iter().map(|(person, postal, pay_start)| json!({
        "name": person.company.to_string(), "year": 2026, "month": 10, "prices": [table], "sessions": used.remove(&person.company).unwrap_or_default(),
        "customer": {"created_at": "2026-09-01T00:00:00Z", "pay_startAt": pay_start, "postalCode": postal, "status": 2},
    })).collect();
    let simulated = atalaya_tariff::simulate::simulate(&json!({"examples": examples}).to_string()).unwrap();

    app.clock.set(at("2026-11-02T09:00:00Z"));
    let admin = app.as_role(Role::Admin).await;
    admin.post("/api/v1/generate-all-invoices", json!({})).await.expect(202);
    // The process dies after the second part and is started again.
    let first = worker(&app);
    for _ in 0..2 {
        assert!(first.run_next().await.unwrap());
    }
    assert!(process(&admin).await["issued"].as_i64().unwrap() < 500);
    atalaya_billing::recover(&app.billing).await.unwrap();
    work(&app).await;

    let mut issued: HashMap<String, Value> = HashMap::new();
    let mut cursor = String::new();
    loop {
        let page = admin.get(&format!("/api/v1/get-invoices/0?limit=200&cursor={cursor}")).await.ok();
        for invoice in page["invoices"].as_array().unwrap() {
            assert!(issued.insert(text(&invoice["customerId"]), invoice.clone()).is_none(), "one invoice a customer");
        }
        match page["nextCursor"].as_str() {
            Some(next) => cursor = next.to_owned(),
            None => break,
        }
    }
    let mut compared = 0;
    for one in &simulated.examples {
        let Some(total) = one.expected["total"].as_i64() else {
            assert!(!issued.contains_key(&one.name), "{}: {}", one.name, one.expected);
            continue;
        };
        let invoice = issued.get(&one.name).unwrap_or_else(|| panic!("{} has none: {}", one.name, one.expected));
        assert_eq!(
            (cents(&invoice["base"]), cents(&invoice["vat"]), cents(&invoice["total"]), invoice["connections"].as_i64()),
            (
                one.expected["base"].as_i64().unwrap(),
                one.expected["vat"].as_i64().unwrap(),
                total,
                one.expected["connections"].as_i64()
            )
        );
        compared += 1;
    }
    assert_eq!(compared, issued.len());
    assert!(compared > 700, "{compared} invoices");
    let numbers: BTreeSet<String> = issued.values().map(|invoice| text(&invoice["number"])).collect();
    let expected: BTreeSet<String> = (1..=compared).map(|n| format!("A2026-{n:06}")).collect();
    assert_eq!(numbers, expected);

    // Lines add up to the base, connections to the subtotal.
    for invoice in issued.values() {
        let details = admin.get(&format!("/api/v1/get-details/{}?limit=200", id(invoice))).await.ok();
        let sum = |rows: &Value| rows.as_array().unwrap().iter().map(|row| cents(&row["amount"])).sum::<i64>();
        assert_eq!(sum(&details["lines"]), cents(&details["totals"]["base"]));
        assert_eq!(sum(&details["connections"]), cents(&details["totals"]["subtotal"]));
    }
}
