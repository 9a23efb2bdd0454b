//! Second factor: enrolment, log-in with codes and recovery codes, turning it off.

use crate::support::text;
use atalaya_kernel::{Role, Status};
use atalaya_testkit::{Answer, Client, PASSWORD, Person, TestApp, both_engines};
use chrono::TimeDelta;
use serde_json::{Value, json};
use totp_rs::{Builder, Secret};

/// The code of a secret so many steps from now.
pub fn code(app: &TestApp, secret: &str, steps: i64) -> String {
    let secret = Secret::try_from_base32(secret).expect("base32");
    let totp = Builder::new().with_secret(secret.as_bytes().to_vec()).build().expect("valid");
    totp.generate(u64::try_from(app.sources.now().timestamp() + steps * 30).expect("after 1970")).to_string()
}

/// Somebody with a second factor.
pub struct Enrolled {
    pub person: Person,
    pub session: Client,
    pub secret: String,
    pub recovery: Vec<String>,
}

pub async fn enrol(app: &TestApp, person: Person) -> Enrolled {
    let session = app.log_in(&person).await;
    let secret = text(&session.get("/api/v1/2fa").await.ok()["secret"]);
    let body = json!({"userId": person.id, "token": code(app, &secret, 0), "secret": secret});
    let answer = session.post("/api/v1/verify2fa", body).await.ok();
    let recovery = answer["recoveryCodes"].as_array().expect("codes").iter().map(text).collect();
    // The enrolment has spent this step's code.
    app.advance(TimeDelta::seconds(60));
    Enrolled { person, session, secret, recovery }
}

async fn password(app: &TestApp, person: &Person) -> Answer {
    let body = json!({"userName": person.user_name, "password": PASSWORD, "login": true});
    app.anonymous().post("/api/v1/login", body).await
}

/// A browser between password and code.
async fn waiting(app: &TestApp, person: &Person) -> Client {
    let answer = password(app, person).await.ok();
    assert_eq!((answer["login"].as_bool(), answer["user"]["has2fa"].as_bool()), (Some(false), Some(true)));
    assert_eq!(answer["user"].as_object().map(|user| user.len()), Some(2), "nothing else is told before the code: {answer}");
    app.anonymous().with_token(text(&answer["token"]))
}

async fn give(client: &Client, person: &Person, token: &str) -> Answer {
    client.post("/api/v1/verify2fa", json!({"userId": person.id, "token": token, "secret": ""})).await
}

async fn audit_of(app: &TestApp, person: &Person) -> Vec<String> {
    use sea_orm::{ConnectionTrait, Statement};
    let sql = "SELECT action FROM audit_entry WHERE user_id = $1 ORDER BY at, id";
    let statement = Statement::from_sql_and_values(app.db.read().get_database_backend(), sql, [person.id.0.into()]);
    let rows = app.db.read().query_all_raw(statement).await.expect("the log is read");
    rows.iter().map(|row| row.try_get("", "action").expect("a text")).collect()
}

