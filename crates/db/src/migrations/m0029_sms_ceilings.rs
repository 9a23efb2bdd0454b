//! How many SMS a company may send, since when its sender name is where it is, and by what a case's link may fall back
//! (issue 7).

use super::tables::*;
use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

const COLUMNS: &[(&str, &str, &str)] = &[
    ("company", "sms_sender_since", "timestamptz"),
    // Names of channels with commas between; empty: none; absent: as the company has it.
    ("conference", "link_fallback", "text"),
];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, m: &SchemaManager) -> Result<(), DbErr> {
        add_columns(m, COLUMNS).await?;
        // `id` is the company's.
        TableDef::with_id("sms_ceiling").int(&["per_hour?", "per_day?"]).text(&["told_on?"]).create(m).await?;
        let counted = "CREATE INDEX ix_outbox_company_sms ON outbox (company_id, created_at) WHERE channel = 'sms'";
        m.get_connection().execute_unprepared(counted).await?;
        Ok(())
    }
}
