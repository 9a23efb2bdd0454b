//! A writing transaction.

use crate::{DbResult, Engine};
use sea_orm::{ConnectionTrait, DatabaseTransaction, Statement};
use std::ops::Deref;
use tokio::sync::OwnedMutexGuard;
use uuid::Uuid;

/// A writing transaction; derefs to what sea-orm's queries take.
pub struct Tx {
    inner: DatabaseTransaction,
    engine: Engine,
    /// The turn among the writers of a SQLite database; given back after the transaction, which is why it stands last.
    _turn: Option<OwnedMutexGuard<()>>,
}

impl Tx {
    pub(crate) fn new(inner: DatabaseTransaction, engine: Engine, turn: Option<OwnedMutexGuard<()>>) -> Self {
        Self { inner, engine, _turn: turn }
    }

    pub fn engine(&self) -> Engine {
        self.engine
    }

    /// Makes everything written so far durable.
    pub async fn commit(self) -> DbResult<()> {
        Ok(self.inner.commit().await?)
    }

    /// Discards everything written; the same as dropping, but reports errors.
    pub async fn rollback(self) -> DbResult<()> {
        Ok(self.inner.rollback().await?)
    }
}

impl Deref for Tx {
    type Target = DatabaseTransaction;
    fn deref(&self) -> &DatabaseTransaction {
        &self.inner
    }
}

/// Locks one row until the transaction ends, so that two writers of one subject take turns.
///
/// On SQLite a writing transaction is alone already. `table` is a constant of the calling store, never input.
pub async fn lock_row(tx: &Tx, table: &'static str, id: Uuid) -> DbResult<()> {
    if tx.engine() == Engine::Postgres {
        // The weaker lock still excludes other holders of it and every change of the row, and does not wait for the key
        // locks of foreign keys: two transactions that each insert a child row and then lock its parent would deadlock.
        let sql = format!("SELECT 1 FROM {table} WHERE id = $1 FOR NO KEY UPDATE");
        tx.query_one_raw(Statement::from_sql_and_values(tx.get_database_backend(), sql, [id.into()])).await?;
    }
    Ok(())
}
