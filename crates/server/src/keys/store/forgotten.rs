//! Keys that nobody may seal with any longer (KEYS-4).
//!
//! A server that has not looked at `secrets.toml` yet, or a node with a copy of its own, may go on writing under a key that is
//! about to be dropped; whatever it writes then opens with nothing. So the database keeps the ids of forgotten keys and refuses
//! values under them (triggers of `m0049`), and writing them down waits for everybody who writes: what is counted then is all
//! there is.

use super::{FIELDS, FILES, Place};
use crate::config::secrets::Which;
use anyhow::{Result, bail};
use atalaya_db::{Db, Engine, Tx};
use chrono::{DateTime, Utc};
use sea_orm::{ConnectionTrait, Statement};
use std::time::Duration;

/// How often the tables are asked for, and the pause between two tries.
const TRIES: u32 = 20;
const PAUSE: Duration = Duration::from_millis(250);
/// Shorter than the time after which PostgreSQL looks for deadlocks: whoever writes goes first.
const LOCK_TIMEOUT: &str = "SET LOCAL lock_timeout = '500ms'";

/// Columns that a key of this kind seals; none for keys that only sign.
fn places(which: Which) -> &'static [Place] {
    match which {
        Which::Fields => &FIELDS,
        Which::Files => &FILES,
        Which::Session | Which::Media | Which::Evidence => &[],
    }
}

/// Writes down that these keys are forgotten, in a transaction that the caller commits, unless a row lies under one.
///
/// Errors: rows do; somebody writes all the time; those of the database. Nothing is written then.
pub async fn seal_off(db: &Db, which: Which, ids: &[String], now: DateTime<Utc>) -> Result<Tx> {
    let tx = alone(db, which).await?;
    for id in ids {
        let text = format!("INSERT INTO forgotten_key (key_id, at) VALUES ('{id}', {}) ON CONFLICT DO NOTHING", moment(&tx, now));
        tx.execute_unprepared(&text).await?;
    }
    let rows = under(&tx, which, ids).await?;
    if rows > 0 {
        tx.rollback().await?;
        bail!(
            "{rows} row(s) were written under an earlier key meanwhile: a server still uses it. Look at every node, then reseal"
        );
    }
    Ok(tx)
}

/// A transaction beside which nobody writes to the places: SQLite has one writer, PostgreSQL locks the tables.
async fn alone(db: &Db, which: Which) -> Result<Tx> {
    let tables: Vec<&str> = places(which).iter().map(|place| place.table).collect();
    for _ in 0..TRIES {
        let tx = db.write().await?;
        if tx.engine() == Engine::Sqlite || tables.is_empty() {
            return Ok(tx);
        }
        tx.execute_unprepared(LOCK_TIMEOUT).await?;
        if tx.execute_unprepared(&format!("LOCK TABLE {} IN SHARE MODE", tables.join(", "))).await.is_ok() {
            return Ok(tx);
        }
        tx.rollback().await?;
        tokio::time::sleep(PAUSE).await;
    }
    bail!("the tables are written to all the time: try again when less is done")
}

/// How many rows lie under these keys.
async fn under(tx: &Tx, which: Which, ids: &[String]) -> Result<i64> {
    let ids = ids.iter().map(|id| format!("'{id}'")).collect::<Vec<_>>().join(", ");
    let mut rows = 0;
    for Place { table, column, .. } in places(which) {
        let id = match (which, tx.engine()) {
            (Which::Files, Engine::Postgres) => format!("encode(substring({column} from 1 for 8), 'hex')"),
            (Which::Files, Engine::Sqlite) => format!("lower(hex(substr({column}, 1, 8)))"),
            _ => format!("substr({column}, 1, 8)"),
        };
        let text = format!("SELECT count(*) AS rows FROM {table} WHERE {column} IS NOT NULL AND {id} IN ({ids})");
        let counted = tx.query_one_raw(Statement::from_string(tx.get_database_backend(), text)).await?;
        rows += counted.map_or(Ok(0), |row| row.try_get::<i64>("", "rows"))?;
    }
    Ok(rows)
}

/// A moment as the engine writes it.
fn moment(tx: &Tx, at: DateTime<Utc>) -> String {
    match tx.engine() {
        Engine::Sqlite => format!("'{}'", at.format("%Y-%m-%d %H:%M:%S%.6f+00:00")),
        Engine::Postgres => format!("TIMESTAMPTZ '{}'", at.to_rfc3339()),
    }
}
