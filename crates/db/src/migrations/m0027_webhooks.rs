//! Webhooks: endpoints of customers and deliveries to them; idempotency keys of the public API (issue 7).

use super::tables::TableDef;
use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, m: &SchemaManager) -> Result<(), DbErr> {
        // What a program called a conference itself; written before the conference, in its transaction.
        TableDef::with_id("conference_reference")
            .uuid(&["conference_id", "company_id"])
            .text(&["external_id"])
            .unique(&["conference_id"])
            .index(&["company_id", "external_id"])
            .create(m)
            .await?;
        // Which conference a call with an idempotency key opened; `digest` tells the same body from another one.
        TableDef::with_id("api_request")
            .uuid(&["company_id", "conference_id"])
            .text(&["idempotency_key", "digest"])
            .time(&["created_at"])
            .unique(&["company_id", "idempotency_key"])
            .index(&["conference_id"])
            .index(&["created_at"])
            .create(m)
            .await?;
        TableDef::with_id("webhook")
            .uuid(&["company_id"])
            // `secret` is sealed; `events` are names with commas between.
            .text(&["url", "secret", "events"])
            .int(&["failures"])
            .time(&["created_at", "failing_since?", "next_at?", "last_delivered_at?", "disabled_at?"])
            .references("company_id", "company")
            .index(&["company_id"])
            .create(m)
            .await?;
        TableDef::with_id("webhook_delivery")
            .uuid(&["webhook_id", "conference_id?"])
            .text(&["event", "body", "state", "error?"])
            .int(&["attempts", "status?"])
            .time(&["created_at", "due_at", "last_attempt_at?", "delivered_at?"])
            .references("webhook_id", "webhook")
            .index(&["webhook_id", "state", "due_at"])
            .index(&["webhook_id", "created_at"])
            .index(&["conference_id"])
            .index(&["created_at"])
            .create(m)
            .await
    }
}
