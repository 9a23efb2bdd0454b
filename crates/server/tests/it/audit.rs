//! The audit log: what is written, who reads it, and that nobody changes it (issue 3).

use crate::support::text;
use atalaya_content::languages::model::bundle;
use atalaya_identity::audit::Action;
use atalaya_kernel::{CompanyKind, Language, Role};
use atalaya_testkit::{Client, Engine, both_engines};
use chrono::TimeDelta;
use sea_orm::{ConnectionTrait, Statement};
use serde_json::{Value, json};

async fn actions(client: &Client, path: &str) -> Vec<String> {
    let answer = client.get(path).await.ok();
    answer["logs"].as_array().expect("a list").iter().map(|log| text(&log["action"])).collect()
}

// AUDIT-5
#[test]
fn every_action_has_a_text_in_every_language() {
    for language in Language::ALL {
        let texts = &bundle(language).namespace["audit"];
        for action in Action::ALL {
            assert!(texts.contains_key(action.name()), "{language:?}: {}", action.name());
        }
    }
}

both_engines! {
    // AUDIT-1, AUDIT-2
    async fn changes_are_told_with_who_what_and_whom(app) {
        let company = app.company(CompanyKind::Customer, "Peritos").await;
        let principal_person = app.person_in(company, Role::Customer).await;
        let member = app.person_in(company, Role::Worker).await;
        let principal = app.log_in(&principal_person).await.from([203, 0, 113, 9]);
        let admin = app.as_role(Role::Admin).await;
        let change = json!({"user": {"_id": member.id, "name": "Eva", "phone": "600123123", "status": 1}});
        principal.put("/api/v1/user", change.clone()).await.ok();
        principal.put("/api/v1/user", change).await.ok();
        app.advance(TimeDelta::seconds(1));
        admin.put("/api/v1/user", json!({"user": {"_id": member.id, "role": 2, "support": true, "status": 2}})).await.ok();

        let path = format!("/api/v1/user-logs/{}", member.id);
        let mut found = actions(&principal, &path).await;
        found[..3].sort();
        found[3..].sort();
        let expected = ["ROLE_CHANGED", "SUPPORT_CHANGED", "USER_ACTIVATED", "USER_CHANGED", "USER_DEACTIVATED"];
        assert_eq!(found, expected, "newest first; what changes nothing is not told");
        let answer = principal.get(&format!("{path}?action=USER_CHANGED")).await.ok();
        let log = &answer["logs"][0];
        assert_eq!(answer["total"], 1);
        assert_eq!(log["actor"], json!({"_id": principal_person.id, "name": "Nombre Apellido"}));
        assert_eq!(log["company"], json!({"_id": company, "company": "Peritos"}));
        assert_eq!(log["user"], json!({"_id": member.id, "name": "Eva Apellido", "userName": member.user_name}));
        assert_eq!((&log["actorRole"], &log["address"]), (&json!(2), &json!("203.0.113.9")));
        assert_eq!(log["detail"], json!({"fields": ["name", "phone"]}), "names of fields, never their values");
        let by_admin = principal.get(&format!("{path}?action=ROLE_CHANGED")).await.ok()["logs"][0].clone();
        assert_eq!((&by_admin["actorRole"], &by_admin["address"]), (&json!(1), &Value::Null), "not the platform's addresses");
        assert_eq!(by_admin["detail"], json!({"from": 3, "to": 2}));
        let for_admin = admin.get(&format!("{path}?action=ROLE_CHANGED")).await.ok()["logs"][0].clone();
        assert_eq!(for_admin["address"], json!("192.0.2.1"));
    }

    // AUDIT-2, AUDIT-3
    async fn readers_get_their_own_company_and_administrators_all(app) {
        let mut principals = Vec::new();
        for name in ["Uno", "Dos"] {
            let company = app.company(CompanyKind::Customer, name).await;
            let person = app.person_in(company, Role::Customer).await;
            let client = app.log_in(&person).await;
            client.put("/api/v1/user", json!({"user": {"_id": person.id, "name": "Eva"}})).await.ok();
            app.advance(TimeDelta::seconds(1));
            principals.push((company, person, client));
        }
        let [(one, _, first), (two, second_person, _)] = &principals[..] else { panic!("two") };
        assert_eq!(actions(first, "/api/v1/audit").await, ["USER_CHANGED"]);
        assert_eq!(first.get("/api/v1/audit").await.ok()["logs"][0]["company"]["_id"], json!(one));
        first.get(&format!("/api/v1/audit?company={two}")).await.problem(404, "COMPANY_NOT_FOUND");
        assert_eq!(first.get(&format!("/api/v1/audit?user={}", second_person.id)).await.ok()["total"], 0);
        first.get(&format!("/api/v1/user-logs/{}", second_person.id)).await.problem(404, "USER_NOT_FOUND");
        let admin = app.as_role(Role::Admin).await;
        assert_eq!(actions(&admin, "/api/v1/audit").await.len(), 2);
        assert_eq!(actions(&admin, &format!("/api/v1/audit?company={two}")).await.len(), 1);
        let page = admin.get("/api/v1/audit?limit=1").await.ok();
        assert_eq!((&page["total"], &page["nextCursor"]), (&json!(2), &json!("1")));
        assert_eq!(page["logs"][0]["company"]["_id"], json!(two), "newest first");
        assert_eq!(admin.get("/api/v1/audit?limit=1&cursor=1").await.ok()["logs"][0]["company"]["_id"], json!(one));
        for (query, total) in [
            ("from=2026-11-20&to=2026-11-20", 2),
            ("from=2026-11-21", 0),
            ("to=2026-11-19", 0),
            ("from=2026-11-20T09:00:01Z", 1),
            ("to=2026-11-20T09:00:00Z", 1),
        ] {
            assert_eq!(admin.get(&format!("/api/v1/audit?{query}")).await.ok()["total"], total, "{query}");
        }
        for (query, field) in [("from=ayer", "from"), ("action=NOTHING", "action"), ("company=x", "company"), ("user=x", "user")] {
            let problem = admin.get(&format!("/api/v1/audit?{query}")).await.problem(422, "INVALID_FIELDS");
            assert_eq!(problem["errors"][0]["field"], field);
        }
        let book = admin.get("/api/v1/audit?format=xlsx").await;
        assert_eq!((book.status, &book.body[..2]), (200, &b"PK"[..]));
        assert_eq!(book.header("content-disposition"), Some("attachment; filename=\"actividad-2026-11-20.xlsx\""));
    }

    // AUDIT-6
    async fn a_workbook_has_every_entry_or_is_refused(app) {
        let person = app.person(Role::Customer).await;
        let client = app.log_in(&person).await;
        client.put("/api/v1/user", json!({"user": {"_id": person.id, "name": "Eva"}})).await.ok();
        let book = async |query: &str| client.get(&format!("/api/v1/audit?format=xlsx&action=USER_CHANGED{query}")).await;
        assert_eq!(book("").await.status, 200);
        let id = match app.engine {
            Engine::Postgres => "gen_random_uuid()",
            Engine::Sqlite => "randomblob(16)",
        };
        let copies = format!(
            "INSERT INTO audit_entry (id, at, actor_id, actor_role, actor_name, company_id, user_id, action, address, detail) \
             WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50000) \
             SELECT {id}, at, actor_id, actor_role, actor_name, company_id, user_id, action, address, detail \
             FROM audit_entry CROSS JOIN n WHERE action = 'USER_CHANGED'"
        );
        app.db.read().execute_unprepared(&copies).await.expect("the statement runs");
        let problem = book("").await.problem(422, "WORKBOOK_TOO_LONG");
        let said = text(&problem["detail"]);
        assert!(said.contains("50001") && said.contains("50000"), "{said}");
        assert_eq!(client.get("/api/v1/audit?action=USER_CHANGED").await.ok()["total"], 50_001, "the list itself is paged");
        assert_eq!(book("&from=2026-11-21").await.status, 200, "fewer rows are a workbook again");
    }

    // AUDIT-4
    async fn nobody_rewrites_the_log(app) {
        let person = app.person(Role::Worker).await;
        let client = app.log_in(&person).await;
        client.put("/api/v1/user", json!({"user": {"_id": person.id, "name": "Eva"}})).await.ok();
        for sql in ["UPDATE audit_entry SET action = 'X'", "DELETE FROM audit_entry"] {
            let tx = app.db.write().await.unwrap();
            let statement = Statement::from_string(tx.get_database_backend(), sql);
            assert!(tx.execute_raw(statement).await.is_err(), "{sql}");
        }
    }
}
