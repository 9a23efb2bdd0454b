//! Reads of a SQLite file on the thread that asks: the same answers as by way of the pool.

use atalaya_db::{Db, DbOptions, Reads as _, ReadsBoth as _, ReadsTuples as _};
use chrono::{DateTime, Utc};
use sea_orm::sea_query::Expr;
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, JoinType, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect,
    QueryTrait, Statement,
};
use std::path::PathBuf;
use std::time::Duration;
use uuid::Uuid;

atalaya_db::table!(kinds, "kinds", {
    flag: Option<bool>,
    small: Option<i16>,
    whole: Option<i32>,
    large: Option<i64>,
    words: Option<String>,
    bytes: Option<Vec<u8>>,
    at: Option<DateTimeUtc>,
    data: Option<Json>,
});
use kinds::{ActiveModel, Column, Entity};

atalaya_db::table!(parts, "parts", {
    note: Option<String>,
});

const TABLE: &str = "CREATE TABLE kinds (id uuid_text NOT NULL PRIMARY KEY, flag boolean, small smallint, whole integer, \
                     large bigint, words text, bytes blob, at timestamp_with_timezone_text, data jsonb_text)";

struct File {
    db: Db,
    folder: PathBuf,
}

impl File {
    async fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("atalaya-direct-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let url = format!("sqlite://{}", folder.join("test.db").display());
        let db = Db::connect(DbOptions::new(url)).await.expect("sqlite opens");
        db.read().execute_unprepared(TABLE).await.expect("creates");
        Self { db, folder }
    }

    async fn insert(&self, rows: impl IntoIterator<Item = ActiveModel>) {
        let tx = self.db.write().await.expect("tx");
        for row in rows {
            Entity::insert(row).exec_without_returning(&*tx).await.expect("inserts");
        }
        tx.commit().await.expect("commits");
    }

    /// How many statements `work` makes, and how many of them are answered directly.
    async fn counted<T>(&self, work: impl Future<Output = T>) -> (T, u64, u64) {
        let (all, direct) = (self.db.statements().count(), self.db.statements().direct());
        let done = work.await;
        (done, self.db.statements().count() - all, self.db.statements().direct() - direct)
    }
}

