//! Web push (RFC 8030, 8291, 8292), through a test push service that decrypts.

mod browser;
mod delivery;
mod hostile;
mod starters;

use crate::support::text;
use atalaya_jobs::{Jobs, Worker};
use atalaya_kernel::Role;
use atalaya_outreach::push::{CleanUpPush, DeliverPush, PushKind, PushMessage, PushText, service};
use atalaya_testkit::{Answer, Client, Person, TestApp, both_engines};
use browser::Browser;
use chrono::TimeDelta;
use sea_orm::{ConnectionTrait, Statement};
use serde_json::{Value, json};
use std::sync::Arc;

const CHROME: &str = "Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0 Mobile Safari/537.36";

fn worker(app: &TestApp) -> Worker {
    let worker = Worker::new(app.db.clone(), Jobs::new(app.sources.clone()));
    let worker = worker.handle(DeliverPush::KIND, Arc::new(DeliverPush(app.outreach.clone())));
    worker.handle(CleanUpPush::KIND, Arc::new(CleanUpPush(app.outreach.clone())))
}

/// Runs the jobs that are due.
async fn work(app: &TestApp) {
    let worker = worker(app);
    while worker.run_next().await.expect("the job table") {}
}

async fn tend(app: &TestApp) {
    let tx = app.db.write().await.expect("a transaction");
    let job = atalaya_jobs::NewJob::new(CleanUpPush::KIND, Value::Null);
    Jobs::new(app.sources.clone()).enqueue(&tx, job).await.expect("enqueued");
    tx.commit().await.expect("committed");
    work(app).await;
}

async fn log_in(app: &TestApp, person: &Person) -> Client {
    app.log_in(person).await.with("user-agent", CHROME)
}

async fn register(client: &Client, person: &Person, token: Value) -> Answer {
    client.post("/api/v1/message-token", json!({"userId": person.id, "token": token, "parentId": person.company})).await
}

/// A person's registered device.
pub async fn device_of(app: &TestApp, person: &Person) -> String {
    let client = log_in(app, person).await;
    text(&register(&client, person, Browser::at(app, "device").token()).await.ok()["device"]["_id"])
}

async fn devices(client: &Client) -> Vec<Value> {
    client.get("/api/v1/push-devices").await.ok()["devices"].as_array().expect("a list").clone()
}

fn greeting(tag: &str) -> PushMessage {
    PushMessage {
        kind: PushKind::Request,
        text: PushText::Key { key: "push.request", values: json!({}) },
        url: "/active-videocall-request/x".into(),
        tag: tag.into(),
    }
}

async fn queue(app: &TestApp, people: &[&Person], message: &PushMessage) -> usize {
    let users: Vec<_> = people.iter().map(|person| person.id).collect();
    let tx = app.db.write().await.expect("a transaction");
    let devices = service::queue(&app.outreach, &tx, &users, message).await.expect("queued");
    tx.commit().await.expect("committed");
    devices
}

/// A column of texts.
async fn texts_of(app: &TestApp, sql: &str) -> Vec<String> {
    let db = app.db.read();
    let rows = db.query_all_raw(Statement::from_string(db.get_database_backend(), sql.to_owned())).await.expect("rows");
    rows.iter().map(|row| row.try_get_by_index::<String>(0).expect("a text")).collect()
}

/// How many devices and messages are stored.
async fn stored(app: &TestApp) -> (usize, usize) {
    let devices = texts_of(app, "SELECT os FROM push_subscription").await.len();
    (devices, texts_of(app, "SELECT tag FROM push_delivery").await.len())
}

