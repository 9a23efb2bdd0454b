//! Webhooks: queued with the change, signed, retried, given up, replayed, never sent into our own network.

use crate::public_api::{key_of, opening, program};
use crate::support::{Case, png, text};
use atalaya_integrations::webhooks::{DeliverWebhooks, TidyWebhooks};
use atalaya_jobs::{Jobs, NewJob, Worker};
use atalaya_kernel::{CompanyKind, Role};
use atalaya_testkit::{Client, Engine, Person, TestApp, both_engines};
use aws_lc_rs::hmac;
use axum::Router;
use axum::body::Bytes;
use axum::http::{HeaderMap, Method, StatusCode};
use axum::response::IntoResponse;
use chrono::TimeDelta;
use sea_orm::{ConnectionTrait, Statement};
use serde_json::{Value, json};
use std::collections::{BTreeSet, VecDeque};
use std::sync::{Arc, Mutex};

/// A received delivery.
#[derive(Clone)]
struct Came {
    headers: HeaderMap,
    body: String,
}

impl Came {
    fn json(&self) -> Value {
        serde_json::from_str(&self.body).expect("JSON")
    }

    fn kind(&self) -> String {
        text(&self.json()["type"])
    }

    fn header(&self, name: &str) -> String {
        self.headers[name].to_str().expect("text").to_owned()
    }

    /// Checks the signature as a receiver does, with its own HMAC over `t.body`.
    fn is_signed(&self, secret: &str) -> bool {
        let header = self.header("atalaya-signature");
        let (t, v1) = header.split_once(",v1=").expect("both parts");
        let t = t.strip_prefix("t=").expect("a time");
        let key = hmac::Key::new(hmac::HMAC_SHA256, secret.as_bytes());
        hmac::verify(&key, format!("{t}.{}", self.body).as_bytes(), &hex::decode(v1).expect("hex")).is_ok()
    }
}

/// A customer's own server.
#[derive(Clone)]
struct Receiver {
    url: String,
    came: Arc<Mutex<Vec<Came>>>,
    answers: Arc<Mutex<VecDeque<u16>>>,
}

impl Receiver {
    async fn start() -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let receiver = Self {
            url: format!("http://{}/hook", listener.local_addr().expect("bound")),
            came: Arc::default(),
            answers: Arc::default(),
        };
        let of = receiver.clone();
        let take = move |headers: HeaderMap, body: Bytes| async move {
            let body = String::from_utf8(body.to_vec()).expect("UTF-8");
            of.came.lock().expect("nobody panics").push(Came { headers, body });
            let status = of.answers.lock().expect("nobody panics").pop_front().unwrap_or(204);
            let status = StatusCode::from_u16(status).expect("a status");
            (status, [("location", "http://127.0.0.1:1/elsewhere")]).into_response()
        };
        let router = Router::new().fallback(take);
        tokio::spawn(async move { axum::serve(listener, router).await });
        receiver
    }

    /// The statuses of its next answers; 204 after them.
    fn answers(&self, statuses: &[u16]) {
        self.answers.lock().expect("nobody panics").extend(statuses);
    }

    fn take(&self) -> Vec<Came> {
        std::mem::take(&mut self.came.lock().expect("nobody panics"))
    }
}

/// Runs the jobs that are due.
async fn work(app: &TestApp) {
    let worker = Worker::new(app.db.clone(), Jobs::new(app.sources.clone()));
    let worker = worker.handle(DeliverWebhooks::KIND, Arc::new(DeliverWebhooks(app.integrations.clone())));
    let worker = worker.handle(TidyWebhooks::KIND, Arc::new(TidyWebhooks(app.integrations.clone())));
    while worker.run_next().await.expect("the job table") {}
}

/// Registers a receiver and returns its id and secret.
async fn register(program: &Client, receiver: &Receiver, events: Value) -> (String, String) {
    let added = program.post("/ext-api/v1/webhooks", json!({"url": receiver.url, "events": events})).await;
    assert_eq!(added.header("cache-control"), Some("no-store"));
    let added = added.expect(201);
    (text(&added["webhook"]["_id"]), text(&added["secret"]))
}

