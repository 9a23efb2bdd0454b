//! What can go wrong below the stores.

use sea_orm::{DbErr, SqlErr};

/// A failure of the database. Rooms turn the two constraint variants into their own coded errors.
#[derive(Debug, thiserror::Error)]
pub enum DbError {
    /// A unique constraint refused the row.
    #[error("a row with this key already exists")]
    Duplicate(#[source] DbErr),
    /// A foreign key refused the row.
    #[error("a row that this one needs does not exist")]
    Missing(#[source] DbErr),
    /// The database cannot be reached or took too long; worth retrying (`DATABASE_UNAVAILABLE`, 503).
    #[error("the database is unavailable")]
    Unavailable(#[source] DbErr),
    /// Anything else: a defect or a damaged database (`INTERNAL`, 500).
    #[error("the database failed")]
    Failed(#[source] DbErr),
    /// The address of the database cannot be understood.
    #[error("database address: {0}")]
    Address(String),
}

impl DbError {
    /// Something else that a transaction needs does not answer; worth retrying as when the database itself does not.
    pub fn waits_for(what: impl Into<String>) -> Self {
        Self::Unavailable(DbErr::Custom(what.into()))
    }
}

pub type DbResult<T> = Result<T, DbError>;

impl From<DbErr> for DbError {
    fn from(error: DbErr) -> Self {
        match error.sql_err() {
            Some(SqlErr::UniqueConstraintViolation(_)) => return Self::Duplicate(error),
            Some(SqlErr::ForeignKeyConstraintViolation(_)) => return Self::Missing(error),
            _ => {}
        }
        match error {
            DbErr::ConnectionAcquire(_) | DbErr::Conn(_) => Self::Unavailable(error),
            ref other if passes(&other.to_string()) => Self::Unavailable(error),
            other => Self::Failed(other),
        }
    }
}

/// Whether it may be over when somebody tries again: another program holds SQLite's file for longer than we wait, the disk is full or
/// fails (DEEP-10), or PostgreSQL went away in the middle.
fn passes(told: &str) -> bool {
    const PASSING: [&str; 7] = [
        "database is locked",
        "database or disk is full",
        "disk I/O error",
        "unable to open database file",
        "No space left on device",
        "error communicating with database",
        "terminating connection due to",
    ];
    PASSING.iter().any(|words| told.contains(words))
}

impl From<sqlx::Error> for DbError {
    fn from(error: sqlx::Error) -> Self {
        match error {
            sqlx::Error::PoolTimedOut | sqlx::Error::PoolClosed | sqlx::Error::Io(_) | sqlx::Error::Tls(_) => {
                Self::Unavailable(DbErr::Custom(error.to_string()))
            }
            other => Self::Failed(DbErr::Custom(other.to_string())),
        }
    }
}
