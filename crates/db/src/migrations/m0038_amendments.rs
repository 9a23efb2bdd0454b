//! What banks were told of mandates and of who collects, so that the next debit says what changed since.

use super::tables::add_columns;
use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

const COLUMNS: &[(&str, &str, &str)] = &[
    // Reference of the mandate in use before the customer changed the account.
    ("mandate", "follows", "text"),
    // The creditor in the file; none of files from before.
    ("remittance", "creditor_name", "text"),
    ("remittance", "creditor_id", "text"),
];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, m: &SchemaManager) -> Result<(), DbErr> {
        add_columns(m, COLUMNS).await
    }
}
