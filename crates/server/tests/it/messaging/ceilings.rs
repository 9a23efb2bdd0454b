//! How many SMS a company may send: at the edge, by the hour and by Madrid's day, and who is notified.

use super::outbox;
use crate::support::{Case, opening_with, text};
use atalaya_jobs::{Jobs, Worker};
use atalaya_kernel::{CompanyId, Role};
use atalaya_messaging::SmsCeiling;
use atalaya_outreach::sms_texts::TellCeiling;
use atalaya_testkit::{Answer, Client, Engine, TestApp, databases};
use chrono::TimeDelta;
use serde_json::{Value, json};
use std::sync::Arc;

async fn app_with(engine: Engine, per_hour: u32, per_day: u32) -> Option<TestApp> {
    let app = TestApp::configured(engine, |config| config.sms_ceiling = SmsCeiling { per_hour, per_day }).await;
    if app.is_none() {
        eprintln!("{}", databases::NO_POSTGRES);
    }
    app
}

/// Opens a case whose link goes by SMS, a second after the last one.
async fn open(app: &TestApp, client: &Client, nth: usize) -> Answer {
    app.advance(TimeDelta::seconds(1));
    client.post("/api/v1/getToken", opening_with(json!({"expedientNumber": format!("EXP-{nth}")}))).await
}

async fn work(app: &TestApp) {
    let worker = Worker::new(app.db.clone(), Jobs::new(app.sources.clone()));
    let worker = worker.handle(TellCeiling::KIND, Arc::new(TellCeiling(app.outreach.clone())));
    while worker.run_next().await.expect("the job table") {}
}

/// How often an administrator was notified.
async fn told(app: &TestApp, admin: &Client) -> usize {
    work(app).await;
    let all = admin.get("/api/v1/notifications/get-by-user").await.ok().to_string();
    all.matches("\"notificationTextId\":\"sms-ceiling\",\"readed\"").count()
}

async fn sms(app: &TestApp) -> usize {
    outbox(app, "channel=sms&limit=500").await.len()
}

async fn set(admin: &Client, company: CompanyId, body: Value) -> Answer {
    admin.post(&format!("/api/v1/sms-ceiling/{company}"), body).await
}

// SMS-10, SMS-12
#[tokio::test]
async fn an_hour_has_as_many_as_it_may() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let Some(app) = app_with(engine, 3, 100).await else { continue };
        let app = &app;
        let admin_person = app.person(Role::Admin).await;
        let admin = app.log_in(&admin_person).await;
        let owner = app.person(Role::Worker).await;
        let client = app.log_in(&owner).await;
        for nth in 1..=2 {
            open(app, &client, nth).await.ok();
        }
        assert_eq!(told(app, &admin).await, 0);
        open(app, &client, 3).await.ok();
        assert_eq!(told(app, &admin).await, 1, "with the last that passes");
        let refused = open(app, &client, 4).await;
        let problem = refused.problem(429, "SMS_CEILING_HOUR");
        assert!(text(&problem["detail"]).contains("3 SMS"), "{problem}");
        // The first was written three seconds ago.
        assert_eq!(refused.header("retry-after"), Some("3597"));
        assert_eq!(sms(app).await, 3);
        let cases = crate::marketing::count(app, "SELECT COUNT(*) FROM conference").await;
        assert_eq!(cases, 3, "nothing half-written");
        // E-mails and another company's SMS are not affected.
        let by_mail = opening_with(json!({"expedientNumber": "EXP-5", "channel": "email", "email": "a@ejemplo.es"}));
        client.post("/api/v1/getToken", by_mail).await.ok();
        Case::open(app).await;

        // A millisecond before the first is an hour old nothing passes; then exactly one does.
        app.advance(TimeDelta::hours(1) - TimeDelta::milliseconds(3001));
        let client = app.log_in(&owner).await;
        let again = || client.post("/api/v1/getToken", opening_with(json!({"expedientNumber": "EXP-6"})));
        again().await.problem(429, "SMS_CEILING_HOUR");
        app.advance(TimeDelta::milliseconds(1));
        again().await.ok();
        again().await.problem(429, "SMS_CEILING_HOUR");
        let admin = app.log_in(&admin_person).await;
        assert_eq!(told(app, &admin).await, 1, "once a day");
    }
}

