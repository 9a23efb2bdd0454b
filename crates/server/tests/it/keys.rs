//! Changing the keys that seal fields and files, on both databases (`docs/rules/keys.md`).

use crate::support::{Case, still, text};
use atalaya_assistance::media::service::add;
use atalaya_blobs::MasterKeys;
use atalaya_identity::FieldKey;
use atalaya_identity::audit::{Action, service as audit};
use atalaya_kernel::{CompanyKind, Role};
use atalaya_server::config::secrets::Which;
use atalaya_server::keys::forgotten::seal_off;
use atalaya_server::keys::{FIELDS, FILES, Place, fields, files};
use atalaya_testkit::{Engine, both_engines};
use sea_orm::{ConnectionTrait, Statement};
use serde_json::json;

const NEW: [u8; 32] = [9; 32];

both_engines! {
    // KEYS-2, KEYS-3
    async fn what_an_earlier_key_sealed_opens_and_is_sealed_anew(app) {
        let company = app.company(CompanyKind::Customer, "Peritos").await;
        let person = app.person_in(company, Role::Customer).await;
        let client = app.log_in(&person).await;
        let iban = json!({"customer": {"_id": company, "bankAccount": "ES9121000418450200051332"}});
        client.put("/api/v1/customer", iban).await.ok();
        let masked = async || client.get(&format!("/api/v1/customer/{company}")).await.ok()["customer"]["bankAccount"].clone();
        let before = masked().await;
        assert!(before.is_string());
        let secret = app.secrets.field.present;
        app.keys.fields.replace(&NEW, &[secret], &app.secrets.field_digest_key);
        assert_eq!(masked().await, before, "opened with the accepted key");
        let dry = fields(&app.db, &app.keys, &app.sources, true).await.expect("the rows are counted");
        assert!(dry.stale >= 1 && dry.fresh == 0 && dry.lost == 0, "{dry:?}");
        assert_eq!(fields(&app.db, &app.keys, &app.sources, true).await.expect("counted").stale, dry.stale, "nothing was done");
        let done = fields(&app.db, &app.keys, &app.sources, false).await.expect("the rows are sealed anew");
        assert_eq!(done, dry);
        app.keys.fields.replace(&NEW, &[], &app.secrets.field_digest_key);
        let after = fields(&app.db, &app.keys, &app.sources, true).await.expect("counted");
        assert_eq!((after.fresh, after.stale, after.lost), (dry.stale, 0, 0));
        assert_eq!(masked().await, before, "with the new key alone");
        // Without the key that made them they are lost, and say so.
        app.keys.fields.replace(&[1; 32], &[], &app.secrets.field_digest_key);
        assert_eq!(fields(&app.db, &app.keys, &app.sources, false).await.expect("counted").lost, dry.stale);
    }

    // KEYS-3
    async fn keys_of_files_are_wrapped_anew_and_every_file_opens(app) {
        let case = Case::open(app).await;
        let id = case.id.parse().expect("an id");
        let kept = add(&app.assistance, id, still(include_bytes!("../../../assistance/src/demo/media/frontal.jpg"))).await.expect("a picture");
        app.keys.files.replace(NEW, vec![app.secrets.master.present.clone()]);
        let dry = files(&app.db, &app.keys, &app.sources, true).await.expect("counted");
        assert!(dry.stale >= 1 && dry.lost == 0, "{dry:?}");
        assert_eq!(files(&app.db, &app.keys, &app.sources, false).await.expect("wrapped anew"), dry);
        app.keys.files.replace(NEW, Vec::new());
        assert_eq!(files(&app.db, &app.keys, &app.sources, true).await.expect("counted").fresh, dry.stale);
        assert_eq!(case.staff.get(&format!("/uploads/{}", kept.filename)).await.status, 200);
    }

    // KEYS-2, KEYS-3
    async fn a_second_factor_that_is_being_set_up_is_sealed_anew_too(app) {
        let person = app.person(Role::Worker).await;
        let (session, other) = (app.log_in(&person).await, app.person(Role::Worker).await);
        let asked = session.get("/api/v1/2fa").await.ok();
        let abandoned = app.log_in(&other).await;
        abandoned.get("/api/v1/2fa").await.ok();
        app.keys.fields.replace(&NEW, &[app.secrets.field.present], &app.secrets.field_digest_key);
        let dry = fields(&app.db, &app.keys, &app.sources, true).await.expect("counted");
        assert!(dry.stale >= 2 && dry.lost == 0, "{dry:?}");
        assert_eq!(fields(&app.db, &app.keys, &app.sources, false).await.expect("sealed anew"), dry);
        app.keys.fields.replace(&NEW, &[], &app.secrets.field_digest_key);
        assert_eq!(session.get("/api/v1/2fa").await.ok(), asked, "the same secret for the same log-in");
        // One that no log-in opens is nothing that a key is kept for.
        app.keys.fields.replace(&[1; 32], &[], &app.secrets.field_digest_key);
        let counted = fields(&app.db, &app.keys, &app.sources, true).await.expect("counted");
        assert_eq!(counted.stale, 0);
    }

    // KEYS-1
    async fn a_session_and_a_seat_in_a_call_outlive_their_keys(app) {
        let case = Case::open(app).await;
        let media = format!("/rtc/v1/validate?access_token={}", text(&case.opened["token"]));
        app.keys.session.replace(&NEW, &[app.secrets.token.present]);
        let secret = app.secrets.media_api_secret.present.clone();
        app.media_keys.replace("another secret, thirty-two characters".to_owned().into(), [secret]);
        case.details().await;
        assert_eq!(app.anonymous().get(&media).await.status, 200);
        let later = app.log_in(&case.owner).await;
        later.get("/api/v1/me").await.ok();
        app.keys.session.replace(&NEW, &[]);
        app.media_keys.replace("another secret, thirty-two characters".to_owned().into(), []);
        later.get("/api/v1/me").await.ok();
        case.staff.get("/api/v1/me").await.problem(401, "SESSION_INVALID");
        assert_eq!(app.anonymous().get(&media).await.status, 401);
    }

    // KEYS-3
    async fn kept_documents_take_another_key_and_nothing_else(app) {
        let run = async |sql: &str| app.db.read().execute_unprepared(sql).await;
        let id = match app.engine {
            Engine::Sqlite => "x'00000000000000000000000000000001'",
            Engine::Postgres => "'00000000-0000-0000-0000-000000000001'",
        };
        let (key, other) = match app.engine {
            Engine::Sqlite => ("x'00'", "x'01'"),
            Engine::Postgres => ("'\\x00'", "'\\x01'"),
        };
        let row = format!(
            "INSERT INTO stored_document (id, kind, name, sha256, blob, subject_id, size_bytes, data_key, created_at) \
             VALUES ({id}, 'k', 'n', 's', 'b', {id}, 1, {key}, '2026-11-20 09:00:00+00:00')"
        );
        run(&row).await.expect("written");
        run(&format!("UPDATE stored_document SET data_key = {other}")).await.expect("another key");
        for change in ["name = 'x'", "sha256 = 'x'", "blob = 'x'", "size_bytes = 2"] {
            assert!(run(&format!("UPDATE stored_document SET {change}")).await.is_err(), "{change}");
        }
        assert!(run(&format!("UPDATE stored_document SET data_key = {key}, name = 'x'")).await.is_err());
        assert!(run("DELETE FROM stored_document").await.is_err());
    }

    // KEYS-4
    async fn a_server_that_is_late_writes_nothing_under_a_forgotten_key(app) {
        let company = app.company(CompanyKind::Customer, "Peritos").await;
        let client = app.log_in(&app.person_in(company, Role::Customer).await).await;
        let put = async |iban: &str| client.put("/api/v1/customer", json!({"customer": {"_id": company, "bankAccount": iban}})).await;
        let masked = async || client.get(&format!("/api/v1/customer/{company}")).await.ok()["customer"]["bankAccount"].clone();
        put("ES9121000418450200051332").await.ok();
        let before = masked().await;
        let (old, digest) = (app.secrets.field.present, app.secrets.field_digest_key);
        let ids = [FieldKey::id_of(&old)];
        // A row that came between counting and forgetting is seen, and nothing is forgotten.
        let refused = seal_off(&app.db, Which::Fields, &ids, app.sources.now()).await.map(drop).expect_err("a row lies under it");
        assert!(refused.to_string().contains("written under an earlier key"), "{refused}");
        put("ES7921000813610123456789").await.ok();
        put("ES9121000418450200051332").await.ok();
        app.keys.fields.replace(&NEW, &[old], &digest);
        fields(&app.db, &app.keys, &app.sources, false).await.expect("sealed anew");
        seal_off(&app.db, Which::Fields, &ids, app.sources.now()).await.expect("none is left").commit().await.expect("forgotten");
        // A server that has not heard of it seals with the old key still: its write is refused, not lost.
        app.keys.fields.replace(&old, &[NEW], &digest);
        assert_eq!(put("ES7921000813610123456789").await.status, 500);
        app.keys.fields.replace(&NEW, &[], &digest);
        assert_eq!(masked().await, before, "what was there is there");
        put("ES7921000813610123456789").await.ok();
        assert_ne!(masked().await, before, "with the key of today it is written");
    }

    // KEYS-4
    async fn no_place_takes_a_key_of_files_that_is_forgotten(app) {
        let case = Case::open(app).await;
        let old = hex::encode(MasterKeys::id_of(app.secrets.master.present.clone()));
        let seal = async || seal_off(&app.db, Which::Files, std::slice::from_ref(&old), app.sources.now()).await;
        assert!(seal().await.is_err(), "the case's key lies under it");
        app.keys.files.replace(NEW, vec![app.secrets.master.present.clone()]);
        files(&app.db, &app.keys, &app.sources, false).await.expect("wrapped anew");
        seal().await.expect("none is left").commit().await.expect("forgotten");
        let (set, guards) = match app.engine {
            Engine::Sqlite => (format!("x'{old}00'"), "SELECT name FROM sqlite_master WHERE type = 'trigger' AND name ="),
            Engine::Postgres => (format!("'\\x{old}00'"), "SELECT tgname FROM pg_trigger WHERE tgname ="),
        };
        let written = app.db.read().execute_unprepared(&format!("UPDATE conference SET data_key = {set}")).await;
        assert!(written.expect_err("it is refused").to_string().contains("is forgotten"));
        assert_eq!(case.staff.get(&format!("/api/v1/conference-media/{}", case.id)).await.status, 200);
        let connection = app.db.read();
        for Place { table, column, .. } in FIELDS.iter().chain(&FILES) {
            let sql = format!("{guards} '{table}_{column}_known_key'");
            let found = connection.query_all_raw(Statement::from_string(connection.get_database_backend(), sql)).await;
            assert_eq!(found.expect("the catalogue").len(), 1, "{table}.{column} has a guard");
        }
    }

    // AUDIT-11
    async fn what_a_command_does_with_keys_is_in_the_platforms_log_and_in_the_chain(app) {
        let admin = app.as_role(Role::Admin).await;
        let tx = app.db.write().await.expect("a transaction");
        audit::record_command(&tx, &app.sources, Action::KeyRotated, json!({"kind": "keyFiles"})).await.expect("noted");
        tx.commit().await.expect("written");
        let logs = admin.get("/api/v1/audit?action=KEY_ROTATED").await.ok()["logs"].clone();
        assert_eq!(logs.as_array().map(Vec::len), Some(1));
        assert_eq!((&logs[0]["detail"], &logs[0]["actor"]), (&json!({"kind": "keyFiles"}), &json!(null)));
        let chain = atalaya_server::audit::examine(&app.db, None).await.expect("the log is read");
        assert!(chain.broken.is_none() && chain.entries >= 1);
        let principal = app.log_in(&app.person_in(app.company(CompanyKind::Customer, "Otros").await, Role::Customer).await).await;
        let theirs = principal.get("/api/v1/audit?action=KEY_ROTATED").await.ok();
        assert_eq!(theirs["total"], 0, "administrators alone read it");
    }

    // KEYS-3
    async fn every_place_of_a_sealed_value_is_there(app) {
        let connection = app.db.read();
        for place in FIELDS.iter().chain(&FILES) {
            let sql = format!("SELECT id, {} FROM {} WHERE 1 = 0", place.column, place.table);
            let found = connection.query_all_raw(Statement::from_string(connection.get_database_backend(), sql)).await;
            assert!(found.is_ok(), "{}.{}", place.table, place.column);
        }
    }
}
