//! SMS gateways that answer, refuse, lie and hang, and their receipts.

use super::gateway::{Asked, Gateway, Say};
use super::outbox;
use crate::support::{Case, text};
use atalaya_kernel::Role;
use atalaya_messaging::{HttpGatewayOptions, sign};
use atalaya_server::config::SmsConfig;
use atalaya_testkit::{Answer, Engine, TestApp};
use aws_lc_rs::hmac;
use axum::http::Method;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use chrono::TimeDelta;
use sea_orm::{ConnectionTrait, Statement};
use serde_json::{Value, json};

const ENGINES: [Engine; 2] = [Engine::Sqlite, Engine::Postgres];

/// Sends and applies everything that is due.
pub async fn dispatch(app: &TestApp) {
    while app.dispatcher.dispatch_next().await.expect("the outbox is read") {}
}

async fn with_twilio(engine: Engine, gateway: &Gateway) -> Option<TestApp> {
    let url = format!("http+twilio://AC1:s3cret@{}?from=+34600000000", gateway.host());
    TestApp::configured(engine, |config| config.messaging.sms = Some(SmsConfig::Twilio { url: url.into(), sender: None })).await
}

/// A gateway described by its settings.
pub fn http_options(gateway: &Gateway) -> HttpGatewayOptions {
    HttpGatewayOptions {
        url: format!("http://{}/send", gateway.host()).into(),
        method: "POST".into(),
        headers: Some("Authorization: Bearer k3y".to_owned().into()),
        body: r#"{"to":"{{to}}","text":"{{text}}","sender":"{{sender}}","id":"{{id}}"}"#.into(),
        id: "/message/id".into(),
        success: "200-299".into(),
        receipt_secret: Some("h00k".to_owned().into()),
        sender: Some("ATALAYA".into()),
    }
}

pub async fn with_http(engine: Engine, gateway: &Gateway) -> Option<TestApp> {
    let options = http_options(gateway);
    TestApp::configured(engine, |config| config.messaging.sms = Some(SmsConfig::Http(options))).await
}

fn taken(id: &str) -> Say {
    Say::Json(200, json!({"message": {"id": id}}))
}

async fn newest_sms(app: &TestApp) -> Value {
    outbox(app, "channel=sms").await.remove(0)
}

async fn receipts_left(app: &TestApp) -> i64 {
    let sql = Statement::from_string(app.db.read().get_database_backend(), "SELECT COUNT(*) AS n FROM message_receipt");
    app.db.read().query_one_raw(sql).await.unwrap().unwrap().try_get("", "n").unwrap()
}

/// A receipt as Twilio signs it.
async fn twilio_receipt(app: &TestApp, target: &str, token: &str, form: &[(&str, &str)]) -> Answer {
    let mut sorted = form.to_vec();
    sorted.sort_unstable();
    let all: String = sorted.iter().map(|(name, value)| format!("{name}{value}")).collect();
    let key = hmac::Key::new(hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY, token.as_bytes());
    let url = format!("{}{target}{all}", app.identity.settings.public_url);
    let signature = STANDARD.encode(hmac::sign(&key, url.as_bytes()));
    let body = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(form).finish();
    let client = app.anonymous().with("x-twilio-signature", &signature);
    client.send_body(Method::POST, target, Some("application/x-www-form-urlencoded"), body).await
}

pub async fn http_receipt(app: &TestApp, secret: &str, age_s: i64, body: Value) -> u16 {
    let body = body.to_string();
    let signature = sign(secret, app.sources.now().timestamp() - age_s, body.as_bytes());
    let client = app.anonymous().with("x-signature", &signature);
    client.send_body(Method::POST, "/hooks/messages/http", Some("application/json"), body).await.status
}

