//! Opens the pool of either engine.

use crate::direct::Direct;
use crate::tx::Turn;
use crate::{Changes, DbError, DbResult, Migrator, Reader, Statements, Tx};
use sea_orm::{
    ConnectionTrait, DatabaseConnection, DbErr, SqliteTransactionMode, SqlxPostgresConnector, SqlxSqliteConnector,
    TransactionOptions, TransactionTrait,
};
use sea_orm_migration::MigratorTrait;
use sqlx::Connection as _;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteOperation, SqlitePoolOptions, SqliteSynchronous};
use std::{str::FromStr, sync::Arc, time::Duration};
use tokio::sync::{Mutex, Semaphore};

/// Which database carries the data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    Sqlite,
    Postgres,
}

/// How to open the pool.
#[derive(Clone, Debug)]
pub struct DbOptions {
    /// `sqlite:///path/file.db`, `sqlite::memory:` or `postgres://…`.
    pub url: String,
    pub max_connections: u32,
    /// How long a caller waits for a connection before `DATABASE_UNAVAILABLE`.
    pub acquire_timeout: Duration,
}

impl DbOptions {
    pub fn new(url: impl Into<String>) -> Self {
        Self { url: url.into(), max_connections: 10, acquire_timeout: Duration::from_secs(5) }
    }
}

/// A pool of connections. Cheap to clone.
#[derive(Clone)]
pub struct Db {
    reader: Reader,
    /// Of a SQLite file two connections of its own: while one is given back the next writer has the other.
    writer: DatabaseConnection,
    engine: Engine,
    /// How to open the SQLite file once more, for migrations; `None` for PostgreSQL and databases in memory.
    file: Option<Arc<SqliteConnectOptions>>,
    writers: Writers,
    changes: Changes,
    statements: Statements,
}

/// Who may write at the same time.
#[derive(Clone)]
enum Writers {
    /// Those of a SQLite database take turns in the order of their requests. The file's own lock is polled instead, so that a
    /// writer could miss every gap until its timeout.
    InTurn(Arc<Mutex<()>>),
    /// Those of a PostgreSQL pool leave a quarter of its connections free: they read beside their transactions, and if they had
    /// all of them, each would wait for the others until its timeout.
    Together(Arc<Semaphore>),
}

/// How long a writer waits for another program that holds the SQLite file.
const BUSY: Duration = Duration::from_secs(10);
/// How long a connection to PostgreSQL may have been idle before it is tried first, which costs a round trip.
const FRESH: Duration = Duration::from_secs(1);
/// How often a SQLite file that takes long is opened again.
const OPENINGS: usize = 5;
/// How long a writer waits for its turn among ours.
const TURN: Duration = Duration::from_secs(30);

/// A connection that is being opened or closed may hold a SQLite file for a moment in which its busy timeout does not count.
const LOCKED_WAITS: [Duration; 3] = [Duration::from_millis(100), Duration::from_millis(300), Duration::from_secs(1)];

impl Db {
    /// Connects; does not migrate.
    ///
    /// Errors: [`DbError::Address`] for an address that cannot be understood, [`DbError::Unavailable`] when nobody answers.
    pub async fn connect(options: DbOptions) -> DbResult<Self> {
        if options.url.starts_with("sqlite:") {
            Self::connect_sqlite(options).await
        } else if options.url.starts_with("postgres://") || options.url.starts_with("postgresql://") {
            Self::connect_postgres(options).await
        } else {
            Err(DbError::Address("it must start with sqlite: or postgres://".into()))
        }
    }

