//! Keys of kept documents may be wrapped anew (KEYS-3).

use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, m: &SchemaManager) -> Result<(), DbErr> {
        for statement in documents(m.get_database_backend()) {
            m.get_connection().execute_unprepared(statement).await?;
        }
        Ok(())
    }
}

/// Kept documents stay as they are, but the key of one may be wrapped anew when the master key changes.
fn documents(backend: sea_orm::DbBackend) -> &'static [&'static str] {
    match backend {
        sea_orm::DbBackend::Postgres => {
            &["CREATE OR REPLACE FUNCTION stored_document_append_only() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
             IF TG_OP = 'UPDATE' THEN \
               IF to_jsonb(NEW) - 'data_key' = to_jsonb(OLD) - 'data_key' THEN RETURN NEW; END IF; \
             END IF; \
             RAISE EXCEPTION 'stored_document is append-only'; END $$"]
        }
        _ => &[
            "DROP TRIGGER stored_document_no_update",
            "CREATE TRIGGER stored_document_no_update BEFORE UPDATE ON stored_document WHEN NOT ( \
               NEW.id IS OLD.id AND NEW.kind IS OLD.kind AND NEW.name IS OLD.name AND NEW.sha256 IS OLD.sha256 \
               AND NEW.blob IS OLD.blob AND NEW.subject_id IS OLD.subject_id AND NEW.size_bytes IS OLD.size_bytes \
               AND NEW.created_at IS OLD.created_at) \
             BEGIN SELECT RAISE(ABORT, 'stored_document is append-only'); END",
        ],
    }
}
