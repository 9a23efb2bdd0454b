//! What customers were told of debits before they happen, and the months that a run still has before it (issue 6).

use super::tables::{TableDef, add_columns, append_only};
use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        TableDef::with_id("debit_notice")
            .uuid(&["invoice_id", "company_id", "message_id"])
            .text(&["umr", "collection"])
            .big(&["amount"])
            .time(&["at"])
            .references("invoice_id", "invoice")
            .references("company_id", "company")
            .index(&["invoice_id", "at"])
            .create(manager)
            .await?;
        append_only(manager, "debit_notice").await?;
        // Names of months, with commas in between.
        add_columns(manager, &[("invoice_run", "rest", "text")]).await
    }
}