async fn open(program: &Client) -> String {
    text(&program.post("/ext-api/v1/conferences", opening()).await.expect(201)["conference"]["_id"])
}

async fn deliveries(program: &Client, hook: &str) -> Vec<Value> {
    let list = program.get(&format!("/ext-api/v1/webhooks/{hook}/deliveries")).await.ok();
    list["deliveries"].as_array().expect("a list").clone()
}

async fn hook_of(program: &Client) -> Value {
    program.get("/ext-api/v1/webhooks").await.ok()["webhooks"][0].clone()
}

async fn texts_of(app: &TestApp, sql: &str) -> Vec<String> {
    let db = app.db.read();
    let rows = db.query_all_raw(Statement::from_string(db.get_database_backend(), sql.to_owned())).await.expect("rows");
    rows.iter().map(|row| row.try_get_by_index::<String>(0).expect("a text")).collect()
}

/// One test for both engines, with receivers on this machine allowed.
macro_rules! with_receivers {
    ($(async fn $name:ident($app:ident) $body:block)+) => {$(
        mod $name {
            use super::*;

            async fn body_of_test($app: &TestApp) $body

            async fn on(engine: Engine) {
                match TestApp::configured(engine, |config| config.webhooks_inside = true).await {
                    Some(app) => body_of_test(&app).await,
                    None => eprintln!("{}", atalaya_testkit::databases::NO_POSTGRES),
                }
            }

            #[tokio::test]
            async fn sqlite() {
                on(Engine::Sqlite).await;
            }

            #[tokio::test]
            async fn postgres() {
                on(Engine::Postgres).await;
            }
        }
    )+};
}

/// A conference of this company with everything in it: opened, joined, a picture, closed, certified.
async fn whole_conference(app: &TestApp, principal: &Person) -> String {
    let worker = app.person_in(principal.company, Role::Worker).await;
    let case = Case::open_by(app, worker, json!({"expedientNumber": "EXP-99", "contactPerson": "Nadie Debe Leerlo"})).await;
    let key = case.enters([]).await;
    case.capture(&key, &json!({}), &png()).await.ok();
    app.advance(TimeDelta::seconds(61));
    case.post("conference-close", json!({})).await.ok();
    case.staff.get(&format!("/api/v1/print-cert/{}", case.id)).await.expect(200);
    case.id
}

