//! Links of messages: the page, the button of a mail program, robots.

use super::{allow, count, own, read, respond, value};
use atalaya_kernel::{Language, Role};
use atalaya_outreach::marketing::{Permission, issue_token};
use atalaya_testkit::{Answer, TestApp, both_engines};
use axum::http::Method;
use chrono::TimeDelta;
use serde_json::json;

const FORM: Option<&str> = Some("application/x-www-form-urlencoded");

/// The token of a link to this address.
async fn token(app: &TestApp, email: &str, permission: Permission) -> String {
    issue_token(&app.outreach, email, permission, Language::En).await.expect("it is written")
}

async fn press(app: &TestApp, token: &str, body: &'static str) -> Answer {
    app.anonymous().send_body(Method::POST, &format!("/u/{token}"), FORM, body).await
}

/// The address unsubscribes by a link.
pub async fn leave(app: &TestApp, email: &str) {
    let token = token(app, email, Permission::No).await;
    press(app, &token, "List-Unsubscribe=One-Click").await.expect(200);
}

async fn answers(app: &TestApp) -> i64 {
    count(app, "SELECT COUNT(*) FROM marketing_answer").await
}

both_engines! {
    // PROMO-2, PROMO-3
    async fn a_link_tells_what_it_is_for_and_records_nothing(app) {
        let link = token(app, "Ana@Ejemplo.es", Permission::No).await;
        assert_eq!(link.len(), 32);
        let shown = read(app, &link).await.ok();
        assert_eq!((&shown["email"], &shown["permission"]), (&json!("ana@ejemplo.es"), &json!("NO")));
        assert_eq!((&shown["language"], &shown["businessUrl"]), (&json!("en"), &json!("https://atalaya.example")));
        assert_eq!((&shown["searchUrl"], &shown["textVersion"]), (&json!("https://www.google.com"), &json!("2026-11")));
        let known = async || app.anonymous().post("/api/v1/verify-token", json!({"activationToken": link})).await.ok();
        let valid = known().await;
        assert_eq!((&valid["valid"], &valid["kind"]), (&json!(true), &json!("marketing")));
        assert!(valid["exp"].as_i64().unwrap() > app.sources.now().timestamp());
        let opened = app.anonymous().get(&format!("/u/{link}")).await;
        assert_eq!((opened.status, opened.header("location").unwrap()), (302, format!("/marketing/{link}").as_str()));
        assert_eq!(answers(app).await, 0, "robots that open links say nothing");
        let stored = value(app, "SELECT token_hash FROM marketing_token").await;
        assert!(!stored.contains(&link) && stored.len() == 64, "only its hash is stored");
    }

    // PROMO-1, PROMO-4, PROMO-10
    async fn an_answer_on_the_page_is_proven_and_the_last_one_holds(app) {
        let person = app.person(Role::Worker).await;
        let (client, email) = (app.log_in(&person).await, person.user_name.as_str());
        let yes = token(app, email, Permission::Yes).await;
        respond(app, &yes, &email.to_uppercase(), "YES").await.ok();
        assert_eq!(own(&client).await["source"], "page");
        app.advance(TimeDelta::seconds(1));
        let no = respond(app, &yes, email, "NO").await.ok();
        assert_eq!((&no["allow"], &no["redirectUrl"]), (&json!("NO"), &json!("https://www.google.com")));
        assert_eq!(own(&client).await["allow"], "NO", "to refuse is always free");
        app.advance(TimeDelta::seconds(1));
        respond(app, &yes, email, "NO").await.ok();
        assert_eq!(answers(app).await, 3, "twice adds a record");
        let sql = "SELECT a.ip || ' ' || a.user_agent || ' ' || a.source FROM marketing_answer a \
                   JOIN marketing_token t ON t.id = a.token_id ORDER BY a.at DESC LIMIT 1";
        assert_eq!(value(app, sql).await, "192.0.2.1 Mozilla/5.0 (prueba) page");
    }

    // PROMO-2, PROMO-3, PROMO-4
    async fn wrong_links_and_answers_are_told_without_ending_a_session(app) {
        let no = token(app, "ana@ejemplo.es", Permission::No).await;
        respond(app, &no, "eva@ejemplo.es", "NO").await.problem(422, "MARKETING_EMAIL");
        respond(app, &no, "ana@ejemplo.es", "YES").await.problem(403, "MARKETING_PURPOSE");
        respond(app, &no, "ana@ejemplo.es", 1).await.problem(422, "INVALID_FIELDS");
        let client = app.as_role(Role::Worker).await;
        for wrong in ["", "x", "00112233445566778899aabbccddeeff", client.token.as_deref().unwrap()] {
            read(app, wrong).await.problem(422, "TOKEN_INVALID");
            respond(app, wrong, "ana@ejemplo.es", "NO").await.problem(422, "TOKEN_INVALID");
        }
        let body = json!({"email": "ana@ejemplo.es", "allow": "NO"});
        app.anonymous().post("/api/v1/marketing-response", body).await.problem(422, "TOKEN_INVALID");
        app.advance(TimeDelta::days(365) - TimeDelta::milliseconds(1));
        read(app, &no).await.ok();
        app.advance(TimeDelta::milliseconds(1));
        read(app, &no).await.problem(422, "TOKEN_EXPIRED");
        respond(app, &no, "ana@ejemplo.es", "NO").await.problem(422, "TOKEN_EXPIRED");
        assert_eq!(answers(app).await, 0);
        let strange = app.anonymous().get("/u/nonsense").await;
        assert_eq!((strange.status, strange.header("location")), (302, Some("/")));
    }

    // PROMO-5, PROMO-6
    async fn one_press_in_a_mail_program_unsubscribes(app) {
        let person = app.person(Role::Worker).await;
        let client = app.log_in(&person).await;
        allow(&client, "YES").await.ok();
        let link = token(app, &person.user_name, Permission::No).await;
        let wrong = press(app, &link, "").await.problem(422, "INVALID_FIELDS");
        assert_eq!(wrong["errors"][0]["field"], "List-Unsubscribe");
        assert_eq!(own(&client).await["allow"], "YES");
        app.advance(TimeDelta::seconds(1));
        press(app, &link, "List-Unsubscribe=One-Click").await.expect(200);
        let now = own(&client).await;
        assert_eq!((&now["allow"], &now["source"], &now["suppressed"]), (&json!("NO"), &json!("one-click"), &json!(true)));
        press(app, &link, "List-Unsubscribe=One-Click").await.expect(200);
        press(app, "00112233445566778899aabbccddeeff", "List-Unsubscribe=One-Click").await.problem(422, "TOKEN_INVALID");
    }
}
