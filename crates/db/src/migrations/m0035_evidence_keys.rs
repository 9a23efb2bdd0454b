//! Keys of evidence, and the signatures of seals and certificates. Earlier ones have none.

use super::tables::*;
use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

const COLUMNS: &[(&str, &str, &str)] = &[
    ("evidence_seal", "fingerprint", "text"),
    ("evidence_seal", "signature", "text"),
    ("certificate", "fingerprint", "text"),
    ("certificate", "signature", "text"),
    ("certificate", "issuing_company", "text"),
    ("certificate", "issuing_tax_id", "text"),
];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, m: &SchemaManager) -> Result<(), DbErr> {
        TableDef::with_id("evidence_key")
            .text(&["fingerprint", "public_key", "previous?", "endorsement?", "stolen_on?"])
            .time(&["since", "until?"])
            .unique(&["fingerprint"])
            .create(m)
            .await?;
        add_columns(m, COLUMNS).await
    }
}
