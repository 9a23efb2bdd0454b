//! Forgotten, reset and changed passwords, and the password operator's desk.

use crate::support::text;
use atalaya_kernel::{CompanyKind, Role, Status};
use atalaya_testkit::{Answer, Client, PASSWORD, Person, TestApp, both_engines};
use chrono::TimeDelta;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

const NEW: &str = "tejado rojo bajo la lluvia";

async fn ask(app: &TestApp, name: &str) -> Answer {
    app.anonymous().post("/api/v1/remember-email", json!({"email": name})).await
}

/// What was sent to an address, newest first.
async fn sent(app: &TestApp, to: &str) -> Vec<Value> {
    let to = to.replace('+', "%2B");
    let outbox = app.as_role(Role::Admin).await.get(&format!("/api/v1/outbox?to={to}")).await.ok();
    outbox["outbox"].as_array().expect("a list").clone()
}

fn token_of(message: &Value) -> String {
    text(&message["link"]).rsplit('/').next().expect("a token").to_owned()
}

async fn reset_token(app: &TestApp, person: &Person) -> String {
    ask(app, &person.user_name).await.expect(204);
    token_of(&sent(app, &person.user_name).await[0])
}

async fn change(app: &TestApp, token: &str, password: &str) -> Answer {
    app.anonymous().put("/api/v1/change-password", json!({"change": {"token": token, "password": password}})).await
}

async fn log_in(app: &TestApp, person: &Person, password: &str) -> Answer {
    app.anonymous().post("/api/v1/login", json!({"userName": person.user_name, "password": password, "login": true})).await
}

async fn change_own(session: &Client, person: &Person, old: &str, new: &str) -> Answer {
    let body = json!({"params": {"oldPassword": old, "password": new}});
    session.put(&format!("/api/v1/change-password-perfil/{}", person.id), body).await
}

async fn is_alive(client: &Client, person: &Person) -> bool {
    client.get(&format!("/api/v1/user/{}", person.id)).await.status == 200
}

