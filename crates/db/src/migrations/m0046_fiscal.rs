//! Who a taxpayer is since when, and requests to be named otherwise.

use super::tables::*;
use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

const COLUMNS: &[(&str, &str, &str)] = &[
    // The last version; 0 while a company is called as in the beginning, and has no row there.
    ("company", "fiscal_version", "integer NOT NULL DEFAULT 0"),
    // The open request.
    ("company", "fiscal_request_id", "uuid"),
];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, m: &SchemaManager) -> Result<(), DbErr> {
        add_columns(m, COLUMNS).await?;
        TableDef::with_id("fiscal_version")
            .uuid(&["company_id", "asked_by?", "approved_by?", "request_id?"])
            .int(&["number"])
            // Days in Madrid, `2026-11-27`; none: since always.
            .text(&["valid_from?", "company", "cif?", "address?", "city?", "region?", "postal_code?", "regime", "reason?"])
            .time(&["created_at"])
            .references("company_id", "company")
            .unique(&["company_id", "number"])
            .create(m)
            .await?;
        append_only(m, "fiscal_version").await?;
        TableDef::with_id("fiscal_request")
            .uuid(&["company_id", "asked_by", "decided_by?", "document_id?"])
            .text(&["status", "since", "note?", "answer?"])
            .text(&["document_name?", "document_kind?", "document_sha256?"])
            .big(&["document_bytes?"])
            // Of the document, wrapped.
            .blob(&["document_key?"])
            .json(&["wanted"])
            .time(&["asked_at", "decided_at?"])
            .references("company_id", "company")
            .index(&["company_id", "asked_at"])
            .index(&["status", "asked_at"])
            .create(m)
            .await
    }
}
