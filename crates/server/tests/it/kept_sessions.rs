//! Who is valid is kept by the process and forgotten the moment it changes: a test per cause.

use crate::support::text;
use atalaya_kernel::Role;
use atalaya_testkit::{Client, Engine, PASSWORD, Person, TestApp, both_engines};
use chrono::TimeDelta;
use sea_orm::{ConnectionTrait, Statement};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// How long a condition may take on a busy machine.
const LONG: Duration = Duration::from_secs(20);

/// Statements of one `me`.
async fn statements_of_me(app: &TestApp, client: &Client) -> u64 {
    let before = app.db.statements().count();
    client.get("/api/v1/me").await.ok();
    app.db.statements().count() - before
}

/// Asks until it is answered without the database: on PostgreSQL the listener has proved first that it hears.
async fn keep(app: &TestApp, client: &Client) {
    let began = Instant::now();
    while statements_of_me(app, client).await > 0 {
        assert!(began.elapsed() < LONG, "the session is not kept");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// Somebody with two log-ins, both kept.
async fn kept_twice(app: &TestApp, person: &Person) -> (Client, Client) {
    let clients = (app.log_in(person).await, app.log_in(person).await);
    keep(app, &clients.0).await;
    keep(app, &clients.1).await;
    clients
}

async fn me(client: &Client) -> Value {
    client.get("/api/v1/me").await.ok()["user"].clone()
}

async fn status(client: &Client) -> u16 {
    client.get("/api/v1/me").await.status
}

/// A change by an administrator.
async fn put_user(app: &TestApp, person: &Person, mut fields: Value) {
    fields["_id"] = json!(person.id);
    app.as_role(Role::Admin).await.put("/api/v1/user", json!({"user": fields})).await.ok();
}

async fn put_company(client: &Client, person: &Person, mut fields: Value) {
    fields["_id"] = json!(person.company);
    client.put("/api/v1/customer", json!({"customer": fields})).await.ok();
}

both_engines! {
    // SESSION-13
    async fn a_log_out_counts_for_the_next_request(app) {
        app.hear_changes();
        let worker = app.person(Role::Worker).await;
        let (one, other) = kept_twice(app, &worker).await;
        let renewed = one.clone().with("x-renew-token", "true").get("/api/v1/renewToken").await.ok();
        let renewed = one.clone().with_token(text(&renewed["token"]));
        keep(app, &renewed).await;
        renewed.post("/api/v1/logout", Value::Null).await.expect(204);
        one.get("/api/v1/me").await.problem(401, "SESSION_ENDED");
        renewed.get("/api/v1/me").await.problem(401, "SESSION_ENDED");
        assert_eq!(status(&other).await, 200, "another log-in goes on");
    }

    // SESSION-13
    async fn a_device_that_is_ended_is_out_at_once(app) {
        app.hear_changes();
        let worker = app.person(Role::Worker).await;
        let (one, other) = kept_twice(app, &worker).await;
        let list = one.get(&format!("/api/v1/sessions/{}", worker.id)).await.ok();
        let ended = list["sessions"].as_array().unwrap().iter().find(|row| row["current"] == json!(false)).expect("the other").clone();
        keep(app, &other).await;
        one.post(&format!("/api/v1/session-end/{}", text(&ended["_id"])), Value::Null).await.expect(204);
        assert_eq!((status(&other).await, status(&one).await), (401, 200));
        let again = app.log_in(&worker).await;
        keep(app, &again).await;
        one.post(&format!("/api/v1/sessions-end/{}", worker.id), Value::Null).await.expect(204);
        assert_eq!((status(&again).await, status(&one).await), (401, 200));
    }

    // SESSION-13
    async fn a_new_password_ends_the_other_log_ins_at_once(app) {
        app.hear_changes();
        let worker = app.person(Role::Worker).await;
        let (one, other) = kept_twice(app, &worker).await;
        let body = json!({"params": {"oldPassword": PASSWORD, "password": "tejado rojo bajo la lluvia"}});
        one.put(&format!("/api/v1/change-password-perfil/{}", worker.id), body).await.expect(204);
        assert_eq!((status(&other).await, status(&one).await), (401, 200));
    }

    // SESSION-13
    async fn who_is_deactivated_is_out_at_once(app) {
        app.hear_changes();
        let worker = app.person(Role::Worker).await;
        let (one, other) = kept_twice(app, &worker).await;
        put_user(app, &worker, json!({"status": 1})).await;
        assert_eq!((status(&other).await, status(&one).await), (401, 401));
    }

    // SESSION-13
    async fn another_role_ends_the_sessions_and_another_flag_shows_at_once(app) {
        app.hear_changes();
        let worker = app.person(Role::Worker).await;
        let (one, _) = kept_twice(app, &worker).await;
        put_user(app, &worker, json!({"support": true, "name": "Otra"})).await;
        let user = me(&one).await;
        assert_eq!((&user["support"], &user["name"]), (&json!(true), &json!("Otra")));
        keep(app, &one).await;
        put_user(app, &worker, json!({"role": 2})).await;
        assert_eq!(status(&one).await, 401);
    }

    // SESSION-13
    async fn the_people_of_a_blocked_company_are_out_at_once(app) {
        app.hear_changes();
        let (principal, admin) = (app.person(Role::Customer).await, app.as_role(Role::Admin).await);
        let worker = app.person_in(principal.company, Role::Worker).await;
        let stranger = app.as_role(Role::Customer).await;
        let (boss, one) = (app.log_in(&principal).await, app.log_in(&worker).await);
        for client in [&boss, &one, &stranger] {
            keep(app, client).await;
        }
        put_company(&admin, &principal, json!({"status": 1})).await;
        assert_eq!((status(&boss).await, status(&one).await, status(&stranger).await), (401, 401, 200));
    }

    // SESSION-13
    async fn what_a_company_changes_its_people_see_at_once(app) {
        app.hear_changes();
        let principal = app.person(Role::Customer).await;
        let worker = app.person_in(principal.company, Role::Worker).await;
        let (boss, one) = (app.log_in(&principal).await, app.log_in(&worker).await);
        keep(app, &one).await;
        assert_eq!(me(&one).await["company"]["mayCall"], json!(true));
        put_company(&boss, &principal, json!({"bankAccount": ""})).await;
        put_company(&app.as_role(Role::Admin).await, &principal, json!({"company": "Nueva, S.L."})).await;
        let company = me(&one).await["company"].clone();
        assert_eq!((&company["company"], &company["mayCall"]), (&json!("Nueva, S.L."), &json!(false)));
    }

    // SESSION-1, SESSION-2
    async fn a_token_that_is_kept_dies_in_its_time(app) {
        app.hear_changes();
        let worker = app.person(Role::Worker).await;
        let (one, other) = kept_twice(app, &worker).await;
        one.clone().with("x-renew-token", "true").get("/api/v1/renewToken").await.ok();
        keep(app, &one).await;
        app.advance(TimeDelta::seconds(60));
        one.get("/api/v1/me").await.problem(401, "SESSION_ENDED");
        keep(app, &other).await;
        app.advance(TimeDelta::hours(1));
        other.get("/api/v1/me").await.problem(401, "SESSION_EXPIRED");
    }

    // SESSION-13, SESSION-14
    async fn what_nobody_of_ours_wrote_is_seen_within_a_second(app) {
        app.hear_changes();
        let worker = app.person(Role::Worker).await;
        let (one, _) = kept_twice(app, &worker).await;
        let db = app.db.read();
        let sql = "UPDATE app_user SET status = 1 WHERE id = $1";
        db.execute_raw(Statement::from_sql_and_values(db.get_database_backend(), sql, [worker.id.0.into()])).await.unwrap();
        let began = Instant::now();
        while status(&one).await != 401 {
            assert!(began.elapsed() < LONG);
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        if app.engine == Engine::Sqlite {
            assert_eq!(status(&one).await, 401);
        }
    }

    // SESSION-14
    async fn nothing_is_kept_while_the_changes_of_other_nodes_are_not_heard(app) {
        app.hear_changes();
        let one = app.as_role(Role::Worker).await;
        keep(app, &one).await;
        if app.engine == Engine::Sqlite {
            return;
        }
        app.hearing.cancel();
        let began = Instant::now();
        while statements_of_me(app, &one).await == 0 {
            assert!(began.elapsed() < LONG);
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        for _ in 0..5 {
            assert!(statements_of_me(app, &one).await > 0, "read each time");
        }
    }
}
