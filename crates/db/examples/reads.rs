//! What a read costs by way of sqlx's thread and on the thread that asks, on one file:
//! `cargo run --release -p atalaya-db --example reads`.
//!
//! The pool is made as it was before docs/decisions/0043: ten connections, each tried before use.

use atalaya_db::{Db, DbOptions, Reads as _};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DatabaseConnection, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect, Select,
    SqlxSqliteConnector,
};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions};
use std::path::Path;
use std::time::{Duration, Instant};
use uuid::Uuid;

atalaya_db::table!(
    /// The columns of a conference that a list shows.
    conference, "conference", {
        company_id: Uuid,
        user_id: Uuid,
        contact_id: Option<Uuid>,
        conference_type: i16,
        expedient_number: String,
        phone_number: String,
        contact_person: Option<String>,
        email: Option<String>,
        full_address: Option<String>,
        city: Option<String>,
        postal_code: Option<String>,
        car_id: Option<String>,
        app_type: String,
        language: String,
        customer_name: String,
        user_name: String,
        sid: Option<String>,
        hash: String,
        short_code: String,
        duration_s: Option<i64>,
        closed: bool,
        files_requested: bool,
        created_at: DateTimeUtc,
        closed_at: Option<DateTimeUtc>,
        expired_at: DateTimeUtc,
        data_key: Option<Vec<u8>>,
        last_seq: i32,
        projection: Json,
    }
);
use conference::{Column, Entity};

const CONFERENCES: u32 = 20_000;
const ROUNDS: usize = 3;
const TIME: Duration = Duration::from_secs(2);
/// Processor time is told in ticks of this length (`/proc/self/stat`).
const TICK_MS: f64 = 10.0;

fn id(n: u32) -> Uuid {
    Uuid::from_u128(0x0189_0000_0000_7000_8000_0000_0000_0000 + u128::from(n))
}

#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() {
    let folder = std::env::temp_dir().join(format!("atalaya-reads-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("the temporary folder is writable");
    let file = folder.join("reads.db");
    let db = Db::connect(DbOptions::new(format!("sqlite://{}", file.display()))).await.expect("it opens");
    db.migrate().await.expect("it migrates");
    fill(&db).await;
    let before = as_before(&file).await;
    println!("{:<34} {:>12} {:>12} {:>12} {:>12}", "", "before µs", "CPU µs", "now µs", "CPU µs");
    for tasks in [1, 16] {
        compare(&format!("one by its id, {tasks} at a time"), tasks, &before, &db, |on, n| async move {
            assert!(on.one(Entity::find_by_id(id(n % CONFERENCES))).await);
        })
        .await;
        compare(&format!("two columns of one, {tasks} at a time"), tasks, &before, &db, |on, n| async move {
            on.pair(Entity::find_by_id(id(n % CONFERENCES)).select_only().columns([Column::Id, Column::UserName])).await;
        })
        .await;
        compare(&format!("a list of 50, {tasks} at a time"), tasks, &before, &db, |on, n| async move {
            let page = Entity::find().filter(Column::CompanyId.eq(id(0))).filter(Column::ConferenceType.eq(1));
            assert_eq!(on.all(page.order_by_desc(Column::CreatedAt).offset(u64::from(n % 10) * 50).limit(50)).await, 50);
        })
        .await;
        compare(&format!("a count of all, {tasks} at a time"), tasks, &before, &db, |on, _| async move {
            assert_eq!(on.count(Entity::find().filter(Column::CompanyId.eq(id(0)))).await, u64::from(CONFERENCES));
        })
        .await;
    }
    before.close().await.expect("it closes");
    db.close().await.expect("it closes");
    std::fs::remove_dir_all(&folder).expect("it was ours");
}

/// The way before, or the way now.
#[derive(Clone)]
enum On {
    Before(DatabaseConnection),
    Now(Db),
}

impl On {
    async fn one(&self, query: Select<Entity>) -> bool {
        match self {
            Self::Before(pool) => query.one(pool).await,
            Self::Now(db) => query.row(db.read()).await,
        }
        .expect("it reads")
        .is_some()
    }

    async fn all(&self, query: Select<Entity>) -> usize {
        match self {
            Self::Before(pool) => query.all(pool).await,
            Self::Now(db) => query.rows(db.read()).await,
        }
        .expect("it reads")
        .len()
    }

    async fn pair(&self, query: Select<Entity>) -> Option<(Uuid, String)> {
        match self {
            Self::Before(pool) => query.into_tuple().one(pool).await,
            Self::Now(db) => query.tuple(db.read()).await,
        }
        .expect("it reads")
    }

    async fn count(&self, query: Select<Entity>) -> u64 {
        match self {
            Self::Before(pool) => query.count(pool).await,
            Self::Now(db) => query.number(db.read()).await,
        }
        .expect("it reads")
    }
}

/// Writes the medians of the rounds, taken in turn.
async fn compare<F>(
    name: &str,
    tasks: u32,
    before: &DatabaseConnection,
    db: &Db,
    work: impl Fn(On, u32) -> F + Copy + Send + 'static,
) where
    F: Future<Output = ()> + Send + 'static,
{
    let (mut then, mut now) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        then.push(measured(&On::Before(before.clone()), tasks, work).await);
        now.push(measured(&On::Now(db.clone()), tasks, work).await);
    }
    let median = |of: &mut Vec<(f64, f64)>| {
        of.sort_by(|one, other| one.1.total_cmp(&other.1));
        of[ROUNDS / 2]
    };
    let (then, now) = (median(&mut then), median(&mut now));
    println!("{name:<34} {:>12.1} {:>12.1} {:>12.1} {:>12.1}", then.0, then.1, now.0, now.1);
}

