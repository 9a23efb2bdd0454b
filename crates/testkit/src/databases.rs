//! A fresh, migrated database per test. Migrations run once per process; every test gets a copy.

use atalaya_db::{Db, DbOptions, Engine};
use sea_orm::ConnectionTrait;
use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{OnceLock, mpsc};
use tokio::sync::{OnceCell, oneshot};

/// What a test says when it could not run on PostgreSQL.
pub const NO_POSTGRES: &str =
    "NOT TESTED on PostgreSQL: neither ATALAYA_TEST_POSTGRES_URL nor ATALAYA_TEST_POSTGRES names a server";

static NEXT: AtomicU32 = AtomicU32::new(0);

fn nth() -> u32 {
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// A database that goes away with the test.
pub struct TestDb {
    pub db: Db,
    /// The folder of everything that the test writes to disk.
    pub folder: PathBuf,
    postgres: Option<String>,
}

/// The server's address, which must name a database we may connect to.
pub fn postgres_server() -> Option<String> {
    ["ATALAYA_TEST_POSTGRES_URL", "ATALAYA_TEST_POSTGRES"].iter().find_map(|name| std::env::var(name).ok())
}

/// A fresh database; `None` for PostgreSQL without a server.
pub async fn fresh(engine: Engine) -> Option<TestDb> {
    let folder = std::env::temp_dir().join(format!("atalaya-test-{}-{}", std::process::id(), nth()));
    std::fs::create_dir_all(&folder).expect("the temporary folder is writable");
    match engine {
        Engine::Sqlite => {
            let file = folder.join("test.db");
            std::fs::copy(sqlite_template().await, &file).expect("the template is copied");
            let db = connect(&format!("sqlite://{}", file.display())).await;
            Some(TestDb { db, folder, postgres: None })
        }
        Engine::Postgres => {
            let server = postgres_server()?;
            let name = format!("atalaya_test_{}_{}", std::process::id(), nth());
            let template = postgres_template(&server).await;
            run(&server, &format!("CREATE DATABASE {name} TEMPLATE {template}")).await;
            let db = connect(&sibling(&server, &name)).await;
            Some(TestDb { db, folder, postgres: Some(name) })
        }
    }
}

async fn connect(url: &str) -> Db {
    let mut options = DbOptions::new(url);
    options.max_connections = 4;
    // Many tests at once on a busy disk: what is slow is not wrong.
    options.acquire_timeout = std::time::Duration::from_secs(60);
    Db::connect(options).await.expect("the test database opens")
}

/// The same server, another database.
fn sibling(server: &str, name: &str) -> String {
    let (base, _) = server.rsplit_once('/').expect("an address with a database");
    format!("{base}/{name}")
}

async fn sqlite_template() -> &'static PathBuf {
    static TEMPLATE: OnceCell<PathBuf> = OnceCell::const_new();
    TEMPLATE
        .get_or_init(|| async {
            let folder = std::env::temp_dir().join(format!("atalaya-test-template-{}", std::process::id()));
            std::fs::create_dir_all(&folder).expect("the temporary folder is writable");
            let (made, copy) = (folder.join("made.db"), folder.join("template.db"));
            std::fs::remove_file(&copy).ok();
            let db = connect(&format!("sqlite://{}", made.display())).await;
            db.migrate().await.expect("the migrations run");
            // A copy without the write-ahead log beside it.
            db.read().execute_unprepared(&format!("VACUUM INTO '{}'", copy.display())).await.expect("the template is written");
            db.close().await.expect("closes");
            copy
        })
        .await
}

async fn postgres_template(server: &str) -> &'static String {
    static TEMPLATE: OnceCell<String> = OnceCell::const_new();
    TEMPLATE
        .get_or_init(|| async {
            let name = format!("atalaya_template_{}", std::process::id());
            run(server, &format!("DROP DATABASE IF EXISTS {name}")).await;
            run(server, &format!("CREATE DATABASE {name}")).await;
            let db = connect(&sibling(server, &name)).await;
            db.migrate().await.expect("the migrations run");
            db.close().await.expect("closes");
            name
        })
        .await
}

/// Waits until the server has run one statement on its own database.
async fn run(server: &str, sql: &str) {
    let (done, answer) = oneshot::channel();
    administrator(server).send(Order { sql: sql.to_owned(), done: Some(done) }).expect("the thread lives as long as the process");
    answer.await.expect("an answer comes").unwrap_or_else(|error| panic!("{sql}: {error}"));
}

struct Order {
    sql: String,
    /// `None`: nobody waits for it.
    done: Option<oneshot::Sender<Result<(), String>>>,
}

/// One connection for making and dropping databases, in a thread and runtime of its own: each test has its own runtime and
/// ends with it. One statement at a time, because PostgreSQL copies a template only while nobody uses it.
fn administrator(server: &str) -> &'static mpsc::Sender<Order> {
    static ORDERS: OnceLock<mpsc::Sender<Order>> = OnceLock::new();
    ORDERS.get_or_init(|| {
        let (orders, queue) = mpsc::channel();
        let server = server.to_owned();
        std::thread::spawn(move || administrate(&server, &queue));
        orders
    })
}

fn administrate(server: &str, queue: &mpsc::Receiver<Order>) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let db = connect(server).await;
        // What nobody waits for is done when there is nothing else to do.
        let mut later = VecDeque::new();
        loop {
            let order = match queue.try_recv() {
                Ok(Order { sql, done: None }) => {
                    later.push_back(sql);
                    continue;
                }
                Ok(order) => Some(order),
                Err(_) => later.pop_front().map(|sql| Order { sql, done: None }).or_else(|| queue.recv().ok()),
            };
            let Some(Order { sql, done }) = order else { return };
            let result = db.read().execute_unprepared(&sql).await;
            if let Some(done) = done {
                done.send(result.map(drop).map_err(|error| error.to_string())).ok();
            }
        }
    });
}

impl Drop for TestDb {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.folder).ok();
        let (Some(name), Some(server)) = (self.postgres.take(), postgres_server()) else { return };
        let sql = format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)");
        administrator(&server).send(Order { sql, done: None }).ok();
    }
}
