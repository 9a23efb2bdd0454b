//! Nothing is written under a key that was forgotten (KEYS-4): a server that has not heard of it is refused by the database.

use super::tables::*;
use sea_orm::DbBackend;
use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

/// Columns of sealed texts: eight digits, the id of the key, and a dot stand before each.
const TEXTS: &[(&str, &str)] = &[
    ("company", "bank_account"),
    ("app_user", "two_factor_secret"),
    ("webhook", "secret"),
    ("push_subscription", "sealed"),
    ("outbox", "secret"),
];

/// Columns of wrapped keys: the first eight bytes are the id of the key that wrapped them.
const WRAPPED: &[(&str, &str)] = &[
    ("conference", "data_key"),
    ("incidence", "data_key"),
    ("stored_document", "data_key"),
    ("mandate", "document_key"),
    ("fiscal_request", "document_key"),
];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, m: &SchemaManager) -> Result<(), DbErr> {
        TableDef::new("forgotten_key").text(&["key_id"]).time(&["at"]).primary(&["key_id"]).create(m).await?;
        let backend = m.get_database_backend();
        for (places, binary) in [(TEXTS, false), (WRAPPED, true)] {
            for (table, column) in places {
                for statement in guard(backend, table, column, binary) {
                    m.get_connection().execute_unprepared(&statement).await?;
                }
            }
        }
        Ok(())
    }
}

/// Refuses a value of this column whose key is forgotten. One that stays as it was is not looked at.
fn guard(backend: DbBackend, table: &str, column: &str, binary: bool) -> Vec<String> {
    let name = format!("{table}_{column}_known_key");
    if backend == DbBackend::Postgres {
        let id = match binary {
            true => format!("encode(substring(NEW.{column} from 1 for 8), 'hex')"),
            false => format!("left(NEW.{column}, 8)"),
        };
        return vec![
            format!(
                "CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
                 IF TG_OP = 'UPDATE' THEN \
                   IF NEW.{column} IS NOT DISTINCT FROM OLD.{column} THEN RETURN NEW; END IF; \
                 END IF; \
                 IF EXISTS (SELECT 1 FROM forgotten_key WHERE key_id = {id}) THEN \
                   RAISE EXCEPTION 'the key of {table}.{column} is forgotten'; \
                 END IF; \
                 RETURN NEW; END $$"
            ),
            format!(
                "CREATE TRIGGER {name} BEFORE INSERT OR UPDATE OF {column} ON {table} FOR EACH ROW \
                 WHEN (NEW.{column} IS NOT NULL) EXECUTE FUNCTION {name}()"
            ),
        ];
    }
    let id = match binary {
        true => format!("lower(hex(substr(NEW.{column}, 1, 8)))"),
        false => format!("substr(NEW.{column}, 1, 8)"),
    };
    let known = format!("NEW.{column} IS NOT NULL AND EXISTS (SELECT 1 FROM forgotten_key WHERE key_id = {id})");
    let refuse = format!("BEGIN SELECT RAISE(ABORT, 'the key of {table}.{column} is forgotten'); END");
    vec![
        format!("CREATE TRIGGER {name} BEFORE INSERT ON {table} WHEN {known} {refuse}"),
        format!(
            "CREATE TRIGGER {name}_update BEFORE UPDATE OF {column} ON {table} \
             WHEN NEW.{column} IS NOT OLD.{column} AND {known} {refuse}"
        ),
    ]
}
