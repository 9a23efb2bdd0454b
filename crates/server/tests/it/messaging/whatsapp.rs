//! The WhatsApp session, and links that go another way when their SMS does not arrive.

use super::gateway::{Gateway, Say};
use super::gateways::{dispatch, http_options};
use super::outbox;
use crate::support::{Case, text};
use atalaya_kernel::Role;
use atalaya_server::config::{SmsConfig, WhatsappConfig};
use atalaya_testkit::{Engine, Person, TestApp};
use chrono::TimeDelta;
use serde_json::{Value, json};

/// `sms` refuses every SMS, WhatsApp messages go to `waha`.
pub async fn both(engine: Engine, sms: &Gateway, waha: &Gateway) -> Option<TestApp> {
    sms.says("/send", [Say::Json(400, Value::Null)]);
    let (options, url) = (http_options(sms), format!("http://{}?session=one", waha.host()));
    TestApp::configured(engine, |config| {
        config.messaging.sms = Some(SmsConfig::Http(options));
        let key = Some("w4ha".to_owned().into());
        config.messaging.whatsapp = Some(WhatsappConfig { url: url.into(), key, receipt_secret: None });
    })
    .await
}

/// A worker of a company that allows WhatsApp, or not.
pub async fn worker(app: &TestApp, whatsapp: bool) -> Person {
    let worker = app.person(Role::Worker).await;
    let principal = app.person_in(worker.company, Role::Customer).await;
    let path = format!("/api/v1/sms-conference-client/{}", principal.id);
    let body = json!({"sms": "", "whatsapp": whatsapp});
    let answer = app.log_in(&principal).await.post(&path, body).await.ok();
    assert_eq!((&answer["whatsapp"], &answer["whatsappAvailable"]), (&json!(whatsapp), &json!(true)));
    worker
}

/// Channel, state and the channel each message replaces, oldest first.
pub async fn ways(app: &TestApp) -> Vec<(String, String, Option<String>)> {
    let mut all: Vec<Value> = outbox(app, "").await;
    all.reverse();
    let channel_of = |id: &Value| all.iter().find(|message| message["_id"] == *id).map(|message| text(&message["channel"]));
    all.iter().map(|m| (text(&m["channel"]), text(&m["state"]), channel_of(&m["fallbackOf"]))).collect()
}

pub fn way(channel: &str, state: &str, instead_of: Option<&str>) -> (String, String, Option<String>) {
    (channel.into(), state.into(), instead_of.map(str::to_owned))
}

pub const EMAIL: &str = "cliente@example.org";

// CASE-8
#[tokio::test]
async fn a_link_that_fails_goes_by_whatsapp_then_by_e_mail_each_once() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let (sms, waha) = (Gateway::start().await, Gateway::start().await);
        waha.says("/api/contacts", [Say::Json(200, json!({"numberExists": true}))]);
        waha.says("/api/sendText", [Say::Json(422, json!({"message": "session is not WORKING"}))]);
        let Some(app) = both(engine, &sms, &waha).await else { continue };
        let app = &app;
        let owner = worker(app, true).await;
        let case = Case::open_by(app, owner, json!({"email": EMAIL})).await;
        for _ in 0..4 {
            app.advance(TimeDelta::seconds(1));
            app.dispatcher.dispatch_next().await.unwrap();
        }
        let expected =
            [way("sms", "failed", None), way("whatsapp", "failed", Some("sms")), way("email", "captured", Some("whatsapp"))];
        assert_eq!(ways(app).await, expected);
        let asked = waha.asked().into_iter().find(|asked| asked.path == "/api/sendText").expect("asked");
        assert_eq!(asked.header("x-api-key"), "w4ha");
        let body = asked.json();
        assert_eq!((&body["session"], &body["chatId"]), (&json!("one"), &json!("34600123456@c.us")));
        assert!(text(&body["text"]).ends_with(&text(&case.opened["link"])));
        for track in ["SMS_FAILED", "WHATSAPP_FAILED"] {
            assert_eq!(case.tracks().await.iter().filter(|one| *one == track).count(), 1, "{track}");
        }

        // The adjuster resends by SMS: the other ways are not used a second time.
        case.post("conference-resend", json!({"channel": "sms"})).await.ok();
        app.advance(TimeDelta::seconds(1));
        dispatch(app).await;
        assert_eq!(ways(app).await.len(), 4, "{:?}", ways(app).await);
    }
}

