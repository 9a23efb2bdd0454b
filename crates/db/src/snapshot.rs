//! A consistent copy of a running SQLite database.

use crate::{Db, DbError, DbResult, Engine};
use sea_orm::{ConnectionTrait, DbErr, Statement};
use std::path::Path;

impl Db {
    /// Writes a copy of the database as it is at this moment into a new file; readers and writers go on.
    ///
    /// Errors: [`DbError::Failed`] when the file exists or the database is not SQLite.
    pub async fn snapshot(&self, into: &Path) -> DbResult<()> {
        if self.engine() != Engine::Sqlite {
            return Err(DbError::Failed(DbErr::Custom("only SQLite is copied as a file".into())));
        }
        let path = into.to_string_lossy().into_owned();
        let backend = self.read().get_database_backend();
        self.read().execute_raw(Statement::from_sql_and_values(backend, "VACUUM INTO $1", [path.into()])).await?;
        Ok(())
    }

    /// Whether SQLite finds its file whole; always true elsewhere. Reads the whole file.
    pub async fn is_whole(&self) -> DbResult<bool> {
        if self.engine() != Engine::Sqlite {
            return Ok(true);
        }
        let backend = self.read().get_database_backend();
        let row = self.read().query_one_raw(Statement::from_string(backend, "PRAGMA quick_check(1)")).await?;
        let answer: Option<String> = row.and_then(|row| row.try_get_by_index(0).ok());
        Ok(answer.as_deref() == Some("ok"))
    }
}
