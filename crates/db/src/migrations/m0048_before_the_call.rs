//! WhatsApp before the SMS, appointments with a client, and how sharp pictures are.

use super::tables::*;
use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

const COLUMNS: &[(&str, &str, &str)] = &[
    ("company", "sms_whatsapp_first", "boolean NOT NULL DEFAULT false"),
    // Nothing but a person closes a conference before then.
    ("conference", "held_until", "timestamptz"),
    // Of a picture's small copy; none before this migration, and where the server cannot decode it.
    ("media_item", "sharpness", "integer"),
];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, m: &SchemaManager) -> Result<(), DbErr> {
        add_columns(m, COLUMNS).await?;
        // `state`: `proposed`, `agreed` or `cancelled`; `proposed_by`: `staff` or `client`.
        TableDef::with_id("appointment")
            .uuid(&["conference_id", "company_id", "user_id"])
            .text(&["state", "proposed_by"])
            .int(&["sequence"])
            .time(&["at", "created_at", "changed_at", "remind_at?"])
            .references("conference_id", "conference")
            .unique(&["conference_id"])
            .index(&["company_id", "at"])
            .index(&["remind_at"])
            .create(m)
            .await?;
        // For the ceilings, as that of SMS (`m0029`).
        let counted = "CREATE INDEX ix_outbox_company_whatsapp ON outbox (company_id, created_at) WHERE channel = 'whatsapp'";
        m.get_connection().execute_unprepared(counted).await?;
        Ok(())
    }
}