// SMS-10
#[tokio::test]
async fn a_day_begins_at_madrid_s_midnight() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let Some(app) = app_with(engine, 100, 2).await else { continue };
        let app = &app;
        // 23:59:50 in Madrid, in winter.
        app.clock.set("2026-11-22T22:59:50Z".parse().expect("a moment"));
        let owner = app.person(Role::Worker).await;
        let client = app.log_in(&owner).await;
        for nth in 1..=2 {
            open(app, &client, nth).await.ok();
        }
        let refused = open(app, &client, 3).await;
        refused.problem(429, "SMS_CEILING_DAY");
        assert_eq!(refused.header("retry-after"), Some("7"));
        app.advance(TimeDelta::milliseconds(6999));
        client.post("/api/v1/getToken", opening_with(json!({}))).await.problem(429, "SMS_CEILING_DAY");
        app.advance(TimeDelta::milliseconds(1));
        client.post("/api/v1/getToken", opening_with(json!({}))).await.ok();
        assert_eq!(sms(app).await, 3);
    }
}

// SMS-13
#[tokio::test]
async fn administrators_give_a_company_its_own() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let Some(app) = app_with(engine, 1, 50).await else { continue };
        let app = &app;
        let admin_person = app.person(Role::Admin).await;
        let admin = app.log_in(&admin_person).await;
        let owner = app.person(Role::Worker).await;
        let client = app.log_in(&owner).await;
        let path = format!("/api/v1/sms-ceiling/{}", owner.company);
        let before = admin.get(&path).await.ok();
        assert_eq!(
            (&before["perHour"], &before["defaultPerHour"], &before["defaultPerDay"]),
            (&Value::Null, &json!(1), &json!(50))
        );
        open(app, &client, 1).await.ok();
        open(app, &client, 2).await.problem(429, "SMS_CEILING_HOUR");
        let more = set(&admin, owner.company, json!({"perHour": 2})).await.ok();
        assert_eq!(
            (&more["perHour"], &more["perDay"], &more["lastHour"], &more["today"]),
            (&json!(2), &Value::Null, &json!(1), &json!(1))
        );
        open(app, &client, 3).await.ok();
        open(app, &client, 4).await.problem(429, "SMS_CEILING_HOUR");
        set(&admin, owner.company, json!({"perHour": 10, "perDay": 0})).await.ok();
        open(app, &client, 5).await.problem(429, "SMS_CEILING_DAY");
        set(&admin, owner.company, json!({"perHour": 1_000_001})).await.problem(422, "INVALID_FIELDS");
        set(&admin, owner.company, json!({"perHour": -1})).await.problem(422, "INVALID_FIELDS");
        set(&admin, CompanyId(app.sources.uuid()), json!({})).await.problem(404, "COMPANY_NOT_FOUND");
        let given_up = set(&admin, owner.company, json!({})).await.ok();
        assert_eq!((&given_up["perHour"], &given_up["perDay"]), (&Value::Null, &Value::Null));
        let log = admin.get(&format!("/api/v1/audit?company={}", owner.company)).await.ok().to_string();
        assert_eq!(log.matches("smsCeiling").count(), 3, "{log}");
    }
}

// SMS-11
#[tokio::test]
async fn two_at_once_do_not_pass_together() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let Some(app) = app_with(engine, 5, 100).await else { continue };
        let owner = app.person(Role::Worker).await;
        let client = app.log_in(&owner).await;
        let client = &client;
        let all = (0..12).map(|nth| async move {
            client.post("/api/v1/getToken", opening_with(json!({"expedientNumber": format!("EXP-{nth}")}))).await
        });
        let answers = futures::future::join_all(all).await;
        let passed = answers.iter().filter(|answer| answer.status == 200).count();
        assert_eq!((passed, sms(&app).await), (5, 5), "{engine:?}");
    }
}
