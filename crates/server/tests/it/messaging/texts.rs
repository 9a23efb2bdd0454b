//! The company's own text and sender name.

use super::outbox;
use crate::support::{Case, text};
use atalaya_kernel::Role;
use atalaya_messaging::OutboxFilter;
use atalaya_testkit::{Client, Person, TestApp, both_engines};
use chrono::TimeDelta;
use serde_json::{Value, json};

async fn principal(app: &TestApp) -> (Person, Client) {
    let worker = app.person(Role::Worker).await;
    let person = app.person_in(worker.company, Role::Customer).await;
    let client = app.log_in(&person).await;
    (person, client)
}

fn field(problem: &Value) -> (String, String) {
    (text(&problem["errors"][0]["field"]), text(&problem["errors"][0]["code"]))
}

/// Opens a case and returns the sender of its SMS.
async fn sender(app: &TestApp, worker: Person, n: u32) -> Option<String> {
    app.advance(TimeDelta::seconds(1));
    Case::open_by(app, worker, json!({"expedientNumber": format!("EXP-{n}")})).await;
    let newest = OutboxFilter { limit: 1, ..OutboxFilter::default() };
    app.outbox.list(app.db.read(), newest).await.unwrap().remove(0).sender
}

both_engines! {
    // SMS-2, SMS-3
    async fn a_company_writes_its_own_text_and_it_goes_out_folded(app) {
        let (person, client) = principal(app).await;
        let path = format!("/api/v1/sms-conference-client/{}", person.id);
        let first = client.get(&path).await.ok();
        assert_eq!((&first["sms"], &first["own"], &first["max"]), (&first["default"], &json!(false), &json!(100)));
        assert_eq!(first["language"], "es");
        assert_eq!((&first["accents"], &first["whatsapp"], &first["whatsappAvailable"]), (&json!(true), &json!(false), &json!(false)));
        assert_eq!(first["encoding"]["segments"], 1);
        let names = |language: &str| text(&first["defaults"][language]).contains("Nombre Apellido (");
        assert!(["es", "de", "ar"].into_iter().all(names), "{first}");
        assert_eq!((first["defaults"].as_object().unwrap().len(), &first["defaults"]["es"]), (11, &first["default"]));
        let own = "¿Peña? Su inspección está aquí:";
        let folded = client.post(&path, json!({"sms": own})).await.ok();
        assert_eq!((&folded["sms"], &folded["own"], &folded["encoding"]["encoding"]), (&json!(own), &json!(true), &json!("GSM-7")));
        let worker = app.person_in(person.company, Role::Worker).await;
        let case = Case::open_by(app, worker.clone(), json!({})).await;
        let sent = text(&outbox(app, "channel=sms").await[0]["text"]);
        assert_eq!(sent, format!("¿Peña? Su inspeccion esta aqui: {}", text(&case.opened["link"])));
        let dear = client.post(&path, json!({"sms": own, "accents": false})).await.ok();
        assert_eq!((&dear["accents"], &dear["encoding"]["encoding"], &dear["encoding"]["segments"]), (&json!(false), &json!("UCS-2"), &json!(1)));
        app.advance(TimeDelta::seconds(1));
        Case::open_by(app, worker, json!({"expedientNumber": "EXP-2"})).await;
        assert!(text(&outbox(app, "channel=sms").await[0]["text"]).starts_with(own));
        let back = client.post(&path, json!({"sms": ""})).await.ok();
        assert_eq!((&back["own"], &back["accents"]), (&json!(false), &json!(false)), "what is absent stays");
    }

    // SMS-3, SMS-9
    async fn texts_have_their_limits(app) {
        let (person, client) = principal(app).await;
        let path = format!("/api/v1/sms-conference-client/{}", person.id);
        client.post(&path, json!({"sms": "x".repeat(100)})).await.ok();
        for (sms, code) in [("x".repeat(101), "SMS_TEXT_TOO_LONG"), ("a\nb".into(), "CHARACTERS_NOT_ALLOWED"), ("<a>".into(), "CHARACTERS_NOT_ALLOWED")] {
            let problem = client.post(&path, json!({"sms": sms})).await.problem(422, "INVALID_FIELDS");
            assert_eq!(field(&problem), ("sms".into(), code.into()));
        }
        assert_eq!(client.get(&path).await.ok()["sms"], "x".repeat(100), "nothing of it was written");
        let stranger = principal(app).await.1;
        stranger.get(&path).await.problem(404, "USER_NOT_FOUND");
        app.as_role(Role::Admin).await.get(&path).await.ok();
    }

    // SMS-5, SMS-6, SMS-7, SMS-8
    async fn a_sender_is_used_once_it_is_registered(app) {
        let (person, client) = principal(app).await;
        let read = format!("/api/v1/sms-conference-sender-client/{}", person.id);
        let write = format!("/api/v1/sms-conference-sender/{}", person.id);
        let none = client.get(&read).await.ok();
        assert_eq!((&none["sms"], &none["max"], &none["status"]), (&json!(""), &json!(11), &json!("draft")));
        for (sms, code) in [("PeritosDelSur", "SMS_SENDER_TOO_LONG"), ("AB", "SMS_SENDER_INVALID"), ("1234567", "SMS_SENDER_INVALID"), ("INFO", "SMS_SENDER_GENERIC")] {
            let problem = client.post(&write, json!({"sms": sms})).await.problem(422, "INVALID_FIELDS");
            assert_eq!(field(&problem), ("sms".into(), code.into()), "{sms}");
        }
        assert_eq!(client.post(&write, json!({"sms": "LEVANTE"})).await.ok()["status"], "draft");
        let worker = app.person_in(person.company, Role::Worker).await;
        assert_eq!(sender(app, worker.clone(), 1).await, None, "operators block what is not registered");
        assert_eq!(client.post(&write, json!({"sms": "LEVANTE", "requested": true})).await.ok()["status"], "requested");
        assert_eq!(sender(app, worker.clone(), 2).await, None);

        let admin = app.as_role(Role::Admin).await;
        let status = format!("/api/v1/sms-sender-status/{}", person.company);
        let done = json!({"status": "registered", "evidenceAt": "2026-11-18", "provider": "Twilio"});
        let registered = admin.post(&status, done).await.ok();
        assert_eq!((&registered["status"], &registered["provider"]), (&json!("registered"), &json!("Twilio")));
        assert!(text(&registered["evidenceAt"]).starts_with("2026-11-18T00:00:00"));
        assert_eq!(sender(app, worker.clone(), 3).await.as_deref(), Some("LEVANTE"));
        let told = client.get("/api/v1/notifications/get-by-user").await.ok().to_string();
        assert!(told.contains("sms-sender-registered"), "{told}");

        assert_eq!(client.post(&write, json!({"sms": "LEVANTE"})).await.ok()["status"], "registered", "the same name keeps its state");
        admin.post(&status, json!({"status": "draft"})).await.problem(409, "SMS_SENDER_STATUS");
        admin.post(&status, json!({"status": "known"})).await.problem(422, "INVALID_FIELDS");
        admin.post(&status, json!({"status": "registered", "evidenceAt": "2027-11-18"})).await.problem(422, "INVALID_FIELDS");
        assert_eq!(admin.post(&status, json!({"status": "rejected"})).await.ok()["status"], "rejected");
        assert_eq!(sender(app, worker.clone(), 4).await, None, "taken back");
        assert_eq!(client.post(&write, json!({"sms": "Levante"})).await.ok()["status"], "draft", "another name begins anew");
        client.post(&write, json!({"sms": ""})).await.ok();
        admin.post(&status, json!({"status": "requested"})).await.problem(409, "SMS_SENDER_MISSING");
    }

    // SMS-8
    async fn administrators_hear_of_an_application(app) {
        let admin = app.as_role(Role::Admin).await;
        let (person, client) = principal(app).await;
        let write = format!("/api/v1/sms-conference-sender/{}", person.id);
        for _ in 0..2 {
            client.post(&write, json!({"sms": "Levante", "requested": true})).await.ok();
        }
        let told = admin.get("/api/v1/notifications/get-by-user").await.ok().to_string();
        // The second application changes nothing.
        assert!(told.contains(&format!("/sms-client-conference/{}", person.id)), "{told}");
        assert_eq!(told.matches("\"notificationTextId\":\"sms-sender-requested\",\"readed\"").count(), 1, "{told}");
    }

    // SMS-8
    async fn names_that_wait_are_listed_for_administrators(app) {
        let admin_person = app.person(Role::Admin).await;
        let admin = app.log_in(&admin_person).await;
        let names = |list: &Value| -> Vec<(String, String)> {
            list["senders"].as_array().unwrap().iter().map(|one| (text(&one["sms"]), text(&one["status"]))).collect()
        };
        assert_eq!(admin.get("/api/v1/sms-senders").await.ok()["total"], 0);
        let (person, client) = principal(app).await;
        client.post(&format!("/api/v1/sms-conference-sender/{}", person.id), json!({"sms": "Muñoz", "requested": true})).await.ok();
        app.advance(TimeDelta::seconds(1));
        let (second, other) = principal(app).await;
        other.post(&format!("/api/v1/sms-conference-sender/{}", second.id), json!({"sms": "LEVANTE"})).await.ok();
        let list = admin.get("/api/v1/sms-senders").await.ok();
        assert_eq!(names(&list), [("Muñoz".into(), "requested".into()), ("LEVANTE".into(), "draft".into())]);
        let first = &list["senders"][0];
        assert_eq!((&first["companyId"], &first["evidenceAt"]), (&json!(person.company), &Value::Null));
        let since = text(&first["since"]);
        // Writing the same name again does not change the state.
        app.advance(TimeDelta::seconds(1));
        client.post(&format!("/api/v1/sms-conference-sender/{}", person.id), json!({"sms": "Muñoz"})).await.ok();
        assert_eq!(admin.get("/api/v1/sms-senders?status=requested").await.ok()["senders"][0]["since"], json!(since));
        app.advance(TimeDelta::seconds(1));
        let done = json!({"status": "registered", "evidenceAt": "2026-11-18", "provider": "Twilio"});
        admin.post(&format!("/api/v1/sms-sender-status/{}", person.company), done).await.ok();
        assert_eq!(names(&admin.get("/api/v1/sms-senders").await.ok()), [("LEVANTE".into(), "draft".into())]);
        let registered = admin.get("/api/v1/sms-senders?status=registered").await.ok();
        assert_eq!((&registered["total"], &registered["senders"][0]["provider"]), (&json!(1), &json!("Twilio")));
        assert_ne!(text(&registered["senders"][0]["since"]), since);
        assert_eq!(admin.get("/api/v1/sms-senders?page=2").await.ok()["senders"], json!([]));
        for query in ["status=known", "page=0"] {
            admin.get(&format!("/api/v1/sms-senders?{query}")).await.problem(422, "INVALID_FIELDS");
        }
    }
}
