//! Retention, erasure, export, labels of media, through the real router.

mod after_erasure;
mod data_terms;
mod papers;
mod residue;

use crate::client_files::{Asked, ask, token_of};
use crate::support::{Case, parts_of, png, sha256, still, text};
use atalaya_assistance::media::service as media;
use atalaya_assistance::{Assistance, Parts};
use atalaya_blobs::{BlobName, BlobStore, DataKey, StorageConfig};
use atalaya_cases::evidence;
use atalaya_client_files::jobs;
use atalaya_kernel::Role;
use atalaya_privacy::erasures::erasure::{Agreement, compare};
use atalaya_privacy::erasures::expiry::{self, Swept};
use atalaya_privacy::erasures::register::Line;
use atalaya_privacy::erasures::wipe;
use atalaya_privacy::{Privacy, tasks};
use atalaya_records::Records;
use atalaya_testkit::{Client, Engine, PASSWORD, TestApp, both_engines};
use chrono::TimeDelta;
use futures::TryStreamExt;
use sea_orm::{ConnectionTrait, Statement};
use serde_json::{Value, json};

const PHOTO: &[u8] = include_bytes!("../../../assistance/src/demo/media/frontal.jpg");

async fn stored(deps: &Assistance) -> usize {
    deps.blobs.list(None).try_collect::<Vec<_>>().await.expect("the storage can be listed").len()
}

/// All rows of a table as one text.
pub async fn dump(app: &TestApp, table: &str) -> String {
    let backend = app.db.read().get_database_backend();
    let ask = |sql: String| app.db.read().query_all_raw(Statement::from_string(backend, sql));
    let columns: Vec<String> = match app.engine {
        Engine::Postgres => vec![format!("CAST({table} AS text)")],
        Engine::Sqlite => {
            let rows = ask(format!("SELECT name FROM pragma_table_info('{table}')")).await.unwrap();
            rows.iter().map(|row| format!("CAST(\"{}\" AS text)", row.try_get_by_index::<String>(0).unwrap())).collect()
        }
    };
    let mut all = String::new();
    for column in columns {
        for row in ask(format!("SELECT {column} FROM {table}")).await.unwrap() {
            all.push_str(&row.try_get_by_index::<Option<String>>(0).unwrap_or_default().unwrap_or_default());
            all.push('\n');
        }
    }
    all
}

/// Every table with rows to read; the index of words holds none, what it is made of are tables of their own.
async fn tables(app: &TestApp) -> Vec<String> {
    let sql = match app.engine {
        Engine::Postgres => "SELECT CAST(table_name AS text) FROM information_schema.tables WHERE table_schema = 'public'",
        Engine::Sqlite => "SELECT name FROM sqlite_master WHERE type = 'table' AND name <> 'conference_search'",
    };
    let rows = app.db.read().query_all_raw(Statement::from_string(app.db.read().get_database_backend(), sql)).await.unwrap();
    rows.iter().map(|row| row.try_get_by_index::<String>(0).unwrap()).collect()
}

/// How many entries of the index of words lead to a conference. On PostgreSQL its index has no table to look into.
async fn entries(app: &TestApp, id: &str) -> i64 {
    if app.engine == Engine::Postgres {
        return 0;
    }
    let tx = app.db.write().await.unwrap();
    let table = "CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab(main, conference_search, instance)";
    tx.execute_unprepared(table).await.unwrap();
    let sql = format!(
        "SELECT COUNT(*) FROM temp.vocabulary v JOIN conference_entry e ON e.nr = v.doc WHERE e.conference_id = X'{}'",
        id.replace('-', "")
    );
    let row = tx.query_one_raw(Statement::from_string(tx.get_database_backend(), sql)).await.unwrap().unwrap();
    let entries = row.try_get_by_index(0).unwrap();
    tx.rollback().await.unwrap();
    entries
}

/// The principal of the case's company, logged in.
async fn principal(case: &Case<'_>) -> Client {
    let person = case.app.person_in(case.owner.company, Role::Customer).await;
    case.app.log_in(&person).await
}

