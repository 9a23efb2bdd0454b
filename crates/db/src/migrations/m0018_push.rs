//! Devices that web push reaches, and what is on its way to them (issue 5).

use super::tables::*;
use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, m: &SchemaManager) -> Result<(), DbErr> {
        TableDef::with_id("push_subscription")
            .uuid(&["user_id"])
            .text(&["endpoint_digest", "sealed", "session_key", "browser", "os"])
            .time(&["expires_at?", "created_at", "seen_at", "last_ok_at?"])
            .references("user_id", "app_user")
            .unique(&["endpoint_digest"])
            .index(&["user_id"])
            .index(&["session_key"])
            .create(m)
            .await?;
        // No foreign key: a device may go while something is on its way to it.
        TableDef::with_id("push_delivery")
            .uuid(&["batch_id", "subscription_id"])
            .text(&["payload", "kind", "tag"])
            .int(&["attempts"])
            .time(&["due_at", "expires_at"])
            .index(&["batch_id"])
            .index(&["subscription_id"])
            .index(&["tag"])
            .index(&["expires_at"])
            .create(m)
            .await
    }
}