with_receivers! {
    // HOOK-1, HOOK-2, HOOK-3
    async fn what_happens_arrives_signed_and_names_nobody(app) {
        let receiver = Receiver::start().await;
        let (person, program) = program(app).await;
        let (hook, secret) = register(&program, &receiver, json!([])).await;
        assert!(secret.starts_with("whsec_") && secret.len() == 49);
        let id = whole_conference(app, &person).await;
        work(app).await;
        let came = receiver.take();
        let mut kinds: Vec<String> = came.iter().map(Came::kind).collect();
        kinds.sort();
        let all = ["certificate.sealed", "conference.client-joined", "conference.closed", "conference.opened", "media.added"];
        assert_eq!(kinds, all);
        let ids: BTreeSet<String> = came.iter().map(|one| text(&one.json()["id"])).collect();
        assert_eq!(ids.len(), 5);
        for one in &came {
            assert!(one.is_signed(&secret) && !one.is_signed("whsec_other"), "{}", one.body);
            let body = one.json();
            assert_eq!((one.header("atalaya-delivery"), one.header("atalaya-event")), (text(&body["id"]), one.kind()));
            assert_eq!((text(&body["data"]["conferenceId"]), text(&body["data"]["expedientNumber"])), (id.clone(), "EXP-99".into()));
            assert_eq!(body.as_object().expect("an object").len(), 4);
            assert!(body["createdAt"].as_str().expect("a time").ends_with('Z'));
            assert!(!one.body.contains("Nadie") && !one.body.contains("600123456") && !one.body.contains("foto"), "{}", one.body);
        }
        let of = |kind: &str| came.iter().find(|one| one.kind() == kind).expect(kind).json()["data"].clone();
        assert_eq!(of("conference.closed")["durationSeconds"], 61);
        let media = program.get(&format!("/ext-api/v1/conferences/{id}/media")).await.ok()["media"][0].clone();
        assert_eq!((&of("media.added")["mediaId"], &of("media.added")["sha256"]), (&media["_id"], &media["sha256"]));
        assert!(of("certificate.sealed")["number"].is_string());
        let log = deliveries(&program, &hook).await;
        assert!(log.iter().all(|one| one["state"] == "delivered" && one["attempts"] == 1 && one["status"] == 204), "{log:?}");
        work(app).await;
        assert!(receiver.take().is_empty(), "once");
        // With the program's own name for it.
        let body = json!({"expedientNumber": "E", "phoneNumber": "600123456", "type": 1, "send": "none", "externalId": "crm-5"});
        program.post("/ext-api/v1/conferences", body).await.expect(201);
        work(app).await;
        assert_eq!(receiver.take()[0].json()["data"]["externalId"], "crm-5");
    }

    // HOOK-16
    async fn the_root_of_a_day_goes_to_whoever_keeps_it(app) {
        let (_, program) = program(app).await;
        let receiver = Receiver::start().await;
        let (_, secret) = register(&program, &receiver, json!(["evidence.day-closed"])).await;
        let case = Case::open(app).await;
        case.post("conference-close", json!({})).await.ok();
        app.advance(TimeDelta::days(1));
        atalaya_records::evidence_days::jobs::close(&app.records).await.expect("the day is over");
        work(app).await;
        let came = receiver.take();
        assert_eq!(came.len(), 1, "of another customer's case, and nothing else of it");
        assert!(came[0].is_signed(&secret) && came[0].kind() == "evidence.day-closed");
        let published = app.anonymous().get("/api/v1/evidence-roots").await.ok()["roots"][0].clone();
        let data = came[0].json()["data"].clone();
        for fact in ["day", "seals", "previous", "root", "closedAt", "key", "signature"] {
            assert_eq!(data[fact], published[fact], "{fact}");
        }
    }

    // HOOK-12, HOOK-13
    async fn an_incidence_that_changes_is_told_without_its_words(app) {
        let (receiver, other) = (Receiver::start().await, Receiver::start().await);
        let (person, program) = program(app).await;
        let (_, stranger) = self::program(app).await;
        let (hook, secret) = register(&program, &receiver, json!(["incidence.changed"])).await;
        register(&stranger, &other, Value::Null).await;
        let admin = app.as_role(Role::Admin).await;
        let worker = app.person_in(person.company, Role::Worker).await;
        let case = Case::open_by(app, worker, json!({"expedientNumber": "EXP-7"})).await;
        let sent = json!({"type": 1, "reason": 2, "comments": "Remedios no se ve", "conferenceId": case.id});
        let made = crate::incidences::send(&case.staff, sent, json!([])).await.expect(201)["incidence"].clone();
        let id = crate::incidences::id(&made);
        work(app).await;
        assert!(receiver.take().is_empty(), "a new one is known to whoever sent it");
        let change = |wish: Value| {
            let mut wish = wish;
            wish["_id"] = json!(id);
            let admin = &admin;
            async move { admin.put("/api/v1/incidence/", json!({"incidence": wish})).await }
        };
        change(json!({"note": "Remedios llama mucho"})).await.ok();
        work(app).await;
        assert!(receiver.take().is_empty(), "notes are the administrators' own");
        app.advance(TimeDelta::seconds(1));
        change(json!({"status": 2, "answer": "Remedios debe permitir la cámara"})).await.ok();
        app.advance(TimeDelta::seconds(1));
        change(json!({"status": 4})).await.ok();
        change(json!({"status": 2})).await.problem(409, "INCIDENCE_STATUS");
        work(app).await;
        let came = receiver.take();
        assert_eq!(came.len(), 2, "what was refused is told to nobody");
        let body = came[0].json();
        assert!(came[0].is_signed(&secret) && came[0].header("atalaya-event") == "incidence.changed");
        let told = json!({
            "incidenceId": id, "number": "INC-000001", "status": 2, "statusChanged": true, "answered": true,
            "conferenceId": case.id, "expedientNumber": "EXP-7", "externalId": null,
        });
        assert_eq!(body["data"], told);
        let second = came[1].json()["data"].clone();
        assert_eq!((&second["status"], &second["statusChanged"], &second["answered"]), (&json!(4), &json!(true), &json!(false)));
        assert!(came.iter().all(|one| !one.body.contains("Remedios")));
        assert!(other.take().iter().all(|one| one.kind() != "incidence.changed"), "the own company's only");
        // Erasing the case deletes the deliveries that name it.
        case.post("conference-close", json!({})).await.ok();
        let boss = app.log_in(&person).await;
        boss.post(&format!("/api/v1/conference-erase/{}", case.id), json!({"reason": "Lo pide"})).await.ok();
        assert_eq!(deliveries(&program, &hook).await.len(), 0);
    }

    // HOOK-1
    async fn only_what_was_asked_for_and_only_the_own_company_s(app) {
        let (receiver, other) = (Receiver::start().await, Receiver::start().await);
        let (person, program) = program(app).await;
        let (_, stranger) = self::program(app).await;
        register(&program, &receiver, json!(["conference.closed"])).await;
        register(&stranger, &other, Value::Null).await;
        whole_conference(app, &person).await;
        work(app).await;
        assert_eq!(receiver.take().iter().map(Came::kind).collect::<Vec<_>>(), ["conference.closed"]);
        assert!(other.take().is_empty());
        // A refused call sends nothing.
        stranger.post("/ext-api/v1/conferences", json!({})).await.problem(422, "INVALID_FIELDS");
        work(app).await;
        assert!(other.take().is_empty());
    }

    // HOOK-10, HOOK-14
    async fn a_changed_webhook_keeps_its_secret_and_another_address_begins_anew(app) {
        let (receiver, other) = (Receiver::start().await, Receiver::start().await);
        let (person, program) = program(app).await;
        let (_, stranger) = self::program(app).await;
        let (hook, secret) = register(&program, &receiver, json!(["conference.opened"])).await;
        let path = format!("/ext-api/v1/webhooks/{hook}");
        for (wish, field, code) in [
            (json!({"url": "ftp://8.8.8.8/"}), "url", "WEBHOOK_ADDRESS"),
            (json!({"events": ["conference.closed"]}), "url", "REQUIRED"),
            (json!({"url": other.url, "events": ["conference.sold"]}), "events", "INVALID"),
        ] {
            let problem = program.put(&path, wish).await.problem(422, "INVALID_FIELDS");
            assert_eq!((&problem["errors"][0]["field"], &problem["errors"][0]["code"]), (&json!(field), &json!(code)));
        }
        stranger.put(&path, json!({"url": other.url})).await.problem(404, "WEBHOOK_NOT_FOUND");
        assert_eq!(hook_of(&program).await["events"], json!(["conference.opened"]));
        receiver.answers(&[500]);
        open(&program).await;
        work(app).await;
        assert_eq!(receiver.take().len(), 1);
        // Other events alone do not reset the failures.
        let both = json!(["conference.opened", "conference.closed"]);
        let changed = program.put(&path, json!({"url": receiver.url, "events": both})).await.ok()["webhook"].clone();
        assert_eq!((&changed["events"], &changed["failures"]), (&both, &json!(1)));
        let moved = program.put(&path, json!({"url": other.url, "events": both})).await.ok()["webhook"].clone();
        assert_eq!((&moved["url"], &moved["failures"], &moved["failingSince"]), (&json!(other.url), &json!(0), &Value::Null));
        // Queued deliveries go to the new address when they are due.
        app.advance(TimeDelta::seconds(10));
        work(app).await;
        let came = other.take();
        assert!(came.len() == 1 && came[0].is_signed(&secret) && receiver.take().is_empty());
        let staff = app.log_in(&person).await;
        let logs = staff.get("/api/v1/audit?action=WEBHOOK_CHANGED").await.ok();
        assert_eq!((&logs["total"], &logs["logs"][0]["detail"]), (&json!(2), &json!({"host": "127.0.0.1"})));
    }

    // HOOK-4
    async fn what_is_not_taken_comes_again_the_same_and_is_not_redirected(app) {
        let receiver = Receiver::start().await;
        let (_, program) = program(app).await;
        let (hook, secret) = register(&program, &receiver, json!([])).await;
        receiver.answers(&[500, 302]);
        open(&program).await;
        work(app).await;
        let first = receiver.take();
        assert_eq!(first.len(), 1);
        assert_eq!((hook_of(&program).await["failures"].clone(), deliveries(&program, &hook).await[0]["error"].clone()), (json!(1), json!("STATUS")));
        app.advance(TimeDelta::seconds(9));
        work(app).await;
        assert!(receiver.take().is_empty(), "not at once");
        app.advance(TimeDelta::seconds(1));
        work(app).await;
        let second = receiver.take();
        assert_eq!((second.len(), &second[0].body), (1, &first[0].body));
        assert_ne!(second[0].header("atalaya-signature"), first[0].header("atalaya-signature"), "signed anew");
        assert_eq!(deliveries(&program, &hook).await[0]["status"], 302);
        // Something new waits for the same moment.
        open(&program).await;
        work(app).await;
        assert!(receiver.take().is_empty());
        app.advance(TimeDelta::seconds(20));
        work(app).await;
        let rest = receiver.take();
        assert!(rest.len() == 2 && rest.iter().all(|one| one.is_signed(&secret)));
        let hook = hook_of(&program).await;
        assert_eq!((&hook["failures"], &hook["failingSince"], &hook["disabledAt"]), (&json!(0), &Value::Null, &Value::Null));
    }

    // HOOK-5
    async fn one_that_is_always_refused_holds_nobody_up(app) {
        let receiver = Receiver::start().await;
        let (_, program) = program(app).await;
        let (hook, _) = register(&program, &receiver, json!([])).await;
        receiver.answers(&[400]);
        open(&program).await;
        work(app).await;
        let poison = text(&receiver.take()[0].json()["id"]);
        for _ in 0..40 {
            app.advance(TimeDelta::hours(1));
            open(&program).await;
            // The new one is accepted, the old one refused.
            receiver.answers(&[204, 400]);
            work(app).await;
            let came = receiver.take();
            receiver.answers.lock().expect("nobody panics").clear();
            assert_ne!(text(&came[0].json()["id"]), poison);
        }
        let log = program.get(&format!("/ext-api/v1/webhooks/{hook}/deliveries")).await.ok()["deliveries"].clone();
        let old = log.as_array().expect("a list").iter().find(|one| text(&one["_id"]) == poison).expect("it").clone();
        assert_eq!((&old["state"], &old["status"]), (&json!("failed"), &json!(400)));
        assert_eq!(hook_of(&program).await["disabledAt"], Value::Null);
    }

    // HOOK-6, HOOK-7
    async fn a_dead_receiver_is_given_up_after_a_day_and_replayed(app) {
        let receiver = Receiver::start().await;
        let (person, program) = program(app).await;
        let url = receiver.url.clone();
        // Nobody listens there yet.
        let closed = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
        let dead = format!("http://{}/", closed.local_addr().expect("bound"));
        drop(closed);
        let (hook, _) = register(&program, &Receiver { url: dead, ..receiver.clone() }, json!([])).await;
        let from = app.sources.now();
        open(&program).await;
        let mut hours = 0;
        while hook_of(&program).await["disabledAt"].is_null() {
            work(app).await;
            app.advance(TimeDelta::minutes(30));
            hours += 1;
            assert!(hours < 60, "it is given up");
        }
        assert!(hours >= 48, "not before a day: {hours} half hours");
        let log = deliveries(&program, &hook).await;
        assert_eq!((&log[0]["state"], &log[0]["error"]), (&json!("failed"), &json!("UNREACHABLE")));
        let staff = app.log_in(&person).await;
        let told = texts_of(app, "SELECT text_id FROM personal_notification").await;
        assert_eq!(told, ["webhook-disabled"]);
        // Events in the meantime are recorded, not sent.
        let second = open(&program).await;
        work(app).await;
        assert_eq!(deliveries(&program, &hook).await[0]["error"], "DISABLED");
        // The receiver is back: everything since then is delivered.
        let db = app.db.read();
        let sql = format!("UPDATE webhook SET url = '{url}'");
        db.execute_raw(Statement::from_string(db.get_database_backend(), sql)).await.expect("moved");
        let replay = format!("/api/v1/webhooks/{hook}/replay");
        staff.post(&replay, json!({})).await.problem(422, "INVALID_FIELDS");
        staff.post(&replay, json!({"from": "ayer"})).await.problem(422, "INVALID_FIELDS");
        assert_eq!(staff.post(&replay, json!({"from": from.to_rfc3339()})).await.ok(), json!({"replayed": 2}));
        work(app).await;
        let came = receiver.take();
        assert_eq!(came.len(), 2);
        assert!(came.iter().any(|one| text(&one.json()["data"]["conferenceId"]) == second));
        let again = program.post(&format!("/ext-api/v1/webhooks/{hook}/replay"), json!({"from": from.to_rfc3339()})).await.ok();
        assert_eq!(again["replayed"], 2);
        work(app).await;
        let ids = |all: &[Came]| all.iter().map(|one| text(&one.json()["id"])).collect::<BTreeSet<_>>();
        assert_eq!(ids(&receiver.take()), ids(&came), "the ids they had");
        open(&program).await;
        work(app).await;
        assert_eq!(receiver.take().len(), 1, "in use again");
    }

    // HOOK-12, HOOK-14, HOOK-15
    async fn a_test_arrives_and_what_is_removed_or_erased_does_not(app) {
        let receiver = Receiver::start().await;
        let (person, program) = program(app).await;
        let (hook, secret) = register(&program, &receiver, json!(["media.added"])).await;
        let staff = app.log_in(&person).await;
        let queued = staff.post(&format!("/api/v1/webhooks/{hook}/test"), json!({})).await.ok()["delivery"].clone();
        assert_eq!(queued["state"], "queued");
        work(app).await;
        let came = receiver.take();
        assert!(came[0].is_signed(&secret) && came[0].kind() == "webhook.test");
        assert_eq!(came[0].json()["id"], queued["_id"]);
        // Erasing a conference deletes its deliveries, sent or not.
        let id = whole_conference(app, &person).await;
        let staff = app.log_in(&person).await;
        staff.post(&format!("/api/v1/conference-erase/{id}"), json!({"reason": "Lo pide la persona."})).await.ok();
        work(app).await;
        assert!(receiver.take().is_empty());
        assert_eq!(deliveries(&program, &hook).await.len(), 1, "the test");
        // Old deliveries are deleted.
        app.advance(TimeDelta::days(31));
        let tx = app.db.write().await.expect("a transaction");
        Jobs::new(app.sources.clone()).enqueue(&tx, NewJob::new(TidyWebhooks::KIND, Value::Null)).await.expect("enqueued");
        tx.commit().await.expect("committed");
        work(app).await;
        assert!(deliveries(&program, &hook).await.is_empty());
        open(&program).await;
        program.send(Method::DELETE, &format!("/ext-api/v1/webhooks/{hook}"), None).await.expect(204);
        program.send(Method::DELETE, &format!("/ext-api/v1/webhooks/{hook}"), None).await.problem(404, "WEBHOOK_NOT_FOUND");
        work(app).await;
        assert!(receiver.take().is_empty());
        let staff = app.log_in(&person).await;
        let logs = staff.get("/api/v1/audit?action=WEBHOOK_REMOVED").await.ok();
        assert_eq!(logs["logs"][0]["detail"], json!({"host": "127.0.0.1"}));
    }
}

