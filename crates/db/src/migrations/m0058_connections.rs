//! What both pages of a call tell about their connection, and what phones could do when they were tried without one.

use super::tables::TableDef;
use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, m: &SchemaManager) -> Result<(), DbErr> {
        TableDef::with_id("path_report")
            .uuid(&["conference_id"])
            .text(&["identity", "way?", "failed"])
            .int(&["rtt_ms?", "kbps?", "loss_percent?"])
            .time(&["at"])
            .references("conference_id", "conference")
            .index(&["conference_id"])
            .create(m)
            .await?;
        TableDef::with_id("phone_check")
            .text(&["code", "browser", "os"])
            .json(&["outcomes"])
            .time(&["at"])
            .unique(&["code"])
            .index(&["at"])
            .create(m)
            .await
    }
}
