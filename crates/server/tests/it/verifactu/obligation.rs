//! From 2027 on: what is issued in which mode, and what says why not.

use super::office::Office;
use super::{app_with, invoiced, records};
use crate::invoices::{at, call, customer, invoices, issuer, process, work};
use crate::support::text;
use atalaya_billing::verifactu::VerifactuSettings;
use atalaya_identity::auth::service::Origin;
use atalaya_kernel::Role;
use atalaya_testkit::{Engine, TestApp};
use chrono::TimeDelta;
use serde_json::json;
use std::net::Ipv4Addr;

/// Runs a test on both engines with these settings.
async fn with(settings: impl Fn() -> VerifactuSettings, test: impl AsyncFn(&TestApp)) {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        match app_with(engine, settings()).await {
            Some(app) => test(&app).await,
            None => eprintln!("{}", atalaya_testkit::databases::NO_POSTGRES),
        }
    }
}

// FACTU-6
#[tokio::test]
async fn no_invoice_is_issued_without_sending_from_2027_on() {
    with(VerifactuSettings::default, async |app| {
        app.clock.set(at("2026-11-05T09:00:00Z"));
        issuer(app).await;
        let (_, owner) = customer(app, "Peritaciones Levante, S.L.", "46001").await;
        call(app, &owner, "EXP 1", 120).await;
        // The last minute of the year in Madrid.
        app.clock.set(at("2026-12-31T22:59:00Z"));
        let admin = app.as_role(Role::Admin).await;
        let overview = admin.get("/api/v1/verifactu").await.ok();
        assert_eq!((&overview["blocked"], &overview["bindingFrom"]), (&json!(false), &json!("2027-01-01")));
        crate::invoices::generate(app, &admin).await;
        let before = invoices(&admin, None).await;
        assert_eq!((before.len(), &before[0]["number"]), (1, &json!("A2026-000001")));

        app.clock.set(at("2026-12-31T23:00:00Z"));
        admin.post("/api/v1/generate-all-invoices", json!({})).await.problem(409, "VERIFACTU_REQUIRED");
        work(app).await;
        assert_eq!(invoices(&admin, None).await.len(), 1, "December stays open");
        assert_eq!(process(&admin).await["errors"][0]["code"], "VERIFACTU_REQUIRED", "and the page says why");
        assert_eq!(admin.get("/api/v1/verifactu").await.ok()["blocked"], true);
        let id = text(&before[0]["_id"]);
        let body = json!({"reason": "Precio equivocado", "kind": "to-zero"});
        admin.post(&format!("/api/v1/invoice-rectify/{id}"), body).await.problem(409, "VERIFACTU_REQUIRED");
        assert_eq!(records(&admin, "").await.len(), 1);
        // What was issued is printed, and what was issued by mistake annulled.
        admin.get(&format!("/api/v1/print-invoice/{id}")).await.ok();
        admin.post(&format!("/api/v1/invoice-cancel/{id}"), json!({"reason": "Emitida por error"})).await.ok();
    })
    .await;
}

// FACTU-6
#[tokio::test]
async fn a_run_that_crosses_the_year_stops() {
    with(VerifactuSettings::default, async |app| {
        app.clock.set(at("2026-11-05T09:00:00Z"));
        issuer(app).await;
        let (_, owner) = customer(app, "Peritaciones Levante, S.L.", "46001").await;
        call(app, &owner, "EXP 1", 120).await;
        app.clock.set(at("2026-12-31T22:59:00Z"));
        let admin = app.as_role(Role::Admin).await;
        admin.post("/api/v1/generate-all-invoices", json!({"period": "2026-11"})).await.expect(202);
        app.clock.set(at("2027-01-01T09:00:00Z"));
        work(app).await;
        let admin = app.as_role(Role::Admin).await;
        assert_eq!(invoices(&admin, None).await.len(), 0);
        let processes = admin.get("/api/v1/invoice-processes").await.ok()["processes"].clone();
        let november = processes.as_array().expect("a list").iter().find(|one| one["period"] == "2026-11").cloned();
        let errors = november.expect("the month")["errors"].clone();
        assert!(errors.as_array().is_some_and(|all| all.iter().any(|one| one["code"] == "VERIFACTU_REQUIRED")), "{errors}");
    })
    .await;
}

// FACTU-6
#[tokio::test]
async fn with_made_up_customers_a_trial_goes_on() {
    for (trial, status) in [(true, 202), (false, 409)] {
        let office = Office::open().await;
        let settings = VerifactuSettings { trial, ..office.settings() };
        let app = app_with(Engine::Sqlite, settings).await.expect("SQLite needs nothing");
        invoiced(&app, 1).await;
        app.clock.set(at("2027-02-02T09:00:00Z"));
        let admin = app.as_role(Role::Admin).await;
        admin.post("/api/v1/generate-all-invoices", json!({})).await.expect(status);
        assert_eq!(admin.get("/api/v1/verifactu").await.ok()["blocked"], !trial);
    }
}

// FACTU-8
#[tokio::test]
async fn the_examples_of_a_demo_are_made_in_any_year() {
    with(
        || VerifactuSettings { trial: true, ..VerifactuSettings::default() },
        async |app| {
            let today = at("2028-05-20T09:00:00Z");
            let months = atalaya_billing::demo::months(today);
            app.clock.set(months[0].start() + TimeDelta::hours(9));
            issuer(app).await;
            let (principal, owner) = customer(app, "Peritaciones Levante, S.L.", "46001").await;
            let account = json!({"_id": principal.company, "bankAccount": "ES9121000418450200051332"});
            app.as_role(Role::Admin).await.put("/api/v1/customer", json!({"customer": account})).await.ok();
            for month in months {
                app.clock.set(month.start() + TimeDelta::days(9));
                call(app, &owner, "EXP 1", 120).await;
            }
            app.clock.set(today);
            let (caller, origin) = (super::caller(app).await, Origin { address: Ipv4Addr::LOCALHOST.into(), user_agent: None });
            let seeded = atalaya_billing::demo::seed(&app.billing, &caller, &origin, principal.company).await;
            seeded.expect("examples");
            let admin = app.as_role(Role::Admin).await;
            assert!(invoices(&admin, None).await.len() >= 5);
            admin.post("/api/v1/generate-all-invoices", json!({})).await.problem(409, "VERIFACTU_REQUIRED");
            assert_eq!(process(&admin).await["errors"][0]["code"], "VERIFACTU_REQUIRED");
        },
    )
    .await;
}