impl Drop for File {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn numbered(n: i64) -> ActiveModel {
    ActiveModel { id: Set(Uuid::from_u128(n.unsigned_abs().into())), large: Set(Some(n)), ..Default::default() }
}

fn full() -> ActiveModel {
    ActiveModel {
        id: Set(Uuid::from_u128(7)),
        flag: Set(Some(true)),
        small: Set(Some(-3)),
        whole: Set(Some(i32::MIN)),
        large: Set(Some(i64::MAX)),
        words: Set(Some("ñandú".into())),
        bytes: Set(Some(vec![0, 255])),
        at: Set(DateTime::<Utc>::from_timestamp(1_700_000_000, 123_456_000)),
        data: Set(Some(serde_json::json!({ "a": [1, null, "x"] }))),
    }
}

#[tokio::test]
async fn a_direct_read_gives_what_the_pool_gives() {
    let file = File::new("same").await;
    file.insert([full(), ActiveModel { id: Set(Uuid::from_u128(8)), ..Default::default() }]).await;
    let (db, query) = (&file.db, || Entity::find().order_by_asc(Column::Id));
    let tx = db.write().await.expect("tx");
    let expected = query().all(&*tx).await.expect("the pool's driver reads");
    assert_eq!(expected.len(), 2);
    let (rows, all, direct) = file.counted(query().rows(db.read())).await;
    assert_eq!((rows.expect("reads"), all, direct), (expected.clone(), 1, 1));
    let (rows, all, direct) = file.counted(query().all(db.read())).await;
    assert_eq!((rows.expect("reads"), all, direct), (expected.clone(), 1, 0));
    assert_eq!(query().rows(&*tx).await.expect("reads"), expected, "a transaction reads what it sees itself");
    for row in &expected {
        let found = Entity::find().filter(Column::Id.eq(row.id)).filter(Column::At.eq(row.at)).row(db.read()).await;
        assert!(found.expect("reads").is_some(), "a moment is compared as it was written");
        let found = Entity::find_by_id(row.id).row(db.read()).await.expect("reads");
        assert_eq!(found.as_ref(), Some(row));
    }
    let shorter = || query().without(&[Column::Words, Column::Data]);
    let (rows, all, direct) = file.counted(shorter().rows(db.read())).await;
    let rows = rows.expect("reads");
    assert_eq!((&rows, all, direct), (&shorter().all(&*tx).await.expect("reads"), 1, 1));
    assert_eq!((rows[0].large, rows[0].words.as_deref()), (expected[0].large, None));
    let parts = || query().select_only().columns([Column::Words, Column::Id, Column::At, Column::Data]);
    type Parts = (Option<String>, Uuid, Option<DateTime<Utc>>, Option<serde_json::Value>);
    let (rows, all, direct) = file.counted(parts().tuples::<Parts>(db.read())).await;
    assert_eq!((all, direct), (1, 1));
    assert_eq!(rows.expect("reads"), parts().into_tuple::<Parts>().all(&*tx).await.expect("reads"));
    let (count, all, direct) = file.counted(query().limit(1).number(db.read())).await;
    assert_eq!((count.expect("counts"), all, direct), (1, 1, 1));
    assert_eq!(query().limit(1).count(&*tx).await.expect("counts"), 1);
    let most = query().select_only().column_as(Column::Large.max(), "most");
    assert_eq!(most.order_by_desc(Column::Id).tuple::<(Option<i64>,)>(db.read()).await.expect("reads"), Some((Some(i64::MAX),)));
}

#[tokio::test]
async fn two_entities_and_statements_without_one_are_read_directly() {
    let file = File::new("both").await;
    file.insert([full(), numbered(8)]).await;
    let db = &file.db;
    for sql in [
        "CREATE TABLE parts (id uuid_text NOT NULL PRIMARY KEY, note text)",
        "INSERT INTO parts SELECT id, 'x' FROM kinds WHERE large = 8",
    ] {
        db.read().execute_unprepared(sql).await.expect(sql);
    }
    let tx = db.write().await.expect("tx");
    let related = || {
        let same = Entity::belongs_to(parts::Entity).from(Column::Id).to(parts::Column::Id);
        Entity::find().join(JoinType::LeftJoin, same.into()).select_also(parts::Entity).order_by_asc(Column::Id)
    };
    let expected = related().all(&*tx).await.expect("the pool's driver reads");
    assert_eq!(expected.iter().map(|(_, part)| part.is_some()).collect::<Vec<_>>(), [false, true]);
    let (rows, all, direct) = file.counted(related().rows(db.read())).await;
    assert_eq!((rows.expect("reads"), all, direct), (expected.clone(), 1, 1));
    assert_eq!(related().rows(&*tx).await.expect("reads"), expected);
    let (row, all, direct) = file.counted(related().row(db.read())).await;
    assert_eq!((row.expect("reads"), all, direct), (expected.into_iter().next(), 1, 1));
    let sql = "SELECT id, words, large FROM kinds WHERE large > $2 AND large <> $1 ORDER BY id";
    let raw = || Statement::from_sql_and_values(db.read().get_database_backend(), sql, [9_i64.into(), 7_i64.into()]);
    type Row = (Uuid, Option<String>, Option<i64>);
    let (rows, all, direct) = file.counted(raw().tuples::<Row>(db.read())).await;
    assert_eq!((all, direct), (1, 1));
    assert_eq!(rows.expect("reads").len(), 2);
    assert_eq!(raw().tuple::<Row>(db.read()).await.expect("reads"), raw().tuple::<Row>(&*tx).await.expect("reads"));
    let ids = || Entity::find().select_only().column(Column::Id).order_by_desc(Column::Id).into_query();
    let (rows, all, direct) = file.counted(ids().tuples::<(Uuid,)>(db.read())).await;
    assert_eq!((rows.expect("reads"), all, direct), (vec![(Uuid::from_u128(8),), (Uuid::from_u128(7),)], 1, 1));
    let written = Statement::from_string(db.read().get_database_backend(), "DELETE FROM parts RETURNING note");
    tx.commit().await.expect("ends");
    let (rows, all, direct) = file.counted(written.tuples::<(String,)>(db.read())).await;
    assert_eq!((rows.expect("who writes is asked elsewhere"), all, direct), (vec![("x".to_owned(),)], 1, 0));
}

#[tokio::test]
async fn what_cannot_be_told_exactly_is_asked_of_the_pool() {
    let file = File::new("elsewhere").await;
    file.insert([full()]).await;
    let db = file.db.read();
    // A cell that is not as our own writers write it
    db.execute_unprepared("UPDATE kinds SET at = '2026-01-02 03:04:05'").await.expect("writes");
    let (row, all, direct) = file.counted(Entity::find().row(db)).await;
    let at = row.expect("reads").expect("a row").at.expect("a moment");
    assert_eq!((at.to_rfc3339(), all, direct), ("2026-01-02T03:04:05+00:00".to_owned(), 1, 0));
    // A tuple of other lengths or types than the columns
    let id = || Entity::find().select_only().column(Column::Id);
    assert!(id().tuples::<(Uuid, Uuid)>(db).await.is_err());
    assert!(id().tuples::<(i64,)>(db).await.is_err());
    // What is wrong is told by the pool's driver
    let error = Entity::find().filter(Expr::cust("nowhere = 1")).rows(db).await.expect_err("no such column");
    assert!(error.to_string().contains("no such column"), "{error}");
}

#[tokio::test]
async fn a_table_may_change_under_a_statement() {
    let file = File::new("changes").await;
    file.insert([full()]).await;
    let db = file.db.read();
    let words = || Entity::find().select_only().expr(Expr::cust("*")).limit(1);
    type Row = (Uuid, Option<bool>, Option<i16>);
    db.execute_unprepared("DROP TABLE kinds").await.expect("drops");
    db.execute_unprepared("CREATE TABLE kinds (id uuid_text, flag boolean, small smallint)").await.expect("creates");
    db.execute_unprepared("INSERT INTO kinds VALUES (x'00000000000000000000000000000009', 1, 2)").await.expect("writes");
    for _ in 0..2 {
        let row = words().tuple::<Row>(db).await.expect("reads");
        assert_eq!(row, Some((Uuid::from_u128(9), Some(true), Some(2))));
    }
}

#[tokio::test]
async fn a_long_read_does_not_keep_the_thread_that_asks() {
    let file = File::new("long").await;
    file.insert((0..1500).map(numbered)).await;
    let slow = || {
        let others = Expr::cust("EXISTS (SELECT 1 FROM kinds b WHERE kinds.large + b.large = 2998)");
        Entity::find().filter(others)
    };
    let ticks = std::sync::Arc::new(std::sync::atomic::AtomicU32::new(0));
    let counter = ticks.clone();
    let ticking = tokio::spawn(async move {
        loop {
            tokio::time::sleep(Duration::from_millis(1)).await;
            counter.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        }
    });
    for nth in 0..3 {
        let before = ticks.load(std::sync::atomic::Ordering::Relaxed);
        let (rows, all, direct) = file.counted(slow().rows(file.db.read())).await;
        let found: Vec<Option<i64>> = rows.expect("reads").iter().map(|row| row.large).collect();
        assert_eq!((found, all, direct), (vec![Some(1499)], 1, 1));
        let during = ticks.load(std::sync::atomic::Ordering::Relaxed) - before;
        assert!(during >= 3, "the {nth}th time others had {during} turns");
    }
    ticking.abort();
    // A quick one goes on as before
    assert_eq!(Entity::find_by_id(Uuid::from_u128(3)).row(file.db.read()).await.expect("reads").expect("a row").large, Some(3));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_committed_is_read_at_once() {
    let file = File::new("fresh").await;
    for n in 0..200 {
        file.insert([numbered(n)]).await;
        let (count, _, direct) = file.counted(Entity::find().number(file.db.read())).await;
        assert_eq!((count.expect("counts"), direct), (n.unsigned_abs() + 1, 1));
    }
    let reading = (0..8).map(|_| {
        let db = file.db.clone();
        tokio::spawn(async move {
            for n in 0..200 {
                let found = Entity::find_by_id(Uuid::from_u128(n)).row(db.read()).await.expect("reads").expect("a row");
                assert_eq!(found.large.map(i64::unsigned_abs).map(u128::from), Some(n));
            }
        })
    });
    for task in reading.collect::<Vec<_>>() {
        task.await.expect("no panic");
    }
}

#[tokio::test]
async fn nothing_is_read_after_the_end() {
    let file = File::new("end").await;
    file.insert([full()]).await;
    assert!(Entity::find().row(file.db.read()).await.expect("reads").is_some());
    file.db.clone().close().await.expect("closes");
    assert!(Entity::find().row(file.db.read()).await.is_err());
    assert!(!file.folder.join("test.db-wal").exists(), "the last one to close leaves no journal");
}
