//! The database: one pool, two engines (SQLite and PostgreSQL), migrations, and the few places where SQL differs.
//!
//! Called by every room's `store.rs`. *Invariant:* nothing here knows a room; nothing above names `sqlx`.
//! `read()` and `write()` name the intent: on SQLite `write` is `BEGIN IMMEDIATE`, so that a writer waits at the
//! start and never fails in the middle. No network I/O inside a transaction.

mod engine;
mod error;
mod migrations;
mod snapshot;
mod table;
mod tx;

pub use engine::{Db, DbOptions, Engine};
pub use error::{DbError, DbResult};
pub use migrations::Migrator;
pub use tx::{Tx, lock_row};
