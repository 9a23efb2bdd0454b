//! `broadcastEmails`: who receives advertising, once, at the configured pace, and its contents.

use super::links::leave;
use super::{allow, count, messages_to, own, read, token_of, value};
use atalaya_kernel::{CompanyId, CompanyKind, Role};
use atalaya_outreach::campaigns::SendCampaigns;
use atalaya_outreach::{Outreach, Parts, marketing};
use atalaya_testkit::{Answer, Client, Person, TestApp, both_engines};
use chrono::TimeDelta;
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};

async fn broadcast(client: &Client, change: Value) -> Answer {
    let mut data = json!({"subject": "Novedades de Atalaya", "text": "Hola:\n\nVea <b>esto</b>.", "audience": {"roles": [3]}});
    data.as_object_mut().expect("an object").extend(change.as_object().expect("an object").clone());
    client.post("/api/v1/broadcastEmails", json!({"data": data})).await
}

/// A worker who said yes.
async fn reader(app: &TestApp, company: CompanyId) -> Person {
    let person = app.person_in(company, Role::Worker).await;
    allow(&app.log_in(&person).await, "YES").await.ok();
    person
}

/// Addresses that said yes, written directly into the database.
async fn readers(app: &TestApp, company: CompanyId, many: usize) {
    for nth in 0..many {
        app.person_with(company, Role::Worker, |new| new.email = Some(format!("Lector{nth}@ejemplo.es"))).await;
    }
    let sql = "INSERT INTO marketing_consent (email, allow, language, source, at) \
               SELECT LOWER(email), TRUE, 'es', 'profile', created_at FROM app_user WHERE email LIKE 'Lector%'";
    app.db.read().execute_unprepared(sql).await.expect("they are written");
}

/// The context with another pace.
fn pace(app: &TestApp, per_minute: u32) -> Outreach {
    let settings = marketing::Settings { per_minute, ..app.outreach.marketing.clone() };
    Outreach::new(Parts { marketing: settings, ..(*app.outreach).clone() })
}

async fn campaign(client: &Client, made: &Value) -> Value {
    let id = made["campaign"]["_id"].as_str().expect("an id");
    client.get(&format!("/api/v1/campaign/{id}")).await.ok()["campaign"].clone()
}

async fn written(app: &TestApp) -> i64 {
    count(app, "SELECT COUNT(*) FROM outbox WHERE purpose = 'campaign'").await
}

