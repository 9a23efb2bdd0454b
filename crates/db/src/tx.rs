//! A writing transaction.

use crate::changes::{Change, Changes};
use crate::{DbError, DbResult, Engine, Statements};
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr, Statement};
use std::fmt::Display;
use std::future::Future;
use std::ops::Deref;
use std::pin::Pin;
use std::sync::{Mutex, PoisonError};
use tokio::sync::{OwnedMutexGuard, OwnedSemaphorePermit};
use uuid::Uuid;

type Last = Box<dyn for<'a> FnOnce(&'a Tx) -> Pin<Box<dyn Future<Output = DbResult<()>> + Send + 'a>> + Send>;

/// A place among those who write at the same time.
pub(crate) enum Turn {
    /// The only one of a SQLite database.
    Alone { _guard: OwnedMutexGuard<()> },
    /// One of those of a PostgreSQL pool, which has more connections: whoever writes reads beside it as well.
    Among { _permit: OwnedSemaphorePermit },
}

/// A writing transaction; derefs to what sea-orm's queries take.
pub struct Tx {
    /// `None` once it has ended.
    inner: Option<DatabaseTransaction>,
    engine: Engine,
    last: Mutex<Vec<Last>>,
    changes: Changes,
    told: Mutex<Vec<Change>>,
    statements: Statements,
    /// Given back after the transaction, which is why it stands last.
    _turn: Turn,
}

impl Tx {
    pub(crate) fn new(inner: DatabaseTransaction, engine: Engine, changes: Changes, statements: Statements, turn: Turn) -> Self {
        let (last, told) = (Mutex::default(), Mutex::default());
        Self { inner: Some(inner), engine, last, changes, told, statements, _turn: turn }
    }

    pub fn engine(&self) -> Engine {
        self.engine
    }

    /// Does `work` as the last thing before the commit, in the order of the calls; a rollback forgets it.
    ///
    /// For what locks a row that many transactions share: a lock that is taken last waits for nobody who waits for us.
    pub fn at_last(
        &self,
        work: impl for<'a> FnOnce(&'a Tx) -> Pin<Box<dyn Future<Output = DbResult<()>> + Send + 'a>> + Send + 'static,
    ) {
        self.last.lock().unwrap_or_else(PoisonError::into_inner).push(Box::new(work));
    }

    /// Says that a row changes, or for `job` and `outbox` that there is work: whoever keeps a copy or waits is told after the
    /// commit. Called by the stores that write; on PostgreSQL triggers tell the other nodes.
    pub fn changed(&self, table: &'static str, key: impl Display) {
        let change = Change::of(table, key);
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        if !told.contains(&change) {
            told.push(change);
        }
    }

    /// Makes everything written so far durable.
    ///
    /// Errors: those of the work that was left for the end, too; then nothing is durable.
    pub async fn commit(mut self) -> DbResult<()> {
        let last = std::mem::take(&mut *self.last.lock().unwrap_or_else(PoisonError::into_inner));
        for work in last {
            work(&self).await?;
        }
        self.statements.note("COMMIT");
        let inner = self.inner.take().expect("a transaction ends once");
        let told = std::mem::take(&mut *self.told.lock().unwrap_or_else(PoisonError::into_inner));
        if told.is_empty() && !self.changes.is_touched() {
            return Ok(inner.commit().await?);
        }
        // In a task of its own: a caller that is dropped meanwhile must not keep others from being told.
        let ending = tokio::spawn(async move {
            let done = inner.commit().await;
            // Told also when the outcome is unknown.
            self.changes.settle(&told);
            drop(self);
            done
        });
        match ending.await {
            Ok(done) => Ok(done?),
            Err(error) => Err(DbError::Failed(DbErr::Custom(error.to_string()))),
        }
    }

    /// Discards everything written; the same as dropping, but reports errors.
    pub async fn rollback(mut self) -> DbResult<()> {
        let inner = self.inner.take().expect("a transaction ends once");
        let done = inner.rollback().await;
        self.changes.settle(&[]);
        Ok(done?)
    }
}

impl Drop for Tx {
    fn drop(&mut self) {
        if self.inner.take().is_some() {
            self.changes.settle(&[]);
        }
    }
}

impl Deref for Tx {
    type Target = DatabaseTransaction;
    fn deref(&self) -> &DatabaseTransaction {
        self.inner.as_ref().expect("it is gone with the end of the transaction")
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
