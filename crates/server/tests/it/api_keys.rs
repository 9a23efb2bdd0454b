//! API keys: shown once, kept as a hash, two at most, and what they open.

use crate::support::text;
use atalaya_integrations::api_keys::{CALLS_PER_MINUTE, STRANGERS_PER_MINUTE};
use atalaya_kernel::{CompanyKind, Role};
use atalaya_testkit::{Answer, Client, TestApp, both_engines};
use chrono::TimeDelta;
use sea_orm::{ConnectionTrait, Statement};
use serde_json::{Value, json};

async fn account(app: &TestApp, key: &str) -> Answer {
    app.anonymous().with("x-api-key", key).get("/ext-api/v1/account").await
}

async fn generate(client: &Client) -> Value {
    client.post("/api/v1/generate-apiKey", json!({})).await.ok()
}

async fn listed(client: &Client) -> Vec<Value> {
    client.get("/api/v1/get-apiKey").await.ok()["apiKeys"].as_array().expect("a list").clone()
}

both_engines! {
    // KEY-1
    async fn a_key_is_shown_once_and_stored_as_its_hash(app) {
        let person = app.person(Role::Customer).await;
        let client = app.log_in(&person).await;
        let answer = client.post("/api/v1/generate-apiKey", json!({})).await;
        assert_eq!(answer.header("cache-control"), Some("no-store"));
        let made = answer.ok();
        let key = text(&made["apiKey"]);
        assert!(key.starts_with("atl_") && key.len() == 47, "{key}");
        let list = listed(&client).await;
        assert_eq!(list, [made["key"].clone()]);
        assert_eq!((&list[0]["prefix"], &list[0]["lastUsedAt"]), (&json!(key[..10]), &Value::Null));
        assert_eq!(list[0]["createdBy"], json!({"_id": person.id, "name": "Nombre Apellido"}));
        assert!(!json!(list).to_string().contains(&key[10..]));
        let backend = app.db.read().get_database_backend();
        let row = app.db.read().query_one_raw(Statement::from_string(backend, "SELECT key_hash, prefix FROM api_key")).await;
        let row = row.unwrap().expect("one key");
        let (hash, prefix): (String, String) = (row.try_get("", "key_hash").unwrap(), row.try_get("", "prefix").unwrap());
        assert!(hash.len() == 64 && !hash.contains(&key[10..]) && prefix == key[..10]);
        let logs = client.get("/api/v1/audit?action=API_KEY_CREATED").await.ok();
        assert_eq!(logs["logs"][0]["detail"], json!({"prefix": key[..10]}));
    }

    // KEY-2
    async fn two_keys_live_and_a_revoked_one_opens_nothing(app) {
        let client = app.as_role(Role::Customer).await;
        let old = generate(&client).await;
        let new = client.get("/api/v1/generate-apiKey").await.ok();
        client.post("/api/v1/generate-apiKey", json!({})).await.problem(409, "API_KEY_LIMIT");
        for key in [&old, &new] {
            account(app, &text(&key["apiKey"])).await.ok();
        }
        let revoke = format!("/api/v1/revoke-apiKey/{}", text(&old["key"]["_id"]));
        client.post(&revoke, json!({})).await.expect(204);
        client.post(&revoke, json!({})).await.expect(204);
        account(app, &text(&old["apiKey"])).await.problem(401, "API_KEY_INVALID");
        account(app, &text(&new["apiKey"])).await.ok();
        assert_eq!(listed(&client).await.len(), 1);
        generate(&client).await;
        let logs = client.get("/api/v1/audit?action=API_KEY_REVOKED").await.ok();
        assert_eq!(logs["total"], 1, "revoking twice is one revocation");
    }

    // KEY-2
    async fn many_at_once_make_two(app) {
        let client = app.as_role(Role::Customer).await;
        let body = json!({});
        let all = futures::future::join_all((0..8).map(|_| client.post("/api/v1/generate-apiKey", body.clone()))).await;
        let made = all.iter().filter(|answer| answer.status == 200).count();
        assert_eq!((made, listed(&client).await.len()), (2, 2));
        assert!(all.iter().all(|answer| matches!(answer.status, 200 | 409)));
    }

    // KEY-4
    async fn administrators_name_the_customer(app) {
        let admin = app.as_role(Role::Admin).await;
        let customer = app.company(CompanyKind::Customer, "Cliente").await;
        let made = admin.post(&format!("/api/v1/generate-apiKey?customerId={customer}"), json!({})).await.ok();
        let told = account(app, &text(&made["apiKey"])).await.ok();
        assert_eq!(told["company"]["_id"], json!(customer));
        let problem = admin.get("/api/v1/get-apiKey").await.problem(422, "INVALID_FIELDS");
        assert_eq!(problem["errors"][0]["field"], "customerId");
        let workshop = app.company(CompanyKind::CarRepairShop, "Taller").await;
        admin.get(&format!("/api/v1/get-apiKey?customerId={workshop}")).await.problem(404, "COMPANY_NOT_FOUND");
        admin.get("/api/v1/get-apiKey?customerId=x").await.problem(404, "COMPANY_NOT_FOUND");
    }

    // KEY-3
    async fn a_key_acts_as_its_customer_by_header_or_bearer_and_opens_no_session_call(app) {
        let person = app.person(Role::Customer).await;
        let key = text(&generate(&app.log_in(&person).await).await["apiKey"]);
        let told = account(app, &key).await.ok();
        assert_eq!((&told["company"]["_id"], &told["company"]["mayCall"]), (&json!(person.company), &json!(true)));
        assert_eq!(told["key"], json!({"prefix": key[..10], "lastUsedAt": null}));
        let bearer = app.anonymous().with_token(key.clone());
        bearer.get("/ext-api/v1/account").await.ok();
        bearer.get("/api/v1/me").await.problem(401, "SESSION_INVALID");
        app.anonymous().with("x-api-key", &key).get("/api/v1/me").await.problem(401, "SESSION_REQUIRED");
        app.anonymous().get("/ext-api/v1/account").await.problem(401, "API_KEY_REQUIRED");
        app.log_in(&person).await.get("/ext-api/v1/account").await.problem(401, "API_KEY_REQUIRED");
        let last = if key.ends_with('x') { 'y' } else { 'x' };
        for wrong in ["atl_", "x", &format!("{}{last}", &key[..46]), &"atl_".repeat(99)] {
            account(app, wrong).await.problem(401, "API_KEY_INVALID");
        }
        bearer.get("/ext-api/v1/nothing").await.problem(404, "PATH_UNKNOWN");
    }

    // KEY-5
    async fn the_last_use_is_written_once_a_minute(app) {
        let client = app.as_role(Role::Customer).await;
        let key = text(&generate(&client).await["apiKey"]);
        let used = async || listed(&client).await[0]["lastUsedAt"].clone();
        account(app, &key).await.ok();
        assert_eq!(used().await, json!("2026-11-20T09:00:00Z"));
        app.advance(TimeDelta::seconds(59));
        account(app, &key).await.ok();
        assert_eq!(used().await, json!("2026-11-20T09:00:00Z"));
        app.advance(TimeDelta::seconds(1));
        account(app, &key).await.ok();
        assert_eq!(used().await, json!("2026-11-20T09:01:00Z"));
    }

    // KEY-6
    async fn an_inactive_customer_s_key_is_refused_and_calls_are_limited(app) {
        let company = app.company(CompanyKind::Customer, "Cliente").await;
        let client = app.log_in(&app.person_in(company, Role::Customer).await).await;
        let key = text(&generate(&client).await["apiKey"]);
        for _ in 0..CALLS_PER_MINUTE {
            account(app, &key).await.ok();
        }
        let refused = account(app, &key).await;
        refused.problem(429, "TOO_MANY_REQUESTS");
        assert!(refused.header("retry-after").is_some());
        let guesser = app.anonymous().from([203, 0, 113, 7]).with("x-api-key", "atl_guess");
        for _ in 0..STRANGERS_PER_MINUTE {
            guesser.get("/ext-api/v1/account").await.problem(401, "API_KEY_INVALID");
        }
        guesser.get("/ext-api/v1/account").await.problem(429, "TOO_MANY_REQUESTS");
        app.advance(TimeDelta::minutes(1));
        account(app, &key).await.ok();
        let sql = "UPDATE company SET status = 4 WHERE company = 'Cliente'";
        app.db.read().execute_raw(Statement::from_string(app.db.read().get_database_backend(), sql)).await.unwrap();
        account(app, &key).await.problem(403, "ACCOUNT_INACTIVE");
    }

    // KEY-7
    async fn the_documentation_is_the_part_that_keys_open(app) {
        let document = app.anonymous().get("/ext-api/api-doc").await.ok();
        assert_eq!(document, app.anonymous().get("/api/v1/ext-api/api-doc").await.ok());
        let paths: Vec<&String> = document["paths"].as_object().expect("paths").keys().collect();
        assert!(paths.iter().all(|path| path.starts_with("/ext-api/v1/")) && paths.iter().any(|path| path.ends_with("/account")));
        let whole = document.to_string();
        for reference in whole.split("#/components/schemas/").skip(1) {
            let name = reference.split('"').next().expect("a name");
            assert!(document["components"]["schemas"][name].is_object(), "{name} is missing");
        }
        assert!(document["components"]["schemas"].get("User").is_none(), "nothing of the inside");
        assert_eq!(document, app.anonymous().get("/ext-api/openapi.json").await.ok());
        assert!(!whole.contains("Source:"), "nothing of our own documents");
        // A browser gets a page, with nothing from elsewhere and nothing that runs.
        let page = app.anonymous().with("accept", "text/html,*/*;q=0.8").get("/ext-api/api-doc").await;
        let html = String::from_utf8(page.body.to_vec()).expect("UTF-8");
        assert!(page.header("content-type").is_some_and(|kind| kind.starts_with("text/html")));
        let policy = page.header("content-security-policy").expect("a policy");
        assert!(policy.starts_with("default-src 'none'; style-src 'sha256-") && !policy.contains("unsafe"));
        assert!(!html.contains("<script") && !html.contains("src=") && !html.contains("<link"));
        for path in paths {
            assert!(html.contains(path.as_str()), "{path}");
        }
        assert!(html.contains("<html lang=\"es\">") && html.contains("incidence.changed"));
        for (headers, query, language) in [
            (vec![("accept-language", "fr-CH, en;q=0.5")], "", "fr"),
            (vec![("accept-language", "fr"), ("cookie", "a=b; lang=ca")], "", "ca"),
            (vec![("accept-language", "fr"), ("cookie", "lang=ca")], "?lang=en", "en"),
            (vec![("accept-language", "xx")], "?lang=yy", "es"),
        ] {
            let mut browser = app.anonymous().with("accept", "text/html");
            for (name, value) in headers {
                browser = browser.with(name, value);
            }
            let page = browser.get(&format!("/ext-api/api-doc{query}")).await;
            assert_eq!((page.status, page.header("content-language")), (200, Some(language)), "{query}");
            assert!(page.header("vary").is_some_and(|vary| vary.contains("accept-language")));
        }
        let links = app.anonymous().get("/api/v1/get-links").await.ok();
        assert!(text(&links["cookiesUrl"]).ends_with("/cookies"));
        assert!(text(&links["docsUrl"]).ends_with("/ext-api/api-doc") && text(&links["businessUrl"]).starts_with("http"));
    }
}
