//! Messaging: dispatcher control, delivery receipts, message texts and registered senders of companies (issue 7).

use super::tables::*;
use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

const COLUMNS: &[(&str, &str, &str)] = &[
    ("outbox", "provider", "text"),
    ("outbox", "reason", "text"),
    ("outbox", "delivered_at", "timestamptz"),
    ("outbox", "failed_at", "timestamptz"),
    ("outbox", "fallback_of", "uuid"),
    ("company", "sms_fold", "boolean NOT NULL DEFAULT true"),
    ("company", "sms_whatsapp", "boolean NOT NULL DEFAULT false"),
    ("company", "sms_sender_status", "text"),
    ("company", "sms_sender_nif", "text"),
    ("company", "sms_sender_provider", "text"),
    ("company", "sms_sender_at", "timestamptz"),
];

/// A message falls back once; receipts find theirs; the screen counts an hour without reading the whole table.
const INDEXES: &[&str] = &[
    "CREATE UNIQUE INDEX uq_outbox_fallback_of ON outbox (fallback_of) WHERE fallback_of IS NOT NULL",
    "CREATE INDEX ix_outbox_provider_id ON outbox (provider_id)",
    "CREATE INDEX ix_outbox_channel_sent_at ON outbox (channel, sent_at)",
    "CREATE INDEX ix_outbox_channel_delivered_at ON outbox (channel, delivered_at)",
    "CREATE INDEX ix_outbox_failed_at ON outbox (failed_at)",
];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, m: &SchemaManager) -> Result<(), DbErr> {
        add_columns(m, COLUMNS).await?;
        for statement in INDEXES {
            m.get_connection().execute_unprepared(statement).await?;
        }
        TableDef::new("message_control")
            .text(&["name", "changed_by"])
            .boolean(&["running"])
            .time(&["changed_at"])
            .primary(&["name"])
            .create(m)
            .await?;
        TableDef::with_id("message_receipt")
            .text(&["provider", "provider_id", "state", "reason?", "dedup"])
            .uuid(&["message_id?"])
            .time(&["received_at"])
            .unique(&["dedup"])
            .index(&["received_at"])
            .create(m)
            .await
    }
}
