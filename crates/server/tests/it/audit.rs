//! The audit log: what is written, who reads it, and that nobody changes it (issue 3).

use crate::support::{Case, text};
use atalaya_content::languages::model::bundle;
use atalaya_identity::audit::Action;
use atalaya_kernel::{CompanyKind, Language, Role};
use atalaya_testkit::{Client, Engine, TestApp, both_engines};
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

    // AUDIT-7, AUDIT-9
    async fn the_chain_holds_while_many_write_at_once_and_names_what_was_changed(app) {
        let (audit_off, audit_on) = triggers(app.engine);
        let person = app.person(Role::Customer).await;
        let client = app.log_in(&person).await;
        let admin = app.as_role(Role::Admin).await;
        let name = |n: usize| json!({"user": {"_id": person.id, "name": format!("Eva {n}")}});
        // Every change is an entry in a transaction of its own; PostgreSQL runs them beside each other.
        let clients: Vec<Client> = (0..12).map(|_| client.clone()).collect();
        let all = clients.iter().enumerate().map(|(n, client)| async move { client.put("/api/v1/user", name(n)).await.ok() });
        futures::future::join_all(all).await;
        let chain = admin.get("/api/v1/audit-chain").await.ok();
        assert_eq!((&chain["state"], &chain["broken"]), (&json!("whole"), &Value::Null));
        let entries = chain["entries"].as_i64().expect("a number");
        assert!(entries >= 12, "{chain}");
        let known = (entries, text(&chain["head"]));
        client.put("/api/v1/user", name(99)).await.ok();
        let verify = async |known: Option<(i64, &str)>| atalaya_ledger::verify(&app.db, known).await.expect("the log is read");
        assert_eq!(verify(Some((known.0, &known.1))).await.broken, None, "what was noted is still in it");
        let other = "0".repeat(64);
        assert_eq!(verify(Some((known.0, &other))).await.broken.map(|found| found.seq), Some(Some(known.0)));

        run(app, audit_off).await;
        run(app, &["UPDATE audit_entry SET action = 'USER_CREATED' WHERE seq = 5"]).await;
        let broken = admin.get("/api/v1/audit-chain").await.ok();
        assert_eq!((&broken["state"], &broken["entries"]), (&json!("broken"), &json!(4)));
        assert_eq!((&broken["broken"]["seq"], &broken["broken"]["reason"]), (&json!(5), &json!("changed")));
        assert!(broken["broken"]["_id"].is_string());
        run(app, &["DELETE FROM audit_entry WHERE seq = 4"]).await;
        let broken = admin.get("/api/v1/audit-chain").await.ok();
        assert_eq!((&broken["broken"]["seq"], &broken["broken"]["reason"]), (&json!(4), &json!("missing")));
        run(app, audit_on).await;
    }

    // AUDIT-9
    async fn an_end_that_was_cut_off_and_an_entry_put_in_are_found(app) {
        let (audit_off, _) = triggers(app.engine);
        let person = app.person(Role::Customer).await;
        let client = app.log_in(&person).await;
        for name in ["Eva", "Ana", "Luz"] {
            client.put("/api/v1/user", json!({"user": {"_id": person.id, "name": name}})).await.ok();
        }
        let whole = atalaya_ledger::verify(&app.db, None).await.expect("the log is read");
        let copy = "INSERT INTO audit_entry (id, at, actor_name, company_id, action, detail) \
                    SELECT company_id, at, actor_name, company_id, action, detail FROM audit_entry LIMIT 1";
        run(app, &[copy]).await;
        let found = atalaya_ledger::verify(&app.db, None).await.expect("the log is read").broken.expect("an entry past the chain");
        assert_eq!((found.seq, found.flaw), (None, atalaya_ledger::Flaw::Outside));
        run(app, audit_off).await;
        let last = format!("DELETE FROM audit_entry WHERE seq IS NULL OR seq = {}", whole.entries);
        run(app, &[&last]).await;
        let found = atalaya_ledger::verify(&app.db, None).await.expect("the log is read").broken.expect("the last one is gone");
        assert_eq!(found.seq, Some(whole.entries));
        // Whoever cuts off the end with its own row leaves no trace but in what somebody noted.
        let cut = whole.entries - 1;
        let back = format!("UPDATE audit_chain SET seq = {cut}, hash = (SELECT hash FROM audit_entry WHERE seq = {cut})");
        run(app, &[&back]).await;
        assert_eq!(atalaya_ledger::verify(&app.db, None).await.expect("the log is read").broken, None);
        let known = Some((whole.entries, whole.head.as_str()));
        assert!(atalaya_ledger::verify(&app.db, known).await.expect("the log is read").broken.is_some());
    }

    // AUDIT-7
    async fn entries_from_before_the_chain_get_their_place_in_the_order_of_writing(app) {
        let company = app.company(CompanyKind::Customer, "Peritos").await;
        let insert = |id: &str, at: &str| {
            let id = match app.engine {
                Engine::Postgres => format!("'00000000-0000-0000-0000-0000000000{id}'"),
                Engine::Sqlite => format!("x'000000000000000000000000000000{id}'"),
            };
            let of = match app.engine {
                Engine::Postgres => format!("'{company}'"),
                Engine::Sqlite => format!("x'{}'", company.to_string().replace('-', "")),
            };
            format!(
                "INSERT INTO audit_entry (id, at, actor_name, company_id, action, address, detail) \
                 VALUES ({id}, '{at}', 'Eva', {of}, 'USER_CHANGED', '203.0.113.9', '{{\"fields\": [\"name\"]}}')"
            )
        };
        let first = app.db.read().query_one_raw(Statement::from_string(app.db.read().get_database_backend(), "SELECT seq FROM audit_chain"));
        let begun: i64 = first.await.expect("a row").expect("a row").try_get("", "seq").expect("a number");
        assert_eq!(begun, 0, "nothing is logged yet");
        run(app, &[&insert("02", "2026-01-02T00:00:00+00:00"), &insert("01", "2026-01-01T00:00:00+00:00")]).await;
        atalaya_ledger::begin(&app.db, &app.sources).await.expect("the chain begins");
        atalaya_ledger::begin(&app.db, &app.sources).await.expect("twice is once");
        let person = app.person(Role::Customer).await;
        app.log_in(&person).await.put("/api/v1/user", json!({"user": {"_id": person.id, "name": "Eva"}})).await.ok();
        let chain = atalaya_ledger::verify(&app.db, None).await.expect("the log is read");
        assert_eq!(chain.broken, None);
        assert!(chain.entries >= 3);
    }

    // AUDIT-8
    async fn forgotten_addresses_leave_the_chain_whole_and_no_salt(app) {
        let person = app.person(Role::Customer).await;
        let client = app.log_in(&person).await;
        client.put("/api/v1/user", json!({"user": {"_id": person.id, "name": "Eva"}})).await.ok();
        app.advance(TimeDelta::days(400));
        atalaya_identity::tasks::sweep(&app.identity).await.expect("the sweep runs");
        let backend = app.db.read().get_database_backend();
        let left = "SELECT count(*) AS n FROM audit_entry WHERE address IS NOT NULL OR address_salt IS NOT NULL";
        let row = app.db.read().query_one_raw(Statement::from_string(backend, left)).await.expect("it runs").expect("a row");
        assert_eq!(row.try_get::<i64>("", "n").expect("a number"), 0);
        let kept = "SELECT count(*) AS n FROM audit_entry WHERE address_commitment IS NOT NULL";
        let row = app.db.read().query_one_raw(Statement::from_string(backend, kept)).await.expect("it runs").expect("a row");
        assert!(row.try_get::<i64>("", "n").expect("a number") > 0);
        assert_eq!(atalaya_ledger::verify(&app.db, None).await.expect("the log is read").broken, None);
    }

    // AUDIT-10
    async fn what_an_administrator_reads_of_a_company_is_in_its_log_once_an_hour(app) {
        let company = app.company(CompanyKind::Customer, "Peritos").await;
        let principal_person = app.person_in(company, Role::Customer).await;
        let member = app.person_in(company, Role::Worker).await;
        let principal = app.log_in(&principal_person).await;
        let admin = app.as_role(Role::Admin).await.from([198, 51, 100, 7]);
        let reads = async || {
            let answer = principal.get("/api/v1/audit?action=DATA_READ").await.ok();
            answer["logs"].as_array().expect("a list").clone()
        };
        principal.get(&format!("/api/v1/user/{}", member.id)).await.ok();
        assert!(reads().await.is_empty(), "the own company's people are its own");
        for _ in 0..3 {
            admin.get(&format!("/api/v1/user/{}", member.id)).await.ok();
            admin.get(&format!("/api/v1/users/{company}")).await.ok();
        }
        admin.get("/api/v1/user/018f3b2a-0000-7000-8000-00000000dead").await.problem(404, "USER_NOT_FOUND");
        let found = reads().await;
        assert_eq!(found.len(), 2, "once per object: {found:?}");
        let about = |log: &Value| log["user"]["_id"] == json!(member.id);
        let log = found.iter().find(|log| about(log)).expect("the one about the user");
        assert_eq!(log["detail"], json!({"kind": "user", "id": member.id}));
        assert_eq!((&log["actorRole"], &log["address"]), (&json!(1), &Value::Null), "not the platform's addresses");
        app.advance(TimeDelta::hours(1));
        let admin = app.as_role(Role::Admin).await;
        admin.get(&format!("/api/v1/user/{}", member.id)).await.ok();
        assert_eq!(app.log_in(&principal_person).await.get("/api/v1/audit?action=DATA_READ").await.ok()["total"], 3);
        // What belongs to nobody in particular is in the platform's own log.
        app.advance(TimeDelta::seconds(1));
        admin.get("/api/v1/customers").await.ok();
        let all = admin.get("/api/v1/audit?action=DATA_READ").await.ok();
        assert_eq!(all["logs"][0]["detail"], json!({"kind": "company"}));
        assert_ne!(all["logs"][0]["company"]["_id"], json!(company));
    }

    // AUDIT-10
    async fn conferences_that_an_administrator_opens_are_noted_for_their_company(app) {
        let case = Case::open(app).await;
        let admin = app.as_role(Role::Admin).await;
        admin.get(&format!("/api/v1/conferences-details/{}", case.id)).await.ok();
        admin.get(&format!("/api/v1/conference-media/{}?peek=true", case.id)).await.ok();
        let all = admin.get(&format!("/api/v1/audit?action=DATA_READ&company={}", case.owner.company)).await.ok();
        let mut kinds: Vec<String> = all["logs"].as_array().expect("a list").iter().map(|log| text(&log["detail"]["kind"])).collect();
        kinds.sort();
        assert_eq!(kinds, ["conference", "media"]);
    }
}

/// Statements that switch the guards of the log off, as its owner can, and on again.
fn triggers(engine: Engine) -> (&'static [&'static str], &'static [&'static str]) {
    match engine {
        Engine::Postgres => (
            &["ALTER TABLE audit_entry DISABLE TRIGGER audit_entry_append_only"],
            &["ALTER TABLE audit_entry ENABLE TRIGGER audit_entry_append_only"],
        ),
        Engine::Sqlite => (&["DROP TRIGGER audit_entry_no_update", "DROP TRIGGER audit_entry_no_delete"], &[]),
    }
}

async fn run(app: &TestApp, statements: &[&str]) {
    for statement in statements {
        app.db.read().execute_unprepared(statement).await.unwrap_or_else(|error| panic!("{statement}: {error}"));
    }
}
