//! Tokens that would make the server send to forbidden addresses.

use super::browser::{Browser, PushService};
use super::{devices, greeting, log_in, queue, register, texts_of, work};
use atalaya_kernel::Role;
use atalaya_testkit::both_engines;
use serde_json::{Value, json};

/// Internal addresses, tricks with the address, other schemes.
const ENDPOINTS: &[&str] = &[
    "http://127.0.0.1/send",
    "https://127.0.0.1/send",
    "https://localhost/send",
    "https://10.0.0.1/send",
    "https://169.254.169.254/latest/meta-data/",
    "https://[::1]/send",
    "https://[::ffff:127.0.0.1]/send",
    "https://2130706433/send",
    "https://0x7f000001/send",
    "https://017700000001/send",
    "http://fcm.googleapis.com/fcm/send/x",
    "https://fcm.googleapis.com:22/fcm/send/x",
    "https://fcm.googleapis.com@10.0.0.1/send",
    "https://10.0.0.1/fcm.googleapis.com",
    "https://10.0.0.1#.push.apple.com",
    "https://10.0.0.1?.push.apple.com",
    "https://10.0.0.1\\.push.apple.com/",
    "https://fcm.googleapis.com.attacker.example/x",
    "https://attackerfcm.googleapis.com/x",
    "https://x.fcm.googleapis.com/x",
    "https://push.services.mozilla.com.attacker.example/x",
    "https://fcm.googleapis.com\r\nHost: attacker.example/x",
    "ftp://fcm.googleapis.com/x",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "data:text/plain,x",
    "",
    "x",
];

both_engines! {
    // PUSH-3
    async fn endpoints_that_lead_elsewhere_are_refused(app) {
        let person = app.person(Role::Worker).await;
        let client = log_in(app, &person).await;
        let own = format!("http://{}", app.push_service.local_addr().expect("bound"));
        // The configured service itself, but disguised.
        let dressed = [own.replace("http:", "https:"), own.replace("//", "//a@"), own.replace("127.0.0.1", "localhost"), format!("{own}1/send/a")];
        for endpoint in ENDPOINTS.iter().copied().chain(dressed.iter().map(String::as_str)) {
            let token = Browser::with_endpoint(app, endpoint).token();
            for token in [token.clone(), json!(token.to_string())] {
                let problem = register(&client, &person, token).await.problem(422, "INVALID_FIELDS");
                assert_eq!(problem["errors"][0]["field"], "token", "{endpoint}");
                let shown = problem.to_string();
                assert!(endpoint.len() < 5 || !shown.contains(endpoint), "an endpoint is not repeated: {shown}");
            }
        }
        assert!(devices(&client).await.is_empty());
    }

    // PUSH-3
    async fn tokens_that_are_none_are_refused(app) {
        let person = app.person(Role::Worker).await;
        let client = log_in(app, &person).await;
        let good = Browser::at(app, "a").token();
        let with = |change: &dyn Fn(&mut Value)| {
            let mut token = good.clone();
            change(&mut token);
            token
        };
        let past = app.sources.now().timestamp_millis() - 1;
        for token in [
            Value::Null,
            json!(true),
            json!([]),
            json!({}),
            json!("{"),
            json!("x".repeat(20_000)),
            with(&|t| t["keys"] = Value::Null),
            with(&|t| t["keys"] = json!({})),
            with(&|t| t["keys"]["p256dh"] = json!("")),
            with(&|t| t["keys"]["p256dh"] = json!("AAAA")),
            with(&|t| t["keys"]["p256dh"] = json!("BA".to_owned() + &"A".repeat(85))),
            with(&|t| t["keys"]["auth"] = json!("A".repeat(21))),
            with(&|t| t["keys"]["auth"] = json!(1)),
            with(&|t| t["endpoint"] = json!(["x"])),
            with(&|t| t["expirationTime"] = json!(past)),
        ] {
            let problem = register(&client, &person, token.clone()).await.problem(422, "INVALID_FIELDS");
            assert_eq!((&problem["errors"][0]["field"], &problem["errors"][0]["code"]), (&json!("token"), &json!("PUSH_TOKEN_INVALID")), "{token}");
        }
        register(&client, &person, good.clone()).await.ok();
        // An expiry in the far future counts as none.
        register(&client, &person, with(&|t| t["expirationTime"] = json!(4e14))).await.ok();
        let ends = texts_of(app, "SELECT os FROM push_subscription WHERE expires_at IS NOT NULL").await;
        assert!(ends.is_empty());
    }

    // PUSH-4
    async fn endpoints_and_keys_lie_sealed_in_the_database(app) {
        let service = PushService::of(app);
        let person = app.person(Role::Worker).await;
        let client = log_in(app, &person).await;
        let browser = Browser::at(app, "very-secret");
        register(&client, &person, browser.token()).await.ok();
        queue(app, &[&person], &greeting("t")).await;
        let sql = "SELECT sealed || ' ' || endpoint_digest FROM push_subscription \
                   UNION ALL SELECT payload FROM push_delivery UNION ALL SELECT CAST(payload AS text) FROM job";
        let rows = texts_of(app, sql).await.join("\n");
        assert!(rows.contains("videollamada") && rows.contains("batch"), "{rows}");
        let auth = browser.token()["keys"]["auth"].as_str().expect("text").to_owned();
        assert!(!rows.contains("very-secret") && !rows.contains(&auth), "{rows}");
        work(app).await;
        assert_eq!(service.take().len(), 1);
    }
}
