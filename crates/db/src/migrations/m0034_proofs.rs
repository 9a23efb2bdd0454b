//! When somebody last proved who he is, when a log-in began, and the secrets of messages.

use super::tables::*;
use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

const COLUMNS: &[(&str, &str, &str)] = &[
    // Of the log-in, or of a proof since; none for sessions from before.
    ("session", "proved_at", "timestamptz"),
    // Of the log-in that this token goes back to; none for sessions from before.
    ("session", "opened_at", "timestamptz"),
    // What the text and the link leave out, sealed; none once it was handed over or spent.
    ("outbox", "secret", "text"),
    // Of the text as it is sent; the chain of evidence names it.
    ("outbox", "text_sha256", "text"),
    // The administrator who was last shown the secret.
    ("outbox", "shown_to", "uuid"),
];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, m: &SchemaManager) -> Result<(), DbErr> {
        add_columns(m, COLUMNS).await?;
        let kept = "CREATE INDEX ix_outbox_secret ON outbox (id) WHERE secret IS NOT NULL";
        m.get_connection().execute_unprepared(kept).await?;
        Ok(())
    }
}
