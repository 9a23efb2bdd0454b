//! What both pages of a call tell about their connection.

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
            .await
    }
}