// MSG-4, MSG-12, MSG-16
#[tokio::test]
async fn twilio_sends_and_its_signed_receipts_are_believed() {
    for engine in ENGINES {
        let gateway = Gateway::start().await;
        gateway.says("/2010", [Say::Json(201, json!({"sid": "SM123", "status": "queued", "error_code": null}))]);
        let Some(app) = with_twilio(engine, &gateway).await else { continue };
        let app = &app;
        let case = Case::open(app).await;
        assert_eq!(newest_sms(app).await["state"], "queued");
        dispatch(app).await;
        let sent = newest_sms(app).await;
        assert_eq!((&sent["state"], &sent["provider"]), (&json!("sent"), &json!("twilio")));
        let asked: Vec<Asked> = gateway.asked();
        assert_eq!(
            (asked.len(), asked[0].method.as_str(), asked[0].path.as_str()),
            (1, "POST", "/2010-04-01/Accounts/AC1/Messages.json")
        );
        assert_eq!(asked[0].header("authorization"), format!("Basic {}", STANDARD.encode("AC1:s3cret")));
        assert_eq!((asked[0].form("To"), asked[0].form("From")), (Some("+34600123456".into()), Some("+34600000000".into())));
        assert!(asked[0].form("Body").unwrap().ends_with(&text(&case.opened["link"])));
        let target = format!("/hooks/messages/twilio?id={}", text(&sent["_id"]));
        assert!(asked[0].form("StatusCallback").unwrap().ends_with(&target));

        let delivered = [("MessageSid", "SM123"), ("MessageStatus", "delivered"), ("To", "+34600123456")];
        twilio_receipt(app, &target, "other", &delivered).await.problem(403, "RECEIPT_REFUSED");
        app.anonymous().post(&target, json!({})).await.problem(403, "RECEIPT_REFUSED");
        dispatch(app).await;
        assert_eq!(newest_sms(app).await["state"], "sent", "a forged receipt changes nothing");
        twilio_receipt(app, &target, "s3cret", &delivered).await.expect(204);
        dispatch(app).await;
        let arrived = newest_sms(app).await;
        assert_eq!(arrived["state"], "delivered");
        assert!(!arrived["deliveredAt"].is_null());
        // A repeated receipt, late ones, and one of a message that is not ours.
        for (sid, status) in [("SM123", "delivered"), ("SM123", "sent"), ("SM123", "failed"), ("SM999", "delivered")] {
            let path = if sid == "SM123" { target.as_str() } else { "/hooks/messages/twilio" };
            twilio_receipt(app, path, "s3cret", &[("MessageSid", sid), ("MessageStatus", status)]).await.expect(204);
        }
        dispatch(app).await;
        assert_eq!(newest_sms(app).await["state"], "delivered", "what arrived stays so");
        let tracks = case.tracks().await;
        assert_eq!(tracks.iter().filter(|track| track.starts_with("SMS_")).collect::<Vec<_>>(), ["SMS_SENT", "SMS_DELIVERED"]);
        let status = app.as_role(Role::Admin).await.get("/api/v1/own-message-service/status").await.ok();
        assert_eq!((&status["channels"][0]["provider"], &status["sentLastHour"]), (&json!("twilio"), &json!(1)));
        assert_eq!(gateway.asked().len(), 1, "sent once");
    }
}

// MSG-13
#[tokio::test]
async fn a_receipt_ends_an_attempt_whose_answer_was_lost() {
    let gateway = Gateway::start().await;
    gateway.says("/2010", [Say::Page(502, "<html>Bad gateway</html>")]);
    let app = &with_twilio(Engine::Sqlite, &gateway).await.expect("SQLite needs nothing");
    Case::open(app).await;
    dispatch(app).await;
    let waiting = newest_sms(app).await;
    assert_eq!((&waiting["state"], &waiting["reason"]), (&json!("queued"), &json!("unavailable")));
    let target = format!("/hooks/messages/twilio?id={}", text(&waiting["_id"]));
    twilio_receipt(app, &target, "s3cret", &[("MessageSid", "SM7"), ("MessageStatus", "delivered")]).await.expect(204);
    dispatch(app).await;
    app.advance(TimeDelta::minutes(5));
    dispatch(app).await;
    assert_eq!(newest_sms(app).await["state"], "delivered");
    assert_eq!(gateway.asked().len(), 1, "it is not sent again");
}

// MSG-11, MSG-12
#[tokio::test]
async fn a_gateway_of_one_s_own_is_asked_as_it_was_described() {
    for engine in ENGINES {
        let gateway = Gateway::start().await;
        gateway.says("/send", [taken("m-1")]);
        let Some(app) = with_http(engine, &gateway).await else { continue };
        let app = &app;
        let case = Case::open_with(app, json!({"smsText": "\"Peña\" \\ aquí:"})).await;
        dispatch(app).await;
        let asked = gateway.asked().remove(0);
        let (body, sent) = (asked.json(), newest_sms(app).await);
        assert_eq!((&body["to"], &body["sender"], &body["id"]), (&json!("+34600123456"), &json!("ATALAYA"), &sent["_id"]));
        assert_eq!(body["text"], json!(format!("\"Peña\" \\ aqui: {}", text(&case.opened["link"]))));
        assert_eq!(
            (asked.header("authorization").as_str(), asked.header("content-type").as_str()),
            ("Bearer k3y", "application/json")
        );

        let delivered = json!({"id": "m-1", "status": "delivered"});
        assert_eq!(http_receipt(app, "wrong", 0, delivered.clone()).await, 403);
        assert_eq!(http_receipt(app, "h00k", 301, delivered.clone()).await, 403, "an old one may be a replay");
        assert_eq!(http_receipt(app, "h00k", 0, json!({"status": "delivered"})).await, 400);
        assert_eq!(http_receipt(app, "h00k", 0, json!({"id": "m-2", "status": "delivered"})).await, 204, "not ours");
        let several =
            json!({"receipts": [delivered, {"reference": sent["_id"], "status": "sent"}, {"id": "m-1", "status": "seen"}]});
        assert_eq!(http_receipt(app, "h00k", 0, several).await, 204);
        dispatch(app).await;
        assert_eq!(newest_sms(app).await["state"], "delivered");
        app.anonymous().post("/hooks/messages/twilio", json!({})).await.problem(404, "NOT_FOUND");
        app.advance(TimeDelta::hours(2));
        dispatch(app).await;
        let left = receipts_left(app).await;
        assert_eq!(left, 0, "receipts of others are forgotten");
    }
}

