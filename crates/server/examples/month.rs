//! How long a month takes: calls of many customers calculated and issued.
//!
//! `cargo run --release -p atalaya-server --example month -- [customers] [calls] [postgres]`. PostgreSQL needs
//! `ATALAYA_TEST_POSTGRES`. PDFs are not part of it: jobs set them afterwards.

use atalaya_identity::companies::NewCompany;
use atalaya_jobs::{Jobs, Worker};
use atalaya_kernel::{CompanyKind, Role};
use atalaya_testkit::bulk::{BulkCall, calls};
use atalaya_testkit::{Engine, Person, TestApp};
use chrono::{DateTime, TimeDelta, Utc};
use serde_json::json;
use std::time::Instant;

/// Calls written at once.
const PART: usize = 10_000;

fn at(text: &str) -> DateTime<Utc> {
    text.parse().expect("a moment")
}

fn memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = |name: &str| status.lines().find(|line| line.starts_with(name)).unwrap_or("?").to_owned();
    format!("{}, {}", line("VmRSS"), line("VmHWM"))
}

async fn customer(app: &TestApp, nth: usize) -> Person {
    let mut new = NewCompany::named(CompanyKind::Customer, format!("Cliente {nth}")).paying(app.sources.now());
    new.cif = Some(format!("B{nth:08}"));
    new.address = Some("Calle Mayor, 1".into());
    new.city = Some("Valencia".into());
    new.postal_code = Some("46001".into());
    new.iban = None;
    let company = app.company_with(new).await;
    let principal = app.person_in(company, Role::Customer).await;
    app.accept_terms(&principal).await;
    principal
}

#[tokio::main]
async fn main() {
    let mut arguments = std::env::args().skip(1);
    let mut number = |default: usize| arguments.next().and_then(|text| text.parse().ok()).unwrap_or(default);
    let (customers, all) = (number(10_000), number(1_000_000));
    let engine = if std::env::args().any(|text| text == "postgres") { Engine::Postgres } else { Engine::Sqlite };
    let app = TestApp::on(engine).await.expect("a database; PostgreSQL needs ATALAYA_TEST_POSTGRES");
    app.clock.set(at("2026-09-01T09:00:00Z"));
    let platform = app.platform().await;
    let admin = app.as_role(Role::Admin).await;
    let issuer = json!({"_id": platform, "cif": "B85626240", "address": "Calle Mayor, 1", "city": "Madrid", "region": "28", "postalCode": "28013"});
    admin.put("/api/v1/customer", json!({"customer": issuer})).await.ok();

    let begun = Instant::now();
    let mut people = Vec::with_capacity(customers);
    for nth in 0..customers {
        people.push(customer(&app, nth).await);
    }
    let mut written = 0;
    while written < all {
        let part: Vec<BulkCall> = (written..all.min(written + PART))
            .map(|nth| {
                let person = &people[nth % customers];
                let minute = i64::try_from(nth).unwrap_or_default() % (29 * 24 * 60);
                BulkCall {
                    company: person.company,
                    user: person.id,
                    expedient: format!("SIN-{}", nth / 3),
                    start: at("2026-10-01T00:00:00Z") + TimeDelta::minutes(minute),
                    seconds: 60 + i64::try_from(nth % 1500).unwrap_or_default(),
                    guests: if nth % 10 == 0 { vec![50] } else { Vec::new() },
                }
            })
            .collect();
        written += part.len();
        calls(&app.db, &app.sources, &part).await;
    }
    println!("{customers} customers with {all} calls written in {:.1?}; {}", begun.elapsed(), memory());

    app.clock.set(at("2026-11-02T09:00:00Z"));
    let admin = app.as_role(Role::Admin).await;
    admin.post("/api/v1/generate-all-invoices", json!({})).await.expect(202);
    let begun = Instant::now();
    let worker = atalaya_billing::worker(&app.billing, Worker::new(app.db.clone(), Jobs::new(app.sources.clone())));
    while worker.run_next().await.expect("the job table can be read") {}
    let taken = begun.elapsed();
    let process = admin.get("/api/v1/invoice-processes").await.ok()["processes"][0].clone();
    println!("{} invoices calculated and issued in {taken:.1?}; {}", process["issued"], memory());
    println!("{process}");
}
