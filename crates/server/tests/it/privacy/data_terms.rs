//! Each class of data has its term: blocked when it is over, deleted when an authority can ask no longer.

use super::{SECRETS, dump, full_case, principal, tables};
use crate::support::{Case, text};
use atalaya_cases::evidence;
use atalaya_kernel::Role;
use atalaya_kernel::keeping::{DataClass, Terms};
use atalaya_privacy::data_terms::{self, Kept};
use atalaya_privacy::erasures::erasure::{Agreement, compare};
use atalaya_privacy::erasures::expiry;
use atalaya_testkit::{Engine, TestApp, both_engines};
use chrono::TimeDelta;
use serde_json::{Value, json};

/// What an administrator finds blocked of a case.
async fn blocked(app: &TestApp, case: &Case<'_>) -> Value {
    let admin = app.as_role(Role::Admin).await;
    let path = format!("/api/v1/blocked-data/{}", case.id);
    admin.post(&path, json!({"reason": "Juzgado n.º 3"})).await.ok()["blocked"].clone()
}

both_engines! {
    // RETAIN-25, RETAIN-26, RETAIN-27, RETAIN-28
    async fn after_five_years_only_what_must_stay_is_left(app) {
        let case = full_case(app).await;
        app.advance(TimeDelta::days(1825));
        expiry::run(&app.privacy).await.unwrap();
        assert_eq!(data_terms::run(&app.privacy).await.unwrap(), Kept::default(), "a day too early");
        let before = evidence::verify(app.db.read(), case.id.parse().unwrap()).await.unwrap().unwrap();
        assert_eq!(blocked(app, &case).await, json!([]));

        let admin = app.as_role(Role::Admin).await;
        let day = (app.sources.now() + TimeDelta::days(3)).date_naive();
        let told = admin.get(&format!("/api/v1/data-terms-preview?date={day}")).await.ok();
        let due = |class: DataClass, n: i64| json!({"dataClass": class.name(), "toBlock": n, "toDelete": 0});
        assert_eq!(told["classes"], json!(DataClass::ALL.map(|class| due(class, 1))));
        let told = admin.get("/api/v1/data-terms-preview").await.ok();
        assert_eq!(told["classes"], json!(DataClass::ALL.map(|class| due(class, 0))));
        admin.get("/api/v1/data-terms-preview?date=ayer").await.problem(422, "INVALID_FIELDS");
        assert!(dump(app, "conference").await.contains("Remedios"), "nothing is done by looking");

        app.advance(TimeDelta::days(2));
        assert_eq!(data_terms::run(&app.privacy).await.unwrap(), Kept { blocked: 7, deleted: 0, ended: 0 });
        assert_eq!(data_terms::run(&app.privacy).await.unwrap(), Kept::default(), "once");
        for table in tables(app).await {
            if ["audit_entry", "session"].contains(&table.as_str()) {
                continue;
            }
            let rows = dump(app, &table).await;
            let found: Vec<_> = SECRETS.iter().filter(|secret| rows.contains(**secret)).collect();
            assert!(found.is_empty(), "{table}: {found:?}");
        }
        let after = evidence::verify(app.db.read(), case.id.parse().unwrap()).await.unwrap().unwrap();
        assert_eq!(after, before, "the chain is what it was");

        let path = format!("/api/v1/blocked-data/{}", case.id);
        principal(&case).await.post(&path, json!({"reason": "x"})).await.problem(403, "ROLE_NOT_ALLOWED");
        app.as_role(Role::Admin).await.post(&path, json!({"reason": " "})).await.problem(422, "INVALID_FIELDS");
        let kept = blocked(app, &case).await.to_string();
        for secret in SECRETS.iter().filter(|secret| **secret != "sin-77") {
            assert!(kept.contains(secret), "{secret} is kept for an authority: {kept}");
        }
        let admin = app.as_role(Role::Admin).await;
        let entries = admin.get("/api/v1/audit?action=BLOCKED_DATA_READ").await.ok();
        assert_eq!(entries["total"], 2, "each look is written down");

        app.advance(TimeDelta::days(1096));
        assert_eq!(data_terms::run(&app.privacy).await.unwrap(), Kept { blocked: 0, deleted: 0, ended: 1 });
        app.as_role(Role::Admin).await.post(&path, json!({"reason": "x"})).await.problem(410, "MEDIA_ERASED");
        assert_eq!(dump(app, "blocked_data").await, "", "nothing is left of it");
        let agreed = compare(&app.db, &app.privacy.erasures).await.unwrap();
        assert_eq!(agreed, Agreement { erasures: 1, not_done: 0, not_registered: 0 });
        let after = evidence::verify(app.db.read(), case.id.parse().unwrap()).await.unwrap().unwrap();
        assert_eq!(after, before);
    }

    // RETAIN-25
    async fn an_open_case_keeps_its_data(app) {
        let case = Case::open(app).await;
        app.advance(TimeDelta::days(2000));
        assert_eq!(data_terms::run(&app.privacy).await.unwrap(), Kept::default());
        assert!(dump(app, "conference").await.contains("600123456"), "{}", case.id);
    }
}

// RETAIN-25, RETAIN-26, RETAIN-28
#[tokio::test]
async fn a_class_with_a_shorter_term_goes_alone() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let terms = Terms::parse("chat=40", 10).unwrap();
        let Some(app) = TestApp::configured(engine, |config| config.privacy.keeping = terms).await else { continue };
        let case = full_case(&app).await;
        let admin = app.as_role(Role::Admin).await;
        let told = admin.get("/api/v1/data-terms").await.ok();
        assert_eq!((&told["terms"][5], &told["blockedDays"]), (&json!({"dataClass": "chat", "days": 40}), &json!(10)));
        app.advance(TimeDelta::days(41));
        assert_eq!(data_terms::run(&app.privacy).await.unwrap(), Kept { blocked: 1, deleted: 0, ended: 0 });
        assert!(!dump(&app, "chat_message").await.contains("Remedios"));
        assert!(dump(&app, "conference").await.contains("Remedios Amaya"), "its name has a term of its own");
        let kept = blocked(&app, &case).await;
        assert_eq!((kept.as_array().map(Vec::len), text(&kept[0]["dataClass"])), (Some(1), "chat".to_owned()));
        assert!(kept.to_string().contains("Me llamo Remedios"), "{kept}");
        app.advance(TimeDelta::days(10));
        let admin = app.as_role(Role::Admin).await;
        let due = admin.get("/api/v1/data-terms-preview").await.ok();
        assert_eq!(due["classes"][5], json!({"dataClass": "chat", "toBlock": 0, "toDelete": 1}));
        assert_eq!(data_terms::run(&app.privacy).await.unwrap(), Kept { blocked: 0, deleted: 1, ended: 0 });
        assert_eq!(data_terms::run(&app.privacy).await.unwrap(), Kept::default());
        assert_eq!(blocked(&app, &case).await, json!([]));
        app.close().await;
    }
}
