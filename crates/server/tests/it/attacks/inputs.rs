//! Texts, bodies and tokens that are more than they seem: SQL, JSON of any depth and size, a token in another's place.

use crate::invitations::{invite, link_of, message_to, principal};
use crate::public_api::key_of;
use crate::support::{Case, opening_with, text};
use atalaya_kernel::{CompanyKind, Language, Role};
use atalaya_outreach::marketing::{Permission, issue_token};
use atalaya_testkit::{PASSWORD, both_engines};
use axum::http::Method;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

const SQL: [&str; 6] = [
    "' OR '1'='1",
    "x'; DROP TABLE app_user; --",
    "\") OR 1=1 --",
    "1; SELECT pg_sleep(300)",
    "' UNION SELECT password --",
    "\\' OR 1=1 #",
];
const LISTS: &str = "/api/v1/conferences-div-details";

/// Every byte in its percent form.
fn encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

both_engines! {
    // CASE-17, AUTH-3
    async fn sql_in_a_text_is_a_text(app) {
        let began = Instant::now();
        // Somebody else's, which nobody may be shown.
        Case::open(app).await;
        let worker = app.person(Role::Worker).await;
        let staff = app.log_in(&worker).await;
        for (nth, evil) in (0..).zip(SQL) {
            let fields = json!({"expedientNumber": evil, "phoneNumber": format!("+3460012345{nth}")});
            staff.post("/api/v1/getToken", opening_with(fields)).await.ok();
        }
        let path = format!("{LISTS}/{}", worker.company);
        let listed = staff.post(&path, json!({})).await.ok();
        let rows = listed["conferences"].as_array().expect("a list");
        let mut kept: Vec<String> = rows.iter().map(|row| text(&row["expedientNumber"])).collect();
        kept.sort();
        let mut sent = SQL.map(str::to_owned);
        sent.sort();
        assert_eq!(kept, sent, "stored to the letter, and nothing of others");
        let admin = app.as_role(Role::Admin).await;
        for (nth, evil) in (1..).zip(SQL) {
            let query = encoded(evil);
            let found = staff.post(&format!("{path}?search={query}"), json!({})).await.ok();
            let found = found["conferences"].as_array().expect("a list").clone();
            assert!(found.iter().all(|row| sent.contains(&text(&row["expedientNumber"]))), "{evil}: {found:?}");
            for name in ["sort", "user"] {
                staff.post(&format!("{path}?{name}={query}"), json!({})).await.problem(422, "INVALID_FIELDS");
            }
            for list in ["customers".to_owned(), format!("users/{}", worker.company)] {
                admin.get(&format!("/api/v1/{list}?search={query}")).await.ok();
            }
            let stranger = app.anonymous().from([203, nth, 113, 1]);
            for name in [evil, worker.user_name.as_str()] {
                let body = json!({"userName": name, "password": evil, "login": true});
                stranger.post("/api/v1/login", body).await.problem(422, "LOGIN_INCORRECT");
            }
        }
        assert!(began.elapsed() < Duration::from_secs(240), "nothing slept in the database");
        let body = json!({"userName": worker.user_name, "password": PASSWORD, "login": true});
        app.anonymous().post("/api/v1/login", body).await.ok();
    }

    // EDGE-3
    async fn deep_and_huge_bodies_are_refused_at_once(app) {
        let began = Instant::now();
        let worker = app.as_role(Role::Worker).await;
        let doors = [
            (app.anonymous(), "/api/v1/prelogin"),
            (app.anonymous(), "/api/v1/login"),
            (worker.clone(), "/api/v1/getToken"),
            (worker, "/api/v1/marketing-consent"),
        ];
        for (client, path) in doors {
            for (begin, open, close, end) in [
                ("", "[", "]", ""),
                ("", "{\"a\":", "}", ""),
                ("{\"userName\":", "[", "]", "}"),
                ("{\"allow\":", "{\"a\":", "}", "}"),
                ("{\"phoneNumber\":", "[", "", ""),
            ] {
                let deep = format!("{begin}{}1{}{end}", open.repeat(20_000), close.repeat(20_000));
                let answer = client.send_body(Method::POST, path, Some("application/json"), deep).await;
                let code = answer.json()["code"].clone();
                let refused = matches!((answer.status, code.as_str()), (400, Some("MALFORMED_JSON")) | (422, Some("INVALID_FIELDS")));
                assert!(refused, "{path} {begin}{open}: {} {code}", answer.status);
            }
            let huge = vec![b' '; 32 << 20];
            let answer = client.send_body(Method::POST, path, Some("application/json"), huge).await;
            answer.problem(413, "BODY_TOO_LARGE");
        }
        assert!(began.elapsed() < Duration::from_secs(60), "{:?}", began.elapsed());
    }

    // SESSION-4, LINK-4, PROMO-3
    async fn a_token_of_one_kind_opens_nothing_of_another(app) {
        let person = app.person(Role::Worker).await;
        let session = app.log_in(&person).await.token.expect("a token");
        let customer = principal(app, CompanyKind::Customer, "Cliente").await;
        let activation = invite(app, &customer, "ana@ejemplo.es", Role::Worker, None).await;
        app.anonymous().post("/api/v1/remember-email", json!({"email": person.user_name})).await.expect(204);
        let reset = link_of(&message_to(app, &person.user_name).await).1;
        let advertising = issue_token(&app.outreach, &person.user_name, Permission::No, Language::Es).await.expect("it is written");
        let case = Case::open(app).await;
        let device = case.accept().await;
        let program = key_of(app, &customer).await;
        let tokens = [
            ("session", session),
            ("activation", activation),
            ("reset", reset),
            ("advertising", advertising),
            ("link", case.hash.clone()),
            ("device", device),
            ("program", program),
        ];
        for (nth, (kind, token)) in (1..).zip(&tokens) {
            let client = || app.anonymous().from([203, 0, 113, nth]);
            let refused = async |path: &str, body: Value| client().post(path, body).await.problem(422, "TOKEN_INVALID");
            if *kind != "session" {
                client().with_token(token.as_str()).get("/api/v1/me").await.problem(401, "SESSION_INVALID");
            }
            if *kind != "activation" {
                refused("/api/v1/verify-token-activation", json!({"activationToken": token})).await;
            }
            if *kind != "reset" {
                let body = json!({"change": {"token": token, "password": "tejado rojo bajo la lluvia"}});
                client().put("/api/v1/change-password", body).await.problem(422, "TOKEN_INVALID");
            }
            if *kind != "advertising" {
                refused("/api/v1/marketing-token", json!({"marketingToken": token})).await;
            }
            if *kind != "link" {
                client().get(&format!("/api/v1/external/{token}")).await.problem(404, "LINK_UNKNOWN");
            }
            if *kind != "device" {
                let joining = json!({"camera": true, "microphone": true});
                case.client_with(token, "join", joining).await.problem(403, "CLIENT_KEY_INVALID");
            }
            if *kind != "program" {
                client().with("x-api-key", token).get("/ext-api/v1/account").await.problem(401, "API_KEY_INVALID");
            }
            refused("/api/v1/user-name-confirm", json!({"token": token})).await;
        }
    }
}