both_engines! {
    // CAMP-1, CAMP-2, CAMP-8, CAMP-9, MSG-9
    async fn only_those_who_said_yes_get_it_once(app) {
        let admin = app.as_role(Role::Admin).await;
        let company = app.company(CompanyKind::Customer, "Peritos").await;
        let (first, gone, blocked) = (reader(app, company).await, reader(app, company).await, reader(app, company).await);
        let silent = app.person_in(company, Role::Worker).await;
        // The same mailbox in another account, in another spelling.
        let twin = first.user_name.to_uppercase();
        app.person_with(company, Role::Worker, |new| { new.email = Some(twin); new.user_name = "+34600111333".into(); }).await;
        app.person_with(company, Role::Worker, |new| { new.email = None; new.user_name = "+34600111222".into(); }).await;
        let other = app.person_in(company, Role::Customer).await;
        allow(&app.log_in(&other).await, "YES").await.ok();
        leave(app, &gone.user_name).await;
        admin.post("/api/v1/marketing-suppression", json!({"email": blocked.user_name})).await.ok();

        let shown = broadcast(&admin, json!({"preview": true})).await.ok()["preview"].clone();
        assert_eq!(shown["recipients"], 1);
        assert_eq!(shown["excluded"], json!({"noConsent": 1, "suppressed": 2, "invalid": 1}));
        assert!(shown["html"].as_str().unwrap().contains("&lt;b&gt;esto"), "what is typed is text");
        assert_eq!(written(app).await, 0);

        let made = broadcast(&admin, json!({})).await.expect(202);
        assert_eq!((&made["campaign"]["total"], &made["campaign"]["status"]), (&json!(1), &json!("scheduled")));
        assert_eq!(SendCampaigns::run_due(&app.outreach).await.unwrap(), 1);
        for person in [&gone, &blocked, &silent, &other] {
            assert_eq!(messages_to(app, &person.user_name).await.iter().filter(|m| m.purpose == "campaign").count(), 0);
        }
        let message = messages_to(app, &first.user_name).await.remove(0);
        let leave = message.unsubscribe.clone().expect("the header of one press");
        assert!(leave.starts_with("http://localhost:8080/u/"), "{leave}");
        assert!(message.text.contains(&leave) && message.text.contains("Comunicación comercial de "), "{}", message.text);
        assert!(message.html.as_deref().unwrap().contains(&leave.replace('/', "&#x2f;")), "both parts lead out");
        assert_eq!(message.subject.as_deref(), Some("Novedades de Atalaya"));
        assert_eq!(read(app, &token_of(&leave)).await.ok()["email"], json!(first.user_name));

        app.advance(TimeDelta::minutes(1));
        assert_eq!(SendCampaigns::run_due(&app.outreach).await.unwrap(), 0);
        let press = app.anonymous().send_body(axum::http::Method::POST, leave.strip_prefix("http://localhost:8080").unwrap(),
            Some("application/x-www-form-urlencoded"), "List-Unsubscribe=One-Click").await;
        press.expect(200);
        assert_eq!(own(&app.log_in(&first).await).await["allow"], "NO");
        let done = campaign(&admin, &made).await;
        assert_eq!((&done["status"], &done["captured"], &done["queued"]), (&json!("done"), &json!(1), &json!(0)));
        assert_eq!(done["unsubscribed"], 1);
        broadcast(&admin, json!({})).await.problem(422, "CAMPAIGN_EMPTY");
        assert_eq!(value(app, "SELECT action FROM audit_entry WHERE action LIKE 'CAMPAIGN%'").await, "CAMPAIGN_CREATED");
    }

    // CAMP-3
    async fn messages_go_at_the_pace_of_the_mail_server_and_a_crash_repeats_none(app) {
        let admin = app.as_role(Role::Admin).await;
        let company = app.company(CompanyKind::Customer, "Peritos").await;
        readers(app, company, 25).await;
        let slow = pace(app, 60);
        let made = broadcast(&admin, json!({})).await.expect(202);
        for (after, expected) in [(0, 10), (9, 10), (1, 20), (10, 25)] {
            app.advance(TimeDelta::seconds(after));
            // Two nodes concurrently, and one again: the row says what is due.
            let (one, two) = tokio::join!(SendCampaigns::run_due(&slow), SendCampaigns::run_due(&slow));
            one.unwrap();
            two.unwrap();
            SendCampaigns::run_due(&slow).await.unwrap();
            assert_eq!(written(app).await, expected, "after {after} s more");
        }
        assert_eq!(campaign(&admin, &made).await["status"], "running");
        app.advance(TimeDelta::seconds(10));
        SendCampaigns::run_due(&slow).await.unwrap();
        assert_eq!(campaign(&admin, &made).await["status"], "done");
        assert_eq!(count(app, "SELECT COUNT(DISTINCT to_address) FROM outbox WHERE purpose = 'campaign'").await, 25);
        assert_eq!(count(app, "SELECT COUNT(*) FROM marketing_token").await, 25);
    }

    // CAMP-1, CAMP-4
    async fn whoever_leaves_meanwhile_gets_nothing_and_a_stop_stops(app) {
        let admin = app.as_role(Role::Admin).await;
        let company = app.company(CompanyKind::Customer, "Peritos").await;
        readers(app, company, 5).await;
        let slow = pace(app, 6);
        let made = broadcast(&admin, json!({})).await.expect(202);
        SendCampaigns::run_due(&slow).await.unwrap();
        assert_eq!(written(app).await, 1);
        leave(app, "lector1@ejemplo.es").await;
        app.advance(TimeDelta::seconds(10));
        SendCampaigns::run_due(&slow).await.unwrap();
        let second = value(app, "SELECT MAX(to_address) FROM outbox WHERE purpose = 'campaign'").await;
        assert_eq!(second, "lector2@ejemplo.es");
        let stop = format!("/api/v1/campaign/{}/stop", made["campaign"]["_id"].as_str().unwrap());
        assert_eq!(admin.post(&stop, json!({})).await.ok()["campaign"]["status"], "stopped");
        admin.post(&stop, json!({})).await.problem(409, "CAMPAIGN_OVER");
        app.advance(TimeDelta::hours(1));
        SendCampaigns::run_due(&slow).await.unwrap();
        assert_eq!(written(app).await, 2);
    }

    // CAMP-5
    async fn a_key_makes_one_campaign_and_a_planned_one_waits(app) {
        let admin = app.as_role(Role::Admin).await.with("idempotency-key", "abc-1");
        let company = app.company(CompanyKind::Customer, "Peritos").await;
        reader(app, company).await;
        let at = app.sources.now() + TimeDelta::hours(2);
        let (one, two) = tokio::join!(broadcast(&admin, json!({"sendAt": at})), broadcast(&admin, json!({"sendAt": at})));
        assert_eq!(one.expect(202)["campaign"]["_id"], two.expect(202)["campaign"]["_id"]);
        broadcast(&admin, json!({"sendAt": at, "text": "Otro"})).await.problem(409, "IDEMPOTENCY_MISMATCH");
        let list = admin.get("/api/v1/campaigns").await.ok();
        assert_eq!((&list["total"], &list["page"], &list["pages"]), (&json!(1), &json!(1), &json!(1)));
        assert_eq!(list["campaigns"][0]["author"]["name"], "Nombre Apellido");
        app.advance(TimeDelta::hours(2) - TimeDelta::milliseconds(1));
        assert_eq!(SendCampaigns::run_due(&app.outreach).await.unwrap(), 0);
        app.advance(TimeDelta::milliseconds(1));
        assert_eq!(SendCampaigns::run_due(&app.outreach).await.unwrap(), 1);
    }

    // CAMP-6, CAMP-7
    async fn a_test_goes_to_one_address_and_wrong_fields_are_named(app) {
        let admin = app.as_role(Role::Admin).await;
        let sent = broadcast(&admin, json!({"test": "jefa@ejemplo.es", "language": "en"})).await.ok();
        assert_eq!(sent["test"]["email"], "jefa@ejemplo.es");
        let message = messages_to(app, "jefa@ejemplo.es").await.remove(0);
        assert!(message.text.contains("Commercial communication from "), "{}", message.text);
        let wrong = broadcast(&admin, json!({"subject": "", "text": null, "audience": 3, "test": "x"})).await;
        let wrong = wrong.problem(422, "INVALID_FIELDS");
        let fields: Vec<&str> = wrong["errors"].as_array().unwrap().iter().map(|e| e["field"].as_str().unwrap()).collect();
        assert_eq!(fields, ["data.subject", "data.text", "data.audience", "data.test"]);
        leave(app, "jefa@ejemplo.es").await;
        broadcast(&admin, json!({"test": "jefa@ejemplo.es"})).await.problem(409, "MARKETING_SUPPRESSED");
    }
}
