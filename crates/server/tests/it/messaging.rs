//! Messaging service and a company's SMS.

mod ceilings;
pub mod gateway;
pub mod gateways;
mod late;
mod secrets;
mod texts;
mod whatsapp;

use crate::support::text;
use atalaya_kernel::Role;
use atalaya_testkit::{TestApp, both_engines};
use serde_json::{Value, json};

const STATUS: &str = "/api/v1/own-message-service/status";
const RUN: &str = "/api/v1/own-message-service/change-run-status";
const RESET: &str = "/api/v1/own-message-service/reset";

both_engines! {
    // MSG-14, MSG-16
    async fn the_service_runs_until_an_administrator_stops_it(app) {
        let person = app.person(Role::Admin).await;
        let admin = app.log_in(&person).await;
        let status = admin.get(STATUS).await.ok();
        assert_eq!((&status["running"], &status["changedAt"], &status["queued"]), (&json!(true), &Value::Null, &json!(0)));
        let channels: Vec<_> = status["channels"].as_array().unwrap().iter().map(|c| (text(&c["channel"]), c["provider"].clone())).collect();
        assert_eq!(channels, [("sms".into(), Value::Null), ("email".into(), Value::Null), ("whatsapp".into(), Value::Null)]);
        let stopped = admin.post(RUN, json!({"run": false})).await.ok();
        assert_eq!(stopped["running"], false);
        assert!(!text(&stopped["changedBy"]).is_empty() && !text(&stopped["changedAt"]).is_empty());
        assert_eq!(app.as_role(Role::Admin).await.get(STATUS).await.ok()["running"], false, "for everybody");
        assert_eq!(admin.post(RUN, json!({"run": true})).await.ok()["running"], true);
        assert_eq!(admin.post(RESET, json!({"reset": true})).await.ok()["reset"], 0);
        admin.post(RUN, json!({"run": "yes"})).await.problem(422, "INVALID_FIELDS");
        let log = admin.get(&format!("/api/v1/audit?company={}", person.company)).await.ok().to_string();
        for action in ["MESSAGES_STOPPED", "MESSAGES_STARTED", "MESSAGES_RESET"] {
            assert_eq!(log.matches(action).count(), 1, "{action}: {log}");
        }
    }

    // MSG-17
    async fn messages_can_be_looked_at_with_invented_values(app) {
        let admin = app.as_role(Role::Admin).await;
        let list = admin.get("/api/v1/message-templates").await.ok()["templates"].clone();
        let session = list.as_array().unwrap().iter().find(|t| t["key"] == "session").unwrap().clone();
        assert_eq!(session["channel"], "email");
        assert!(session["variables"].as_array().unwrap().contains(&json!("expedient")), "{session}");
        let sms = admin.get("/api/v1/message-template/session.sms").await.ok();
        assert_eq!(sms["text"], "Ana Ruiz (Peritos). Pulse el enlace para iniciar la videoasistencia:");
        assert_eq!((&sms["sms"]["encoding"], &sms["sms"]["segments"]), (&json!("GSM-7"), &json!(1)));
        let mail = admin.get("/api/v1/message-template/session?language=en&expedient=%3Cb%3EX-1").await.ok();
        assert!(text(&mail["subject"]).contains("<b>X-1") && text(&mail["html"]).contains("&lt;b&gt;X-1"), "{mail}");
        admin.get("/api/v1/message-template/nothing").await.problem(404, "TEMPLATE_NOT_FOUND");
        for (query, field) in [("language=xx", "language"), ("secret=1", "secret"), (&*format!("contact={}", "x".repeat(401)), "contact")] {
            let problem = admin.get(&format!("/api/v1/message-template/session?{query}")).await.problem(422, "INVALID_FIELDS");
            assert_eq!(problem["errors"][0]["field"], field);
        }
        for info in list.as_array().unwrap() {
            admin.get(&format!("/api/v1/message-template/{}", text(&info["key"]))).await.ok();
        }
    }

    // MSG-19
    async fn the_outbox_can_be_narrowed_to_a_state(app) {
        crate::support::Case::open(app).await;
        let admin = app.as_role(Role::Admin).await;
        let count = |list: Value| list["outbox"].as_array().unwrap().len();
        assert_eq!(count(admin.get("/api/v1/outbox?state=captured").await.ok()), 1);
        assert_eq!(count(admin.get("/api/v1/outbox?state=failed").await.ok()), 0);
        admin.get("/api/v1/outbox?state=lost").await.problem(422, "INVALID_FIELDS");
    }
}

/// The messages in the outbox, newest first.
pub(super) async fn outbox(app: &TestApp, query: &str) -> Vec<Value> {
    let list = app.as_role(Role::Admin).await.get(&format!("/api/v1/outbox?{query}")).await.ok();
    list["outbox"].as_array().expect("a list").clone()
}