/// Microseconds and microseconds of processor time per read.
async fn measured<F>(on: &On, tasks: u32, work: impl Fn(On, u32) -> F + Copy + Send + 'static) -> (f64, f64)
where
    F: Future<Output = ()> + Send + 'static,
{
    let (began, ticks) = (Instant::now(), processor_ticks());
    let running = (0..tasks).map(|task| {
        let on = on.clone();
        tokio::spawn(async move {
            let mut done = 0_u32;
            while began.elapsed() < TIME {
                work(on.clone(), task * 7919 + done).await;
                done += 1;
            }
            done
        })
    });
    let mut reads = 0;
    for task in running.collect::<Vec<_>>() {
        reads += task.await.expect("no panic");
    }
    let spent = (processor_ticks() - ticks) * TICK_MS * 1000.0;
    (began.elapsed().as_secs_f64() * 1e6 / f64::from(reads), spent / f64::from(reads))
}

fn processor_ticks() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").expect("Linux tells");
    let after_name = stat.rsplit_once(')').expect("a name").1;
    // The 14th and 15th field; the name was the second.
    after_name.split_whitespace().skip(11).take(2).map(|field| field.parse::<f64>().expect("a number")).sum()
}

async fn as_before(file: &Path) -> DatabaseConnection {
    let connect = SqliteConnectOptions::new().filename(file).journal_mode(SqliteJournalMode::Wal).foreign_keys(true);
    let pool = SqlitePoolOptions::new().max_connections(10).connect_with(connect).await.expect("it opens");
    SqlxSqliteConnector::from_sqlx_sqlite_pool(pool)
}

async fn fill(db: &Db) {
    let tx = db.write().await.expect("it is alone");
    let (first, at) = (id(0).simple(), "'2026-01-01T00:00:00+00:00'");
    for sql in [
        format!(
            "INSERT INTO company (id, kind, status, company_type, name, company, language, legal, has_iban, created_at) \
             VALUES (X'{first}', 2, 2, 2, 'n', 'c', 'es', TRUE, TRUE, {at})"
        ),
        format!(
            "INSERT INTO app_user (id, role, status, parent, support, legal, two_factor_enabled, name, surname, user_name, \
             language, created_at) VALUES (X'{first}', 2, 2, X'{first}', FALSE, TRUE, FALSE, 'n', 's', 'u', 'es', {at})"
        ),
    ] {
        tx.execute_unprepared(&sql).await.expect("it is written");
    }
    for n in 0..CONFERENCES {
        let (own, day) = (id(n).simple(), n % 28 + 1);
        let sql = format!(
            "INSERT INTO conference (id, company_id, user_id, conference_type, expedient_number, expedient_key, phone_number, \
             contact_person, full_address, city, app_type, language, customer_name, user_name, hash, short_code, closed, \
             files_requested, created_at, expired_at, last_seq, chain_head, projection) VALUES (X'{own}', X'{first}', X'{first}', \
             {}, 'E-{n}', 'E-{n}', '+34600{n:06}', 'Nerea Ugarte', 'Calle Mayor {n}', 'Madrid', 'web', 'es', 'Ana Peña', \
             'Juan Gil', 'hash-{n}', 'code-{n}', FALSE, FALSE, '2026-01-{day:02}T00:00:00.{n:06}+00:00', {at}, 3, \
             'ab12', '{{\"pictures\":3,\"videos\":0,\"browser\":\"Chrome\"}}')",
            n % 2
        );
        tx.execute_unprepared(&sql).await.expect("it is written");
    }
    tx.commit().await.expect("it is kept");
}
