//! The schema and the rules that SQL must keep, on both engines.

use atalaya_db::{Db, DbError, DbOptions, Engine};
use sea_orm::{ConnectionTrait, Statement};

async fn both() -> Vec<Db> {
    let mut engines = vec![Db::connect(DbOptions::new("sqlite::memory:")).await.expect("sqlite opens")];
    match std::env::var("ATALAYA_TEST_POSTGRES_URL") {
        Ok(url) => {
            let admin = Db::connect(DbOptions::new(&url)).await.expect("postgres answers");
            static NEXT: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
            let nth = NEXT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            let name = format!("db_engines_{}_{nth}", std::process::id());
            admin.read().execute_unprepared(&format!("DROP DATABASE IF EXISTS {name}")).await.expect("drop");
            admin.read().execute_unprepared(&format!("CREATE DATABASE {name}")).await.expect("create");
            let (base, _) = url.rsplit_once('/').expect("a url with a database");
            engines.push(Db::connect(DbOptions::new(format!("{base}/{name}"))).await.expect("postgres opens"));
        }
        Err(_) => eprintln!("ATALAYA_TEST_POSTGRES_URL is not set: PostgreSQL was not tested"),
    }
    for db in &engines {
        db.migrate().await.expect("migrates");
    }
    engines
}

/// The index of words, which on PostgreSQL is no table, aside.
async fn columns(db: &Db) -> Vec<String> {
    let sql = match db.engine() {
        Engine::Sqlite => {
            "SELECT m.name || '.' || p.name AS col FROM sqlite_master m JOIN pragma_table_info(m.name) p \
             WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%' AND m.name <> 'seaql_migrations' \
             AND m.name <> 'conference_entry' AND m.name NOT LIKE 'conference_search%' ORDER BY 1"
        }
        Engine::Postgres => {
            "SELECT table_name || '.' || column_name AS col FROM information_schema.columns \
             WHERE table_schema = 'public' AND table_name <> 'seaql_migrations' ORDER BY 1"
        }
    };
    let rows = db.read().query_all_raw(Statement::from_string(db.read().get_database_backend(), sql)).await.expect("columns");
    let mut names: Vec<String> = rows.iter().map(|r| r.try_get("", "col").expect("text")).collect();
    names.sort();
    names
}

const ROWS: [&str; 4] = [
    "INSERT INTO company (id, kind, status, company_type, name, company, language, legal, has_iban, created_at) \
     VALUES (:id, 2, 2, 2, 'n', 'c', 'es', TRUE, TRUE, '2026-01-01 00:00:00+00:00')",
    "INSERT INTO app_user (id, role, status, parent, support, legal, two_factor_enabled, name, surname, user_name, language, created_at) \
     VALUES (:id, 2, 2, :id, FALSE, TRUE, FALSE, 'n', 's', 'u', 'es', '2026-01-01 00:00:00+00:00')",
    "INSERT INTO conference (id, company_id, user_id, conference_type, expedient_number, expedient_key, phone_number, app_type, \
     language, customer_name, user_name, hash, short_code, closed, files_requested, created_at, expired_at, last_seq, chain_head, projection) \
     VALUES (:id, :id, :id, 1, 'e', 'e', '+34', 'web', 'es', 'c', 'u', 'h', 's', FALSE, FALSE, '2026-01-01 00:00:00+00:00', \
     '2026-01-02 00:00:00+00:00', 0, '', '{}')",
    "INSERT INTO evidence_event (id, conference_id, seq, at, event_type, actor, data, prev, hash) \
     VALUES (:id, :id, 1, '2026-01-01 00:00:00+00:00', 'CHAT', 'client', '{}', '', '')",
];

#[tokio::test]
async fn both_engines_have_the_same_tables_and_evidence_is_append_only() {
    let engines = both().await;
    let first = columns(&engines[0]).await;
    assert!(first.len() > 150, "{} columns", first.len());
    for db in &engines {
        assert_eq!(columns(db).await, first, "{:?}", db.engine());
        assert_eq!(db.pending_migrations().await.expect("counted"), 0);
        let id = match db.engine() {
            Engine::Sqlite => "X'01890000000070008000000000000001'",
            Engine::Postgres => "'01890000-0000-7000-8000-000000000001'",
        };
        let tx = db.write().await.expect("tx");
        for sql in ROWS {
            tx.execute_unprepared(&sql.replace(":id", id)).await.expect(sql);
        }
        tx.commit().await.expect("commits");
        for forbidden in ["UPDATE evidence_event SET actor = 'x'", "DELETE FROM evidence_event"] {
            let error = db.read().execute_unprepared(forbidden).await.expect_err(forbidden);
            assert!(error.to_string().contains("append-only"), "{error}");
        }
    }
}

