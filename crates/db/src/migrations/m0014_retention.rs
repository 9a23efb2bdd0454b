//! Erasures with their proof, files that must go, what people asked about their data, and the one change that the activity
//! log allows: an address goes after its year.

use super::tables::*;
use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

/// Where files whose time is over, and people, are looked for.
const INDEXES: &[&str] = &[
    "CREATE INDEX ix_media_item_unexpired ON media_item (conference_id) WHERE expired_at IS NULL",
    "CREATE INDEX ix_conference_phone_number ON conference (phone_number)",
    "CREATE INDEX ix_outbox_to_address ON outbox (to_address)",
    "CREATE INDEX ix_audit_entry_address ON audit_entry (at) WHERE address IS NOT NULL",
];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, m: &SchemaManager) -> Result<(), DbErr> {
        TableDef::with_id("privacy_request")
            .uuid(&["company_id", "by_id"])
            .text(&["by_name", "kind", "subject", "reason?"])
            .int(&["conferences"])
            .time(&["at"])
            .index(&["company_id", "at"])
            .index(&["at"])
            .create(m)
            .await?;
        append_only(m, "privacy_request").await?;
        TableDef::with_id("erasure")
            .uuid(&["conference_id", "company_id", "by_id?", "request_id?"])
            .text(&["by_name", "reason", "head", "register"])
            .int(&["events", "media"])
            .time(&["at"])
            .references("conference_id", "conference")
            .unique(&["conference_id"])
            .index(&["company_id", "at"])
            .index(&["at"])
            .create(m)
            .await?;
        append_only(m, "erasure").await?;
        TableDef::with_id("file_deletion")
            .uuid(&["conference_id"])
            .text(&["name"])
            .boolean(&["folder"])
            .time(&["created_at"])
            .index(&["created_at"])
            .create(m)
            .await?;
        let connection = m.get_connection();
        for statement in INDEXES.iter().chain(addresses(m.get_database_backend())) {
            connection.execute_unprepared(statement).await?;
        }
        Ok(())
    }
}

/// The activity log stays append-only but for its addresses, which may be emptied and nothing else.
fn addresses(backend: sea_orm::DbBackend) -> &'static [&'static str] {
    match backend {
        sea_orm::DbBackend::Postgres => {
            &["CREATE OR REPLACE FUNCTION audit_entry_append_only() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
             IF TG_OP = 'UPDATE' THEN \
               IF NEW.address IS NULL AND OLD.address IS NOT NULL \
                 AND to_jsonb(NEW) - 'address' = to_jsonb(OLD) - 'address' THEN RETURN NEW; END IF; \
             END IF; \
             RAISE EXCEPTION 'audit_entry is append-only'; END $$"]
        }
        _ => &[
            "DROP TRIGGER audit_entry_no_update",
            "CREATE TRIGGER audit_entry_no_update BEFORE UPDATE ON audit_entry WHEN NOT ( \
               NEW.address IS NULL AND OLD.address IS NOT NULL AND NEW.id IS OLD.id AND NEW.at IS OLD.at \
               AND NEW.actor_id IS OLD.actor_id AND NEW.actor_role IS OLD.actor_role AND NEW.actor_name IS OLD.actor_name \
               AND NEW.company_id IS OLD.company_id AND NEW.user_id IS OLD.user_id AND NEW.action IS OLD.action \
               AND NEW.detail IS OLD.detail) \
             BEGIN SELECT RAISE(ABORT, 'audit_entry is append-only'); END",
        ],
    }
}