both_engines! {
    // FACTOR-1
    async fn enrolment_needs_a_right_code_and_answers_ten_recovery_codes(app) {
        let worker = app.person(Role::Worker).await;
        let session = app.log_in(&worker).await;
        session.post("/api/v1/verify2fa", json!({"userId": worker.id, "token": "123456"})).await.problem(409, "SECOND_FACTOR_INACTIVE");
        let asked = session.get("/api/v1/2fa").await;
        assert_eq!(asked.header("cache-control"), Some("no-store"));
        let asked = asked.ok();
        assert_eq!(asked["secret"].as_str().map(str::len), Some(32));
        assert!(text(&asked["otpauthUrl"]).starts_with("otpauth://totp/Atalaya:"), "{asked}");
        assert_eq!(session.get("/api/v1/2fa").await.ok(), asked, "a page may ask twice");
        let elsewhere = app.log_in(&worker).await;
        assert_ne!(elsewhere.get("/api/v1/2fa").await.ok()["secret"], asked["secret"], "a secret shown belongs to one log-in");
        let secret = text(&session.get("/api/v1/2fa").await.ok()["secret"]);
        assert_ne!(secret, text(&asked["secret"]));

        let verify = |token: String| session.post("/api/v1/verify2fa", json!({"userId": worker.id, "token": token, "secret": secret}));
        verify(code(app, &secret, 2)).await.problem(422, "CODE_INVALID");
        assert_eq!(password(app, &worker).await.ok()["login"], json!(true), "nothing is on before a right code");
        let other = app.person(Role::Worker).await;
        let body = json!({"userId": other.id, "token": code(app, &secret, 0)});
        session.post("/api/v1/verify2fa", body).await.problem(403, "OWN_ID_REQUIRED");

        let codes = verify(code(app, &secret, 0)).await.ok()["recoveryCodes"].clone();
        assert_eq!(codes.as_array().map(Vec::len), Some(10));
        session.get("/api/v1/2fa").await.problem(409, "SECOND_FACTOR_ACTIVE");
        verify(code(app, &secret, 1)).await.problem(409, "SECOND_FACTOR_ACTIVE");
        let profile = session.get(&format!("/api/v1/user/{}", worker.id)).await.ok();
        assert_eq!(profile["user"]["has2fa"], json!(true));
        let spent = waiting(app, &worker).await;
        give(&spent, &worker, &code(app, &secret, 0)).await.problem(422, "CODE_INVALID");
    }

    // FACTOR-2
    async fn the_log_in_asks_for_a_code_and_answers_a_whole_session(app) {
        let me = enrol(app, app.person(Role::Customer).await).await;
        let client = waiting(app, &me.person).await;
        client.get(&format!("/api/v1/user/{}", me.person.id)).await.problem(401, "SESSION_INVALID");
        let answer = give(&client, &me.person, &code(app, &me.secret, 0)).await;
        assert_eq!(answer.cookies("atalaya_media").len(), 3);
        let body = answer.ok();
        assert_eq!((body["login"].as_bool(), &body["user"]["_id"]), (Some(true), &json!(me.person.id)));
        let session = app.anonymous().with_token(text(&body["token"]));
        session.get(&format!("/api/v1/user/{}", me.person.id)).await.ok();
        assert_eq!(audit_of(app, &me.person).await, ["SECOND_FACTOR_ENABLED", "LOGGED_IN"]);
    }

    // FACTOR-3
    async fn a_code_is_good_for_the_step_before_and_after_and_once(app) {
        let me = enrol(app, app.person(Role::Worker).await).await;
        for (steps, good) in [(-2, false), (-1, true), (-1, false), (0, true), (0, false), (-1, false), (1, true), (2, false)] {
            let answer = give(&waiting(app, &me.person).await, &me.person, &code(app, &me.secret, steps)).await;
            if good { answer.ok(); } else { answer.problem(422, "CODE_INVALID"); }
        }
    }

    // FACTOR-2
    async fn a_wrong_code_spends_the_token_and_so_does_a_right_one(app) {
        let me = enrol(app, app.person(Role::Worker).await).await;
        let client = waiting(app, &me.person).await;
        give(&client, &me.person, "000000").await.problem(422, "CODE_INVALID");
        give(&client, &me.person, &code(app, &me.secret, 0)).await.problem(422, "LOGIN_EXPIRED");
        let client = waiting(app, &me.person).await;
        give(&client, &me.person, &code(app, &me.secret, 0)).await.ok();
        give(&client, &me.person, &code(app, &me.secret, 1)).await.problem(422, "LOGIN_EXPIRED");
    }

    // FACTOR-2
    async fn the_token_lives_five_minutes_and_only_for_its_account(app) {
        let (me, other) = (enrol(app, app.person(Role::Worker).await).await, app.person(Role::Worker).await);
        let client = waiting(app, &me.person).await;
        give(&client, &other, &code(app, &me.secret, 0)).await.problem(403, "OWN_ID_REQUIRED");
        let token = |client: &Client| json!({"activationToken": client.token});
        let check = app.anonymous().post("/api/v1/verify-token", token(&client)).await.ok();
        assert_eq!((check["valid"].as_bool(), check["kind"].as_str()), (Some(true), Some("pending2fa")));
        app.advance(TimeDelta::seconds(299));
        give(&client, &me.person, &code(app, &me.secret, 0)).await.ok();
        let check = app.anonymous().post("/api/v1/verify-token", token(&client)).await.ok();
        assert_eq!(check, json!({"valid": false}), "spent");
        let client = waiting(app, &me.person).await;
        app.advance(TimeDelta::seconds(300));
        give(&client, &me.person, &code(app, &me.secret, 0)).await.problem(422, "LOGIN_EXPIRED");
        give(&app.anonymous(), &me.person, "123456").await.problem(401, "SESSION_REQUIRED");
        give(&app.anonymous().with_token("garbage"), &me.person, "123456").await.problem(401, "SESSION_INVALID");
    }

    // FACTOR-3
    async fn of_many_with_one_code_one_gets_in(app) {
        let me = enrol(app, app.person(Role::Worker).await).await;
        let mut clients = Vec::new();
        for n in 0..4u8 {
            clients.push(waiting(app, &me.person).await.from([198, 51, 100, n]));
        }
        let token = code(app, &me.secret, 0);
        let tries = clients.iter().map(|client| give(client, &me.person, &token));
        let mut statuses: Vec<_> = futures::future::join_all(tries).await.iter().map(|answer| answer.status).collect();
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 422, 422, 422]);
        // One waiting token, many codes: one try.
        let client = waiting(app, &me.person).await;
        let token = code(app, &me.secret, 1);
        let tries = (0..6).map(|_| give(&client, &me.person, &token));
        let answers = futures::future::join_all(tries).await;
        assert_eq!(answers.iter().filter(|answer| answer.status == 200).count(), 1);
        assert!(answers.iter().all(|answer| answer.status == 200 || answer.json()["code"] == "LOGIN_EXPIRED"));
    }

    // FACTOR-4
    async fn wrong_codes_lock_the_account_however_often_the_password_is_right(app) {
        let me = enrol(app, app.person(Role::Worker).await).await;
        for n in 0..5u8 {
            let client = waiting(app, &me.person).await.from([198, 51, 100, n]);
            give(&client, &me.person, "000000").await.problem(422, "CODE_INVALID");
        }
        let locked = password(app, &me.person).await;
        locked.problem(429, "LOGIN_LOCKED");
        assert_eq!(locked.header("retry-after"), Some("900"));
        me.session.post("/api/v1/recovery-codes", json!({"token": code(app, &me.secret, 0)})).await.problem(429, "LOGIN_LOCKED");
        assert_eq!(audit_of(app, &me.person).await, ["SECOND_FACTOR_ENABLED", "LOGIN_LOCKED"]);
        app.advance(TimeDelta::minutes(15));
        give(&waiting(app, &me.person).await, &me.person, &code(app, &me.secret, 0)).await.ok();
    }

    // FACTOR-4
    async fn a_lock_leaves_the_waiting_token_unspent(app) {
        let me = enrol(app, app.person(Role::Worker).await).await;
        let mut clients = Vec::new();
        for n in 0..6u8 {
            clients.push(waiting(app, &me.person).await.from([198, 51, 100, n]));
        }
        for client in &clients[..5] {
            give(client, &me.person, "000000").await.problem(422, "CODE_INVALID");
        }
        let answer = give(&clients[5], &me.person, &code(app, &me.secret, 0)).await;
        answer.problem(429, "LOGIN_LOCKED");
        assert_eq!(answer.header("retry-after"), Some("900"));
    }

    // FACTOR-5
    async fn a_recovery_code_serves_once_of_many_at_once(app) {
        let me = enrol(app, app.person(Role::Worker).await).await;
        let typed = me.recovery[0].to_lowercase().replace('-', " ");
        let mut clients = Vec::new();
        for n in 0..4u8 {
            clients.push(waiting(app, &me.person).await.from([198, 51, 100, n]));
        }
        let answers = futures::future::join_all(clients.iter().map(|client| give(client, &me.person, &typed))).await;
        assert_eq!(answers.iter().filter(|answer| answer.status == 200).count(), 1);
        give(&waiting(app, &me.person).await, &me.person, &me.recovery[0]).await.problem(422, "CODE_INVALID");
        give(&waiting(app, &me.person).await, &me.person, &me.recovery[9]).await.ok();
        let stranger = enrol(app, app.person(Role::Worker).await).await;
        give(&waiting(app, &stranger.person).await, &stranger.person, &me.recovery[1]).await.problem(422, "CODE_INVALID");
    }

    // FACTOR-5
    async fn new_recovery_codes_take_the_place_of_the_old(app) {
        let me = enrol(app, app.person(Role::Worker).await).await;
        me.session.post("/api/v1/recovery-codes", json!({"token": "000000"})).await.problem(422, "CODE_INVALID");
        let fresh = me.session.post("/api/v1/recovery-codes", json!({"token": me.recovery[3]})).await.ok();
        assert_eq!(fresh["recoveryCodes"].as_array().map(Vec::len), Some(10));
        give(&waiting(app, &me.person).await, &me.person, &me.recovery[0]).await.problem(422, "CODE_INVALID");
        give(&waiting(app, &me.person).await, &me.person, &text(&fresh["recoveryCodes"][0])).await.ok();
        let without = app.as_role(Role::Worker).await;
        without.post("/api/v1/recovery-codes", json!({"token": "000000"})).await.problem(409, "SECOND_FACTOR_INACTIVE");
    }

    // FACTOR-6
    async fn the_own_second_factor_is_turned_off_with_a_code(app) {
        let me = enrol(app, app.person(Role::Worker).await).await;
        let off = |token: Value| me.session.post("/api/v1/disable2fa", json!({"userId": me.person.id, "token": token}));
        me.session.post("/api/v1/disable2fa", json!({"userId": me.person.id})).await.problem(422, "CODE_INVALID");
        off(json!("000000")).await.problem(422, "CODE_INVALID");
        off(json!(code(app, &me.secret, 0))).await.expect(204);
        off(json!(code(app, &me.secret, 1))).await.problem(409, "SECOND_FACTOR_INACTIVE");
        assert_eq!(password(app, &me.person).await.ok()["login"], json!(true));
        assert_ne!(me.session.get("/api/v1/2fa").await.ok()["secret"], json!(me.secret), "a new start has a new secret");
    }

    // FACTOR-6
    async fn administrators_and_the_principal_reset_it_without_a_code(app) {
        let me = enrol(app, app.person(Role::Worker).await).await;
        let body = json!({"userId": me.person.id});
        let colleague = app.person_in(me.person.company, Role::Worker).await;
        app.log_in(&colleague).await.post("/api/v1/disable2fa", body.clone()).await.problem(403, "OWN_ID_REQUIRED");
        let stranger = app.as_role(Role::Customer).await;
        stranger.post("/api/v1/disable2fa", body.clone()).await.problem(404, "USER_NOT_FOUND");
        let principal = app.person_in(me.person.company, Role::Customer).await;
        app.log_in(&principal).await.post("/api/v1/disable2fa", body.clone()).await.expect(204);
        let me = enrol(app, me.person).await;
        app.as_role(Role::Admin).await.post("/api/v1/disable2fa", body).await.expect(204);
        assert_eq!(password(app, &me.person).await.ok()["login"], json!(true));

        let peer = enrol(app, app.person_in(me.person.company, Role::Customer).await).await;
        let body = json!({"userId": peer.person.id});
        let refused = app.log_in(&principal).await.post("/api/v1/disable2fa", body).await;
        refused.problem(403, "OWN_ID_REQUIRED");

        let admin = enrol(app, app.person(Role::Admin).await).await;
        let own = json!({"userId": admin.person.id});
        admin.session.post("/api/v1/disable2fa", own).await.problem(422, "CODE_INVALID");
    }

    // FACTOR-2
    async fn who_was_deactivated_meanwhile_does_not_get_in(app) {
        let person = app.person_with(app.person(Role::Worker).await.company, Role::Worker, |_| {}).await;
        let me = enrol(app, person).await;
        let client = waiting(app, &me.person).await;
        use sea_orm::{ConnectionTrait, Statement};
        let values = [i16::from(Status::Inactive).into(), me.person.id.0.into()];
        let sql = "UPDATE app_user SET status = $1 WHERE id = $2";
        let tx = app.db.write().await.unwrap();
        tx.execute_raw(Statement::from_sql_and_values(tx.get_database_backend(), sql, values)).await.unwrap();
        tx.commit().await.unwrap();
        give(&client, &me.person, &code(app, &me.secret, 0)).await.problem(403, "ACCOUNT_INACTIVE");
    }

    // FACTOR-7
    async fn the_secret_lies_sealed(app) {
        let me = enrol(app, app.person(Role::Worker).await).await;
        use sea_orm::{ConnectionTrait, Statement};
        let sql = "SELECT two_factor_secret FROM app_user WHERE id = $1";
        let statement = Statement::from_sql_and_values(app.db.read().get_database_backend(), sql, [me.person.id.0.into()]);
        let row = app.db.read().query_one_raw(statement).await.unwrap().unwrap();
        let stored: String = row.try_get("", "two_factor_secret").unwrap();
        assert!(!stored.contains(&me.secret));
    }
}
