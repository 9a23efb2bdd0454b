//! Legal texts by kind, version and language (kind 3 is the end client's notice).

use super::tables::*;
use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, m: &SchemaManager) -> Result<(), DbErr> {
        TableDef::with_id("legal_text")
            .small(&["kind"])
            .int(&["version"])
            .text(&["language", "title", "html", "sha256"])
            .time(&["in_force_from", "created_at"])
            .unique(&["kind", "version", "language"])
            .create(m)
            .await?;
        Ok(())
    }
}