both_engines! {
    // HOOK-3, HOOK-8, HOOK-9, HOOK-14
    async fn addresses_inside_are_refused_and_five_are_enough(app) {
        let (person, program) = program(app).await;
        for url in ["http://8.8.8.8/", "https://127.0.0.1/", "https://localhost/x", "https://10.0.0.8/", "https://169.254.169.254/latest",
            "https://[::1]/", "https://user:secret@8.8.8.8/", "https://no-such-name.invalid/", "ftp://8.8.8.8/", "hook"] {
            let problem = program.post("/ext-api/v1/webhooks", json!({"url": url})).await.problem(422, "INVALID_FIELDS");
            assert_eq!(problem["errors"][0]["code"], "WEBHOOK_ADDRESS", "{url}");
            assert_eq!(problem["errors"][0]["field"], "url");
        }
        let problem = program.post("/ext-api/v1/webhooks", json!({})).await.problem(422, "INVALID_FIELDS");
        assert_eq!(problem["errors"][0]["code"], "REQUIRED");
        let body = json!({"url": "https://8.8.8.8/", "events": ["conference.opened", "moon.landed"]});
        assert_eq!(program.post("/ext-api/v1/webhooks", body).await.problem(422, "INVALID_FIELDS")["errors"][0]["field"], "events");
        let body = json!({"url": "https://8.8.8.8/hook?token=clave", "events": ["media.added", "conference.opened", "media.added"]});
        let added = program.post("/ext-api/v1/webhooks", body).await.expect(201);
        assert_eq!(added["webhook"]["events"], json!(["conference.opened", "media.added"]));
        let secret = text(&added["secret"]);
        for stored in texts_of(app, "SELECT secret FROM webhook").await {
            assert!(!stored.contains(&secret[6..]));
        }
        let staff = app.log_in(&person).await;
        let list = staff.get("/api/v1/webhooks").await.ok();
        assert_eq!(list["webhooks"], json!([added["webhook"]]));
        assert!(!list.to_string().contains(&secret[6..]) && list["events"].as_array().expect("names").len() >= 6);
        let all = futures::future::join_all((0..6).map(|_| program.post("/ext-api/v1/webhooks", json!({"url": "https://8.8.4.4/"})))).await;
        assert_eq!(all.iter().filter(|answer| answer.status == 201).count(), 4);
        program.post("/ext-api/v1/webhooks", json!({"url": "https://8.8.4.4/"})).await.problem(409, "WEBHOOK_LIMIT");
        let log = staff.get("/api/v1/audit?action=WEBHOOK_ADDED").await.ok();
        assert!(log["total"] == 5 && !log.to_string().contains("clave"));
    }

    // HOOK-11
    async fn a_webhook_is_its_customer_s_and_the_administrator_s(app) {
        let (person, program) = program(app).await;
        let hook = text(&program.post("/ext-api/v1/webhooks", json!({"url": "https://8.8.8.8/"})).await.expect(201)["webhook"]["_id"]);
        let (_, stranger) = self::program(app).await;
        let admin = app.as_role(Role::Admin).await;
        for (client, base) in [(&stranger, "/ext-api/v1/webhooks"), (&app.as_role(Role::Customer).await, "/api/v1/webhooks")] {
            client.get(&format!("{base}/{hook}/deliveries")).await.problem(404, "WEBHOOK_NOT_FOUND");
            client.post(&format!("{base}/{hook}/replay"), json!({"from": "2026-11-20T00:00:00Z"})).await.problem(404, "WEBHOOK_NOT_FOUND");
            client.post(&format!("{base}/{hook}/test"), json!({})).await.problem(404, "WEBHOOK_NOT_FOUND");
            client.send(Method::DELETE, &format!("{base}/{hook}"), None).await.problem(404, "WEBHOOK_NOT_FOUND");
            assert_eq!(client.get(base).await.ok()["webhooks"], json!([]));
        }
        let list = admin.get(&format!("/api/v1/webhooks?customerId={}", person.company)).await.ok();
        assert_eq!(text(&list["webhooks"][0]["_id"]), hook);
        admin.get("/api/v1/webhooks").await.problem(422, "INVALID_FIELDS");
        let workshop = app.company(CompanyKind::CarRepairShop, "Taller").await;
        admin.get(&format!("/api/v1/webhooks?customerId={workshop}")).await.problem(404, "COMPANY_NOT_FOUND");
        admin.send(Method::DELETE, &format!("/api/v1/webhooks/{hook}"), None).await.expect(204);
        // A revoked key reaches none of it.
        let staff = app.log_in(&person).await;
        let other = app.anonymous().with("x-api-key", &key_of(app, &person).await);
        for key in staff.get("/api/v1/get-apiKey").await.ok()["apiKeys"].as_array().expect("keys") {
            staff.post(&format!("/api/v1/revoke-apiKey/{}", text(&key["_id"])), json!({})).await.expect(204);
        }
        other.get("/ext-api/v1/webhooks").await.problem(401, "API_KEY_INVALID");
    }
}
