//! Invoices and the monthly runs.

mod books;
mod corrections;
mod crashes;
mod edges;
mod einvoices;
mod groups;
mod random;
mod relief;
mod runs;

use crate::support::{Case, text};
use atalaya_identity::companies::NewCompany;
use atalaya_jobs::{Jobs, Worker};
use atalaya_kernel::{CompanyId, CompanyKind, Role, Status};
use atalaya_testkit::{Client, Person, TestApp};
use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value, json};

pub fn at(text: &str) -> DateTime<Utc> {
    text.parse().expect("a moment")
}

/// A tax id that nobody else has.
pub fn nif(nth: u32) -> String {
    let number = 10_000_000 + nth;
    let letter = b"TRWAGMYFPDXBNJZSQVHLCKE"[usize::try_from(number % 23).expect("below 23")];
    format!("{number}{}", char::from(letter))
}

/// The platform gets what art. 6 wants of an issuer.
pub async fn issuer(app: &TestApp) {
    let platform = app.platform().await;
    let body = json!({"_id": platform, "company": "Atalaya Remota, S.L.", "cif": "B85626240", "address": "Calle Mayor, 1",
        "city": "Madrid", "region": "28", "postalCode": "28013", "registryData": "R. M. de Madrid, tomo 1, hoja M-1",
        "bankAccount": "ES7921000813610123456789"});
    let admin = app.as_role(Role::Admin).await;
    admin.send(axum::http::Method::PUT, "/api/v1/customer", Some(json!({"customer": body}))).await.ok();
}

/// A customer that can be invoiced, its principal having accepted terms and prices; with a worker.
pub async fn customer(app: &TestApp, name: &str, postal_code: &str) -> (Person, Person) {
    let mut new = NewCompany::named(CompanyKind::Customer, name).paying(app.sources.now() - TimeDelta::days(60));
    new.status = Status::Active;
    new.cif = Some(nif(app.next()));
    new.address = Some("Avenida del Puerto, 7".into());
    new.city = Some("Valencia".into());
    new.region = Some("46".into());
    new.postal_code = Some(postal_code.into());
    new.email = Some(format!("facturas{}@ejemplo.es", app.next()));
    let company = app.company_with(new).await;
    let principal = app.person_in(company, Role::Customer).await;
    app.accept_terms(&principal).await;
    (principal, app.person_in(company, Role::Worker).await)
}

/// A call of so many seconds in a new conference about a case.
pub async fn call(app: &TestApp, owner: &Person, expedient: &str, seconds: i64) {
    let case = Case::open_by(app, owner.clone(), json!({"expedientNumber": expedient})).await;
    case.room_starts("RM_1").await;
    case.joins(&case.staff_identity(), "PA_1").await;
    case.joins("client:00000001", "PA_2").await;
    app.advance(TimeDelta::seconds(seconds));
    case.leaves("client:00000001", "PA_2").await;
    case.leaves(&case.staff_identity(), "PA_1").await;
}

/// The worker of billing's jobs.
pub fn worker(app: &TestApp) -> Worker {
    atalaya_billing::worker(&app.billing, Worker::new(app.db.clone(), Jobs::new(app.sources.clone())))
}

/// Does everything that is due.
pub async fn work(app: &TestApp) {
    let worker = worker(app);
    for _ in 0..500 {
        if !worker.run_next().await.expect("the job table can be read") {
            return;
        }
    }
    panic!("the jobs do not end");
}

/// Presses "generate" for the last closed month and waits for it.
pub async fn generate(app: &TestApp, admin: &Client) -> Value {
    admin.post("/api/v1/generate-all-invoices", json!({})).await.expect(202);
    work(app).await;
    process(admin).await
}

/// The newest month.
pub async fn process(admin: &Client) -> Value {
    admin.get("/api/v1/invoice-processes").await.ok()["processes"][0].clone()
}

/// A company's invoices; of everybody without one.
pub async fn invoices(client: &Client, company: Option<CompanyId>) -> Vec<Value> {
    let id = company.map_or("0".to_owned(), |company| company.to_string());
    client.get(&format!("/api/v1/get-invoices/{id}")).await.ok()["invoices"].as_array().expect("a list").clone()
}

/// October's calls of one customer, invoiced in the first days of November: the administrator and the invoice.
pub async fn one_invoice(app: &TestApp) -> (Client, Person, Value) {
    app.clock.set(at("2026-10-05T09:00:00Z"));
    issuer(app).await;
    let (principal, owner) = customer(app, "Peritaciones Levante, S.L.", "46001").await;
    for (expedient, seconds) in [("EXP 77", 601), ("exp77", 1500), ("EXP 78", 600), ("EXP 79", 59)] {
        call(app, &owner, expedient, seconds).await;
    }
    app.clock.set(at("2026-11-02T09:00:00Z"));
    let admin = app.as_role(Role::Admin).await;
    generate(app, &admin).await;
    let invoice = invoices(&admin, None).await.remove(0);
    (admin, principal, invoice)
}

pub fn id(invoice: &Value) -> String {
    text(&invoice["_id"])
}
