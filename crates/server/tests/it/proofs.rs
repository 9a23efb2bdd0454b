//! Fresh proofs of identity: what needs one, what counts as one, and how long.

use crate::passkeys::{device_of, question};
use crate::support::text;
use atalaya_kernel::{CompanyKind, Role};
use atalaya_testkit::{Answer, Client, PASSWORD, TestApp, both_engines};
use axum::http::Method;
use chrono::TimeDelta;
use sea_orm::{ConnectionTrait, Statement};
use serde_json::{Value, json};

async fn prove(client: &Client, proof: Value) -> Answer {
    client.post("/api/v1/fresh-proof", proof).await
}

async fn needs_proof(client: &Client) -> bool {
    let answer = client.get("/api/v1/2fa").await;
    match answer.status {
        403 => {
            answer.problem(403, "FRESH_PROOF_REQUIRED");
            true
        }
        _ => false,
    }
}

/// Lets the last proof of everybody grow old.
fn later(app: &TestApp) {
    app.advance(TimeDelta::minutes(10));
}

async fn execute(app: &TestApp, sql: &str, values: Vec<sea_orm::Value>) {
    let tx = app.db.write().await.unwrap();
    tx.execute_raw(Statement::from_sql_and_values(tx.get_database_backend(), sql, values)).await.unwrap();
    tx.commit().await.unwrap();
}

