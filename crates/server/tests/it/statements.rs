//! How many statements a call makes, written down in `docs/reference/statements.md`: who needs one more says so there.

use crate::support::{Case, opening, text};
use atalaya_kernel::{CompanyKind, Role};
use atalaya_testkit::{Client, Engine, TestApp};
use axum::http::Method;
use chrono::TimeDelta;
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::Path;

/// A call by one who is known, and by one who is not kept yet.
struct Counted {
    call: &'static str,
    first: usize,
    then: Vec<String>,
}

async fn statements(app: &TestApp, client: &Client, method: &Method, path: &str, body: Option<&Value>) -> Vec<String> {
    app.db.statements().take();
    let answer = client.send(method.clone(), path, body.cloned()).await;
    assert_eq!(answer.status, 200, "{path}: {}", String::from_utf8_lossy(&answer.body));
    app.db.statements().take()
}

/// The table that a statement is about.
fn subject(sql: &str) -> String {
    let after = |word: &str| sql.split_once(word).map(|(_, rest)| rest.split(['"', ' ']).find(|part| !part.is_empty()));
    let found = after("INSERT INTO ").or_else(|| after("UPDATE ")).or_else(|| after(" FROM "));
    found.flatten().unwrap_or(sql).to_owned()
}

fn table(all: &[Counted]) -> String {
    let mut text = String::from(
        "# Statements per call\n\n\
         Of the main calls on SQLite, by somebody whose session is not kept yet and by somebody whose session is\n\
         (SESSION-13). Written by `crates/server/tests/it/statements.rs`, which fails when a number changes: set\n\
         `ATALAYA_WRITE_STATEMENTS=1` to write the page anew, and say in the commit what a further statement is for.\n\n\
         | call | first | then | what is read and written then |\n|---|---|---|---|\n",
    );
    for Counted { call, first, then } in all {
        let subjects: Vec<String> = then.iter().map(|sql| subject(sql)).collect();
        let _ = writeln!(text, "| `{call}` | {first} | {} | {} |", then.len(), subjects.join(", "));
    }
    text
}

#[tokio::test]
async fn no_call_makes_more_statements_than_written_down() {
    let app = TestApp::on(Engine::Sqlite).await.expect("SQLite needs nothing");
    let case = Case::open(&app).await;
    let principal = app.person_in(case.owner.company, Role::Customer).await;
    app.accept_terms(&principal).await;
    for _ in 0..3 {
        case.staff.post("/api/v1/getToken", opening()).await.ok();
    }
    app.company(CompanyKind::Customer, "Otra").await;
    let admin = app.person(Role::Admin).await;
    let (company, range) = (case.owner.company, json!({}));
    app.db.statements().keep();
    let calls = [
        ("GET get-links", &case.owner, Method::GET, "get-links".to_owned(), None),
        ("GET me", &case.owner, Method::GET, "me".to_owned(), None),
        ("GET user/{id}", &case.owner, Method::GET, format!("user/{}", case.owner.id), None),
        ("GET users/{id}", &principal, Method::GET, format!("users/{company}"), None),
        ("GET customer/{id}", &principal, Method::GET, format!("customer/{company}"), None),
        ("GET customers", &admin, Method::GET, "customers".to_owned(), None),
        ("GET videoCallNumber/{id}", &case.owner, Method::GET, format!("videoCallNumber/{company}"), None),
        (
            "GET notifications/get-number-notifications",
            &case.owner,
            Method::GET,
            "notifications/get-number-notifications".to_owned(),
            None,
        ),
        (
            "POST conferences-div-details/{id}",
            &case.owner,
            Method::POST,
            format!("conferences-div-details/{company}"),
            Some(range.clone()),
        ),
        ("POST conferences-div-details/0", &admin, Method::POST, "conferences-div-details/0".to_owned(), Some(range)),
        ("GET conferences-details/{id}", &case.owner, Method::GET, format!("conferences-details/{}", case.id), None),
        ("GET conference-media/{id}", &case.owner, Method::GET, format!("conference-media/{}", case.id), None),
        ("POST getToken", &case.owner, Method::POST, "getToken".to_owned(), Some(opening())),
    ];
    let mut all = Vec::new();
    for (call, person, method, path, body) in calls {
        let (client, path) = (app.log_in(person).await, format!("/api/v1/{path}"));
        let first = statements(&app, &client, &method, &path, body.as_ref()).await.len();
        let then = statements(&app, &client, &method, &path, body.as_ref()).await;
        all.push(Counted { call, first, then });
    }
    let (file, now) = (Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/statements.md"), table(&all));
    if std::env::var("ATALAYA_WRITE_STATEMENTS").is_ok() {
        std::fs::write(&file, &now).expect("the page is written");
    }
    let committed = std::fs::read_to_string(&file).unwrap_or_default();
    assert_eq!(committed, now, "docs/reference/statements.md is out of date");
}

/// The hot reads: nothing of them is asked by way of the pool, whoever asks (docs/decisions/0043).
#[tokio::test]
async fn lists_and_sessions_are_read_where_they_are_asked() {
    let app = TestApp::on(Engine::Sqlite).await.expect("SQLite needs nothing");
    let worker = app.person(Role::Worker).await;
    for (nth, plate) in [Some("1111BBB"), None, Some("3333BBB"), None, Some("2222BBB")].into_iter().enumerate() {
        let fields = json!({"expedientNumber": format!("DIRECTO{nth}"), "carId": plate});
        Case::open_by(&app, worker.clone(), fields).await;
        app.advance(TimeDelta::minutes(1));
    }
    let (company, everything) = (worker.company, json!({"begin": "2020-01-01"}));
    let principal = app.person_in(company, Role::Customer).await;
    let list = format!("/api/v1/conferences-div-details/{company}");
    app.db.statements().keep();
    for person in [&worker, &principal] {
        let client = app.log_in(person).await;
        let mut calls: Vec<(Method, String, Option<&Value>)> = vec![(Method::GET, "/api/v1/get-links".to_owned(), None)];
        for sort in ["-createdAt", "carId", "-carId", "userName"] {
            let page = format!("{list}?sort={sort}&limit=2");
            let first = client.post(&page, everything.clone()).await.ok();
            let next = text(&first["nextCursor"]);
            for rest in ["".to_owned(), format!("&cursor={next}"), "&cursor=4".to_owned(), "&search=directo".to_owned()] {
                calls.push((Method::POST, format!("{page}{rest}"), Some(&everything)));
            }
        }
        calls.push((Method::POST, format!("{list}?state=pending&search=directo"), Some(&everything)));
        // Not kept any more
        let client = app.log_in(person).await;
        for (method, path, body) in calls {
            let before = app.db.statements().direct();
            let made = statements(&app, &client, &method, &path, body).await;
            let reads = made.iter().filter(|sql| sql.starts_with("SELECT")).count() as u64;
            assert_eq!(app.db.statements().direct() - before, reads, "{path}: {made:#?}");
        }
    }
}