both_engines! {
    // RECOVER-2, RECOVER-4
    async fn a_reset_sets_the_password_ends_all_sessions_and_tells_the_holder(app) {
        let worker = app.person(Role::Worker).await;
        let session = app.log_in(&worker).await;
        ask(app, &worker.user_name.to_uppercase()).await.expect(204);
        let message = sent(app, &worker.user_name).await[0].clone();
        assert!(text(&message["text"]).contains("Empresa "), "the company is named: {message}");
        assert!(text(&message["link"]).contains("/remember-form/"), "{message}");
        let token = token_of(&message);
        let check = app.anonymous().post("/api/v1/verify-token", json!({"activationToken": token})).await.ok();
        assert_eq!((&check["valid"], &check["kind"]), (&json!(true), &json!("reset")), "{check}");
        assert!(is_alive(&session, &worker).await, "asking changes nothing");
        log_in(app, &worker, PASSWORD).await.ok();

        change(app, &token, NEW).await.expect(204);
        assert!(!is_alive(&session, &worker).await);
        log_in(app, &worker, PASSWORD).await.problem(422, "LOGIN_INCORRECT");
        log_in(app, &worker, NEW).await.ok();
        change(app, &token, "otra clave muy larga").await.problem(422, "TOKEN_USED");
        let told = sent(app, &worker.user_name).await;
        assert!(told.iter().any(|m| text(&m["subject"]) == "Se ha cambiado su contraseña de Atalaya"), "{told:?}");
        assert!(told.iter().all(|m| !text(&m["text"]).contains(NEW)));
    }

    // RECOVER-1
    async fn known_and_unknown_get_the_same_answer_in_the_same_time(app) {
        let worker = app.person(Role::Worker).await;
        for name in [worker.user_name.as_str(), "nadie@ejemplo.es", "+34600000000", "no es una dirección"] {
            let begun = Instant::now();
            let answer = ask(app, name).await;
            answer.expect(204);
            assert!(answer.body.is_empty());
            assert!(begun.elapsed() >= Duration::from_millis(250), "{name}");
        }
        assert!(sent(app, "nadie@ejemplo.es").await.is_empty());
        for bad in [json!({"email": " "}), json!({}), json!({"email": "x".repeat(1001)})] {
            app.anonymous().post("/api/v1/remember-email", bad).await.problem(422, "INVALID_FIELDS");
        }
    }

    // RECOVER-8
    async fn a_name_and_an_address_are_asked_about_so_often(app) {
        for n in 0..5u8 {
            app.anonymous().from([198, 51, 100, n]).post("/api/v1/remember-email", json!({"email": "nadie@ejemplo.es"})).await.expect(204);
        }
        app.advance(TimeDelta::seconds(60));
        let answer = ask(app, " NADIE@ejemplo.es").await;
        answer.problem(429, "TOO_MANY_REQUESTS");
        assert_eq!(answer.header("retry-after"), Some("840"));
        app.advance(TimeDelta::seconds(840));
        ask(app, "nadie@ejemplo.es").await.expect(204);
    }

    // RECOVER-2
    async fn every_account_of_a_name_gets_its_own_message(app) {
        let (one, two) = (app.company(CompanyKind::Customer, "Uno").await, app.company(CompanyKind::Repairer, "Dos").await);
        let first = app.person_with(one, Role::Worker, |user| user.user_name = "ana@ejemplo.es".into()).await;
        // Older accounts are offered first.
        app.advance(TimeDelta::milliseconds(1));
        let second = app.person_with(two, Role::Repairer, |user| user.user_name = "ana@ejemplo.es".into()).await;
        app.person_with(one, Role::Worker, |user| { user.user_name = "eva@ejemplo.es".into(); user.status = Status::Inactive }).await;
        ask(app, "ana@ejemplo.es").await.expect(204);
        let messages = sent(app, "ana@ejemplo.es").await;
        assert_eq!(messages.len(), 2);
        let of = |name: &str| messages.iter().find(|m| text(&m["subject"]).contains(name)).expect("named").clone();
        change(app, &token_of(&of("Dos")), NEW).await.expect(204);
        let choice = app.anonymous().post("/api/v1/prelogin", json!({"userName": "ana@ejemplo.es"})).await.ok();
        let body = |nth: usize, password: &str| json!({"userName": "ana@ejemplo.es", "password": password, "login": choice["users"][nth]["_id"]});
        assert_eq!(app.anonymous().post("/api/v1/login", body(0, PASSWORD)).await.ok()["user"]["_id"], json!(first.id));
        let choice_again = app.anonymous().post("/api/v1/prelogin", json!({"userName": "ana@ejemplo.es"})).await.ok();
        let body = json!({"userName": "ana@ejemplo.es", "password": NEW, "login": choice_again["users"][1]["_id"]});
        assert_eq!(app.anonymous().post("/api/v1/login", body).await.ok()["user"]["_id"], json!(second.id));
        ask(app, "eva@ejemplo.es").await.expect(204);
        assert!(sent(app, "eva@ejemplo.es").await.is_empty(), "who may not log in gets nothing");
    }

    // RECOVER-2, LINK-1
    async fn a_phone_gets_an_sms_with_a_short_link(app) {
        let company = app.company(CompanyKind::Repairer, "Reparaciones y montajes de la comarca del Alto Ebro").await;
        let person = app.person_with(company, Role::RepairerOperator, |user| user.user_name = "+34600123456".into()).await;
        ask(app, "600 12 34 56").await.expect(204);
        let message = sent(app, "+34600123456").await[0].clone();
        assert_eq!(message["channel"], json!("sms"));
        let link = text(&message["link"]);
        assert!(link.contains("/a/") && token_of(&message).len() == 10, "{link}");
        assert!(text(&message["text"]).ends_with(&link));
        let short = &link[link.find("/a/").expect("checked")..];
        let redirect = app.anonymous().get(short).await;
        redirect.expect(302);
        assert!(redirect.header("location").is_some_and(|to| to.ends_with(&format!("/remember-form/{}", token_of(&message)))));
        change(app, &token_of(&message), NEW).await.expect(204);
        log_in(app, &person, NEW).await.ok();
    }

    // RECOVER-3, RECOVER-7, LINK-2
    async fn a_link_lives_an_hour_and_a_newer_one_replaces_it(app) {
        let worker = app.person(Role::Worker).await;
        let old = reset_token(app, &worker).await;
        app.advance(TimeDelta::seconds(1));
        let token = reset_token(app, &worker).await;
        change(app, &old, NEW).await.problem(422, "TOKEN_EXPIRED");
        app.advance(TimeDelta::seconds(3599));
        let weak = change(app, &token, "12345678").await.problem(422, "INVALID_FIELDS");
        assert_eq!((&weak["errors"][0]["field"], &weak["errors"][0]["code"]), (&json!("password"), &json!("PASSWORD_WEAK")));
        app.advance(TimeDelta::seconds(1));
        change(app, &token, NEW).await.problem(422, "TOKEN_EXPIRED");
        change(app, "unknown", NEW).await.problem(422, "TOKEN_INVALID");
    }

    // RECOVER-7
    async fn one_s_own_name_is_no_password(app) {
        let worker = app.person_with(app.person(Role::Worker).await.company, Role::Worker, |user| {
            (user.name, user.surname) = ("Wenceslao".into(), "Etxeberriarena".into());
        }).await;
        let token = reset_token(app, &worker).await;
        change(app, &token, "etxeberriarena").await.problem(422, "INVALID_FIELDS");
        change(app, &token, NEW).await.expect(204);
    }

    // RECOVER-3
    async fn of_many_with_one_link_one_sets_the_password(app) {
        let worker = app.person(Role::Worker).await;
        let token = reset_token(app, &worker).await;
        let passwords: Vec<String> = (0..8).map(|n| format!("{NEW} número {n}")).collect();
        let answers = futures::future::join_all(passwords.iter().map(|password| change(app, &token, password))).await;
        let won: Vec<_> = answers.iter().enumerate().filter(|(_, answer)| answer.status == 204).map(|(n, _)| n).collect();
        assert_eq!(won.len(), 1, "{answers:?}");
        assert!(answers.iter().all(|answer| answer.status == 204 || answer.json()["code"] == "TOKEN_USED"));
        log_in(app, &worker, &passwords[won[0]]).await.ok();
    }

    // RECOVER-4
    async fn a_reset_opens_a_locked_account(app) {
        let worker = app.person(Role::Worker).await;
        for _ in 0..5 {
            log_in(app, &worker, "otra").await.problem(422, "LOGIN_INCORRECT");
        }
        log_in(app, &worker, PASSWORD).await.problem(429, "LOGIN_LOCKED");
        let token = reset_token(app, &worker).await;
        change(app, &token, NEW).await.expect(204);
        log_in(app, &worker, NEW).await.ok();
    }

    // RECOVER-4, FACTOR-4
    async fn a_reset_forgives_no_wrong_codes(app) {
        let me = crate::second_factor::enrol(app, app.person(Role::Worker).await).await;
        for n in 0..5u8 {
            let waiting = log_in(app, &me.person, PASSWORD).await.ok();
            let client = app.anonymous().with_token(text(&waiting["token"])).from([198, 51, 100, n]);
            let wrong = client.post("/api/v1/verify2fa", json!({"userId": me.person.id, "token": "000000"})).await;
            wrong.problem(422, "CODE_INVALID");
        }
        let token = reset_token(app, &me.person).await;
        change(app, &token, NEW).await.expect(204);
        log_in(app, &me.person, NEW).await.problem(429, "LOGIN_LOCKED");
        app.advance(chrono::TimeDelta::minutes(15));
        log_in(app, &me.person, NEW).await.ok();
    }

    // RECOVER-4
    async fn a_log_in_that_waits_for_its_code_ends_with_the_password(app) {
        let me = crate::second_factor::enrol(app, app.person(Role::Worker).await).await;
        let waiting = log_in(app, &me.person, PASSWORD).await.ok();
        let token = reset_token(app, &me.person).await;
        change(app, &token, NEW).await.expect(204);
        let code = crate::second_factor::code(app, &me.secret, 0);
        let client = app.anonymous().with_token(text(&waiting["token"]));
        let answer = client.post("/api/v1/verify2fa", json!({"userId": me.person.id, "token": code})).await;
        answer.problem(422, "LOGIN_EXPIRED");
        assert_eq!(log_in(app, &me.person, NEW).await.ok()["login"], json!(false), "a reset leaves the second factor on");
    }

    // RECOVER-5
    async fn the_own_password_is_changed_with_the_old_one(app) {
        let worker = app.person(Role::Worker).await;
        let (here, there) = (app.log_in(&worker).await, app.log_in(&worker).await);
        let wrong = change_own(&here, &worker, "otra", NEW).await.problem(422, "INVALID_FIELDS");
        assert_eq!((&wrong["errors"][0]["field"], &wrong["errors"][0]["code"]), (&json!("oldPassword"), &json!("PASSWORD_WRONG")));
        let weak = change_own(&here, &worker, PASSWORD, "corta").await.problem(422, "INVALID_FIELDS");
        assert_eq!((&weak["errors"][0]["field"], &weak["errors"][0]["code"]), (&json!("password"), &json!("PASSWORD_WEAK")));
        change_own(&here, &worker, PASSWORD, NEW).await.expect(204);
        assert!(is_alive(&here, &worker).await, "this session stays");
        assert!(!is_alive(&there, &worker).await, "the others end");
        log_in(app, &worker, PASSWORD).await.problem(422, "LOGIN_INCORRECT");
        log_in(app, &worker, NEW).await.ok();
        assert_eq!(sent(app, &worker.user_name).await.len(), 1, "the holder is told");
    }

    // RECOVER-5
    async fn a_changed_password_removes_the_passkeys_if_that_is_wished(app) {
        let worker = app.person(Role::Worker).await;
        let session = app.log_in(&worker).await;
        crate::passkeys::device_of(app, &worker).await;
        let count = || async { session.get("/api/v1/passkeys").await.ok()["passkeys"].as_array().map(Vec::len) };
        change_own(&session, &worker, PASSWORD, NEW).await.expect(204);
        assert_eq!(count().await, Some(1), "they stay without a word");
        let params = json!({"oldPassword": NEW, "password": "molino verde junto al canal", "removePasskeys": true});
        let path = format!("/api/v1/change-password-perfil/{}", worker.id);
        session.put(&path, json!({"params": params})).await.expect(204);
        assert_eq!(count().await, Some(0));
    }

    // RECOVER-5
    async fn wrong_old_passwords_lock_the_account(app) {
        let worker = app.person(Role::Worker).await;
        let session = app.log_in(&worker).await;
        for _ in 0..5 {
            change_own(&session, &worker, "otra", NEW).await.problem(422, "INVALID_FIELDS");
        }
        let locked = change_own(&session, &worker, PASSWORD, NEW).await;
        locked.problem(429, "LOGIN_LOCKED");
        assert_eq!(locked.header("retry-after"), Some("900"));
    }

    // RECOVER-6, ACCESS-2
    async fn nobody_changes_another_s_password(app) {
        let worker = app.person(Role::Worker).await;
        let support = app.person_with(worker.company, Role::Worker, |user| user.support = true).await;
        for session in [app.log_in(&support).await, app.as_role(Role::Admin).await, app.as_role(Role::PasswordOperator).await] {
            change_own(&session, &worker, PASSWORD, NEW).await.problem(403, "OWN_ID_REQUIRED");
        }
        log_in(app, &worker, PASSWORD).await.ok();
    }

    // RECOVER-6
    async fn the_password_operator_finds_accounts_and_starts_a_reset(app) {
        let worker = app.person(Role::Worker).await;
        let operator = app.as_role(Role::PasswordOperator).await;
        let found = operator.post("/api/v1/password-users", json!({"userName": worker.user_name})).await.ok();
        assert_eq!(found["users"].as_array().map(Vec::len), Some(1));
        let fields: Vec<_> = found["users"][0].as_object().unwrap().keys().cloned().collect();
        assert_eq!(fields, ["_id", "company", "role", "status", "userName"], "nothing personal beyond that");
        let part = operator.post("/api/v1/password-users", json!({"userName": worker.user_name[..5]})).await.ok();
        assert_eq!(part, json!({"users": []}), "whole user names only");
        // EDGE-8
        let address = format!("/api/v1/password-users?userName={}", worker.user_name);
        operator.get(&address).await.problem(405, "METHOD_NOT_ALLOWED");
        operator.post(&format!("/api/v1/password-reset/{}", worker.id), json!({})).await.expect(204);
        let token = token_of(&sent(app, &worker.user_name).await[0]);
        change(app, &token, NEW).await.expect(204);
        log_in(app, &worker, NEW).await.ok();
        let unknown = format!("/api/v1/password-reset/{}", app.sources.uuid());
        operator.post(&unknown, json!({})).await.problem(404, "USER_NOT_FOUND");
        operator.get(&format!("/api/v1/user/{}", worker.id)).await.problem(404, "USER_NOT_FOUND");
    }

    // LINK-6
    async fn the_sweep_forgets_old_links(app) {
        let worker = app.person(Role::Worker).await;
        let token = reset_token(app, &worker).await;
        let links = || async {
            use sea_orm::{ConnectionTrait, Statement};
            atalaya_identity::tasks::sweep(&app.identity).await.unwrap();
            let sql = "SELECT id FROM account_token";
            let statement = Statement::from_string(app.db.read().get_database_backend(), sql);
            app.db.read().query_all_raw(statement).await.unwrap().len()
        };
        app.advance(TimeDelta::hours(1) + TimeDelta::days(7));
        assert_eq!(links().await, 1, "it still says what became of it");
        change(app, &token, NEW).await.problem(422, "TOKEN_EXPIRED");
        app.advance(TimeDelta::seconds(1));
        assert_eq!(links().await, 0);
        change(app, &token, NEW).await.problem(422, "TOKEN_INVALID");
    }
}
