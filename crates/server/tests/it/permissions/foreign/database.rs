//! The whole database as texts, to see what changed.

use atalaya_testkit::{Engine, TestApp};
use sea_orm::{ConnectionTrait, Statement};
use std::collections::{BTreeMap, BTreeSet};

/// Between the columns of a row.
const SEPARATOR: char = '\u{1f}';

/// Columns of every table, and the one query that reads them all.
pub struct Tables {
    columns: BTreeMap<String, Vec<String>>,
    sql: String,
}

/// A row: its table and its columns, as texts.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Stored {
    pub table: String,
    cells: Vec<String>,
}

async fn pairs(app: &TestApp, sql: &str) -> Vec<(String, String)> {
    let db = app.db.read();
    let rows = db.query_all_raw(Statement::from_string(db.get_database_backend(), sql)).await.expect("the query runs");
    let text = |row: &sea_orm::QueryResult, nth| row.try_get_by_index::<String>(nth).expect("a text");
    rows.iter().map(|row| (text(row, 0), text(row, 1))).collect()
}

impl Tables {
    pub async fn of(app: &TestApp) -> Self {
        let sql = match app.engine {
            Engine::Sqlite => {
                "SELECT m.name, p.name FROM sqlite_master m JOIN pragma_table_info(m.name) p \
                 WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%' \
                 AND m.name NOT LIKE 'conference_search%' ORDER BY m.name, p.cid"
            }
            Engine::Postgres => {
                "SELECT table_name::text, column_name::text FROM information_schema.columns \
                 WHERE table_schema = current_schema() ORDER BY table_name, ordinal_position"
            }
        };
        let mut columns: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (table, column) in pairs(app, sql).await {
            columns.entry(table).or_default().push(column);
        }
        let cell = |column: &String| match app.engine {
            Engine::Sqlite => format!(
                "CASE typeof(\"{column}\") WHEN 'blob' THEN hex(\"{column}\") ELSE coalesce(CAST(\"{column}\" AS TEXT), '') END"
            ),
            Engine::Postgres => format!("coalesce(\"{column}\"::text, '')"),
        };
        let joint = match app.engine {
            Engine::Sqlite => " || char(31) || ",
            Engine::Postgres => " || chr(31) || ",
        };
        let one = |(table, columns): (&String, &Vec<String>)| {
            let cells: Vec<_> = columns.iter().map(cell).collect();
            format!("SELECT '{table}', {} FROM \"{table}\"", cells.join(joint))
        };
        let sql = columns.iter().map(one).collect::<Vec<_>>().join(" UNION ALL ");
        Self { columns, sql }
    }

    /// Every row there is.
    pub async fn read(&self, app: &TestApp) -> BTreeSet<Stored> {
        let rows = pairs(app, &self.sql).await;
        let row = |(table, cells): (String, String)| Stored { table, cells: cells.split(SEPARATOR).map(str::to_owned).collect() };
        rows.into_iter().map(row).collect()
    }

    /// Names and values of a row's columns.
    fn named<'a>(&'a self, row: &'a Stored) -> impl Iterator<Item = (&'a str, &'a str)> {
        let columns = self.columns.get(&row.table).into_iter().flatten();
        columns.map(String::as_str).zip(row.cells.iter().map(String::as_str))
    }

    /// The row's own id.
    pub fn id(&self, row: &Stored) -> Option<String> {
        self.named(row).find(|(column, _)| *column == "id").and_then(|(_, value)| uuid_in(value))
    }

    /// Whether the row is, or belongs to, one of these.
    pub fn concerns(&self, row: &Stored, ids: &BTreeSet<String>) -> bool {
        let names_one = |(column, value): (&str, &str)| {
            (column == "id" || column.ends_with("_id")) && uuid_in(value).is_some_and(|id| ids.contains(&id))
        };
        self.named(row).any(names_one)
    }

    /// Whether this column of the row holds this id.
    pub fn names(&self, row: &Stored, column: &str, id: &str) -> bool {
        self.named(row).any(|(name, value)| name == column && uuid_in(value).as_deref() == Some(id))
    }

    /// Every UUID that is the whole of a column.
    pub fn uuids(&self, row: &Stored) -> Vec<String> {
        row.cells.iter().filter_map(|cell| uuid_in(cell)).collect()
    }

    /// The row for a message, column by column.
    pub fn shown(&self, row: &Stored) -> String {
        let cells: Vec<_> =
            self.named(row).filter(|(_, value)| !value.is_empty()).map(|(name, value)| format!("{name}={value}")).collect();
        let mut text = format!("{}: {}", row.table, cells.join(", "));
        text.truncate(text.char_indices().nth(700).map_or(text.len(), |(at, _)| at));
        text
    }
}

/// A UUID as the API writes it; SQLite keeps them as bytes, which come as hexadecimal digits here.
fn uuid_in(text: &str) -> Option<String> {
    if !matches!(text.len(), 32 | 36) {
        return None;
    }
    uuid::Uuid::try_parse(text).ok().map(|id| id.hyphenated().to_string())
}
