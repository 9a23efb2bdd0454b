//! Names of companies and people that were there before lists could be searched: folded as every later write does.
//! And the list of companies in the order of its index, whatever page is asked for.

use atalaya_kernel::collate;
use sea_orm::{ConnectionTrait, QueryResult, Statement, Value};
use sea_orm_migration::prelude::*;
use uuid::Uuid;

#[derive(DeriveMigrationName)]
pub struct Migration;

/// A table, the columns its rows are ordered by, and those they are searched in besides.
const TABLES: &[(&str, &[&str], &[&str])] = &[
    ("company", &["company"], &["name", "cif", "email", "mobile", "phone", "city", "region"]),
    ("app_user", &["surname", "name"], &["user_name", "email", "phone"]),
];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, m: &SchemaManager) -> Result<(), DbErr> {
        for (table, ordered, searched) in TABLES {
            fold(m, table, ordered, searched).await?;
        }
        let connection = m.get_connection();
        connection.execute_unprepared("DROP INDEX ix_company_kind_sort_key").await?;
        connection.execute_unprepared("CREATE INDEX ix_company_kind_sort_key_id ON company (kind, sort_key, id)").await?;
        Ok(())
    }
}

async fn fold(m: &SchemaManager<'_>, table: &str, ordered: &[&str], searched: &[&str]) -> Result<(), DbErr> {
    let connection = m.get_connection();
    let backend = m.get_database_backend();
    let columns = [ordered, searched].concat().join(", ");
    let rows = connection.query_all_raw(Statement::from_string(backend, format!("SELECT id, {columns} FROM {table}"))).await?;
    for row in rows {
        let names = texts(&row, ordered)?;
        let all = [names.clone(), texts(&row, searched)?].concat();
        let all: Vec<&str> = all.iter().map(String::as_str).collect();
        let values: [Value; 3] = [
            collate::sort_key(&names.join(" ")).into(),
            collate::search_text(&all).into(),
            row.try_get::<Uuid>("", "id")?.into(),
        ];
        let sql = format!("UPDATE {table} SET sort_key = $1, search = $2 WHERE id = $3");
        connection.execute_raw(Statement::from_sql_and_values(backend, sql, values)).await?;
    }
    Ok(())
}

fn texts(row: &QueryResult, columns: &[&str]) -> Result<Vec<String>, DbErr> {
    columns.iter().map(|column| Ok(row.try_get::<Option<String>>("", column)?.unwrap_or_default())).collect()
}
