//! The database: two engines (SQLite and PostgreSQL), who reads and who writes, migrations, and the few places where SQL differs.
//!
//! Called by every room's `store.rs`. *Invariant:* nothing here knows a room; nothing above names `sqlx` or `rusqlite`.
//! `read()` and `write()` name the intent: on SQLite `write` is `BEGIN IMMEDIATE`, so that a writer waits at the
//! start and never fails in the middle. No network I/O inside a transaction.

mod changes;
mod checkpoint;
mod direct;
mod engine;
mod error;
mod kept;
mod listener;
mod migrations;
mod reader;
mod snapshot;
mod statements;
mod table;
mod tx;

pub use changes::{Change, Changes, TRUST};
pub use direct::{CellsOf, Tuple};
pub use engine::{Db, DbOptions, Engine};
pub use error::{DbError, DbResult};
pub use kept::{Keep, Kept, Moment};
pub use migrations::Migrator;
pub use reader::{Reader, Reads, ReadsBoth, ReadsTuples};
pub use statements::Statements;
pub use tx::{Tx, lock_row};
