//! Transfers that quote an invoice, which a person confirms as its payment.

use super::tables::TableDef;
use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, m: &SchemaManager) -> Result<(), DbErr> {
        TableDef::with_id("payment_proposal")
            .uuid(&["file_id", "invoice_id", "company_id", "decided_by?"])
            .text(&["number", "reference", "state", "payer?", "text?", "booked?"])
            .big(&["amount"])
            .time(&["created_at", "decided_at?"])
            .references("file_id", "bank_file")
            .references("invoice_id", "invoice")
            .references("company_id", "company")
            .unique(&["reference"])
            .index(&["invoice_id"])
            .index(&["file_id"])
            .create(m)
            .await
    }
}
