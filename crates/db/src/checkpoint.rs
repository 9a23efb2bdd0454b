//! Nothing of what was deleted stays in the write-ahead log.

use crate::{Db, DbResult};
use sea_orm::{ConnectionTrait, DbBackend, SqlxSqliteConnector, Statement};
use sqlx::sqlite::SqlitePoolOptions;
use std::time::Duration;

/// How often a log that somebody still reads is tried again.
const TRIES: u32 = 5;
/// How long one try waits for readers and writers.
const PATIENCE: Duration = Duration::from_millis(200);

impl Db {
    /// Moves SQLite's write-ahead log into the file and empties it, so that old versions of erased rows are in neither: the
    /// file's freed pages are overwritten (`secure_delete`). PostgreSQL forgets old versions with its vacuum, which is the
    /// operator's; there, and in memory, it does nothing.
    ///
    /// Through a connection of its own, which waits a moment only: a reader that takes its time must not hold up writers.
    /// Answers `false` when somebody held on to the log the whole time; another call does it then.
    pub async fn empty_log(&self) -> DbResult<bool> {
        let Some(file) = self.file() else { return Ok(true) };
        let options = file.as_ref().clone().busy_timeout(PATIENCE);
        let pool = SqlitePoolOptions::new().max_connections(1).connect_with(options).await?;
        let alone = SqlxSqliteConnector::from_sqlx_sqlite_pool(pool);
        let mut emptied = false;
        for nth in 1..=TRIES {
            let sql = Statement::from_string(DbBackend::Sqlite, "PRAGMA wal_checkpoint(TRUNCATE)");
            // Its first column says whether somebody was in the way; a locked file is an error that says the same.
            let answer = alone.query_one_raw(sql).await.ok().flatten();
            let busy: Option<i64> = answer.and_then(|row| row.try_get_by_index(0).ok());
            emptied = busy == Some(0);
            if emptied {
                break;
            }
            tokio::time::sleep(PATIENCE * nth / 2).await;
        }
        alone.close().await?;
        Ok(emptied)
    }
}

#[cfg(test)]
mod tests {
    use crate::{Db, DbOptions};
    use sea_orm::ConnectionTrait;

    // RETAIN-22
    #[tokio::test]
    async fn what_was_deleted_is_in_neither_file_nor_log() {
        let folder = std::env::temp_dir().join(format!("atalaya-checkpoint-{}", std::process::id()));
        std::fs::remove_dir_all(&folder).ok();
        std::fs::create_dir_all(&folder).expect("a folder");
        let file = folder.join("test.db");
        let db = Db::connect(DbOptions::new(format!("sqlite://{}", file.display()))).await.expect("opens");
        for sql in ["CREATE TABLE note (text TEXT)", "INSERT INTO note VALUES ('Remedios Amaya')", "DELETE FROM note"] {
            let tx = db.write().await.expect("a turn");
            tx.execute_unprepared(sql).await.expect(sql);
            tx.commit().await.expect("committed");
        }
        let scan = || {
            let files = std::fs::read_dir(&folder).expect("a folder").map(|entry| entry.expect("a file").path());
            let holds = |path: &std::path::PathBuf| {
                let bytes = std::fs::read(path).expect("readable");
                bytes.windows(8).any(|window| window == b"Remedios")
            };
            files.filter(holds).count()
        };
        assert!(scan() > 0, "the log holds what was deleted");
        assert!(db.empty_log().await.expect("answered"));
        assert_eq!(scan(), 0);
        db.close().await.expect("closes");
        std::fs::remove_dir_all(&folder).ok();
    }
}
