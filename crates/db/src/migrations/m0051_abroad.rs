//! Taxpayers outside Spain: their country, and what VIES answered about their VAT number.

use super::tables::*;
use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

const COLUMNS: &[(&str, &str, &str)] = &[
    // ISO 3166-1, two letters; none: Spain.
    ("fiscal_version", "country", "text"),
    // When VIES confirmed the VAT number, and the number of that consultation.
    ("fiscal_version", "vies_at", "timestamptz"),
    ("fiscal_version", "vies_reference", "text"),
];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, m: &SchemaManager) -> Result<(), DbErr> {
        add_columns(m, COLUMNS).await
    }
}
