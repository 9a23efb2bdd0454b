//! What a company wants to read on electronic invoices to it.

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
            .await
    }
}
