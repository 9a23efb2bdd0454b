//! What is measured on pictures.

use super::tables::TableDef;
use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, m: &SchemaManager) -> Result<(), DbErr> {
        // `svg` is made from `planes`, and is what `sha256` and the chain speak of.
        TableDef::with_id("media_measure")
            .uuid(&["conference_id", "media_id", "user_id"])
            .int(&["revision"])
            .json(&["planes"])
            .text(&["svg", "sha256"])
            .time(&["at"])
            .references("conference_id", "conference")
            .references("media_id", "media_item")
            .unique(&["media_id"])
            .index(&["conference_id"])
            .create(m)
            .await
    }
}