both_engines! {
    // PUSH-1, PUSH-11
    async fn a_device_is_registered_once_and_listed(app) {
        let person = app.person(Role::Worker).await;
        let phone = log_in(app, &person).await;
        let browser = Browser::at(app, "a");
        let device = register(&phone, &person, browser.token()).await.ok()["device"].clone();
        assert_eq!((text(&device["browser"]), text(&device["os"])), ("Chrome".into(), "Android".into()));
        assert_eq!((&device["current"], &device["lastOkAt"]), (&json!(true), &Value::Null));
        // Registered again on the next load, as a text this time.
        app.advance(TimeDelta::minutes(5));
        let again = register(&phone, &person, json!(browser.token().to_string())).await.ok()["device"].clone();
        assert_eq!(again, device);
        let list = devices(&phone).await;
        assert_eq!(list, std::slice::from_ref(&device));
        assert_eq!(list[0].as_object().expect("an object").len(), 6, "no endpoint, no keys: {list:?}");
        let desk = log_in(app, &person).await;
        assert_eq!(devices(&desk).await[0]["current"], json!(false));

        let stranger = app.as_role(Role::Worker).await;
        let path = format!("/api/v1/push-device-delete/{}", text(&device["_id"]));
        stranger.post(&path, json!({})).await.problem(404, "PUSH_DEVICE_NOT_FOUND");
        desk.post(&path, json!({})).await.expect(204);
        assert!(devices(&phone).await.is_empty());
        desk.post(&path, json!({})).await.problem(404, "PUSH_DEVICE_NOT_FOUND");
    }

    // PUSH-1
    async fn user_and_company_are_the_session_s(app) {
        let (person, other) = (app.person(Role::Worker).await, app.person(Role::Worker).await);
        let client = log_in(app, &person).await;
        let token = Browser::at(app, "a").token();
        for (user, parent) in [(other.id.to_string(), person.company.to_string()), (person.id.to_string(), other.company.to_string()), ("x".into(), "y".into())] {
            let body = json!({"userId": user, "token": token, "parentId": parent});
            client.post("/api/v1/message-token", body).await.problem(403, "PUSH_USER_MISMATCH");
        }
        client.post("/api/v1/message-token", json!({"token": token})).await.problem(422, "INVALID_FIELDS");
        assert!(devices(&client).await.is_empty());
        app.anonymous().get("/api/v1/push-key").await.problem(401, "SESSION_REQUIRED");
    }

    // PUSH-2
    async fn an_endpoint_has_one_owner_the_last(app) {
        let (first, second) = (app.person(Role::Worker).await, app.person(Role::Worker).await);
        let (one, two) = (log_in(app, &first).await, log_in(app, &second).await);
        let browser = Browser::at(app, "a");
        register(&one, &first, browser.token()).await.ok();
        assert_eq!(queue(app, &[&first], &greeting("t")).await, 1);
        register(&two, &second, browser.token()).await.ok();
        assert!(devices(&one).await.is_empty());
        assert_eq!(devices(&two).await.len(), 1);
        let service = browser::PushService::of(app);
        work(app).await;
        assert!(service.take().is_empty(), "what was meant for the first never reaches the second");
        assert_eq!(queue(app, &[&first], &greeting("t")).await, 0);
    }

    // PUSH-11
    async fn whose_a_token_is_hears_its_owner_and_an_administrator(app) {
        let person = app.person(Role::Worker).await;
        let client = log_in(app, &person).await;
        let browser = Browser::at(app, "a");
        register(&client, &person, browser.token()).await.ok();
        let expected = json!({"userId": person.id, "parentId": person.company});
        let admin = app.as_role(Role::Admin).await;
        for token in [browser.token(), json!(browser.token().to_string()), json!(browser.endpoint)] {
            for who in [&client, &admin] {
                assert_eq!(who.post("/api/v1/find-token-user", json!({"token": token})).await.ok(), expected);
            }
        }
        let colleague = app.log_in(&app.person_in(person.company, Role::Customer).await).await;
        for who in [&colleague, &app.as_role(Role::Repairer).await] {
            who.post("/api/v1/find-token-user", json!({"token": browser.endpoint})).await.problem(404, "PUSH_TOKEN_NOT_FOUND");
        }
        client.post("/api/v1/find-token-user", json!({"token": 7})).await.problem(404, "PUSH_TOKEN_NOT_FOUND");
    }

    // PUSH-9
    async fn a_token_is_removed_at_log_out(app) {
        let (person, other) = (app.person(Role::Worker).await, app.person(Role::Worker).await);
        let client = log_in(app, &person).await;
        let browser = Browser::at(app, "a");
        register(&client, &person, browser.token()).await.ok();
        let removed = async |who: &Client, token: Value| {
            who.post("/api/v1/message-delete-token", json!({"token": token})).await.ok()["removed"].clone()
        };
        assert_eq!(removed(&log_in(app, &other).await, browser.token()).await, json!(0), "another's stays");
        assert_eq!(removed(&client, json!("https://nobody.example/x")).await, json!(0));
        assert_eq!(devices(&client).await.len(), 1);
        assert_eq!(removed(&client, json!(browser.endpoint)).await, json!(1));
        assert_eq!(removed(&client, browser.token()).await, json!(0));
    }

    // PUSH-9
    async fn a_device_goes_with_its_log_in_its_account_and_its_company(app) {
        let service = browser::PushService::of(app);
        let principal = app.person(Role::Customer).await;
        let person = app.person_in(principal.company, Role::Worker).await;
        let (phone, desk) = (log_in(app, &person).await, log_in(app, &person).await);
        register(&phone, &person, Browser::at(app, "phone").token()).await.ok();
        register(&desk, &person, Browser::at(app, "desk").token()).await.ok();
        assert_eq!(queue(app, &[&person], &greeting("before")).await, 2);
        // The telephone logs out without removing its token.
        phone.post("/api/v1/logout", json!({})).await.expect(204);
        work(app).await;
        let paths: Vec<_> = service.take().into_iter().map(|push| push.path).collect();
        assert_eq!(paths, ["/send/desk"], "not even what was on its way");
        assert_eq!(devices(&desk).await.len(), 1);
        tend(app).await;

        let admin = app.log_in(&principal).await;
        let change = json!({"user": {"_id": person.id, "status": 1}});
        assert_eq!(queue(app, &[&person], &greeting("again")).await, 1);
        admin.put("/api/v1/user", change).await.ok();
        work(app).await;
        assert!(service.take().is_empty());
        tend(app).await;
        assert_eq!(stored(app).await, (0, 0));
    }

    // PUSH-10
    async fn the_twenty_first_device_takes_the_place_of_the_oldest(app) {
        let person = app.person(Role::Worker).await;
        let client = log_in(app, &person).await;
        let first = text(&register(&client, &person, Browser::at(app, "0").token()).await.ok()["device"]["_id"]);
        for n in 1..=20 {
            app.advance(TimeDelta::seconds(1));
            register(&client, &person, Browser::at(app, &n.to_string()).token()).await.ok();
        }
        let list = devices(&client).await;
        assert_eq!(list.len(), 20);
        assert!(list.iter().all(|device| text(&device["_id"]) != first));
    }
}