// MSG-8, MSG-10
#[tokio::test]
async fn refusals_are_final_and_faults_are_tried_once_more() {
    for (answers, state, reason, asked) in [
        (vec![Say::Json(400, json!({}))], "failed", "refused", 1),
        (vec![Say::Json(401, json!({}))], "failed", "credentials", 1),
        (vec![Say::Json(302, json!({}))], "failed", "refused", 1),
        (vec![Say::Json(500, json!({})), taken("m-1")], "sent", "", 2),
        (vec![Say::Json(429, json!({}))], "failed", "limited", 2),
        // A captive portal's page with a good status, an answer of another shape, one with an invalid id.
        (vec![Say::Page(200, "<html>Welcome</html>")], "failed", "bad_answer", 2),
        (vec![Say::Json(200, json!({"ok": true}))], "failed", "bad_answer", 2),
        (vec![Say::Json(200, json!({"message": {"id": "a b\n"}}))], "failed", "bad_answer", 2),
    ] {
        let gateway = Gateway::start().await;
        gateway.says("/send", answers.clone());
        let app = &with_http(Engine::Sqlite, &gateway).await.expect("SQLite needs nothing");
        Case::open(app).await;
        dispatch(app).await;
        app.advance(TimeDelta::seconds(61));
        dispatch(app).await;
        app.advance(TimeDelta::hours(1));
        dispatch(app).await;
        let sms = newest_sms(app).await;
        assert_eq!((text(&sms["state"]).as_str(), sms["reason"].as_str().unwrap_or_default()), (state, reason), "{answers:?}");
        assert_eq!(gateway.asked().len(), asked, "{answers:?}");
        assert!(!sms.to_string().contains("k3y"), "no key in an error");
    }
}

// MSG-10, MSG-15, MSG-16
#[tokio::test]
async fn a_gateway_that_hangs_or_is_away_holds_nothing_up() {
    let gateway = Gateway::start().await;
    gateway.says("/send", [Say::Hang, taken("m-1")]);
    let app = &with_http(Engine::Sqlite, &gateway).await.expect("SQLite needs nothing");
    Case::open(app).await;
    let began = std::time::Instant::now();
    dispatch(app).await;
    assert!(began.elapsed().as_secs() < 20, "ten seconds are enough");
    let waiting = newest_sms(app).await;
    assert_eq!((&waiting["state"], &waiting["reason"]), (&json!("queued"), &json!("timeout")));
    let admin = app.as_role(Role::Admin).await;
    let reset = admin.post("/api/v1/own-message-service/reset", json!({"reset": true})).await.ok();
    assert_eq!(reset["reset"], 1, "it need not wait its minute");
    dispatch(app).await;
    assert_eq!(newest_sms(app).await["state"], "sent");

    let nobody = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let options = HttpGatewayOptions { url: format!("http://{nobody}/send").into(), ..http_options(&gateway) };
    let app = TestApp::configured(Engine::Sqlite, |config| config.messaging.sms = Some(SmsConfig::Http(options))).await;
    let app = &app.expect("SQLite needs nothing");
    Case::open(app).await;
    dispatch(app).await;
    app.advance(TimeDelta::seconds(61));
    dispatch(app).await;
    let failed = newest_sms(app).await;
    assert_eq!((&failed["state"], &failed["reason"]), (&json!("failed"), &json!("unreachable")));
    let admin = app.as_role(Role::Admin).await;
    let status = admin.get("/api/v1/own-message-service/status").await.ok();
    assert_eq!(status["failures"], json!([{"reason": "unreachable", "count": 1}]));
    assert_eq!(status["failedLastHour"], 1);
    let reset = admin.post("/api/v1/own-message-service/reset", json!({"reset": true})).await.ok();
    assert_eq!(
        (&reset["reset"], &reset["queued"], &reset["failures"]),
        (&json!(1), &json!(1), &json!([])),
        "what may have passed is tried anew"
    );
}

// MSG-14
#[tokio::test]
async fn a_stopped_service_keeps_everything_and_delivers_it_once_when_started() {
    for engine in ENGINES {
        let gateway = Gateway::start().await;
        gateway.says("/send", [taken("m-1"), taken("m-2"), taken("m-3")]);
        let Some(app) = with_http(engine, &gateway).await else { continue };
        let app = &app;
        let admin = app.as_role(Role::Admin).await;
        let run = |run: bool| {
            let admin = admin.clone();
            async move { admin.post("/api/v1/own-message-service/change-run-status", json!({"run": run})).await.ok() }
        };
        run(false).await;
        for n in 0..3 {
            Case::open_with(app, json!({"expedientNumber": format!("EXP-{n}")})).await;
        }
        dispatch(app).await;
        assert_eq!(gateway.asked().len(), 0);
        assert_eq!(run(false).await["queued"], 3);
        run(true).await;
        dispatch(app).await;
        dispatch(app).await;
        let mut ids: Vec<String> = gateway.asked().iter().map(|asked| text(&asked.json()["id"])).collect();
        ids.sort();
        ids.dedup();
        assert_eq!((ids.len(), gateway.asked().len()), (3, 3), "each once");
    }
}
