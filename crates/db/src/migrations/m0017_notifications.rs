//! General and personal notifications, who has read what (issue 5).

use super::tables::*;
use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, m: &SchemaManager) -> Result<(), DbErr> {
        TableDef::with_id("general_notification")
            .uuid(&["author_id"])
            .text(&["text", "url?", "body?"])
            .small(&["role_group"])
            .time(&["created_at", "start_at", "expires_at", "announced_at?", "withdrawn_at?"])
            .references("author_id", "app_user")
            .index(&["start_at"])
            .index(&["expires_at"])
            .create(m)
            .await?;
        TableDef::new("general_notification_read")
            .uuid(&["user_id", "notification_id"])
            .time(&["at"])
            .primary(&["user_id", "notification_id"])
            .references("user_id", "app_user")
            .references("notification_id", "general_notification")
            .index(&["notification_id"])
            .create(m)
            .await?;
        TableDef::with_id("personal_notification")
            .uuid(&["user_id", "conference_id?", "request_id?"])
            .text(&["text_id?", "text", "expedient?", "target?"])
            .small(&["action"])
            .time(&["created_at", "read_at?"])
            .references("user_id", "app_user")
            .index(&["user_id", "created_at"])
            .index(&["user_id", "read_at"])
            .index(&["conference_id"])
            .index(&["request_id"])
            .index(&["read_at"])
            .create(m)
            .await
    }
}