// CASE-8
#[tokio::test]
async fn whatsapp_is_used_by_companies_that_allow_it_and_people_who_have_it() {
    let (sms, waha) = (Gateway::start().await, Gateway::start().await);
    waha.says("/api/contacts", [Say::Json(200, json!({"numberExists": true})), Say::Json(200, json!({"numberExists": false}))]);
    waha.says("/api/sendText", [Say::Json(201, json!({"id": {"_serialized": "true_34600123456@c.us_A1"}}))]);
    let app = &both(Engine::Sqlite, &sms, &waha).await.expect("SQLite needs nothing");
    let case = Case::open_by(app, worker(app, true).await, json!({})).await;
    for _ in 0..3 {
        app.advance(TimeDelta::seconds(1));
        app.dispatcher.dispatch_next().await.unwrap();
    }
    assert_eq!(ways(app).await.last(), Some(&way("whatsapp", "sent", Some("sms"))));
    assert!(case.tracks().await.contains(&"WHATSAPP_SENT".to_owned()));

    app.advance(TimeDelta::seconds(1));
    Case::open_by(app, worker(app, true).await, json!({"expedientNumber": "EXP-2"})).await;
    dispatch(app).await;
    let newest = outbox(app, "channel=whatsapp&state=failed").await;
    assert_eq!((newest.len(), &newest[0]["reason"]), (1, &json!("recipient")), "nobody has WhatsApp there");

    let asked = waha.asked().len();
    app.advance(TimeDelta::seconds(1));
    Case::open_by(app, worker(app, false).await, json!({"expedientNumber": "EXP-3", "email": EMAIL})).await;
    dispatch(app).await;
    assert_eq!(waha.asked().len(), asked, "not of a company that does not allow it");
    assert_eq!(outbox(app, &format!("to={EMAIL}")).await.len(), 1);
}

// CASE-8
#[tokio::test]
async fn nothing_goes_another_way_once_the_client_has_the_link() {
    let (sms, waha) = (Gateway::start().await, Gateway::start().await);
    let app = &both(Engine::Sqlite, &sms, &waha).await.expect("SQLite needs nothing");
    let case = Case::open_by(app, worker(app, true).await, json!({"email": EMAIL})).await;
    case.client("track", json!({"type": "LINK_OPENED"})).await.expect(204);
    dispatch(app).await;
    assert_eq!(ways(app).await, [way("sms", "failed", None)]);
    let closed = Case::open_by(app, worker(app, true).await, json!({"email": EMAIL, "expedientNumber": "EXP-2"})).await;
    closed.post("conference-close", json!({})).await.ok();
    dispatch(app).await;
    assert!(outbox(app, &format!("to={EMAIL}")).await.is_empty());
}

// MSG-18
#[tokio::test]
async fn the_session_is_kept_by_administrators() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let (sms, waha) = (Gateway::start().await, Gateway::start().await);
        let session = "/api/sessions/one";
        waha.says(session, [Say::Json(200, json!({"name": "one", "status": "SCAN_QR_CODE"}))]);
        for action in
            ["/api/sessions/one/restart", "/api/sessions/one/stop", "/api/sessions/one/logout", "/api/sessions/one/start"]
        {
            waha.says(action, [Say::Json(201, json!({}))]);
        }
        waha.says("/api/one/auth/qr", [Say::Picture(b"\x89PNG".to_vec())]);
        let Some(app) = both(engine, &sms, &waha).await else { continue };
        let admin = app.as_role(Role::Admin).await;
        let waiting = admin.get("/api/v1/whatsapp-status").await.ok();
        assert_eq!(
            (&waiting["configured"], &waiting["status"], &waiting["me"]),
            (&json!(true), &json!("SCAN_QR_CODE"), &Value::Null)
        );
        assert_eq!(waiting["qr"], "data:image/png;base64,iVBORw==");
        waha.says("/api/one/auth/qr", [Say::Json(200, json!({"mimetype": "text/html", "data": "PHNjcmlwdD4="}))]);
        assert_eq!(admin.get("/api/v1/whatsapp-status").await.ok()["qr"], Value::Null, "a picture or nothing");
        waha.says(session, [Say::Json(200, json!({"status": "WORKING", "me": {"id": "34611222333@c.us"}}))]);
        let working = admin.get("/api/v1/whatsapp-status").await.ok();
        assert_eq!(
            (&working["status"], &working["me"], &working["qr"]),
            (&json!("WORKING"), &json!("+34611222333"), &Value::Null)
        );
        for (call, last) in [("restart-whatsapp", "restart"), ("stop-whatsapp", "stop"), ("whatsapp-cleanSession", "start")] {
            assert_eq!(admin.post(&format!("/api/v1/{call}"), json!({})).await.ok()["status"], "WORKING");
            admin.get(&format!("/api/v1/{call}")).await.ok();
            let asked = waha.asked();
            let posts: Vec<_> = asked.iter().filter(|asked| asked.method == "POST").map(|asked| asked.path.clone()).collect();
            assert_eq!(posts.last(), Some(&format!("{session}/{last}")));
        }
        waha.says(session, [Say::Json(404, Value::Null)]);
        assert_eq!(admin.get("/api/v1/whatsapp-status").await.ok()["status"], "STOPPED");
        for lie in [Say::Page(200, "<html>"), Say::Json(200, json!({"status": "DANCING"})), Say::Json(500, json!({}))] {
            waha.says(session, [lie]);
            admin.get("/api/v1/whatsapp-status").await.problem(503, "WHATSAPP_UNAVAILABLE");
        }
        // The media cookie opens files only, so no cross-site page can use it for this.
        let cookie = format!("media={}", admin.token.clone().unwrap());
        app.anonymous().with("cookie", &cookie).get("/api/v1/stop-whatsapp").await.expect(401);
    }
}

