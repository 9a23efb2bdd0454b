//! Words for writing tables down shortly, the same on both engines.

use sea_orm_migration::prelude::*;

/// A table under construction: every column is required unless its word ends in `?`.
pub struct TableDef {
    create: TableCreateStatement,
    name: &'static str,
    indexes: Vec<IndexCreateStatement>,
}

impl TableDef {
    pub fn new(name: &'static str) -> Self {
        let mut create = Table::create();
        create.table(name);
        Self { create, name, indexes: Vec::new() }
    }

    /// Starts a table with a UUID primary key `id`.
    pub fn with_id(name: &'static str) -> Self {
        let mut def = Self::new(name);
        def.create.col(ColumnDef::new("id").uuid().not_null().primary_key());
        def
    }

    fn col(mut self, name: &'static str, shape: impl FnOnce(&mut ColumnDef) -> &mut ColumnDef) -> Self {
        let (name, optional) = match name.strip_suffix('?') {
            Some(name) => (name, true),
            None => (name, false),
        };
        let mut column = ColumnDef::new(name);
        shape(&mut column);
        if !optional {
            column.not_null();
        }
        self.create.col(column);
        self
    }

    pub fn text(self, names: &[&'static str]) -> Self {
        names.iter().fold(self, |def, name| def.col(name, |c| c.text()))
    }
    pub fn uuid(self, names: &[&'static str]) -> Self {
        names.iter().fold(self, |def, name| def.col(name, |c| c.uuid()))
    }
    pub fn small(self, names: &[&'static str]) -> Self {
        names.iter().fold(self, |def, name| def.col(name, |c| c.small_integer()))
    }
    pub fn int(self, names: &[&'static str]) -> Self {
        names.iter().fold(self, |def, name| def.col(name, |c| c.integer()))
    }
    pub fn big(self, names: &[&'static str]) -> Self {
        names.iter().fold(self, |def, name| def.col(name, |c| c.big_integer()))
    }
    pub fn boolean(self, names: &[&'static str]) -> Self {
        names.iter().fold(self, |def, name| def.col(name, |c| c.boolean()))
    }
    pub fn time(self, names: &[&'static str]) -> Self {
        names.iter().fold(self, |def, name| def.col(name, |c| c.timestamp_with_time_zone()))
    }
    pub fn json(self, names: &[&'static str]) -> Self {
        names.iter().fold(self, |def, name| def.col(name, |c| c.json_binary()))
    }
    pub fn blob(self, names: &[&'static str]) -> Self {
        names.iter().fold(self, |def, name| def.col(name, |c| c.blob()))
    }

    /// A foreign key to `table.id`.
    pub fn references(mut self, column: &'static str, table: &'static str) -> Self {
        self.create.foreign_key(ForeignKey::create().from(self.name, column).to(table, "id"));
        self
    }

    pub fn primary(mut self, columns: &[&'static str]) -> Self {
        let mut index = Index::create();
        for column in columns {
            index.col(*column);
        }
        self.create.primary_key(&mut index);
        self
    }

    pub fn unique(self, columns: &[&'static str]) -> Self {
        self.index_of(columns, true)
    }

    pub fn index(self, columns: &[&'static str]) -> Self {
        self.index_of(columns, false)
    }

    fn index_of(mut self, columns: &[&'static str], unique: bool) -> Self {
        let mut index = Index::create();
        index.name(format!("{}_{}_{}", if unique { "uq" } else { "ix" }, self.name, columns.join("_"))).table(self.name);
        for column in columns {
            index.col(*column);
        }
        if unique {
            index.unique();
        }
        self.indexes.push(index);
        self
    }

    pub async fn create(self, manager: &SchemaManager<'_>) -> Result<(), DbErr> {
        manager.create_table(self.create).await?;
        for index in self.indexes {
            manager.create_index(index).await?;
        }
        Ok(())
    }
}

/// Adds columns to tables of earlier migrations; SQLite takes one at a time. `(table, column, shape)`, with `timestamptz`
/// for a moment.
pub async fn add_columns(manager: &SchemaManager<'_>, columns: &[(&str, &str, &str)]) -> Result<(), DbErr> {
    let sqlite = manager.get_database_backend() == sea_orm::DbBackend::Sqlite;
    for (table, column, shape) in columns {
        // The name sea-orm gives such a column on SQLite.
        let shape = if sqlite { shape.replace("timestamptz", "timestamp_with_timezone_text") } else { (*shape).to_owned() };
        manager.get_connection().execute_unprepared(&format!("ALTER TABLE {table} ADD COLUMN {column} {shape}")).await?;
    }
    Ok(())
}

/// Makes a table append-only on both engines: rows may be added, never changed or deleted.
pub async fn append_only(manager: &SchemaManager<'_>, table: &str) -> Result<(), DbErr> {
    let connection = manager.get_connection();
    let statements = match manager.get_database_backend() {
        sea_orm::DbBackend::Postgres => vec![
            format!(
                "CREATE FUNCTION {table}_append_only() RETURNS trigger LANGUAGE plpgsql AS \
                 $$ BEGIN RAISE EXCEPTION '{table} is append-only'; END $$"
            ),
            format!(
                "CREATE TRIGGER {table}_append_only BEFORE UPDATE OR DELETE ON {table} \
                 FOR EACH ROW EXECUTE FUNCTION {table}_append_only()"
            ),
            // TRUNCATE passes by the triggers of rows.
            format!(
                "CREATE TRIGGER {table}_no_truncate BEFORE TRUNCATE ON {table} \
                 FOR EACH STATEMENT EXECUTE FUNCTION {table}_append_only()"
            ),
        ],
        _ => ["UPDATE", "DELETE"]
            .iter()
            .map(|verb| {
                format!(
                    "CREATE TRIGGER {table}_no_{} BEFORE {verb} ON {table} \
                     BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END",
                    verb.to_lowercase()
                )
            })
            .collect(),
    };
    for statement in statements {
        connection.execute_unprepared(&statement).await?;
    }
    Ok(())
}
