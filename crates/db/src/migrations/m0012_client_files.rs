//! Requests for files, what they ask for and what is being uploaded.

use super::tables::*;
use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, m: &SchemaManager) -> Result<(), DbErr> {
        TableDef::with_id("file_request")
            .uuid(&["conference_id", "company_id", "user_id"])
            .small(&["contact_type"])
            .text(&["user_name", "to_address", "contact_text", "email_title?", "page_show_text?", "token", "short_code"])
            .boolean(&["remind", "notify"])
            .time(&["created_at", "expires_at", "opened_at?", "finished_at?", "cancelled_at?"])
            .time(&["remind_at?", "notify_at?", "rejected_notice_at?"])
            .references("conference_id", "conference")
            .references("user_id", "app_user")
            .unique(&["token"])
            .unique(&["short_code"])
            .index(&["conference_id", "created_at"])
            .index(&["remind_at"])
            .index(&["notify_at"])
            .index(&["rejected_notice_at"])
            .create(m)
            .await?;
        TableDef::with_id("file_request_item")
            .uuid(&["request_id"])
            .int(&["position"])
            .text(&["shot?", "label", "hint?", "overlay?", "state", "note?"])
            .references("request_id", "file_request")
            .unique(&["request_id", "position"])
            .create(m)
            .await?;
        TableDef::with_id("file_upload")
            .uuid(&["request_id", "conference_id", "item_id", "media_id?"])
            .text(&["upload_key", "name", "declared_type", "segments", "state", "code?"])
            .big(&["size_bytes", "offset_bytes"])
            .int(&["width?", "height?"])
            .time(&["created_at", "updated_at", "captured_at?"])
            .references("request_id", "file_request")
            .references("item_id", "file_request_item")
            .unique(&["request_id", "upload_key"])
            .index(&["state", "updated_at"])
            .create(m)
            .await
    }
}