#[tokio::test]
async fn a_dropped_transaction_leaves_nothing() {
    for db in both().await {
        let tx = db.write().await.expect("tx");
        tx.execute_unprepared("INSERT INTO login_ticket (id, user_id, expires_at) SELECT 'x', id, created_at FROM app_user")
            .await
            .expect("runs");
        drop(tx);
        db.ping().await.expect("still answers");
    }
}

/// The texts of a table, as another program sees them in the file.
async fn seen_by_others(url: &str) -> Vec<String> {
    let other = Db::connect(DbOptions::new(url)).await.expect("opens");
    let statement = Statement::from_string(other.read().get_database_backend(), "SELECT x FROM kept ORDER BY x");
    let rows = other.read().query_all_raw(statement).await.expect("reads");
    rows.iter().map(|row| row.try_get_by_index(0).expect("a text")).collect()
}

// DEEP-9, DEEP-10
#[tokio::test]
async fn after_a_full_disk_what_is_acknowledged_is_in_the_file() {
    let folder = std::env::temp_dir().join(format!("atalaya-full-disk-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let url = format!("sqlite://{}", folder.join("full.db").display());
    // One connection, so that whoever comes next gets the one that met the full disk.
    let db = Db::connect(DbOptions { max_connections: 1, ..DbOptions::new(&url) }).await.expect("opens");
    db.read().execute_unprepared("CREATE TABLE kept (x text)").await.expect("made");

    let tx = db.write().await.expect("tx");
    tx.execute_unprepared("PRAGMA max_page_count = 8").await.expect("as good as a full disk");
    let full = tx.execute_unprepared("INSERT INTO kept VALUES (hex(zeroblob(100000)))").await.expect_err("no room");
    assert!(full.to_string().contains("full"), "{full}");
    assert!(matches!(DbError::from(full), DbError::Unavailable(_)), "worth trying again");
    drop(tx);

    let tx = db.write().await.expect("tx");
    tx.execute_unprepared("INSERT INTO kept VALUES ('refused')").await.expect("runs");
    drop(tx);
    let tx = db.write().await.expect("tx");
    tx.execute_unprepared("INSERT INTO kept VALUES ('acknowledged')").await.expect("runs");
    tx.commit().await.expect("commits");
    assert_eq!(seen_by_others(&url).await, ["acknowledged"]);
    db.close().await.expect("closes");
    std::fs::remove_dir_all(&folder).expect("tidied up");
}

#[tokio::test]
async fn names_of_an_older_database_are_found_and_ordered() {
    use sea_orm_migration::MigratorTrait as _;
    let db = Db::connect(DbOptions::new("sqlite::memory:")).await.expect("sqlite opens");
    atalaya_db::Migrator::up(db.read(), Some(6)).await.expect("as it was before accounts");
    for row in &ROWS[..2] {
        let row =
            row.replace(":id", "X'018F3B2A000070008000000000000001'").replace("'c'", "'Ñandú, S.L.'").replace("'s'", "'Peña'");
        db.read().execute_unprepared(&row).await.expect("a row of then");
    }
    db.migrate().await.expect("migrates");
    for (table, expected) in [("company", ("nzzandu s.l.", "nandu s.l. n")), ("app_user", ("penzza n", "pena n u"))] {
        let sql = format!("SELECT sort_key, search FROM {table}");
        let statement = Statement::from_string(db.read().get_database_backend(), sql);
        let row = db.read().query_one_raw(statement).await.expect("reads").expect("one row");
        let found: (String, String) = (row.try_get("", "sort_key").expect("text"), row.try_get("", "search").expect("text"));
        assert_eq!((found.0.as_str(), found.1.as_str()), expected);
    }
}

#[tokio::test]
async fn writers_of_a_file_take_turns_in_the_order_they_came() {
    let path = std::env::temp_dir().join(format!("atalaya-turns-{}.db", std::process::id()));
    let db = Db::connect(DbOptions::new(format!("sqlite://{}", path.display()))).await.expect("sqlite opens");
    db.read().execute_unprepared("CREATE TABLE turn (n INTEGER)").await.expect("creates");
    let first = db.write().await.expect("the first has its turn at once");
    let (came, mut order) = tokio::sync::mpsc::unbounded_channel();
    let mut waiting = Vec::new();
    for nth in 1..=5 {
        let (db, came) = (db.clone(), came.clone());
        waiting.push(tokio::spawn(async move {
            let tx = db.write().await.expect("its turn comes");
            tx.execute_unprepared(&format!("INSERT INTO turn VALUES ({nth})")).await.expect("writes");
            came.send(nth).expect("somebody listens");
            tx.commit().await.expect("commits");
        }));
        // It asks before the next one does
        tokio::task::yield_now().await;
    }
    first.rollback().await.expect("ends");
    for task in waiting {
        task.await.expect("no panic");
    }
    drop(came);
    let mut seen = Vec::new();
    while let Some(nth) = order.recv().await {
        seen.push(nth);
    }
    assert_eq!(seen, [1, 2, 3, 4, 5]);
    db.close().await.expect("closes");
    for end in ["", "-wal", "-shm"] {
        let _ = std::fs::remove_file(format!("{}{end}", path.display()));
    }
}

/// The connection that creates a file turns its journal on; a second one at that moment is refused at once as locked.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_new_file_is_opened_by_several_at_once() {
    let folder = std::env::temp_dir().join(format!("atalaya-db-engines-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    for nth in 0..20 {
        let url = format!("sqlite:{}", folder.join(format!("{nth}.db")).display());
        let open = |url: String| tokio::spawn(async move { Db::connect(DbOptions::new(url)).await.map(drop) });
        let openings: Vec<_> = (0..4).map(|_| open(url.clone())).collect();
        for opening in openings {
            opening.await.expect("no panic").expect("it opens");
        }
    }
    std::fs::remove_dir_all(&folder).expect("it was ours");
}

// SESSION-13
#[tokio::test]
async fn what_is_committed_is_told_even_when_nobody_waits_for_the_commit() {
    use std::sync::{Arc, Mutex};
    for db in both().await {
        let heard: Arc<Mutex<Vec<atalaya_db::Change>>> = Arc::default();
        let all = heard.clone();
        db.changes().observe(move |change| all.lock().expect("nobody panics holding it").push(change.clone()));
        let count = || heard.lock().expect("nobody panics holding it").len();

        let tx = db.write().await.expect("tx");
        tx.changed("company", 7);
        tx.changed("company", 7);
        drop(tx);
        assert_eq!(count(), 0, "nothing was committed");

        let tx = db.write().await.expect("tx");
        tx.changed("company", 7);
        // The caller goes away while the commit runs.
        let _ = tokio::time::timeout(std::time::Duration::ZERO, tx.commit()).await;
        let told = async {
            while count() == 0 {
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(std::time::Duration::from_secs(20), told).await.expect("told nevertheless");
        let expected = atalaya_db::Change::Of { table: "company".into(), key: "7".into() };
        assert_eq!(*heard.lock().expect("nobody panics holding it"), [expected]);
    }
}

// SESSION-13
#[tokio::test]
async fn sqlite_trusts_no_copy_while_a_kept_table_is_being_written() {
    let db = Db::connect(DbOptions::new("sqlite::memory:")).await.expect("sqlite opens");
    db.migrate().await.expect("migrates");
    let id = "X'01890000000070008000000000000001'";
    let tx = db.write().await.expect("tx");
    for sql in &ROWS[..2] {
        tx.execute_unprepared(&sql.replace(":id", id)).await.expect(sql);
    }
    assert!(db.changes().are_heard(), "new rows change no copy");
    tx.commit().await.expect("commits");
    let tx = db.write().await.expect("tx");
    tx.execute_unprepared("UPDATE app_user SET status = 1").await.expect("runs");
    assert!(!db.changes().are_heard());
    tx.commit().await.expect("commits");
    assert!(db.changes().are_heard());
}
