//! Links that do not arrive, WhatsApp before the SMS, and how many messages one client gets.

use super::gateway::{Gateway, Say};
use super::gateways::dispatch;
use super::whatsapp::{EMAIL, both, way, ways, worker};
use crate::support::{Case, opening_with, text};
use async_trait::async_trait;
use atalaya_cases::{Cases, fallback};
use atalaya_jobs::{Handler, Job, JobFailure, JobResult, Jobs, Worker};
use atalaya_kernel::Role;
use atalaya_messaging::LATE_JOB;
use atalaya_testkit::{Engine, Person, TestApp, databases};
use axum::http::Method;
use chrono::TimeDelta;
use serde_json::json;
use std::sync::Arc;

/// The server's handler of late messages.
struct Late(Cases);

#[async_trait]
impl Handler for Late {
    async fn run(&self, job: &Job) -> JobResult {
        let id = text(&job.payload["message"]).parse().expect("an id");
        fallback::replace_late(&self.0, id).await.map(drop).map_err(|error| JobFailure::GiveUp(error.to_string()))
    }
}

async fn look(app: &TestApp) {
    let worker = Worker::new(app.db.clone(), Jobs::new(app.sources.clone()));
    let worker = worker.handle(LATE_JOB, Arc::new(Late(app.assistance.cases.clone())));
    while worker.run_next().await.expect("the job table") {}
}

fn sms_taken() -> Say {
    Say::Json(200, json!({"message": {"id": "M1"}}))
}

/// A gateway through which WhatsApp messages leave.
async fn waha() -> Gateway {
    let waha = Gateway::start().await;
    waha.says("/api/contacts", [Say::Json(200, json!({"numberExists": true}))]);
    waha.says("/api/sendText", [Say::Json(201, json!({"id": {"_serialized": "true_34600123456@c.us_A1"}}))]);
    waha
}

/// A worker of a company that wants WhatsApp first.
async fn worker_first(app: &TestApp) -> Person {
    let worker = app.person(Role::Worker).await;
    let principal = app.person_in(worker.company, Role::Customer).await;
    let path = format!("/api/v1/sms-conference-client/{}", principal.id);
    let answer = app.log_in(&principal).await.post(&path, json!({"sms": "", "whatsappFirst": true})).await.ok();
    assert_eq!((&answer["whatsapp"], &answer["whatsappFirst"]), (&json!(false), &json!(true)));
    worker
}

// CASE-52
#[tokio::test]
async fn a_link_that_does_not_arrive_in_a_minute_goes_by_the_next_channel() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let (sms, waha) = (Gateway::start().await, waha().await);
        let Some(app) = both(engine, &sms, &waha).await else { continue };
        sms.says("/send", [sms_taken()]);
        let app = &app;
        let mut case = Case::open_by(app, worker(app, true).await, json!({"email": EMAIL})).await;
        dispatch(app).await;
        app.advance(TimeDelta::milliseconds(59_999));
        look(app).await;
        assert_eq!(ways(app).await, [way("sms", "sent", None)], "a minute is not over");
        app.advance(TimeDelta::milliseconds(1));
        look(app).await;
        assert_eq!(ways(app).await, [way("sms", "sent", None), way("whatsapp", "queued", Some("sms"))]);
        assert_eq!(case.step("delivered").await.1.as_deref(), Some("NOT_DELIVERED"), "the waiting room says so");
        dispatch(app).await;
        let asked = waha.asked().into_iter().find(|asked| asked.path == "/api/sendText").expect("asked");
        assert!(text(&asked.json()["text"]).ends_with(&text(&case.opened["link"])), "the same link");

        app.advance(TimeDelta::seconds(60));
        look(app).await;
        assert_eq!(ways(app).await.last(), Some(&way("email", "captured", Some("whatsapp"))));
        app.advance(TimeDelta::hours(1));
        look(app).await;
        assert_eq!(ways(app).await.len(), 3, "each channel once");
        case.log_in_again().await;
        let tracks = case.tracks().await;
        assert!(!tracks.iter().any(|track| track.ends_with("_FAILED")), "late is not failed: {tracks:?}");
    }
}

// CASE-52
#[tokio::test]
async fn a_link_that_was_opened_is_not_late() {
    let (sms, waha) = (Gateway::start().await, waha().await);
    let app = &both(Engine::Sqlite, &sms, &waha).await.expect("SQLite needs nothing");
    sms.says("/send", [sms_taken()]);
    let case = Case::open_by(app, worker(app, true).await, json!({"email": EMAIL})).await;
    dispatch(app).await;
    case.client("track", json!({"type": "LINK_OPENED"})).await.expect(204);
    app.advance(TimeDelta::seconds(60));
    look(app).await;
    assert_eq!(ways(app).await, [way("sms", "sent", None)]);

    app.advance(TimeDelta::seconds(1));
    let closed = Case::open_by(app, worker(app, true).await, json!({"email": EMAIL, "expedientNumber": "EXP-2"})).await;
    dispatch(app).await;
    closed.post("conference-close", json!({})).await.ok();
    app.advance(TimeDelta::seconds(60));
    look(app).await;
    assert_eq!(ways(app).await.len(), 2, "nor one whose call is over");
}

