//! Frozen pictures, and the marks that are drawn on pictures.

use super::tables::TableDef;
use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, m: &SchemaManager) -> Result<(), DbErr> {
        TableDef::with_id("frozen_picture")
            .uuid(&["conference_id", "media_id", "user_id"])
            .time(&["at"])
            .references("conference_id", "conference")
            .references("media_id", "media_item")
            .unique(&["conference_id"])
            .create(m)
            .await?;
        // `svg` is made from `marks`, and is what `sha256` and the chain speak of.
        TableDef::with_id("media_drawing")
            .uuid(&["conference_id", "media_id", "user_id"])
            .int(&["revision"])
            .json(&["marks"])
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
