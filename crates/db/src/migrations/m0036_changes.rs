//! PostgreSQL tells all nodes of changes that they keep copies of, and of work that waits (`atalaya_changes`). On SQLite one
//! process uses the file and hears of its own writes.

use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

/// A session tells its user, with whom all his sessions are forgotten.
const TRIGGERS: &[&str] = &[
    "CREATE FUNCTION tell_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
     PERFORM pg_notify('atalaya_changes', TG_ARGV[0] || ':' || (to_jsonb(OLD) ->> TG_ARGV[1])); RETURN NULL; END $$",
    "CREATE FUNCTION tell_work() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
     PERFORM pg_notify('atalaya_changes', TG_ARGV[0] || ':' || (to_jsonb(NEW) ->> TG_ARGV[1])); RETURN NULL; END $$",
    "CREATE FUNCTION tell_anything() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
     PERFORM pg_notify('atalaya_changes', 'anything'); RETURN NULL; END $$",
    "CREATE TRIGGER session_told AFTER UPDATE ON session FOR EACH ROW \
     WHEN (OLD IS DISTINCT FROM NEW) EXECUTE FUNCTION tell_change('app_user', 'user_id')",
    "CREATE TRIGGER app_user_told AFTER UPDATE ON app_user FOR EACH ROW \
     WHEN (OLD IS DISTINCT FROM NEW) EXECUTE FUNCTION tell_change('app_user', 'id')",
    "CREATE TRIGGER company_told AFTER UPDATE ON company FOR EACH ROW \
     WHEN (OLD IS DISTINCT FROM NEW) EXECUTE FUNCTION tell_change('company', 'id')",
    "CREATE TRIGGER job_told AFTER INSERT ON job FOR EACH ROW EXECUTE FUNCTION tell_work('job', 'kind')",
    "CREATE TRIGGER outbox_told AFTER INSERT ON outbox FOR EACH ROW \
     WHEN (NEW.state = 'queued') EXECUTE FUNCTION tell_work('outbox', 'channel')",
];

/// Many rows at once go without a word for each.
const GONE: [&str; 3] = ["session", "app_user", "company"];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        if manager.get_database_backend() != sea_orm::DbBackend::Postgres {
            return Ok(());
        }
        let connection = manager.get_connection();
        for statement in TRIGGERS {
            connection.execute_unprepared(statement).await?;
        }
        for table in GONE {
            for verb in ["DELETE", "TRUNCATE"] {
                let name = verb.to_lowercase();
                let statement = format!(
                    "CREATE TRIGGER {table}_{name}_told AFTER {verb} ON {table} \
                     FOR EACH STATEMENT EXECUTE FUNCTION tell_anything()"
                );
                connection.execute_unprepared(&statement).await?;
            }
        }
        Ok(())
    }
}
