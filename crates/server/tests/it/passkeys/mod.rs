//! Passkeys: making them, logging in with them, and everything that must not work (WebAuthn level 3 §7, issue 3).

pub mod device;

use crate::support::text;
use atalaya_kernel::{Role, Status};
use atalaya_testkit::{Answer, Client, PASSWORD, Person, TestApp, both_engines};
use chrono::TimeDelta;
use device::{Device, Says, decode, encode};
use serde_json::{Value, json};

async fn creation(session: &Client) -> Value {
    session.post("/api/v1/passkey-options", json!({})).await.ok()
}

async fn add(session: &Client, credential: Value) -> Answer {
    session.post("/api/v1/passkeys", json!({"credential": credential, "name": "Portátil"})).await
}

/// A person's new device.
pub async fn device_of(app: &TestApp, person: &Person) -> Device {
    let session = app.log_in(person).await;
    let options = creation(&session).await;
    let device = Device::new(&options);
    add(&session, device.create(&Says::creating(&options))).await.ok();
    device
}

pub async fn question(app: &TestApp) -> Value {
    app.anonymous().post("/api/v1/passkey-login-options", json!({})).await.ok()
}

async fn answer(app: &TestApp, question: &Value, credential: Value) -> Answer {
    let body = json!({"ceremony": question["ceremony"], "credential": credential});
    app.anonymous().post("/api/v1/passkey-login", body).await
}

async fn log_in(app: &TestApp, device: &mut Device) -> Answer {
    let question = question(app).await;
    let credential = device.prove(&Says::proving(&question["publicKey"]));
    answer(app, &question, credential).await
}

