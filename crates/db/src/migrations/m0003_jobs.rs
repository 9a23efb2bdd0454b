//! The job table and the outbox.

use super::tables::*;
use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, m: &SchemaManager) -> Result<(), DbErr> {
        TableDef::with_id("job")
            .text(&["kind", "state", "dedup_key?", "last_error?"])
            .json(&["payload"])
            .int(&["attempts", "max_attempts"])
            .time(&["run_at", "locked_until?", "created_at", "finished_at?"])
            .unique(&["dedup_key"])
            .index(&["state", "run_at"])
            .create(m)
            .await?;
        TableDef::with_id("outbox")
            .text(&[
                "channel",
                "purpose",
                "to_address",
                "sender?",
                "subject?",
                "text",
                "html?",
                "link?",
                "state",
                "provider_id?",
                "error?",
            ])
            .uuid(&["conference_id?", "company_id?"])
            .int(&["attempts"])
            .time(&["created_at", "next_attempt_at?", "locked_until?", "sent_at?"])
            .index(&["state", "next_attempt_at"])
            .index(&["created_at"])
            .index(&["conference_id", "created_at"])
            .create(m)
            .await?;
        Ok(())
    }
}
