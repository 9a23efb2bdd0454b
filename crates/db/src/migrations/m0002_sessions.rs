//! Sessions, the opaque ids handed out before the password, and failed log-ins.

use super::tables::*;
use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, m: &SchemaManager) -> Result<(), DbErr> {
        TableDef::with_id("session")
            .uuid(&["user_id", "renewed_from?"])
            .time(&["created_at", "expires_at", "ended_at?"])
            .text(&["session_key", "user_agent?", "address?"])
            .references("user_id", "app_user")
            .index(&["user_id", "expires_at"])
            .create(m)
            .await?;
        TableDef::new("login_ticket")
            .text(&["id"])
            .uuid(&["user_id"])
            .time(&["expires_at"])
            .primary(&["id"])
            .index(&["expires_at"])
            .create(m)
            .await?;
        TableDef::with_id("login_failure").text(&["subject"]).time(&["at"]).index(&["subject", "at"]).create(m).await?;
        Ok(())
    }
}