// CASE-9
#[tokio::test]
async fn whoever_opens_a_conference_may_narrow_where_its_link_goes() {
    let (sms, waha) = (Gateway::start().await, Gateway::start().await);
    let app = &both(Engine::Sqlite, &sms, &waha).await.expect("SQLite needs nothing");
    let (allowed, not) = (worker(app, true).await, worker(app, false).await);
    let open = |owner: Person, nth: u32, fallback: Value| {
        app.advance(TimeDelta::seconds(1));
        Case::open_by(app, owner, json!({"expedientNumber": format!("EXP-{nth}"), "email": EMAIL, "fallback": fallback}))
    };
    open(allowed.clone(), 1, json!([])).await;
    dispatch(app).await;
    assert_eq!(ways(app).await, [way("sms", "failed", None)], "by SMS or not at all");
    open(allowed.clone(), 2, json!(["email"])).await;
    // The replacement is written a moment after the failed message.
    app.advance(TimeDelta::seconds(1));
    dispatch(app).await;
    assert_eq!(ways(app).await.last(), Some(&way("email", "captured", Some("sms"))));
    assert!(waha.asked().is_empty(), "WhatsApp was not chosen");
    let client = app.log_in(&not).await;
    let refused = client.post("/api/v1/getToken", crate::support::opening_with(json!({"fallback": ["whatsapp"]}))).await;
    let refused = refused.problem(422, "INVALID_FIELDS");
    assert_eq!(
        (&refused["errors"][0]["field"], &refused["errors"][0]["code"]),
        (&json!("fallback"), &json!("FALLBACK_NOT_ALLOWED"))
    );
    client
        .post("/api/v1/getToken", crate::support::opening_with(json!({"fallback": ["pigeon"]})))
        .await
        .problem(422, "INVALID_FIELDS");
    assert_eq!(outbox(app, "channel=sms").await.len(), 2, "nothing of what was refused is written");
}

// CASE-40
#[tokio::test]
async fn the_link_is_sent_again_where_it_arrived() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let (sms, waha) = (Gateway::start().await, Gateway::start().await);
        let arrived = || Say::Json(201, json!({"id": {"_serialized": "true_34600123456@c.us_A1"}}));
        waha.says(
            "/api/contacts",
            [Say::Json(200, json!({"numberExists": true})), Say::Json(200, json!({"numberExists": true}))],
        );
        waha.says("/api/sendText", [arrived(), arrived()]);
        let Some(app) = both(engine, &sms, &waha).await else { continue };
        let app = &app;
        let case = Case::open_by(app, worker(app, true).await, json!({})).await;
        for _ in 0..3 {
            app.advance(TimeDelta::seconds(1));
            app.dispatcher.dispatch_next().await.unwrap();
        }
        assert_eq!(ways(app).await.last(), Some(&way("whatsapp", "sent", Some("sms"))));
        app.advance(TimeDelta::seconds(1));
        let again = case.post("conference-resend", json!({"channel": "sms"})).await.ok()["message"].clone();
        assert_eq!(again["channel"], "whatsapp", "its SMS had failed");
        // Another number has no message yet: it gets an SMS.
        app.advance(TimeDelta::seconds(1));
        let other = case.post("conference-resend", json!({"channel": "sms", "to": "+34611222333"})).await.ok()["message"].clone();
        assert_eq!(other["channel"], "sms");
    }
}