    async fn connect_sqlite(options: DbOptions) -> DbResult<Self> {
        let in_memory = options.url.contains(":memory:");
        let connect = SqliteConnectOptions::from_str(&options.url)
            .map_err(|e| DbError::Address(e.to_string()))?
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Normal)
            .foreign_keys(true)
            .busy_timeout(BUSY)
            // What is erased leaves no copy of itself in free pages.
            .pragma("secure_delete", "ON")
            .pragma("wal_autocheckpoint", "1000")
            .pragma("journal_size_limit", "67108864");
        let changes = Changes::on_sqlite();
        let connections = |most| {
            let options = SqlitePoolOptions::new()
                .max_connections(most)
                // No second connection is opened beside the first: two that create a new file at once lock each other out.
                .min_connections(0)
                // No network lies between, so nothing has to be tried before it is used.
                .test_before_acquire(false)
                .acquire_timeout(options.acquire_timeout)
                .idle_timeout(None)
                .max_lifetime(None);
            watched(options, &changes)
        };
        // An in-memory database lives in its one connection.
        let most = if in_memory { 1 } else { options.max_connections };
        let pool = Self::open_patiently(connections(most), &connect).await?;
        let statements = Statements::default();
        let pool = counted(SqlxSqliteConnector::from_sqlx_sqlite_pool(pool), &statements);
        if in_memory {
            let reader = Reader::new(pool.clone(), None, statements.clone());
            return Ok(Self::sqlite(reader, pool, None, changes, statements));
        }
        let writer = connections(2).connect_lazy_with(connect.clone().statement_cache_capacity(256));
        let writer = counted(SqlxSqliteConnector::from_sqlx_sqlite_pool(writer), &statements);
        let direct = is_plain(&options.url).then(|| {
            let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
            Direct::new(connect.get_filename(), cores, options.acquire_timeout)
        });
        let reader = Reader::new(pool, direct, statements.clone());
        Ok(Self::sqlite(reader, writer, Some(Arc::new(connect)), changes, statements))
    }

    fn sqlite(
        reader: Reader,
        writer: DatabaseConnection,
        file: Option<Arc<SqliteConnectOptions>>,
        changes: Changes,
        statements: Statements,
    ) -> Self {
        Self { reader, writer, engine: Engine::Sqlite, file, writers: Writers::InTurn(Arc::default()), changes, statements }
    }

    /// The first connection creates the file. A stalling disk may need longer for that than a later caller should wait, and
    /// another program may hold the file in a moment that the busy timeout does not cover.
    async fn open_patiently(pool: SqlitePoolOptions, connect: &SqliteConnectOptions) -> DbResult<sqlx::SqlitePool> {
        for _ in 0..OPENINGS {
            match pool.clone().connect_with(connect.clone()).await {
                Err(sqlx::Error::PoolTimedOut) => tracing::warn!("the database file takes long to open"),
                Err(error) if error.to_string().contains("database is locked") => tokio::time::sleep(LOCKED_WAITS[1]).await,
                done => return Ok(done?),
            }
        }
        Ok(pool.connect_with(connect.clone()).await?)
    }

    async fn connect_postgres(options: DbOptions) -> DbResult<Self> {
        let connect = PgConnectOptions::from_str(&options.url).map_err(|e| DbError::Address(e.to_string()))?;
        let pool = PgPoolOptions::new()
            .max_connections(options.max_connections)
            .acquire_timeout(options.acquire_timeout)
            .test_before_acquire(false)
            .before_acquire(|connection, about| {
                Box::pin(async move {
                    if about.idle_for > FRESH {
                        connection.ping().await?;
                    }
                    Ok(true)
                })
            })
            .connect_with(connect)
            .await?;
        let statements = Statements::default();
        let writer = counted(SqlxPostgresConnector::from_sqlx_postgres_pool(pool), &statements);
        let (reader, changes) = (Reader::new(writer.clone(), None, statements.clone()), Changes::on_postgres());
        let most = usize::try_from(options.max_connections).unwrap_or(usize::MAX);
        let writers = Writers::Together(Arc::new(Semaphore::new((most - most / 4).clamp(1, Semaphore::MAX_PERMITS))));
        Ok(Self { reader, writer, engine: Engine::Postgres, file: None, writers, changes, statements })
    }

    /// A pool beside the main one, for users that keep a connection permanently, such as a listener. `None` on SQLite.
    pub fn side_pool(&self, max_connections: u32) -> Option<sqlx::PgPool> {
        let of = |engine| (engine == Engine::Postgres).then(|| self.writer.get_postgres_connection_pool().connect_options());
        of(self.engine)
            .map(|options| PgPoolOptions::new().max_connections(max_connections).connect_lazy_with(options.as_ref().clone()))
    }

    pub fn engine(&self) -> Engine {
        self.engine
    }

    /// What changes, in this process and, while [`Db::listen`] runs, in others.
    pub fn changes(&self) -> &Changes {
        &self.changes
    }

    /// The statements made so far.
    pub fn statements(&self) -> &Statements {
        &self.statements
    }

    /// Brings the schema up to date.
    ///
    /// On a SQLite file through one connection of its own: a pool would spread the statements over several, which lock each
    /// other out and see old schemas.
    pub async fn migrate(&self) -> DbResult<()> {
        let Some(file) = &self.file else { return Ok(Migrator::up(&self.writer, None).await?) };
        let done = Self::migrate_patiently(file).await;
        self.reader.forget();
        done
    }

    async fn migrate_patiently(file: &Arc<SqliteConnectOptions>) -> DbResult<()> {
        for wait in LOCKED_WAITS {
            match Self::migrate_file(file).await {
                Err(error) if error.to_string().contains("database is locked") => tokio::time::sleep(wait).await,
                done => return done,
            }
        }
        Self::migrate_file(file).await
    }

    async fn migrate_file(file: &Arc<SqliteConnectOptions>) -> DbResult<()> {
        let pool = SqlitePoolOptions::new().max_connections(1).connect_with(file.as_ref().clone()).await?;
        let alone = SqlxSqliteConnector::from_sqlx_sqlite_pool(pool);
        let done = Migrator::up(&alone, None).await;
        alone.close().await?;
        Ok(done?)
    }

    /// Migrations not applied yet.
    pub async fn pending_migrations(&self) -> DbResult<usize> {
        Ok(Migrator::get_pending_migrations(self.reader.pool()).await?.len())
    }

    /// A connection for reading; may see a replica one day.
    pub fn read(&self) -> &Reader {
        &self.reader
    }

    /// A transaction for writing. Dropped without [`Tx::commit`] it leaves nothing behind. On SQLite there is one at a time: its
    /// holder must not request another.
    ///
    /// Errors: [`DbError::Unavailable`] when no turn comes within 30 s.
    pub async fn write(&self) -> DbResult<Tx> {
        let turn = tokio::time::timeout(TURN, self.turn()).await.map_err(|_| no_turn())?;
        let options =
            TransactionOptions { sqlite_transaction_mode: Some(SqliteTransactionMode::Immediate), ..Default::default() };
        self.statements.note("BEGIN");
        let inner = self.writer.begin_with_options(options).await?;
        Ok(Tx::new(inner, self.engine, self.changes.clone(), self.statements.clone(), turn))
    }

    /// How to open the SQLite file once more.
    pub(crate) fn file(&self) -> Option<&Arc<SqliteConnectOptions>> {
        self.file.as_ref()
    }

    async fn turn(&self) -> Turn {
        match &self.writers {
            Writers::InTurn(writers) => Turn::Alone { _guard: writers.clone().lock_owned().await },
            Writers::Together(writers) => {
                let permit = writers.clone().acquire_owned().await;
                Turn::Among { _permit: permit.expect("nobody closes it") }
            }
        }
    }

    /// Succeeds when the database answers; for readiness.
    pub async fn ping(&self) -> DbResult<()> {
        self.reader.execute_unprepared("SELECT 1").await?;
        Ok(())
    }

    /// Closes every connection after running queries have finished.
    pub async fn close(self) -> DbResult<()> {
        self.writer.close().await?;
        Ok(self.reader.close().await?)
    }
}

