//! Opens the pool of either engine.

use crate::{DbError, DbResult, Migrator, Tx};
use sea_orm::{
    ConnectionTrait, DatabaseConnection, DbErr, SqliteTransactionMode, SqlxPostgresConnector, SqlxSqliteConnector,
    TransactionOptions, TransactionTrait,
};
use sea_orm_migration::MigratorTrait;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use std::{str::FromStr, sync::Arc, time::Duration};
use tokio::sync::Mutex;

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
    connection: DatabaseConnection,
    engine: Engine,
    /// How to open the SQLite file once more, for migrations; `None` for PostgreSQL and databases in memory.
    file: Option<Arc<SqliteConnectOptions>>,
    /// Writers of a SQLite database take turns in the order of their requests. The file's own lock is polled instead, so
    /// that a writer could miss every gap until its timeout.
    writers: Option<Arc<Mutex<()>>>,
}

/// How long a writer waits for another program that holds the SQLite file.
const BUSY: Duration = Duration::from_secs(10);
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
        let pool = SqlitePoolOptions::new()
            // An in-memory database lives in its one connection.
            .max_connections(if in_memory { 1 } else { options.max_connections })
            // No second connection is opened beside the first: two that create a new file at once lock each other out.
            .min_connections(0)
            .acquire_timeout(options.acquire_timeout)
            .idle_timeout(None)
            .max_lifetime(None);
        let pool = Self::open_patiently(pool, &connect).await?;
        let file = (!in_memory).then(|| Arc::new(connect));
        let connection = SqlxSqliteConnector::from_sqlx_sqlite_pool(pool);
        Ok(Self { connection, engine: Engine::Sqlite, file, writers: Some(Arc::default()) })
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
            .connect_with(connect)
            .await?;
        let connection = SqlxPostgresConnector::from_sqlx_postgres_pool(pool);
        Ok(Self { connection, engine: Engine::Postgres, file: None, writers: None })
    }

    /// A pool beside the main one, for users that keep a connection permanently, such as a listener. `None` on SQLite.
    pub fn side_pool(&self, max_connections: u32) -> Option<sqlx::PgPool> {
        let of = |engine| (engine == Engine::Postgres).then(|| self.connection.get_postgres_connection_pool().connect_options());
        of(self.engine)
            .map(|options| PgPoolOptions::new().max_connections(max_connections).connect_lazy_with(options.as_ref().clone()))
    }

    pub fn engine(&self) -> Engine {
        self.engine
    }

    /// Brings the schema up to date.
    ///
    /// On a SQLite file through one connection of its own: a pool would spread the statements over several, which lock each
    /// other out and see old schemas.
    pub async fn migrate(&self) -> DbResult<()> {
        let Some(file) = &self.file else { return Ok(Migrator::up(&self.connection, None).await?) };
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
        Ok(Migrator::get_pending_migrations(&self.connection).await?.len())
    }

    /// A connection for reading; may see a replica one day.
    pub fn read(&self) -> &DatabaseConnection {
        &self.connection
    }

    /// A transaction for writing. Dropped without [`Tx::commit`] it leaves nothing behind. On SQLite there is one at a time: its
    /// holder must not request another.
    ///
    /// Errors: [`DbError::Unavailable`] when no turn comes within 30 s.
    pub async fn write(&self) -> DbResult<Tx> {
        let turn = match &self.writers {
            Some(writers) => Some(tokio::time::timeout(TURN, writers.clone().lock_owned()).await.map_err(|_| no_turn())?),
            None => None,
        };
        let options =
            TransactionOptions { sqlite_transaction_mode: Some(SqliteTransactionMode::Immediate), ..Default::default() };
        Ok(Tx::new(self.connection.begin_with_options(options).await?, self.engine, turn))
    }

    /// Succeeds when the database answers; for readiness.
    pub async fn ping(&self) -> DbResult<()> {
        self.connection.execute_unprepared("SELECT 1").await?;
        Ok(())
    }

    /// Closes the pool after running queries have finished.
    pub async fn close(self) -> DbResult<()> {
        Ok(self.connection.close().await?)
    }
}

fn no_turn() -> DbError {
    DbError::Unavailable(DbErr::Custom("other writers did not end in time".into()))
}
