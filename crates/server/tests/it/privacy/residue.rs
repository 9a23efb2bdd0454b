//! After an erasure no byte of the person is left where the server writes (RETAIN-22).

use super::{SECRETS, full_case, principal};
use atalaya_privacy::erasures::expiry;
use atalaya_testkit::{Engine, TestApp, both_engines};
use sea_orm::{ConnectionTrait, Statement};
use serde_json::json;
use std::path::{Path, PathBuf};

/// Staff and the activity log have the test's own address.
fn personal() -> impl Iterator<Item = &'static str> {
    SECRETS.iter().copied().filter(|secret| *secret != "192.0.2.1")
}

/// Files below a folder that hold these bytes.
fn files_with(folder: &Path, needle: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files_with(&path, needle));
        } else if std::fs::read(&path).unwrap().windows(needle.len()).any(|window| window == needle.as_bytes()) {
            found.push(path);
        }
    }
    found
}

/// PostgreSQL's own files of tables and indexes that hold these bytes.
async fn relations_with(app: &TestApp, needle: &str) -> Vec<String> {
    let sql = format!(
        "SELECT CAST(relname AS text) FROM pg_class WHERE relkind IN ('r', 't', 'i') AND NOT relisshared \
         AND pg_relation_filepath(oid) IS NOT NULL \
         AND position(decode('{}', 'hex') IN pg_read_binary_file(pg_relation_filepath(oid), 0, 100000000, true)) > 0",
        hex::encode(needle)
    );
    let rows = app.db.read().query_all_raw(Statement::from_string(app.db.read().get_database_backend(), sql)).await.unwrap();
    rows.iter().map(|row| row.try_get_by_index::<String>(0).unwrap()).collect()
}

/// Returns when no transaction that began before now is open. A vacuum keeps every version of a row that such a one might
/// still read, even one of another database of the cluster: other tests run there.
async fn older_transactions_have_ended(app: &TestApp) {
    let backend = app.db.read().get_database_backend();
    let ask = async |sql: String| {
        app.db.read().query_one_raw(Statement::from_string(backend, sql)).await.unwrap().expect("an aggregate has a row")
    };
    let now: String =
        ask("SELECT CAST(pg_snapshot_xmax(pg_current_snapshot()) AS text)".into()).await.try_get_by_index(0).unwrap();
    let older = format!(
        "SELECT pg_snapshot_xmin(pg_current_snapshot()) < '{now}'::xid8 OR EXISTS (SELECT 1 FROM pg_stat_activity \
         WHERE datname = current_database() AND pid <> pg_backend_pid() AND age(backend_xmin) > age('{now}'::xid))"
    );
    while ask(older.clone()).await.try_get_by_index::<bool>(0).unwrap() {
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
}

both_engines! {
    // RETAIN-22, EVID-55
    async fn no_byte_of_a_person_is_left_after_an_erasure(app) {
        let case = full_case(app).await;
        if app.engine == Engine::Sqlite {
            for needle in ["Remedios", "600777888", "SIN-77"] {
                assert!(!files_with(app.folder(), needle).is_empty(), "{needle} is there before");
            }
        }
        let path = format!("/api/v1/conference-erase/{}", case.id);
        principal(&case).await.post(&path, json!({"reason": "Lo pide la clienta"})).await.ok();
        expiry::run(&app.privacy).await.unwrap();
        match app.engine {
            Engine::Sqlite => {
                for needle in personal() {
                    assert_eq!(files_with(app.folder(), needle), Vec::<PathBuf>::new(), "{needle}");
                }
            }
            Engine::Postgres => {
                older_transactions_have_ended(app).await;
                // Statistics hold samples of the values; their own table is the last to be written anew.
                for sql in ["VACUUM (FULL, ANALYZE)", "VACUUM FULL pg_catalog.pg_statistic", "CHECKPOINT"] {
                    app.db.read().execute_unprepared(sql).await.unwrap();
                }
                for needle in personal() {
                    assert_eq!(relations_with(app, needle).await, Vec::<String>::new(), "{needle}");
                }
            }
        }
    }
}