/// A closed case full of personal values.
async fn full_case(app: &TestApp) -> Case<'_> {
    let case = Case::open_with(
        app,
        json!({"expedientNumber": "SIN-77/X", "contactPerson": "Remedios Amaya", "phoneNumber": "+34600777888",
            "fullAddress": "Calle Desengaño 21, Madrid", "type": 1, "carId": "4321BCD"}),
    )
    .await;
    let key = case.accept().await;
    case.client("track", json!({"type": "LINK_OPENED", "data": {}})).await;
    case.client_with(&key, "chat", json!({"text": "Me llamo Remedios"})).await.ok();
    let meta = json!({"method": "takePhoto", "latitude": 40.4168, "longitude": -3.7038, "accuracy": 5});
    case.capture(&key, &meta, &png()).await.ok();
    let item = case.upload("dni de remedios.png", "image/png", &png()).await.ok()["media"].clone();
    let change = json!({"media": {"label": "DNI Remedios", "note": "vive en Desengaño"}});
    case.staff.send(axum::http::Method::PUT, &format!("/api/v1/media/{}", text(&item["_id"])), Some(change)).await.ok();
    case.room_starts("RM_1").await;
    case.joins(&case.staff_identity(), "PA_1").await;
    case.joins("client:0001", "PA_2").await;
    app.advance(TimeDelta::minutes(1));
    case.post("conference-close", json!({})).await.ok();
    let fields = json!({"contactType": 2, "to": "Amaya.Remedios@Correo.example", "emailTitle": "Para Remedios", "notify": true,
        "contactText": "Hola, Remedios", "items": [{"label": "Golpe de Remedios"}]});
    let request = ask(&case, fields).await.ok()["request"].clone();
    let token = token_of(&case).await;
    let asked = Asked { case, request, token };
    app.anonymous().post(&asked.path("/open"), json!({})).await.expect(204);
    asked.upload(0, "parte de Remedios.png", "image/png", &png()).await.expect(204);
    app.advance(TimeDelta::minutes(2));
    jobs::run(&app.assistance).await.unwrap();
    assert!(dump(app, "outbox").await.contains("files-received"), "the requester is told");
    asked.case
}

/// Values that must be nowhere after the erasure.
const SECRETS: &[&str] = &["Remedios", "600777888", "Desenga", "4321BCD", "SIN-77", "sin-77", "40.4168", "dni de", "192.0.2.1"];

