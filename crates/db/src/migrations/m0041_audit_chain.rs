//! The audit log as a chain of hashes, and who was seen reading what.
//!
//! Entries from before have no place in the chain yet: the next start, or the next entry, gives them one.

use super::tables::*;
use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

const COLUMNS: &[(&str, &str, &str)] = &[
    ("audit_entry", "seq", "bigint"),
    ("audit_entry", "hash", "text"),
    // Names and addresses are in the chain as salted hashes only, so that they can be erased.
    ("audit_entry", "name_salt", "text"),
    ("audit_entry", "name_commitment", "text"),
    ("audit_entry", "address_salt", "text"),
    ("audit_entry", "address_commitment", "text"),
];

const STATEMENTS: &[&str] = &[
    "CREATE UNIQUE INDEX ux_audit_entry_seq ON audit_entry (seq)",
    "CREATE INDEX ix_audit_entry_unchained ON audit_entry (at) WHERE seq IS NULL",
];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, m: &SchemaManager) -> Result<(), DbErr> {
        add_columns(m, COLUMNS).await?;
        TableDef::with_id("audit_chain").big(&["seq"]).text(&["hash"]).create(m).await?;
        TableDef::new("audit_read")
            .uuid(&["actor_id"])
            .text(&["what", "object"])
            .big(&["hour"])
            .primary(&["actor_id", "what", "object", "hour"])
            .index(&["hour"])
            .create(m)
            .await?;
        let connection = m.get_connection();
        let backend = m.get_database_backend();
        for statement in STATEMENTS.iter().chain(triggers(backend)) {
            connection.execute_unprepared(statement).await?;
        }
        let id = match backend {
            sea_orm::DbBackend::Postgres => "'00000000-0000-0000-0000-000000000000'",
            _ => "zeroblob(16)",
        };
        let head = format!("INSERT INTO audit_chain (id, seq, hash) VALUES ({id}, 0, '{:064}')", 0);
        connection.execute_unprepared(&head).await?;
        Ok(())
    }
}

/// The log stays append-only but for two changes: an entry gets its place in the chain, once, and an address is emptied with its
/// salt.
fn triggers(backend: sea_orm::DbBackend) -> &'static [&'static str] {
    match backend {
        sea_orm::DbBackend::Postgres => {
            &["CREATE OR REPLACE FUNCTION audit_entry_append_only() RETURNS trigger LANGUAGE plpgsql AS $$ \
             DECLARE address text[] := ARRAY['address', 'address_salt']; \
             place text[] := ARRAY['seq', 'hash', 'name_salt', 'name_commitment', 'address_salt', 'address_commitment']; BEGIN \
             IF TG_OP = 'UPDATE' THEN \
               IF NEW.address IS NULL AND OLD.address IS NOT NULL AND NEW.address_salt IS NULL \
                 AND to_jsonb(NEW) - address = to_jsonb(OLD) - address THEN RETURN NEW; END IF; \
               IF OLD.seq IS NULL AND NEW.seq IS NOT NULL \
                 AND to_jsonb(NEW) - place = to_jsonb(OLD) - place THEN RETURN NEW; END IF; \
             END IF; \
             RAISE EXCEPTION 'audit_entry is append-only'; END $$"]
        }
        _ => &[
            "DROP TRIGGER audit_entry_no_update",
            "CREATE TRIGGER audit_entry_no_update BEFORE UPDATE ON audit_entry WHEN NOT ( \
               NEW.id IS OLD.id AND NEW.at IS OLD.at \
               AND NEW.actor_id IS OLD.actor_id AND NEW.actor_role IS OLD.actor_role AND NEW.actor_name IS OLD.actor_name \
               AND NEW.company_id IS OLD.company_id AND NEW.user_id IS OLD.user_id AND NEW.action IS OLD.action \
               AND NEW.detail IS OLD.detail AND ( \
                 (NEW.address IS NULL AND OLD.address IS NOT NULL AND NEW.address_salt IS NULL AND NEW.seq IS OLD.seq \
                   AND NEW.hash IS OLD.hash AND NEW.name_salt IS OLD.name_salt AND NEW.name_commitment IS OLD.name_commitment \
                   AND NEW.address_commitment IS OLD.address_commitment) \
                 OR (OLD.seq IS NULL AND NEW.seq IS NOT NULL AND NEW.address IS OLD.address))) \
             BEGIN SELECT RAISE(ABORT, 'audit_entry is append-only'); END",
        ],
    }
}
