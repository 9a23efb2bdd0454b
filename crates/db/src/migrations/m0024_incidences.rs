//! Incidences: support tickets with images, answers, notes, their log and diagnostics (issue 7).

use super::tables::*;
use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, m: &SchemaManager) -> Result<(), DbErr> {
        TableDef::with_id("incidence")
            .uuid(&["company_id", "author_id", "last_by", "conference_id?"])
            .int(&["number", "image_count", "answer_count"])
            .small(&["incidence_type", "reason", "status"])
            .text(&["comments", "search", "expedient_number?", "expedient_key?", "phone_number?"])
            .blob(&["data_key?"])
            .json(&["diagnostics?"])
            .time(&["created_at", "updated_at", "last_answer_at?", "archived_at?"])
            .references("company_id", "company")
            .references("author_id", "app_user")
            .unique(&["number"])
            .index(&["company_id", "updated_at"])
            .index(&["author_id", "updated_at"])
            .index(&["status", "updated_at"])
            .index(&["updated_at"])
            .index(&["conference_id"])
            .index(&["expedient_key"])
            .index(&["archived_at"])
            .create(m)
            .await?;
        TableDef::with_id("incidence_entry")
            .uuid(&["incidence_id", "author_id"])
            .text(&["kind", "text"])
            .time(&["at"])
            .references("incidence_id", "incidence")
            .references("author_id", "app_user")
            .index(&["incidence_id", "at"])
            .create(m)
            .await?;
        TableDef::with_id("incidence_image")
            .uuid(&["incidence_id", "entry_id?"])
            .text(&["name", "mime", "blob_name"])
            .int(&["position", "width", "height"])
            .big(&["size_bytes"])
            .time(&["at"])
            .references("incidence_id", "incidence")
            .index(&["incidence_id", "at"])
            .create(m)
            .await?;
        TableDef::with_id("incidence_log")
            .uuid(&["incidence_id", "actor_id"])
            .text(&["action"])
            .small(&["from_value?", "to_value?"])
            .int(&["seq"])
            .time(&["at"])
            .references("incidence_id", "incidence")
            .unique(&["incidence_id", "seq"])
            .create(m)
            .await?;
        TableDef::with_id("incidence_reading")
            .uuid(&["incidence_id", "user_id"])
            .time(&["at"])
            .references("incidence_id", "incidence")
            .references("user_id", "app_user")
            .unique(&["incidence_id", "user_id"])
            .create(m)
            .await?;
        // One row, written with the first incidence: numbers are taken from it under its lock.
        TableDef::with_id("incidence_counter").int(&["last"]).create(m).await?;
        Ok(())
    }
}