both_engines! {
    // RETAIN-3, RETAIN-4, RETAIN-5
    async fn files_go_at_31_whole_days_to_the_second(app) {
        let mut case = Case::open(app).await;
        let url = text(&case.upload("foto.jpg", "image/jpeg", PHOTO).await.ok()["media"]["url"]);
        assert_eq!(stored(&app.assistance).await, 2, "the file and its small copy");
        app.advance(TimeDelta::days(31) - TimeDelta::seconds(1));
        case.log_in_again().await;
        assert_eq!(expiry::run(&app.privacy).await.unwrap(), Swept::default());
        case.staff.get(&url).await.ok();
        app.advance(TimeDelta::seconds(1));
        case.staff.get(&url).await.problem(410, "MEDIA_EXPIRED");
        case.staff.get(&format!("{url}?thumb=1")).await.problem(410, "MEDIA_EXPIRED");
        case.upload("tarde.png", "image/png", &png()).await.problem(410, "MEDIA_EXPIRED");
        assert_eq!(stored(&app.assistance).await, 2, "refused before the job comes");
        assert_eq!(expiry::run(&app.privacy).await.unwrap(), Swept { conferences: 1, files: 2 });
        assert_eq!(expiry::run(&app.privacy).await.unwrap(), Swept::default(), "once");
        assert_eq!(stored(&app.assistance).await, 0);
        case.staff.get(&url).await.problem(410, "MEDIA_EXPIRED");
        let list = case.staff.get(&format!("/api/v1/conference-media/{}", case.id)).await.ok();
        let item = &list["media"][0];
        assert_eq!((&item["expired"], &item["thumbnail"], &item["hash"]), (&json!(true), &json!(null), &json!(sha256(PHOTO))));
        assert_eq!(case.tracks().await.iter().filter(|track| *track == "MEDIA_EXPIRED").count(), 1);
        assert!(evidence::verify(app.db.read(), case.id.parse().unwrap()).await.unwrap().is_ok());
        assert_eq!(case.staff.get(&format!("/uploads/{}.zip", case.id)).await.status, 200, "an archive without the files");
    }

    // RETAIN-3
    async fn a_company_may_keep_files_longer(app) {
        let (mut case, other) = (Case::open(app).await, Case::open(app).await);
        let url = text(&case.upload("foto.png", "image/png", &png()).await.ok()["media"]["url"]);
        other.upload("foto.png", "image/png", &png()).await.ok();
        let admin = app.as_role(Role::Admin).await;
        let company = json!({"customer": {"_id": case.owner.company, "retentionDays": 40}});
        admin.send(axum::http::Method::PUT, "/api/v1/customer", Some(company)).await.ok();
        app.advance(TimeDelta::days(40) - TimeDelta::seconds(1));
        case.log_in_again().await;
        assert_eq!(expiry::run(&app.privacy).await.unwrap().conferences, 1, "the other company's only");
        case.staff.get(&url).await.ok();
        app.advance(TimeDelta::seconds(1));
        case.staff.get(&url).await.problem(410, "MEDIA_EXPIRED");
        assert_eq!(expiry::run(&app.privacy).await.unwrap().conferences, 1);
    }

    // RETAIN-5
    async fn one_conference_that_cannot_expire_keeps_no_other_from_it(app) {
        let mut bad = Case::open_with(app, json!({"expedientNumber": "BAD"})).await;
        let mut good = Case::open(app).await;
        for case in [&bad, &good] {
            case.upload("foto.png", "image/png", &png()).await.ok();
        }
        app.advance(TimeDelta::days(31));
        // Its next track exists already, so it cannot be written.
        let next = "UPDATE conference SET last_seq = 0 WHERE expedient_number = 'BAD'";
        app.db.read().execute_unprepared(next).await.unwrap();
        assert_eq!(expiry::run(&app.privacy).await.unwrap(), Swept { conferences: 1, files: 2 });
        good.log_in_again().await;
        bad.log_in_again().await;
        assert!(good.tracks().await.contains(&"MEDIA_EXPIRED".to_owned()));
        assert!(!bad.tracks().await.contains(&"MEDIA_EXPIRED".to_owned()));
    }

    // DEEP-13
    async fn what_a_crash_left_goes_with_the_files_of_its_case_and_certificates_stay(app) {
        let case = Case::open(app).await;
        case.upload("foto.png", "image/png", &png()).await.ok();
        case.post("conference-close", json!({})).await.ok();
        assert_eq!(case.staff.get(&format!("/api/v1/print-cert/{}", case.id)).await.status, 200);
        let before = stored(&app.assistance).await;
        let stray = BlobName::new(format!("conferences/{}/0123456789abcdef.jpg", case.id)).unwrap();
        app.assistance.blobs.put(&stray, &DataKey::generate(&app.sources), b"half a story").await.unwrap();
        assert_eq!(stored(&app.assistance).await, before + 1);
        app.advance(TimeDelta::days(31));
        assert_eq!(expiry::run(&app.privacy).await.unwrap().conferences, 1);
        assert!(!app.assistance.blobs.exists(&stray).await.unwrap());
        let folder = BlobName::new(format!("conferences/{}", case.id)).unwrap();
        let left: Vec<_> = app.assistance.blobs.list(Some(&folder)).try_collect().await.unwrap();
        assert!(!left.is_empty() && left.iter().all(|info| info.name.as_str().ends_with(".pdf")), "{left:?}");
    }

    // RETAIN-6
    async fn a_storage_that_is_down_delays_and_loses_nothing(app) {
        let case = Case::open(app).await;
        let folder = app.folder().join("blobs");
        let blobs = BlobStore::open(&StorageConfig::Folder(folder.clone()), app.sources.clone()).unwrap();
        let assistance = Assistance::new(Parts { blobs, ..parts_of(app) });
        let records = Records::new(atalaya_records::Parts { assistance, ..atalaya_records::Parts::clone(&app.records) });
        let deps = Privacy { records, ..app.privacy.clone() };
        media::add(&deps, case.id.parse().unwrap(), still(PHOTO)).await.unwrap();
        app.advance(TimeDelta::days(31));
        let aside = app.folder().join("aside");
        std::fs::rename(&folder, &aside).unwrap();
        std::fs::write(&folder, "no folder").unwrap();
        expiry::run(&deps).await.unwrap_err();
        expiry::run(&deps).await.unwrap_err();
        std::fs::remove_file(&folder).unwrap();
        std::fs::rename(&aside, &folder).unwrap();
        assert_eq!(stored(&deps).await, 2);
        assert_eq!(expiry::run(&deps).await.unwrap(), Swept { conferences: 0, files: 2 }, "marked once, deleted when it could be");
        assert_eq!(stored(&deps).await, 0);
    }

    // RETAIN-7
    async fn addresses_of_the_activity_log_go_after_a_year(app) {
        let person = app.person(Role::Worker).await;
        let body = json!({"userName": person.user_name, "password": PASSWORD, "login": true});
        app.anonymous().post("/api/v1/login", body).await.ok();
        app.db.read().execute_unprepared("UPDATE audit_entry SET action = 'X', address = NULL").await.unwrap_err();
        app.db.read().execute_unprepared("DELETE FROM audit_entry").await.unwrap_err();
        assert!(dump(app, "audit_entry").await.contains("192.0.2.1"));
        app.advance(TimeDelta::days(364));
        atalaya_identity::tasks::sweep(&app.identity).await.unwrap();
        assert!(dump(app, "audit_entry").await.contains("192.0.2.1"));
        app.advance(TimeDelta::days(2));
        atalaya_identity::tasks::sweep(&app.identity).await.unwrap();
        assert!(!dump(app, "audit_entry").await.contains("192.0.2.1"));
        app.anonymous().post("/api/v1/login", json!({"userName": person.user_name, "password": PASSWORD, "login": true})).await.ok();
        app.db.read().execute_unprepared("UPDATE audit_entry SET action = 'X'").await.unwrap_err();
    }

    // RETAIN-8, RETAIN-9, RETAIN-11, RETAIN-13, RETAIN-14, RETAIN-21
    async fn an_erasure_leaves_the_chain_and_nobody_in_it(app) {
        let case = full_case(app).await;
        let kept = Case::open(app).await;
        let kept_url = text(&kept.upload("foto.png", "image/png", &png()).await.ok()["media"]["url"]);
        let list = case.staff.get(&format!("/api/v1/conference-media/{}", case.id)).await.ok();
        let url = text(&list["media"][0]["url"]);
        let before = evidence::verify(app.db.read(), case.id.parse().unwrap()).await.unwrap().unwrap();
        let path = format!("/api/v1/conference-erase/{}", case.id);
        let boss = principal(&case).await;
        let search = format!("/api/v1/conferences-autos-details/{}?search=", case.owner.company);
        for word in ["remedios", "600777", "4321bcd", "sin-77"] {
            assert_eq!(boss.post(&format!("{search}{word}"), json!({})).await.ok()["total"], 1, "{word}");
        }
        assert!(app.engine == Engine::Postgres || entries(app, &case.id).await > 50, "a letter each");
        for reason in ["", "   "] {
            boss.post(&path, json!({"reason": reason})).await.problem(422, "INVALID_FIELDS");
        }
        boss.post(&path, json!({"reason": "ñ".repeat(251)})).await.problem(422, "INVALID_FIELDS");
        case.staff.post(&path, json!({"reason": "x"})).await.problem(403, "ROLE_NOT_ALLOWED");
        let open = format!("/api/v1/conference-erase/{}", kept.id);
        principal(&kept).await.post(&open, json!({"reason": "x"})).await.problem(409, "CONFERENCE_OPEN");

        let proof = boss.post(&path, json!({"reason": "Lo pide la clienta"})).await.ok()["erasure"].clone();
        assert_eq!((&proof["head"], &proof["media"], &proof["conferenceId"]), (&json!(before), &json!(3), &json!(case.id)));
        let again = boss.post(&path, json!({"reason": "Otra vez"})).await.ok()["erasure"].clone();
        assert_eq!(again, proof, "erased once");
        let lines = app.privacy.erasures.read().unwrap();
        assert_eq!((lines.len(), json!(lines[0].digest())), (1, proof["register"].clone()));
        assert_eq!(compare(&app.db, &app.privacy.erasures).await.unwrap(), Agreement { erasures: 1, not_done: 0, not_registered: 0 });

        case.staff.get(&url).await.problem(410, "MEDIA_ERASED");
        case.staff.get(&format!("/uploads/{}.zip", case.id)).await.problem(410, "MEDIA_ERASED");
        app.anonymous().get(&format!("/api/v1/external/{}", case.hash)).await.problem(404, "LINK_UNKNOWN");
        case.post("conference-resend", json!({"channel": "sms"})).await.problem(410, "CONFERENCE_CLOSED");
        let details = case.details().await;
        assert_eq!((&details["conference"]["erased"], &details["conference"]["expedientNumber"]), (&json!(true), &json!("Eliminado")));
        let shown = details.to_string();
        assert!(!SECRETS.iter().any(|secret| shown.contains(secret)), "{shown}");
        for table in tables(app).await {
            // The activity log and sessions have the address that the test's own staff comes from.
            if ["audit_entry", "session"].contains(&table.as_str()) {
                continue;
            }
            let rows = dump(app, &table).await;
            let found: Vec<_> = SECRETS.iter().filter(|secret| rows.contains(**secret)).collect();
            assert!(found.is_empty(), "{table}: {found:?}");
        }
        assert_eq!(entries(app, &case.id).await, 0, "the index of words has forgotten it");
        for word in ["remedios", "600777", "4321bcd", "sin-77"] {
            assert_eq!(boss.post(&format!("{search}{word}"), json!({})).await.ok()["total"], 0, "{word}");
        }
        let after = evidence::verify(app.db.read(), case.id.parse().unwrap()).await.unwrap().unwrap();
        assert_eq!(after, before, "the chain is what it was");
        let tx = app.db.write().await.unwrap();
        assert!(evidence::rebuild(&tx, case.id.parse().unwrap()).await.unwrap(), "lists equal the track log");
        tx.commit().await.unwrap();
        assert_eq!(stored(&app.assistance).await, 2, "the other conference's");
        assert_eq!(kept.staff.get(&kept_url).await.body, png());
        let listed = boss.get(&format!("/api/v1/erasures/{}", case.owner.company)).await.ok();
        assert_eq!((&listed["erasures"][0], &listed["total"]), (&proof, &json!(1)));
        let audit = boss.get("/api/v1/audit?action=CONFERENCE_ERASED").await.ok();
        assert_eq!(audit["total"], 1);
    }

    // RETAIN-15
    async fn the_register_is_carried_out_at_the_start(app) {
        let case = full_case(app).await;
        let url = text(&case.staff.get(&format!("/api/v1/conference-media/{}", case.id)).await.ok()["media"][0]["url"]);
        let id = case.id.parse().unwrap();
        // The process died between the register and the commit, or a backup was restored.
        let line = Line {
            id: app.sources.uuid(),
            conference_id: id,
            company_id: case.owner.company.0,
            at: app.sources.now(),
            head: "00".into(),
            events: 9,
            media: 2,
        };
        let unknown = Line { conference_id: app.sources.uuid(), ..line.clone() };
        app.privacy.erasures.append(&[line, unknown]).unwrap();
        assert_eq!(compare(&app.db, &app.privacy.erasures).await.unwrap().not_done, 1);
        tasks::recover(&app.privacy).await.unwrap();
        tasks::recover(&app.privacy).await.unwrap();
        case.staff.get(&url).await.problem(410, "MEDIA_ERASED");
        assert_eq!(compare(&app.db, &app.privacy.erasures).await.unwrap(), Agreement { erasures: 1, not_done: 0, not_registered: 0 });
        assert_eq!(expiry::run(&app.privacy).await.unwrap().files, 6);
        assert_eq!(stored(&app.assistance).await, 0);
        std::fs::remove_file(app.privacy.erasures.path()).unwrap();
        assert_eq!(compare(&app.db, &app.privacy.erasures).await.unwrap().not_registered, 1);
    }

    // RETAIN-14
    async fn without_its_register_nothing_is_erased(app) {
        let case = full_case(app).await;
        std::fs::create_dir(app.privacy.erasures.path()).unwrap();
        let path = format!("/api/v1/conference-erase/{}", case.id);
        principal(&case).await.post(&path, json!({"reason": "x"})).await.problem(503, "ERASURE_REGISTER_UNAVAILABLE");
        assert_eq!(case.details().await["conference"]["contactPerson"], "Remedios Amaya");
    }

    // RETAIN-17, RETAIN-18, RETAIN-19, RETAIN-20
    async fn a_person_is_found_copied_and_erased(app) {
        let case = full_case(app).await;
        let other = Case::open_by(app, case.owner.clone(), json!({"phoneNumber": "+34600999000"})).await;
        let stranger = Case::open_with(app, json!({"phoneNumber": "+34600777888"})).await;
        let boss = principal(&case).await;
        let company = case.owner.company;
        let find = |search: &'static str| {
            let boss = boss.clone();
            async move { boss.post(&format!("/api/v1/persons/{company}"), json!({"search": search})).await }
        };
        // The last one is known only through a request for files, and is spelled differently here.
        for search in ["+34600777888", "600777888", "600 777 888", "amaya.remedios@CORREO.example"] {
            let found = find(search).await.ok();
            assert_eq!((&found["total"], &found["conferences"][0]["_id"]), (&json!(1), &json!(case.id)), "{search}");
        }
        assert_eq!(find("600777889").await.ok()["total"], 0);
        assert_eq!(find("remedios@ejemplo.es").await.ok()["total"], 0);
        for search in ["", "600777", "Remedios"] {
            find(search).await.problem(422, "INVALID_FIELDS");
        }
        // EDGE-8
        let address = format!("/api/v1/persons/{company}?search=600777888");
        boss.get(&address).await.problem(405, "METHOD_NOT_ALLOWED");
        let export = format!("/api/v1/person-export/{company}");
        boss.post(&export, json!({"search": "600777889"})).await.problem(404, "PERSON_UNKNOWN");
        let copy = boss.post(&export, json!({"search": "600777888"})).await;
        copy.ok();
        assert_eq!(copy.header("content-length"), Some(copy.body.len().to_string().as_str()));
        let holds = |needle: &[u8]| copy.body.windows(needle.len()).any(|w| w == needle);
        assert!(holds(b"LEEME.txt") && holds(b"data.json") && holds(&png()) && holds(b"Me llamo Remedios") && holds(b"192.0.2.1"));
        assert!(!holds(b"600999000") && !holds(case.hash.as_bytes()));

        app.advance(TimeDelta::seconds(1));
        let erase = format!("/api/v1/person-erase/{company}");
        boss.post(&erase, json!({"search": "600999000", "reason": "x"})).await.problem(409, "CONFERENCE_OPEN");
        boss.post(&erase, json!({"search": "600777888", "reason": ""})).await.problem(422, "INVALID_FIELDS");
        let erased = boss.post(&erase, json!({"search": "600777888", "reason": "Derecho de supresión"})).await.ok();
        assert_eq!(erased["erasures"].as_array().map(Vec::len), Some(1));
        assert_eq!(find("600777888").await.ok()["total"], 0);
        assert_eq!(stranger.details().await["conference"]["phoneNumber"], "+34600777888", "another company's");
        assert_eq!(other.details().await["conference"]["phoneNumber"], "+34600999000");

        let requests = boss.get(&format!("/api/v1/privacy-requests/{company}")).await.ok();
        let kinds: Vec<_> = requests["requests"].as_array().unwrap().iter().map(|r| text(&r["kind"])).collect();
        assert_eq!((kinds, &requests["total"]), (vec!["erasure".to_owned(), "export".to_owned()], &json!(2)));
        assert!(!requests.to_string().contains("600777888"), "masked: {requests}");
        for call in ["privacy-requests", "erasures"] {
            let book = boss.get(&format!("/api/v1/{call}/{company}?format=xlsx")).await;
            assert!(book.status == 200 && book.body.starts_with(b"PK"), "{call}");
        }
        let admin = app.as_role(Role::Admin).await;
        assert_eq!(admin.get("/api/v1/privacy-requests/0").await.ok()["total"], 2);
        boss.get("/api/v1/privacy-requests/0").await.problem(404, "COMPANY_NOT_FOUND");
    }

    // RETAIN-10
    async fn every_table_of_a_conference_is_thought_of(app) {
        let all: Value = json!(wipe::STATEMENTS.join("\n"));
        for table in tables(app).await {
            let sql = format!("SELECT conference_id FROM {table} LIMIT 0");
            if app.db.read().execute_unprepared(&sql).await.is_err() {
                continue;
            }
            let known = wipe::KEPT.contains(&table.as_str()) || all.as_str().unwrap().contains(&format!(" {table} "));
            assert!(known, "what does an erasure do with {table}? (privacy/wipe.rs)");
        }
    }
}