// CASE-51
#[tokio::test]
async fn whatsapp_goes_first_where_the_company_wants_it() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let (sms, waha) = (Gateway::start().await, waha().await);
        let Some(app) = both(engine, &sms, &waha).await else { continue };
        sms.says("/send", [sms_taken()]);
        let app = &app;
        let owner = worker_first(app).await;
        let case = Case::open_by(app, owner.clone(), json!({})).await;
        dispatch(app).await;
        assert_eq!(ways(app).await, [way("whatsapp", "sent", None)]);
        app.advance(TimeDelta::seconds(60));
        look(app).await;
        dispatch(app).await;
        assert_eq!(ways(app).await, [way("whatsapp", "sent", None), way("sms", "sent", Some("whatsapp"))]);
        let sent = text(&sms.asked().last().expect("asked").json()["text"]);
        let link = text(&case.opened["link"]);
        assert!(sent.ends_with(&link) && sent.matches(&link).count() == 1, "{sent}");

        // What fails does not wait for the minute.
        app.advance(TimeDelta::seconds(1));
        waha.says("/api/contacts", [Say::Json(200, json!({"numberExists": false}))]);
        Case::open_by(app, owner.clone(), json!({"expedientNumber": "EXP-2"})).await;
        for _ in 0..2 {
            app.advance(TimeDelta::seconds(1));
            app.dispatcher.dispatch_next().await.unwrap();
        }
        assert_eq!(ways(app).await.last(), Some(&way("sms", "sent", Some("whatsapp"))));

        // Whoever opens the call may rule WhatsApp out.
        app.advance(TimeDelta::seconds(1));
        Case::open_by(app, owner, json!({"expedientNumber": "EXP-3", "fallback": []})).await;
        assert_eq!(ways(app).await.last(), Some(&way("sms", "queued", None)));
    }
}

// CASE-54
#[tokio::test]
async fn a_wrong_number_gets_a_link_once() {
    let (sms, waha) = (Gateway::start().await, waha().await);
    let app = &both(Engine::Sqlite, &sms, &waha).await.expect("SQLite needs nothing");
    sms.says("/send", [sms_taken()]);
    let case = Case::open_by(app, worker(app, true).await, json!({})).await;
    dispatch(app).await;
    app.advance(TimeDelta::seconds(10));
    case.post("conference-resend", json!({"channel": "sms", "to": "+34600999888"})).await.ok();
    dispatch(app).await;
    app.advance(TimeDelta::seconds(50));
    look(app).await;
    assert_eq!(ways(app).await, [way("sms", "sent", None), way("sms", "sent", None)], "nothing more to the first number");
    app.advance(TimeDelta::seconds(10));
    look(app).await;
    assert_eq!(ways(app).await.last(), Some(&way("whatsapp", "queued", Some("sms"))));
    dispatch(app).await;
    let asked: Vec<_> = waha.asked().into_iter().filter(|asked| asked.path == "/api/sendText").collect();
    assert_eq!((asked.len(), &asked[0].json()["chatId"]), (1, &json!("34600999888@c.us")), "the right one");
}

// SMS-10, CASE-51
#[tokio::test]
async fn messages_by_whatsapp_count_too() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let (sms, waha) = (Gateway::start().await, waha().await);
        let Some(app) = both(engine, &sms, &waha).await else { continue };
        let app = &app;
        let owner = worker_first(app).await;
        let admin = app.as_role(Role::Admin).await;
        admin.post(&format!("/api/v1/sms-ceiling/{}", owner.company), json!({"perHour": 2})).await.ok();
        let staff = app.log_in(&owner).await;
        for nth in 1..=3 {
            app.advance(TimeDelta::seconds(1));
            let number = format!("EXP-{nth}");
            let opened = staff.post("/api/v1/getToken", opening_with(json!({"expedientNumber": number}))).await;
            match nth {
                3 => drop(opened.problem(429, "SMS_CEILING_HOUR")),
                _ => drop(opened.ok()),
            }
        }
        assert_eq!(ways(app).await, [way("whatsapp", "queued", None), way("whatsapp", "queued", None)]);
    }
}

// MSG-23
#[tokio::test]
async fn a_client_gets_so_many_messages_about_one_conference() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let Some(app) = TestApp::configured(engine, |config| config.conference_messages = 2).await else {
            eprintln!("{}", databases::NO_POSTGRES);
            continue;
        };
        let app = &app;
        let case = Case::open(app).await;
        case.post("conference-resend", json!({"channel": "email", "to": EMAIL})).await.ok();
        for again in [json!({"channel": "sms"}), json!({"channel": "email"})] {
            let refused = case.post("conference-resend", again).await.problem(409, "MESSAGES_CEILING");
            assert!(text(&refused["detail"]).contains('2'), "{refused}");
        }
        assert_eq!(case.details().await["messages"].as_array().map(Vec::len), Some(2), "nothing half-written");
        case.post("conference-code", json!({})).await.ok();
        let other = Case::open_with(app, json!({"expedientNumber": "EXP-2"})).await;
        assert_eq!(other.details().await["messages"].as_array().map(Vec::len), Some(1), "another case has its own");
    }
}

// MSG-23
#[tokio::test]
async fn a_cancelled_appointment_is_a_message_like_any_other() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let Some(app) = TestApp::configured(engine, |config| config.conference_messages = 3).await else { continue };
        let app = &app;
        let case = Case::open(app).await;
        let path = format!("/api/v1/conference-appointment/{}", case.id);
        case.staff.post(&path, json!({"at": "2026-11-21T10:00:00Z"})).await.ok();
        case.staff.send(Method::DELETE, &path, None).await.expect(204);
        assert_eq!(case.details().await["messages"].as_array().map(Vec::len), Some(3), "it is one of the case's messages");
        case.post("conference-resend", json!({"channel": "sms"})).await.problem(409, "MESSAGES_CEILING");
        case.client("appointment", json!({"at": "2026-11-21T10:00:00Z"})).await.ok();
        case.staff.send(Method::DELETE, &path, None).await.problem(409, "MESSAGES_CEILING");
    }
}
