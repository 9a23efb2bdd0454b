//! Statements of the walk. They read only.

use atalaya_db::{Db, DbResult, Engine};
use chrono::{DateTime, Utc};
use sea_orm::{ConnectionTrait, QueryResult, Statement};
use std::collections::BTreeMap;
use uuid::Uuid;

/// A file that a row names.
pub(super) struct Named {
    /// Whose key it is sealed with.
    pub owner: Uuid,
    pub wrapped_key: Option<Vec<u8>>,
    pub name: String,
    /// As the row says; not every table does.
    pub sha256: Option<String>,
    pub size_bytes: Option<i64>,
}

fn statement(db: &Db, sql: &str, before: Option<DateTime<Utc>>) -> Statement {
    let backend = db.read().get_database_backend();
    match before.filter(|_| sql.contains("$1")) {
        Some(before) => Statement::from_sql_and_values(backend, sql, [before.into()]),
        None => Statement::from_string(backend, sql),
    }
}

/// The first column of every row: an id, or a text.
pub(super) async fn ids(db: &Db, sql: &str, before: Option<DateTime<Utc>>) -> DbResult<Vec<String>> {
    let rows = db.read().query_all_raw(statement(db, sql, before)).await?;
    rows.iter().map(first).collect()
}

fn first(row: &QueryResult) -> DbResult<String> {
    match row.try_get_by_index::<Uuid>(0) {
        Ok(id) => Ok(id.to_string()),
        Err(_) => Ok(row.try_get_by_index::<String>(0)?),
    }
}

/// What SQLite finds wrong with its file, page by page and index by index; nothing elsewhere.
pub(super) async fn integrity(db: &Db) -> DbResult<Vec<String>> {
    if db.engine() != Engine::Sqlite {
        return Ok(Vec::new());
    }
    let said = ids(db, "PRAGMA integrity_check(20)", None).await?;
    Ok(said.into_iter().filter(|line| line != "ok").collect())
}

/// The declared references that lead nowhere, by table and target. PostgreSQL has none.
pub(super) async fn declared_references(db: &Db) -> DbResult<BTreeMap<String, Vec<String>>> {
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    if db.engine() != Engine::Sqlite {
        return Ok(found);
    }
    for row in db.read().query_all_raw(statement(db, "PRAGMA foreign_key_check", None)).await? {
        let (table, line, target): (String, Option<i64>, String) =
            (row.try_get_by_index(0)?, row.try_get_by_index(1)?, row.try_get_by_index(2)?);
        let line = line.map_or_else(|| "?".to_owned(), |line| format!("row {line}"));
        found.entry(format!("{table} to {target}")).or_default().push(line);
    }
    Ok(found)
}

/// The files that a statement names: owner, key, name, hash and size.
pub(super) async fn named(db: &Db, sql: &str) -> DbResult<Vec<Named>> {
    let rows = db.read().query_all_raw(statement(db, sql, None)).await?;
    let named = |row: &QueryResult| {
        Ok(Named {
            owner: row.try_get_by_index(0)?,
            wrapped_key: row.try_get_by_index(1)?,
            name: row.try_get_by_index(2)?,
            sha256: row.try_get_by_index(3)?,
            size_bytes: row.try_get_by_index(4)?,
        })
    };
    rows.iter().map(named).collect()
}

/// Texts and flags: what is about to be deleted, with whether it is a folder.
pub(super) async fn deletions(db: &Db) -> DbResult<Vec<(String, bool)>> {
    let rows = db.read().query_all_raw(statement(db, "SELECT name, folder FROM file_deletion", None)).await?;
    rows.iter().map(|row| Ok((row.try_get_by_index(0)?, row.try_get_by_index(1)?))).collect()
}
