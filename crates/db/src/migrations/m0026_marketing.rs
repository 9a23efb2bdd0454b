//! Marketing: tokens, proof of answers, consent, suppression list, campaigns and who got them (issue 7).

use super::tables::{TableDef, add_columns};
use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, m: &SchemaManager) -> Result<(), DbErr> {
        consent(m).await?;
        campaigns(m).await?;
        // RFC 8058: where a mail program's own button unsubscribes.
        add_columns(m, &[("outbox", "unsubscribe", "text")]).await
    }
}

/// An address stands for its holder: consent belongs to it, not to an account.
async fn consent(m: &SchemaManager<'_>) -> Result<(), DbErr> {
    TableDef::with_id("marketing_token")
        .text(&["token_hash", "email", "permission", "language"])
        .uuid(&["campaign_id?"])
        .time(&["created_at", "expires_at"])
        .unique(&["token_hash"])
        .index(&["email", "created_at"])
        .index(&["expires_at"])
        .create(m)
        .await?;
    TableDef::with_id("marketing_answer")
        .text(&["email", "allow", "ip", "user_agent?", "text_version", "language", "source"])
        .uuid(&["token_id?", "user_id?"])
        .time(&["at"])
        .index(&["email", "at"])
        .create(m)
        .await?;
    no_updates(m, "marketing_answer").await?;
    TableDef::new("marketing_consent")
        .text(&["email", "language", "source"])
        .boolean(&["allow"])
        .time(&["at"])
        .primary(&["email"])
        .create(m)
        .await?;
    TableDef::new("marketing_suppression")
        .text(&["email", "reason"])
        .uuid(&["by_user?"])
        .time(&["at"])
        .primary(&["email"])
        .create(m)
        .await
}

async fn campaigns(m: &SchemaManager<'_>) -> Result<(), DbErr> {
    TableDef::with_id("campaign")
        .uuid(&["author_id"])
        .text(&["subject", "text", "roles", "language?", "status", "idempotency_key?", "fingerprint", "last_email?"])
        .big(&["total"])
        .time(&["send_at", "next_at", "created_at", "started_at?", "ended_at?"])
        .unique(&["author_id", "idempotency_key"])
        .index(&["status", "next_at"])
        .index(&["created_at"])
        .create(m)
        .await?;
    TableDef::new("campaign_recipient")
        .uuid(&["campaign_id", "message_id?"])
        .text(&["email"])
        .time(&["at"])
        .primary(&["campaign_id", "email"])
        .references("campaign_id", "campaign")
        .index(&["message_id"])
        .create(m)
        .await
}

/// A proof is added and, when its time is over, deleted; it is never changed.
async fn no_updates(m: &SchemaManager<'_>, table: &str) -> Result<(), DbErr> {
    let connection = m.get_connection();
    if m.get_database_backend() == sea_orm::DbBackend::Postgres {
        let function = format!(
            "CREATE FUNCTION {table}_no_update() RETURNS trigger LANGUAGE plpgsql AS \
             $$ BEGIN RAISE EXCEPTION '{table} is never changed'; END $$"
        );
        connection.execute_unprepared(&function).await?;
        let trigger = format!(
            "CREATE TRIGGER {table}_no_update BEFORE UPDATE ON {table} FOR EACH ROW EXECUTE FUNCTION {table}_no_update()"
        );
        connection.execute_unprepared(&trigger).await?;
        return Ok(());
    }
    let trigger = format!(
        "CREATE TRIGGER {table}_no_update BEFORE UPDATE ON {table} BEGIN SELECT RAISE(ABORT, '{table} is never changed'); END"
    );
    connection.execute_unprepared(&trigger).await?;
    Ok(())
}
