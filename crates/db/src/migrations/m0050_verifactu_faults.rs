//! Calls to the tax office that were refused as a whole: which records were in them, and in what words.

use super::tables::add_columns;
use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

const COLUMNS: &[(&str, &str, &str)] =
    &[("verifactu_chain", "last_error_text", "text"), ("verifactu_sending", "faults", "integer NOT NULL DEFAULT 0")];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, m: &SchemaManager) -> Result<(), DbErr> {
        add_columns(m, COLUMNS).await
    }
}
