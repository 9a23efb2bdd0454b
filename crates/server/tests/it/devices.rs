//! Where somebody is logged in, and ending it (issue 3, My devices).

use crate::support::text;
use atalaya_kernel::Role;
use atalaya_testkit::{Client, PASSWORD, Person, TestApp, both_engines};
use axum::http::Method;
use chrono::TimeDelta;
use serde_json::{Value, json};

const FIREFOX: &str = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:150.0) Gecko/20100101 Firefox/150.0";
const IPHONE: &str = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605 Version/18.7 Mobile Safari/604.1";

async fn log_in(app: &TestApp, person: &Person, agent: &str) -> Client {
    let client = app.anonymous().with("user-agent", agent);
    let body = json!({"userName": person.user_name, "password": PASSWORD, "login": true});
    let answer = client.post("/api/v1/login", body).await.ok();
    client.with_token(text(&answer["token"]))
}

async fn renew(client: &Client) -> Client {
    let answer = client.clone().with("x-renew-token", "true").get("/api/v1/renewToken").await.ok();
    client.clone().with_token(text(&answer["token"]))
}

async fn sessions(client: &Client, person: &Person) -> Vec<Value> {
    let answer = client.get(&format!("/api/v1/sessions/{}", person.id)).await.ok();
    answer["sessions"].as_array().expect("a list").clone()
}

async fn is_alive(client: &Client, person: &Person) -> bool {
    client.get(&format!("/api/v1/user/{}", person.id)).await.status == 200
}

async fn post(client: &Client, path: String) -> atalaya_testkit::Answer {
    client.send(Method::POST, &path, None).await
}

both_engines! {
    // DEVICE-1
    async fn every_log_in_is_one_device_over_its_renewals(app) {
        let worker = app.person(Role::Worker).await;
        let phone = log_in(app, &worker, IPHONE).await;
        let begun = app.sources.now();
        app.advance(TimeDelta::minutes(10));
        let desk = log_in(app, &worker, FIREFOX).await;
        app.advance(TimeDelta::minutes(40));
        let phone = renew(&phone).await;

        let list = sessions(&phone, &worker).await;
        let brief: Vec<_> = list.iter().map(|s| (s["current"].as_bool(), text(&s["browser"]), text(&s["os"]))).collect();
        assert_eq!(brief, [(Some(true), "Safari".into(), "iOS".into()), (Some(false), "Firefox".into(), "Windows".into())]);
        let time = |value: &Value| chrono::DateTime::parse_from_rfc3339(&text(value)).expect("a date").to_utc();
        assert_eq!((time(&list[0]["createdAt"]), time(&list[0]["lastSeenAt"])), (begun, app.sources.now()));
        assert_eq!(time(&list[0]["expiresAt"]), app.sources.now() + TimeDelta::hours(1));
        assert_eq!((list[0]["address"].as_str(), list[0]["userAgent"].as_str()), (Some("192.0.2.1"), Some(IPHONE)));
        assert!(list.iter().all(|s| s.get("sessionKey").is_none() && s.as_object().map(|s| s.len()) == Some(9)), "{list:?}");

        app.advance(TimeDelta::minutes(20));
        assert_eq!(sessions(&phone, &worker).await.len(), 1, "the desk was not renewed");
        assert!(!is_alive(&desk, &worker).await);
    }

    // DEVICE-2
    async fn one_device_is_ended_with_all_its_tokens(app) {
        let worker = app.person(Role::Worker).await;
        let (phone, desk) = (log_in(app, &worker, IPHONE).await, log_in(app, &worker, FIREFOX).await);
        let fresh = renew(&phone).await;
        let list = sessions(&desk, &worker).await;
        let id = text(&list.iter().find(|s| s["os"] == "iOS").expect("the phone")["_id"]);
        post(&desk, format!("/api/v1/session-end/{id}")).await.expect(204);
        assert!(!is_alive(&phone, &worker).await && !is_alive(&fresh, &worker).await);
        assert!(is_alive(&desk, &worker).await);
        assert_eq!(sessions(&desk, &worker).await.len(), 1);
        post(&desk, format!("/api/v1/session-end/{id}")).await.expect(204);
        post(&desk, format!("/api/v1/session-end/{}", app.sources.uuid())).await.problem(404, "SESSION_NOT_FOUND");
    }

    // DEVICE-2
    async fn all_others_are_ended_and_an_administrator_ends_all(app) {
        let worker = app.person(Role::Worker).await;
        let (phone, desk) = (log_in(app, &worker, IPHONE).await, log_in(app, &worker, FIREFOX).await);
        post(&desk, format!("/api/v1/sessions-end/{}", worker.id)).await.expect(204);
        assert!(!is_alive(&phone, &worker).await && is_alive(&desk, &worker).await);
        let admin = app.as_role(Role::Admin).await;
        assert_eq!(sessions(&admin, &worker).await.len(), 1);
        assert_eq!(sessions(&admin, &worker).await[0]["current"], json!(false));
        post(&admin, format!("/api/v1/sessions-end/{}", worker.id)).await.expect(204);
        assert!(!is_alive(&desk, &worker).await);
        post(&admin, format!("/api/v1/sessions-end/{}", app.sources.uuid())).await.problem(404, "USER_NOT_FOUND");
    }

    // DEVICE-3
    async fn others_sessions_are_nobody_s_business(app) {
        let worker = app.person(Role::Worker).await;
        let desk = log_in(app, &worker, FIREFOX).await;
        let id = text(&sessions(&desk, &worker).await[0]["_id"]);
        let principal = app.log_in(&app.person_in(worker.company, Role::Customer).await).await;
        let stranger = app.as_role(Role::Customer).await;
        for client in [principal, stranger] {
            client.get(&format!("/api/v1/sessions/{}", worker.id)).await.problem(403, "OWN_ID_REQUIRED");
            post(&client, format!("/api/v1/sessions-end/{}", worker.id)).await.problem(403, "OWN_ID_REQUIRED");
            post(&client, format!("/api/v1/session-end/{id}")).await.problem(404, "SESSION_NOT_FOUND");
        }
        assert!(is_alive(&desk, &worker).await);
    }
}