/// What a device says wrongly, and how.
type Lie = (&'static str, fn(&mut Says));

both_engines! {
    // PASSKEY-1
    async fn a_passkey_is_made_and_logs_in_without_name_password_or_code(app) {
        let me = crate::second_factor::enrol(app, app.person(Role::Worker).await).await;
        let options = creation(&me.session).await;
        assert_eq!((&options["rp"]["id"], &options["user"]["name"]), (&json!("localhost"), &json!(me.person.user_name)));
        assert_eq!(options["authenticatorSelection"]["residentKey"], json!("required"));
        assert_eq!(options["authenticatorSelection"]["userVerification"], json!("required"));
        assert_eq!((&options["attestation"], decode(&text(&options["challenge"])).len()), (&json!("none"), 32));
        let mut device = Device::new(&options);
        assert_eq!(device.handle, me.person.id.0.as_bytes());
        let added = add(&me.session, device.create(&Says::creating(&options))).await.ok();
        assert_eq!((&added["passkey"]["name"], &added["passkey"]["lastUsedAt"]), (&json!("Portátil"), &Value::Null));
        let outbox = app.as_role(Role::Admin).await.get(&format!("/api/v1/outbox?to={}", me.person.user_name)).await.ok();
        assert_eq!(outbox["outbox"][0]["subject"], json!("Nueva llave de acceso en su cuenta"));

        let asked = question(app).await;
        assert_eq!(asked["publicKey"]["allowCredentials"], json!([]), "the device knows whose it is");
        assert_eq!(asked["publicKey"]["userVerification"], json!("required"));
        let proved = answer(app, &asked, device.prove(&Says::proving(&asked["publicKey"]))).await;
        assert_eq!(proved.cookies("atalaya_media").len(), 3);
        let body = proved.ok();
        assert_eq!((body["login"].as_bool(), &body["user"]["_id"]), (Some(true), &json!(me.person.id)));
        let session = app.anonymous().with_token(text(&body["token"]));
        let list = session.get("/api/v1/passkeys").await.ok();
        assert_eq!(list["passkeys"].as_array().map(Vec::len), Some(1));
        assert!(list["passkeys"][0]["lastUsedAt"].is_string(), "{list}");
        assert_eq!(list["passkeys"][0].as_object().map(|passkey| passkey.len()), Some(4), "{list}");
        log_in(app, &mut device).await.ok();
    }

    // PASSKEY-1
    async fn a_device_without_a_counter_is_one_too(app) {
        let worker = app.person(Role::Worker).await;
        let device = device_of(app, &worker).await;
        for _ in 0..2 {
            // Synced passkeys always say zero.
            let asked = question(app).await;
            let credential = device.prove_as(&Says::proving(&asked["publicKey"]), 0);
            answer(app, &asked, credential).await.ok();
        }
    }

    // PASSKEY-2
    async fn a_ceremony_serves_once_of_many_at_once(app) {
        let worker = app.person(Role::Worker).await;
        let mut device = device_of(app, &worker).await;
        let asked = question(app).await;
        let credential = device.prove(&Says::proving(&asked["publicKey"]));
        let tries = (0..6).map(|_| answer(app, &asked, credential.clone()));
        let statuses: Vec<_> = futures::future::join_all(tries).await.iter().map(|answer| answer.status).collect();
        assert_eq!(statuses.iter().filter(|status| **status == 200).count(), 1, "{statuses:?}");
        assert_eq!(statuses.iter().filter(|status| **status == 422).count(), 5, "{statuses:?}");
        answer(app, &asked, credential).await.problem(422, "PASSKEY_INVALID");
    }

    // PASSKEY-2
    async fn a_ceremony_lives_five_minutes(app) {
        let worker = app.person(Role::Worker).await;
        let session = app.log_in(&worker).await;
        let options = creation(&session).await;
        app.advance(TimeDelta::seconds(300));
        let device = Device::new(&options);
        add(&session, device.create(&Says::creating(&options))).await.problem(422, "PASSKEY_INVALID");
        let options = creation(&session).await;
        app.advance(TimeDelta::seconds(299));
        let mut device = Device::new(&options);
        add(&session, device.create(&Says::creating(&options))).await.ok();

        let asked = question(app).await;
        app.advance(TimeDelta::seconds(299));
        answer(app, &asked, device.prove(&Says::proving(&asked["publicKey"]))).await.ok();
        let asked = question(app).await;
        app.advance(TimeDelta::seconds(300));
        answer(app, &asked, device.prove(&Says::proving(&asked["publicKey"]))).await.problem(422, "PASSKEY_INVALID");
    }

    // PASSKEY-2, PASSKEY-3
    async fn what_a_browser_or_device_may_not_say_is_refused(app) {
        let worker = app.person(Role::Worker).await;
        let mut device = device_of(app, &worker).await;
        let wrong: [Lie; 8] = [
            ("another kind", |says| says.kind = "webauthn.create"),
            ("another challenge", |says| says.challenge = encode(&[7; 32])),
            ("another origin", |says| says.origin = "http://localhost:8081"),
            ("another site's page", |says| says.origin = "https://localhost.evil.example"),
            ("a frame of another page", |says| says.cross_origin = true),
            ("another site", |says| says.site = "evil.example"),
            ("nobody present", |says| says.flags = 0x04),
            ("nobody verified", |says| says.flags = 0x01),
        ];
        for (what, change) in wrong {
            let asked = question(app).await;
            let mut says = Says::proving(&asked["publicKey"]);
            change(&mut says);
            let refused = answer(app, &asked, device.prove(&says)).await;
            assert_eq!((refused.status, &refused.json()["code"]), (422, &json!("PASSKEY_INVALID")), "{what}");
            // The try has spent the ceremony.
            let again = device.prove(&Says::proving(&asked["publicKey"]));
            answer(app, &asked, again).await.problem(422, "PASSKEY_INVALID");
            app.advance(TimeDelta::minutes(15));
        }
        log_in(app, &mut device).await.ok();

        let session = app.log_in(&worker).await;
        let wrong: [Lie; 7] = [
            ("another kind", |says| says.kind = "webauthn.get"),
            ("another challenge", |says| says.challenge = encode(&[7; 32])),
            ("another origin", |says| says.origin = "https://evil.example"),
            ("a frame of another page", |says| says.cross_origin = true),
            ("another site", |says| says.site = "evil.example"),
            ("nobody verified", |says| says.flags = 0x01),
            ("an algorithm not offered", |says| says.algorithm = -9),
        ];
        for (what, change) in wrong {
            let options = creation(&session).await;
            let mut says = Says::creating(&options);
            change(&mut says);
            let refused = add(&session, Device::new(&options).create(&says)).await;
            assert_eq!((refused.status, &refused.json()["code"]), (422, &json!("PASSKEY_INVALID")), "{what}");
        }
    }

    // PASSKEY-3
    async fn signatures_handles_and_counters_are_checked(app) {
        let (worker, other) = (app.person(Role::Worker).await, app.person(Role::Worker).await);
        let (mut device, stranger) = (device_of(app, &worker).await, device_of(app, &other).await);
        let change = |credential: &Value, field: &str, value: Value| {
            let mut changed = credential.clone();
            changed["response"][field] = value;
            changed
        };
        for what in ["signature", "handle", "no handle", "counter", "id"] {
            let asked = question(app).await;
            if what == "counter" {
                // The device's key was copied, and the copy lags behind.
                log_in(app, &mut device).await.ok();
                device.counter -= 1;
            }
            let good = device.prove(&Says::proving(&asked["publicKey"]));
            let bad = match what {
                "signature" => {
                    let mut bytes = decode(&text(&good["response"]["signature"]));
                    *bytes.last_mut().expect("bytes") ^= 1;
                    change(&good, "signature", json!(encode(&bytes)))
                }
                "handle" => change(&good, "userHandle", json!(encode(other.id.0.as_bytes()))),
                "no handle" => change(&good, "userHandle", Value::Null),
                "id" => {
                    let mut changed = good.clone();
                    changed["rawId"] = json!(encode(&stranger.id));
                    changed["response"]["userHandle"] = json!(encode(&stranger.handle));
                    changed
                }
                _ => good,
            };
            let refused = answer(app, &asked, bad).await;
            assert_eq!((refused.status, &refused.json()["code"]), (422, &json!("PASSKEY_INVALID")), "{what}");
        }
        device.counter += 2;
        log_in(app, &mut device).await.ok();
    }

    // PASSKEY-3
    async fn garbage_is_no_server_error(app) {
        let worker = app.person(Role::Worker).await;
        let session = app.log_in(&worker).await;
        for (client, object) in [("", ""), ("!", "!"), ("e30", "oA"), (&encode(b"[]"), &encode(&[0xff; 300])), ("bnVsbA", "gg")] {
            let options = creation(&session).await;
            let response = json!({"clientDataJSON": client, "attestationObject": object});
            add(&session, json!({"rawId": "AQ", "response": response})).await.problem(422, "PASSKEY_INVALID");
            // A good beginning, cut short anywhere.
            let mut good = Device::new(&options).create(&Says::creating(&options));
            let bytes = decode(&text(&good["response"]["attestationObject"]));
            let options = creation(&session).await;
            good["response"]["clientDataJSON"] = Device::new(&options).create(&Says::creating(&options))["response"]["clientDataJSON"].clone();
            good["response"]["attestationObject"] = json!(encode(&bytes[..bytes.len() - 1 - object.len() % 70]));
            add(&session, good).await.problem(422, "PASSKEY_INVALID");
        }
        session.post("/api/v1/passkeys", json!({"credential": {}, "name": "x"})).await.problem(422, "INVALID_FIELDS");
        let long = json!({"credential": {"rawId": "AQ", "response": {"clientDataJSON": "", "attestationObject": ""}}, "name": "x".repeat(61)});
        session.post("/api/v1/passkeys", long).await.problem(422, "INVALID_FIELDS");
        let asked = question(app).await;
        let response = json!({"clientDataJSON": "e30", "authenticatorData": "AA", "signature": "AA"});
        answer(app, &asked, json!({"rawId": "AQ", "response": response})).await.problem(422, "PASSKEY_INVALID");
    }

    // PASSKEY-4
    async fn a_registration_belongs_to_who_asked_and_a_device_is_registered_once(app) {
        let (worker, other) = (app.person(Role::Worker).await, app.person(Role::Worker).await);
        let (mine, theirs) = (app.log_in(&worker).await, app.log_in(&other).await);
        let options = creation(&mine).await;
        let device = Device::new(&options);
        let credential = device.create(&Says::creating(&options));
        add(&theirs, credential.clone()).await.problem(422, "PASSKEY_INVALID");
        creation(&theirs).await;
        add(&theirs, credential.clone()).await.problem(422, "PASSKEY_INVALID");
        add(&mine, credential.clone()).await.ok();
        add(&mine, credential).await.problem(422, "PASSKEY_INVALID");
        let options = creation(&mine).await;
        assert_eq!(options["excludeCredentials"][0]["id"], json!(encode(&device.id)), "the device is told not to make another");
        add(&mine, device.create(&Says::creating(&options))).await.problem(409, "PASSKEY_EXISTS");
        let options = creation(&theirs).await;
        add(&theirs, device.create(&Says::creating(&options))).await.problem(409, "PASSKEY_EXISTS");
    }

    // PASSKEY-1
    async fn an_account_has_ten_at_most(app) {
        let worker = app.person(Role::Worker).await;
        for _ in 0..10 {
            device_of(app, &worker).await;
        }
        let session = app.log_in(&worker).await;
        session.post("/api/v1/passkey-options", json!({})).await.problem(409, "PASSKEY_LIMIT");
    }

    // PASSKEY-5
    async fn a_removed_passkey_opens_nothing_and_only_its_owner_removes_it(app) {
        let worker = app.person(Role::Worker).await;
        let mut device = device_of(app, &worker).await;
        let session = app.log_in(&worker).await;
        let id = text(&session.get("/api/v1/passkeys").await.ok()["passkeys"][0]["_id"]);
        let path = format!("/api/v1/passkey-delete/{id}");
        let principal = app.log_in(&app.person_in(worker.company, Role::Customer).await).await;
        for client in [principal, app.as_role(Role::Customer).await, app.as_role(Role::Admin).await] {
            client.post(&path, json!({})).await.problem(404, "PASSKEY_NOT_FOUND");
            assert_eq!(client.get("/api/v1/passkeys").await.ok(), json!({"passkeys": []}));
        }
        log_in(app, &mut device).await.ok();
        session.post(&path, json!({})).await.expect(204);
        session.post(&path, json!({})).await.problem(404, "PASSKEY_NOT_FOUND");
        log_in(app, &mut device).await.problem(422, "PASSKEY_INVALID");
    }

    // PASSKEY-5
    async fn who_recovers_the_account_does_not_share_it_with_an_old_passkey(app) {
        let worker = app.person(Role::Worker).await;
        let mut device = device_of(app, &worker).await;
        app.anonymous().post("/api/v1/remember-email", json!({"email": worker.user_name})).await.expect(204);
        let path = format!("/api/v1/outbox?to={}", worker.user_name);
        let outbox = app.as_role(Role::Admin).await.get(&path).await.ok()["outbox"].clone();
        let messages = outbox.as_array().expect("a list").iter();
        let link = messages.filter_map(|message| message["link"].as_str()).find(|link| link.contains("/remember-form/"));
        let link = link.expect("the reset").to_owned();
        let token = link.rsplit('/').next().expect("a token").to_owned();
        let body = json!({"change": {"token": token, "password": "caballo grapa bateria correcto"}});
        app.anonymous().put("/api/v1/change-password", body).await.expect(204);
        log_in(app, &mut device).await.problem(422, "PASSKEY_INVALID");

        let other = app.person(Role::Worker).await;
        let mut device = device_of(app, &other).await;
        let reset = json!({"userId": other.id});
        let admin = app.as_role(Role::Admin).await;
        admin.post("/api/v1/disable2fa", reset.clone()).await.expect(204);
        log_in(app, &mut device).await.problem(422, "PASSKEY_INVALID");
        admin.post("/api/v1/disable2fa", reset).await.problem(409, "SECOND_FACTOR_INACTIVE");
    }

    // PASSKEY-6
    async fn the_inactive_stay_out_and_the_locked_get_in(app) {
        let worker = app.person(Role::Worker).await;
        let mut device = device_of(app, &worker).await;
        for _ in 0..5 {
            let body = json!({"userName": worker.user_name, "password": "otra", "login": true});
            app.anonymous().post("/api/v1/login", body).await.problem(422, "LOGIN_INCORRECT");
        }
        let body = json!({"userName": worker.user_name, "password": PASSWORD, "login": true});
        app.anonymous().post("/api/v1/login", body).await.problem(429, "LOGIN_LOCKED");
        log_in(app, &mut device).await.ok();

        use sea_orm::{ConnectionTrait, Statement};
        let values = [i16::from(Status::Inactive).into(), worker.id.0.into()];
        let tx = app.db.write().await.unwrap();
        let sql = "UPDATE app_user SET status = $1 WHERE id = $2";
        tx.execute_raw(Statement::from_sql_and_values(tx.get_database_backend(), sql, values)).await.unwrap();
        tx.commit().await.unwrap();
        log_in(app, &mut device).await.problem(403, "ACCOUNT_INACTIVE");
    }

    // PASSKEY-6
    async fn wrong_passkeys_lock_the_address(app) {
        let worker = app.person(Role::Worker).await;
        let mut device = device_of(app, &worker).await;
        for _ in 0..20 {
            let asked = question(app).await;
            let response = json!({"clientDataJSON": "e30", "authenticatorData": "AA", "signature": "AA"});
            answer(app, &asked, json!({"rawId": "AQ", "response": response})).await.problem(422, "PASSKEY_INVALID");
        }
        let locked = log_in(app, &mut device).await;
        locked.problem(429, "LOGIN_LOCKED");
        assert_eq!(locked.header("retry-after"), Some("900"));
    }

    async fn the_sweep_forgets_old_ceremonies(app) {
        question(app).await;
        let sweep = || async { atalaya_identity::tasks::sweep(&app.identity).await.unwrap() };
        assert_eq!(sweep().await, 0);
        app.advance(TimeDelta::minutes(5));
        assert_eq!(sweep().await, 1);
    }
}
