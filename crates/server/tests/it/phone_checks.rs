//! What phones could do when they were tried, and the relay that they try.

use crate::support::text;
use atalaya_assistance::phone_checks::forget_old;
use atalaya_kernel::Role;
use atalaya_testkit::{Client, TestApp, both_engines};
use chrono::TimeDelta;
use serde_json::{Value, json};

const IPHONE: &str =
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 Version/18.6 Mobile/15E148 Safari/604.1";

fn result() -> Value {
    json!({"outcomes": [
        {"check": "camera", "ok": true},
        {"check": "size", "ok": true, "detail": "1280 × 720 · 30 Hz"},
        {"check": "relay", "ok": false, "detail": "timeout"},
    ]})
}

async fn listed(client: &Client, code: &str) -> Vec<Value> {
    let path = format!("/api/v1/phone-checks?code={code}");
    client.get(&path).await.ok()["phoneChecks"].as_array().expect("a list").clone()
}

async fn sent(app: &TestApp) -> String {
    let phone = app.anonymous().with("user-agent", IPHONE);
    text(&phone.post("/api/v1/phone-checks", result()).await.ok()["code"])
}

both_engines! {
    // CLIENT-60
    async fn support_finds_a_result_by_its_code(app) {
        let code = sent(app).await;
        sent(app).await;
        assert!(code.len() == 8 && code.bytes().all(|b| b.is_ascii_digit()), "{code}");
        let admin = app.as_role(Role::Admin).await;
        let typed = format!("{}-{}", &code[..4], &code[4..]);
        let found = listed(&admin, &typed).await;
        assert_eq!((found.len(), &found[0]["browser"], &found[0]["os"]), (1, &json!("Safari"), &json!("iOS")));
        assert_eq!(found[0]["outcomes"][1], json!({"check": "size", "ok": true, "detail": "1280 × 720 · 30 Hz"}));
        let kept = crate::privacy::dump(app, "phone_check").await;
        assert!(!kept.contains("Mozilla") && !kept.contains("127.0.0.1"), "no address, no whole user agent: {kept}");
        assert_eq!(admin.get("/api/v1/phone-checks").await.ok()["phoneChecks"].as_array().map(Vec::len), Some(2));
    }

    // CLIENT-60
    async fn a_result_has_bounds(app) {
        let phone = app.anonymous();
        for wrong in [
            json!({"outcomes": []}),
            json!({"outcomes": [{"check": "camera", "ok": true}, {"check": "camera", "ok": false}]}),
            json!({"outcomes": [{"check": "size", "ok": true, "detail": "x".repeat(81)}]}),
        ] {
            phone.post("/api/v1/phone-checks", wrong).await.problem(422, "INVALID_FIELDS");
        }
        // Three were counted; two more are free.
        for status in [200, 200, 429] {
            assert_eq!(phone.post("/api/v1/phone-checks", result()).await.status, status);
        }
    }

    // CLIENT-61
    async fn a_result_is_kept_for_a_month(app) {
        let code = sent(app).await;
        app.advance(TimeDelta::days(31) - TimeDelta::seconds(1));
        assert_eq!(forget_old(&app.assistance).await.unwrap(), 0);
        assert_eq!(listed(&app.as_role(Role::Admin).await, &code).await.len(), 1);
        app.advance(TimeDelta::seconds(2));
        assert!(listed(&app.as_role(Role::Admin).await, &code).await.is_empty(), "over, and not deleted yet");
        assert_eq!(forget_old(&app.assistance).await.unwrap(), 1);
        assert_eq!(crate::privacy::dump(app, "phone_check").await, "");
    }

    // TURN-11
    async fn the_relay_is_handed_out_for_a_minute_or_the_reason_why_not(app) {
        let phone = app.anonymous();
        let told = phone.get("/api/v1/phone-checks/relay").await.ok();
        match &told["relay"] {
            Value::Null => assert!(["off", "elsewhere"].contains(&text(&told["reason"]).as_str()), "{told}"),
            relay => assert_eq!((&relay["expiresInS"], &told["reason"]), (&json!(60), &Value::Null)),
        }
        for _ in 1..10 {
            phone.get("/api/v1/phone-checks/relay").await.ok();
        }
        phone.get("/api/v1/phone-checks/relay").await.problem(429, "TOO_MANY_TRIES");
    }
}
