//! Steps of a client's page that repeat too often to be events of their own: how often, until an event says so. Hashes of
//! pictures that a device announces. Who was removed from a call. When the adjuster let a device in.

use super::tables::{TableDef, add_columns};
use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, m: &SchemaManager) -> Result<(), DbErr> {
        TableDef::with_id("evidence_repeat")
            .uuid(&["conference_id"])
            .text(&["event_type"])
            .int(&["count"])
            .references("conference_id", "conference")
            .unique(&["conference_id", "event_type"])
            .create(m)
            .await?;
        TableDef::with_id("capture_announcement")
            .uuid(&["conference_id"])
            .text(&["capture_id", "sha256"])
            .time(&["at"])
            .references("conference_id", "conference")
            .unique(&["conference_id", "capture_id"])
            .create(m)
            .await?;
        TableDef::with_id("media_removal")
            .uuid(&["conference_id"])
            .text(&["identity"])
            .time(&["at"])
            .references("conference_id", "conference")
            .unique(&["conference_id", "identity"])
            .create(m)
            .await?;
        add_columns(m, &[("client_device", "admitted_at", "timestamptz")]).await
    }
}
