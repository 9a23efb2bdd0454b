//! Media items and recordings.

use super::tables::*;
use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, m: &SchemaManager) -> Result<(), DbErr> {
        TableDef::with_id("media_item")
            .uuid(&["conference_id", "company_id", "recording_id?"])
            .text(&["filename", "original_file_name", "media_type", "hash", "mime", "origin", "method?", "capture_id?"])
            .text(&["participant?", "latitude?", "longitude?", "lens?", "blob_name", "thumbnail_blob?", "thumbnail_hash?"])
            .big(&["size_bytes", "duration_ms?"])
            .int(&["width?", "height?", "accuracy_m?"])
            .time(&["captured_at", "created_at", "device_at?"])
            .references("conference_id", "conference")
            .unique(&["filename"])
            .unique(&["conference_id", "capture_id"])
            .index(&["conference_id", "created_at"])
            .create(m)
            .await?;
        TableDef::with_id("recording")
            .uuid(&["conference_id"])
            .text(&["state", "started_by", "external_id?", "error?"])
            .big(&["paused_ms"])
            .time(&["started_at", "paused_at?", "stopped_at?"])
            .references("conference_id", "conference")
            .index(&["conference_id", "started_at"])
            .create(m)
            .await?;
        Ok(())
    }
}
