//! Records for the tax office and stored documents.

use super::tables::{TableDef, append_only};
use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, m: &SchemaManager) -> Result<(), DbErr> {
        // One chain per issuer: its last link, and when the next call may be made.
        TableDef::with_id("verifactu_chain")
            .text(&["issuer", "hash?", "number?", "issue_date?", "last_error?"])
            .big(&["records"])
            .int(&["failures"])
            .time(&["at?", "next_at?", "last_error_at?"])
            .unique(&["issuer"])
            .create(m)
            .await?;
        TableDef::with_id("verifactu_record")
            .uuid(&["chain_id", "invoice_id"])
            .big(&["seq", "total?"])
            .text(&["kind", "invoice_type?", "correction", "environment"])
            .text(&["number", "issue_date", "hash", "xml"])
            .time(&["at"])
            .references("chain_id", "verifactu_chain")
            .references("invoice_id", "invoice")
            .unique(&["chain_id", "seq"])
            .index(&["invoice_id", "seq"])
            .index(&["at"])
            .create(m)
            .await?;
        append_only(m, "verifactu_record").await?;
        // What became of a record; its id is the record's.
        TableDef::with_id("verifactu_sending")
            .uuid(&["chain_id"])
            .big(&["seq"])
            .text(&["state", "csv?", "code?", "message?"])
            .int(&["attempts"])
            .time(&["sent_at?", "answered_at?"])
            .references("id", "verifactu_record")
            .index(&["chain_id", "state", "seq"])
            .index(&["state", "seq"])
            .create(m)
            .await?;
        TableDef::with_id("stored_document")
            .text(&["kind", "name", "sha256", "blob"])
            .uuid(&["subject_id"])
            .big(&["size_bytes"])
            .blob(&["data_key"])
            .time(&["created_at"])
            .unique(&["kind", "subject_id"])
            .create(m)
            .await?;
        append_only(m, "stored_document").await
    }
}