/// Every connection tells which tables it writes to, whoever wrote the statement. One that is still in a transaction when it is
/// given back is closed (DEEP-9): a full or failing disk ends a transaction without the driver's knowledge, and what later holders
/// write through such a connection would be acknowledged and never committed.
fn watched(pool: SqlitePoolOptions, changes: &Changes) -> SqlitePoolOptions {
    let changes = changes.clone();
    let pool = pool.after_release(|connection, _| {
        Box::pin(async move {
            if connection.is_in_transaction() {
                // What was dropped is rolled back now, if it can be.
                connection.ping().await?;
            }
            Ok(!connection.is_in_transaction())
        })
    });
    pool.after_connect(move |connection, _| {
        let changes = changes.clone();
        Box::pin(async move {
            let mut handle = connection.lock_handle().await?;
            handle.set_update_hook(move |written| {
                if !matches!(written.operation, SqliteOperation::Insert) {
                    changes.touch(written.table);
                }
            });
            Ok(())
        })
    })
}

fn counted(mut connection: DatabaseConnection, statements: &Statements) -> DatabaseConnection {
    let counter = statements.clone();
    connection.set_metric_callback(move |made| counter.note(&made.statement.sql));
    connection
}

/// Whether the address says nothing of how the file is to be opened but its name.
fn is_plain(url: &str) -> bool {
    url.split_once('?').is_none_or(|(_, asked)| matches!(asked, "mode=rw" | "mode=rwc"))
}

fn no_turn() -> DbError {
    DbError::Unavailable(DbErr::Custom("other writers did not end in time".into()))
}
