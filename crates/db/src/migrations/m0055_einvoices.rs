//! What a company wants to read on electronic invoices to it, and what it says of them.

use super::tables::TableDef;
use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, m: &SchemaManager) -> Result<(), DbErr> {
        // Its key is that of the company.
        TableDef::with_id("buyer_codes")
            .text(&["reference?", "accounting?", "managing?", "processing?"])
            .time(&["updated_at"])
            .references("id", "company")
            .create(m)
            .await?;
        // `day` is the day on which it happened.
        TableDef::with_id("invoice_message")
            .uuid(&["invoice_id", "user_id"])
            .text(&["status", "day", "reason?"])
            .boolean(&["by_customer"])
            .time(&["at"])
            .references("invoice_id", "invoice")
            .index(&["invoice_id", "at"])
            .create(m)
            .await
    }
}
