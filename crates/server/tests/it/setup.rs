//! What an installation lacks for real work.

use crate::support::{Case, text};
use atalaya_kernel::{Role, Status};
use atalaya_server::backup;
use atalaya_testkit::{Engine, TestApp, both_engines};
use serde_json::{Value, json};

const SETUP: &str = "/api/v1/setup";
const ENGINES: [Engine; 2] = [Engine::Sqlite, Engine::Postgres];

fn item(answer: &Value, key: &str) -> Value {
    answer["items"]
        .as_array()
        .unwrap()
        .iter()
        .find(|item| item["key"] == key)
        .unwrap_or_else(|| panic!("{key}: {answer}"))
        .clone()
}

both_engines! {
    // SETUP-1, SETUP-2, SETUP-6, MSG-2, MSG-16
    async fn a_new_installation_lacks_everything_and_says_what_is_held(app) {
        let admin = app.as_role(Role::Admin).await;
        let first = admin.get(SETUP).await.ok();
        let keys: Vec<String> = first["items"].as_array().unwrap().iter().map(|item| text(&item["key"])).collect();
        assert_eq!(keys, ["sms", "email", "mailbox", "address", "backup", "legalTexts", "legalPages"]);
        assert_eq!(first["missing"], 7, "{first}");
        assert_eq!(item(&first, "sms"), json!({"key": "sms", "ready": false, "value": null, "held": null, "source": null}));
        Case::open(app).await;
        assert_eq!(item(&admin.get(SETUP).await.ok(), "sms")["held"], 1);
        let status = admin.get("/api/v1/own-message-service/status").await.ok();
        assert_eq!((&status["captured"], &status["queued"], &status["channels"][0]["captured"]), (&json!(1), &json!(0), &json!(1)));
        app.as_role(Role::Customer).await.get(SETUP).await.problem(403, "ROLE_NOT_ALLOWED");
    }

    // SETUP-6
    async fn conditions_count_once_they_are_the_platform_s_own(app) {
        let admin = app.as_role(Role::Admin).await;
        for kind in [1, 2] {
            assert_eq!(item(&admin.get(SETUP).await.ok(), "legalTexts")["ready"], false);
            let text = json!({"type": kind, "title": "Condiciones", "html": "<p>Las nuestras.</p>", "language": "es"});
            admin.post("/api/v1/legal", text).await.expect(201);
        }
        assert_eq!(item(&admin.get(SETUP).await.ok(), "legalTexts")["ready"], true);
    }
}

/// The setting is empty, as it is by default.
async fn without_mailbox(engine: Engine) -> Option<TestApp> {
    TestApp::configured(engine, |config| {
        config.links.admin_mailbox.clear();
        config.public_url = "https://v.peritos.es".into();
        config.links.legal_url = Some("https://peritos.es/legal".into());
        config.links.privacy_url = Some("https://peritos.es/privacidad".into());
        config.links.cookies_url = Some("https://peritos.es/galletas".into());
    })
    .await
}

// SETUP-3, SETUP-5, SETUP-6
#[tokio::test]
async fn the_mailbox_follows_the_first_administrator() {
    for engine in ENGINES {
        let Some(app) = without_mailbox(engine).await else { continue };
        let platform = app.platform().await;
        // Neither of these can be written to: one has left, one logs in by telephone.
        app.person_with(platform, Role::Admin, |new| new.status = Status::Inactive).await;
        app.advance(chrono::TimeDelta::minutes(1));
        app.person_with(platform, Role::Admin, |new| {
            (new.user_name, new.email, new.phone) = ("+34600000001".into(), None, Some("+34600000001".into()));
        })
        .await;
        app.advance(chrono::TimeDelta::minutes(1));
        let first = app.person(Role::Admin).await;
        app.advance(chrono::TimeDelta::minutes(1));
        app.person(Role::Admin).await;
        let admin = app.log_in(&first).await;
        let answer = admin.get(SETUP).await.ok();
        let mailbox = item(&answer, "mailbox");
        assert_eq!((&mailbox["value"], &mailbox["source"]), (&json!(first.user_name), &json!("firstAdministrator")), "{answer}");
        assert_eq!((&item(&answer, "address")["ready"], &item(&answer, "legalPages")["ready"]), (&json!(true), &json!(true)));
        let links = app.anonymous().get("/api/v1/get-links").await.ok();
        assert_eq!(links["contactEmail"], json!(first.user_name));
        assert_eq!(
            (&links["legalUrl"], &links["privacyUrl"], &links["cookiesUrl"]),
            (&json!("https://peritos.es/legal"), &json!("https://peritos.es/privacidad"), &json!("https://peritos.es/galletas"))
        );
    }
}

// SETUP-4
#[tokio::test]
async fn a_backup_is_known_by_its_moment() {
    for engine in ENGINES {
        let mut folder = None;
        let Some(app) = TestApp::configured(engine, |config| folder = Some(config.data_dir.clone())).await else { continue };
        let folder = folder.expect("configured");
        let admin = app.as_role(Role::Admin).await;
        backup::note(&folder, app.sources.now()).unwrap();
        let known = item(&admin.get(SETUP).await.ok(), "backup");
        assert_eq!((&known["ready"], text(&known["value"])), (&json!(true), app.sources.now().to_rfc3339()));
        backup::note(&folder, app.sources.now() - chrono::TimeDelta::days(8)).unwrap();
        assert_eq!(item(&admin.get(SETUP).await.ok(), "backup")["ready"], false);
    }
}