both_engines! {
    // PROOF-1, PROOF-3
    async fn changes_of_what_opens_an_account_need_a_fresh_proof(app) {
        let person = app.person(Role::Customer).await;
        let client = app.log_in(&person).await;
        let key = client.post("/api/v1/generate-apiKey", json!({})).await.ok()["key"]["_id"].clone();
        let id = app.sources.uuid();
        let changes: Vec<(Method, String, Value, u16)> = vec![
            (Method::GET, "/api/v1/2fa".into(), Value::Null, 200),
            // ACCOUNT-2
            (Method::GET, "/api/v1/my-data".into(), Value::Null, 200),
            (Method::POST, "/api/v1/verify2fa".into(), json!({"userId": person.id, "token": "000000"}), 422),
            (Method::POST, "/api/v1/passkey-options".into(), Value::Null, 200),
            (Method::POST, format!("/api/v1/passkey-delete/{id}"), Value::Null, 404),
            (Method::GET, "/api/v1/generate-apiKey".into(), Value::Null, 200),
            (Method::POST, "/api/v1/generate-apiKey".into(), json!({}), 409),
            (Method::POST, format!("/api/v1/revoke-apiKey/{}", text(&key)), Value::Null, 204),
            (Method::PUT, "/api/v1/user".into(), json!({"user": {"_id": person.id, "email": "otra@ejemplo.es"}}), 200),
            (Method::PUT, "/api/v1/customer".into(),
                json!({"customer": {"_id": person.company, "bankAccount": "ES1001821234850000000001"}}), 200),
        ];
        let account = async || {
            client.get(&format!("/api/v1/customer/{}", person.company)).await.ok()["customer"]["bankAccount"].clone()
        };
        let before = account().await;
        let send = |method: Method, path: String, body: Value| {
            let client = client.clone();
            async move { client.send(method, &path, Some(body).filter(|body| !body.is_null())).await }
        };
        later(app);
        for (method, path, body, _) in changes.clone() {
            let answer = send(method.clone(), path.clone(), body).await;
            assert_eq!((answer.status, &answer.json()["code"]), (403, &json!("FRESH_PROOF_REQUIRED")), "{method} {path}");
        }
        assert_eq!(account().await, before, "nothing was changed");
        client.get("/api/v1/get-apiKey").await.ok();
        let name = json!({"user": {"_id": person.id, "name": "Otra"}});
        client.put("/api/v1/user", name).await.ok();

        prove(&client, json!({"password": PASSWORD})).await.expect(204);
        for (method, path, body, status) in changes {
            let answer = send(method.clone(), path.clone(), body).await;
            assert_eq!(answer.status, status, "{method} {path}: {}", String::from_utf8_lossy(&answer.body));
        }
        assert_ne!(account().await, before);
    }

    // PROOF-3
    async fn adding_a_passkey_and_resetting_somebody_else_s_factor_need_one(app) {
        let worker = app.person(Role::Worker).await;
        let session = app.log_in(&worker).await;
        let options = session.post("/api/v1/passkey-options", json!({})).await.ok();
        let device = crate::passkeys::device::Device::new(&options);
        let credential = device.create(&crate::passkeys::device::Says::creating(&options));
        let body = json!({"credential": credential, "name": "Portátil"});
        execute(app, "UPDATE session SET proved_at = NULL", vec![]).await;
        session.post("/api/v1/passkeys", body.clone()).await.problem(403, "FRESH_PROOF_REQUIRED");
        prove(&session, json!({"password": PASSWORD})).await.expect(204);
        session.post("/api/v1/passkeys", body).await.ok();

        let admin = app.as_role(Role::Admin).await;
        later(app);
        let reset = json!({"userId": worker.id});
        admin.post("/api/v1/disable2fa", reset.clone()).await.problem(403, "FRESH_PROOF_REQUIRED");
        prove(&admin, json!({"password": PASSWORD})).await.expect(204);
        admin.post("/api/v1/disable2fa", reset).await.expect(204);
    }

    // PROOF-1
    async fn a_proof_is_one_log_in_s_and_renewals_hand_it_on(app) {
        let worker = app.person(Role::Worker).await;
        let (here, there) = (app.log_in(&worker).await, app.log_in(&worker).await);
        assert!(!needs_proof(&here).await, "a log-in is a proof");
        later(app);
        assert!(needs_proof(&here).await && needs_proof(&there).await);
        prove(&here, json!({"password": PASSWORD})).await.expect(204);
        let renewed = here.clone().with("x-renew-token", "true").get("/api/v1/renewToken").await.ok();
        let renewed = app.anonymous().with_token(text(&renewed["token"]));
        assert!(!needs_proof(&here).await && !needs_proof(&renewed).await);
        assert!(needs_proof(&there).await, "another log-in proves itself");
        app.advance(TimeDelta::minutes(10));
        assert!(needs_proof(&renewed).await, "renewing is no proof");
    }

    // PROOF-2
    async fn wrong_proofs_count_as_wrong_tries(app) {
        let worker = app.person(Role::Worker).await;
        let session = app.log_in(&worker).await;
        later(app);
        prove(&session, json!({})).await.problem(422, "INVALID_FIELDS");
        prove(&session, json!({"code": "123456"})).await.problem(409, "SECOND_FACTOR_INACTIVE");
        for _ in 0..5 {
            let wrong = prove(&session, json!({"password": "otra"})).await.problem(422, "INVALID_FIELDS");
            assert_eq!(wrong["errors"][0]["code"], "PASSWORD_WRONG");
        }
        prove(&session, json!({"password": PASSWORD})).await.problem(429, "LOGIN_LOCKED");
        assert!(needs_proof(&session).await);
        prove(&app.anonymous(), json!({"password": PASSWORD})).await.problem(401, "SESSION_REQUIRED");
    }

    // PROOF-2
    async fn with_a_second_factor_a_code_or_a_passkey_proves(app) {
        let me = crate::second_factor::enrol(app, app.person(Role::Worker).await).await;
        let mut mine = device_of(app, &me.person).await;
        let mut another_s = device_of(app, &app.person(Role::Worker).await).await;
        later(app);
        let options = |session: Client| async move { session.post("/api/v1/passkey-options", json!({})).await.status };
        let wrong = prove(&me.session, json!({"password": PASSWORD})).await.problem(422, "INVALID_FIELDS");
        assert_eq!(wrong["errors"][0]["code"], "CODE_REQUIRED");
        prove(&me.session, json!({"code": "000000"})).await.problem(422, "CODE_INVALID");
        assert_eq!(options(me.session.clone()).await, 403);
        let code = crate::second_factor::code(app, &me.secret, 0);
        prove(&me.session, json!({"code": code})).await.expect(204);
        assert_eq!(options(me.session.clone()).await, 200);

        later(app);
        for (device, status) in [(&mut another_s, 422), (&mut mine, 204)] {
            assert_eq!(options(me.session.clone()).await, 403);
            let asked = question(app).await;
            let credential = device.prove(&crate::passkeys::device::Says::proving(&asked["publicKey"]));
            prove(&me.session, json!({"ceremony": asked["ceremony"], "credential": credential})).await.expect(status);
        }
        assert_eq!(options(me.session.clone()).await, 200);
    }

    // PROOF-3
    async fn an_administrator_s_change_of_an_account_or_an_address_needs_one(app) {
        let admin = app.as_role(Role::Admin).await;
        let company = app.company(CompanyKind::Customer, "Levante").await;
        let worker = app.person_in(company, Role::Worker).await;
        later(app);
        let address = json!({"user": {"_id": worker.id, "email": "nueva@ejemplo.es"}});
        admin.put("/api/v1/user", address.clone()).await.problem(403, "FRESH_PROOF_REQUIRED");
        prove(&admin, json!({"password": PASSWORD})).await.expect(204);
        admin.put("/api/v1/user", address).await.ok();
    }

    // SESSION-8
    async fn a_log_in_ends_after_thirty_days_however_often_it_was_renewed(app) {
        let worker = app.person(Role::Worker).await;
        let session = app.log_in(&worker).await;
        let begun = app.sources.now() - TimeDelta::days(30) + TimeDelta::minutes(30);
        execute(app, "UPDATE session SET opened_at = $1", vec![begun.into()]).await;
        let renew = |client: Client| async move { client.with("x-renew-token", "true").get("/api/v1/renewToken").await };
        let renewed = renew(session).await.ok();
        let end = (begun + TimeDelta::days(30)).timestamp();
        assert_eq!(renewed["exp"], end);
        let last = app.anonymous().with_token(text(&renewed["token"]));
        app.advance(TimeDelta::minutes(29));
        let again = renew(last).await.ok();
        assert_eq!(again["exp"], end, "renewing moves it no further");
        app.advance(TimeDelta::minutes(1));
        renew(app.anonymous().with_token(text(&again["token"]))).await.problem(401, "SESSION_EXPIRED");
    }
}
