//! What a review adds to media and conferences: labels, notes, requests, verdicts, expiry and erasure (issue 4).

use super::tables::*;
use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

const COLUMNS: &[(&str, &str, &str)] = &[
    ("media_item", "label", "text"),
    ("media_item", "note", "text"),
    ("media_item", "shot", "text"),
    ("media_item", "request_id", "uuid"),
    ("media_item", "item_id", "uuid"),
    ("media_item", "review", "text"),
    ("media_item", "review_note", "text"),
    ("media_item", "reviewed_by", "uuid"),
    ("media_item", "reviewed_at", "timestamptz"),
    ("media_item", "preview_blob", "text"),
    ("media_item", "preview_hash", "text"),
    ("media_item", "expired_at", "timestamptz"),
    ("conference", "stage", "smallint NOT NULL DEFAULT 0"),
    ("conference", "media_expired_at", "timestamptz"),
    ("conference", "erased_at", "timestamptz"),
];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, m: &SchemaManager) -> Result<(), DbErr> {
        add_columns(m, COLUMNS).await
    }
}
