//! Secrets of the outbox: what lies in the database, who is shown what, and when it is gone.

use super::gateway::{Gateway, Say};
use crate::messaging::gateways::{dispatch, with_http};
use crate::support::{Case, text};
use atalaya_kernel::{CompanyKind, Role};
use atalaya_testkit::{Client, Engine, PASSWORD, Person, TestApp};
use chrono::TimeDelta;
use sea_orm::{ConnectionTrait, Statement};
use serde_json::{Value, json};

const ENGINES: [Engine; 2] = [Engine::Sqlite, Engine::Postgres];
const NEW: &str = "tejado rojo bajo la lluvia";

/// An application whose outbox is closed, as in real work.
async fn closed(engine: Engine) -> Option<TestApp> {
    TestApp::configured(engine, |config| config.outbox_open = Some(false)).await
}

/// Everything that lies in the outbox, as it lies there.
async fn stored(app: &TestApp) -> String {
    let sql = "SELECT subject, text, html, link, secret FROM outbox ORDER BY id";
    let rows = app.db.read().query_all_raw(Statement::from_string(app.db.read().get_database_backend(), sql)).await.unwrap();
    let column = |row: &sea_orm::QueryResult, name: &str| row.try_get::<Option<String>>("", name).unwrap().unwrap_or_default();
    rows.iter().map(|row| ["subject", "text", "html", "link", "secret"].map(|name| column(row, name)).join("\n")).collect()
}

async fn secrets_kept(app: &TestApp) -> i64 {
    let sql = "SELECT COUNT(*) AS n FROM outbox WHERE secret IS NOT NULL";
    let row = app.db.read().query_one_raw(Statement::from_string(app.db.read().get_database_backend(), sql)).await.unwrap();
    row.unwrap().try_get("", "n").unwrap()
}

async fn newest(client: &Client, to: &str) -> Value {
    client.get(&format!("/api/v1/outbox?to={to}&limit=1")).await.ok()["outbox"][0].clone()
}

async fn ask_for_reset(app: &TestApp, person: &Person) {
    app.anonymous().post("/api/v1/remember-email", json!({"email": person.user_name})).await.expect(204);
}

async fn shown(client: &Client, path: &str) -> usize {
    client.get(path).await.ok()["logs"].as_array().unwrap().iter().filter(|log| log["action"] == "SECRET_SHOWN").count()
}

// MSG-20, MSG-21
#[tokio::test]
async fn a_link_lies_sealed_and_is_shown_after_a_fresh_proof_which_its_account_sees() {
    for engine in ENGINES {
        let Some(app) = closed(engine).await else { continue };
        let app = &app;
        let company = app.company(CompanyKind::Customer, "Levante").await;
        let (worker, principal) = (app.person_in(company, Role::Worker).await, app.person_in(company, Role::Customer).await);
        let admin = app.as_role(Role::Admin).await;
        ask_for_reset(app, &worker).await;
        app.advance(TimeDelta::minutes(10));
        let hidden = newest(&admin, &worker.user_name).await;
        assert_eq!(hidden["masked"], true);
        let link = text(&hidden["link"]);
        assert!(link.ends_with("/remember-form/••••••••"), "{link}");
        assert!(text(&hidden["text"]).contains(&link) && text(&hidden["html"]).contains("••••••••"));

        admin.post("/api/v1/fresh-proof", json!({"password": PASSWORD})).await.expect(204);
        let whole = newest(&admin, &worker.user_name).await;
        let link = text(&whole["link"]);
        let token = link.rsplit('/').next().unwrap();
        assert_eq!((whole["masked"].as_bool(), token.len()), (Some(false), 32));
        assert!(text(&whole["text"]).contains(&link) && text(&whole["html"]).contains(token));
        assert!(!stored(app).await.contains(token), "it lies nowhere in clear");
        newest(&admin, &worker.user_name).await;
        let own = format!("/api/v1/user-logs/{}", worker.id);
        assert_eq!(shown(&app.log_in(&worker).await, &own).await, 1, "once, and its account sees it");
        assert_eq!(shown(&app.log_in(&principal).await, "/api/v1/audit").await, 1);
        let second = app.as_role(Role::Admin).await;
        newest(&second, &worker.user_name).await;
        assert_eq!(shown(&admin, &own).await, 2, "another administrator is another reader");

        let body = json!({"change": {"token": token, "password": NEW}});
        app.anonymous().put("/api/v1/change-password", body).await.expect(204);
        let sql = format!("/api/v1/outbox?to={}&limit=2", worker.user_name);
        let spent = second.get(&sql).await.ok()["outbox"][1].clone();
        assert_eq!((spent["masked"].as_bool(), text(&spent["link"]).ends_with('•')), (Some(false), true), "spent: {spent}");
        assert_eq!(secrets_kept(app).await, 0);
    }
}

// MSG-20
#[tokio::test]
async fn a_newer_link_and_time_blank_the_older_one() {
    for engine in ENGINES {
        let Some(app) = closed(engine).await else { continue };
        let worker = app.person(Role::Worker).await;
        ask_for_reset(&app, &worker).await;
        app.advance(TimeDelta::seconds(1));
        ask_for_reset(&app, &worker).await;
        assert_eq!(secrets_kept(&app).await, 1);
        app.advance(TimeDelta::hours(1));
        atalaya_identity::tasks::sweep(&app.identity).await.unwrap();
        assert_eq!(secrets_kept(&app).await, 0);
    }
}

// MSG-20
#[tokio::test]
async fn a_message_that_was_handed_over_keeps_no_secret() {
    for engine in ENGINES {
        let gateway = Gateway::start().await;
        gateway.says("/send", [Say::Json(200, json!({"message": {"id": "m1"}}))]);
        let Some(app) = with_http(engine, &gateway).await else { continue };
        let case = Case::open(&app).await;
        assert_eq!(secrets_kept(&app).await, 1);
        let code = text(&case.opened["link"]).rsplit('/').next().unwrap().to_owned();
        assert!(!stored(&app).await.contains(&code));
        dispatch(&app).await;
        assert!(gateway.asked().iter().any(|asked| asked.body.contains(&code)), "it was sent whole");
        assert_eq!(secrets_kept(&app).await, 0);
        let sent = app.outbox.for_conference(app.db.read(), case.id.parse().unwrap()).await.unwrap().remove(0);
        assert!(sent.text.contains("••••••••") && !sent.text.contains(&code), "{}", sent.text);
    }
}
