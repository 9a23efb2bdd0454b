//! Mandates, remittances, what banks answered, and files that go with e-mails (issue 6).

use super::tables::*;
use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, m: &SchemaManager) -> Result<(), DbErr> {
        TableDef::with_id("outbox_attachment")
            .uuid(&["outbox_id"])
            .small(&["position"])
            .text(&["name", "content_type"])
            .big(&["size"])
            .blob(&["bytes?"])
            .references("outbox_id", "outbox")
            .unique(&["outbox_id", "position"])
            .create(m)
            .await?;
        mandates(m).await?;
        remittances(m).await?;
        bank_files(m).await?;
        add_columns(m, &[("company", "account_id", "uuid")]).await?;
        for statement in STATEMENTS {
            m.get_connection().execute_unprepared(statement).await?;
        }
        append_only(m, "sepa_event").await
    }
}

async fn mandates(m: &SchemaManager<'_>) -> Result<(), DbErr> {
    TableDef::new("sepa_counter").text(&["name"]).big(&["value"]).primary(&["name"]).create(m).await?;
    TableDef::new("sepa_customer")
        .uuid(&["company_id"])
        .big(&["number"])
        .primary(&["company_id"])
        .unique(&["number"])
        .create(m)
        .await?;
    TableDef::with_id("sepa_secret")
        .blob(&["salt", "verifier"])
        .time(&["created_at"])
        .small(&["only"])
        .unique(&["only"])
        .create(m)
        .await?;
    TableDef::with_id("mandate")
        .uuid(&["company_id", "account_id", "created_by?"])
        .text(&["umr", "scheme", "sequence", "status", "iban_masked", "debtor_name", "debtor_nif?", "reason?", "document_name?"])
        .json(&["signature?"])
        .blob(&["document_key?"])
        .time(&["created_at", "signed_at?", "last_used_at?", "ended_at?"])
        .references("company_id", "company")
        .unique(&["umr"])
        .index(&["company_id", "status"])
        .index(&["status", "created_at"])
        .create(m)
        .await
}

async fn remittances(m: &SchemaManager<'_>) -> Result<(), DbErr> {
    TableDef::with_id("remittance")
        .text(&["msg_id", "version", "state", "sha256", "first_collection", "cancel_reason?"])
        .int(&["debits"])
        .big(&["total"])
        .json(&["excluded", "blocks"])
        .uuid(&["created_by"])
        .time(&["created_at", "ended_at?"])
        .unique(&["msg_id"])
        .index(&["created_at"])
        .create(m)
        .await?;
    TableDef::with_id("debit_attempt")
        .uuid(&["remittance_id", "invoice_id", "company_id", "mandate_id"])
        .text(&[
            "end_to_end",
            "number",
            "block",
            "umr",
            "scheme",
            "sequence",
            "collection",
            "state",
            "reason?",
            "booked?",
            "settled?",
            "retry?",
        ])
        .small(&["attempt"])
        .big(&["amount", "charges"])
        .time(&["created_at", "changed_at", "retry_at?"])
        .references("remittance_id", "remittance")
        .references("company_id", "company")
        .references("mandate_id", "mandate")
        .unique(&["end_to_end"])
        .index(&["remittance_id", "end_to_end"])
        .index(&["block", "umr"])
        .index(&["invoice_id", "attempt"])
        .index(&["company_id", "created_at"])
        .index(&["state", "changed_at"])
        .create(m)
        .await
}

async fn bank_files(m: &SchemaManager<'_>) -> Result<(), DbErr> {
    TableDef::with_id("bank_file")
        .text(&["sha256", "name", "messages"])
        .big(&["size"])
        .int(&["items", "unmatched"])
        .json(&["summary"])
        .uuid(&["created_by"])
        .time(&["created_at"])
        .unique(&["sha256"])
        .index(&["created_at"])
        .create(m)
        .await?;
    TableDef::with_id("sepa_event")
        .uuid(&["file_id", "attempt_id"])
        .text(&["end_to_end", "kind", "reason", "booked", "action"])
        .big(&["amount", "charges"])
        .time(&["at"])
        .references("file_id", "bank_file")
        .references("attempt_id", "debit_attempt")
        .unique(&["end_to_end", "kind", "reason", "booked"])
        .index(&["attempt_id", "at"])
        .index(&["file_id"])
        .create(m)
        .await
}

/// One live debit an invoice; one mandate an account; accounts of before.
const STATEMENTS: &[&str] = &[
    "CREATE UNIQUE INDEX uq_debit_attempt_live ON debit_attempt (invoice_id) WHERE state IN ('open', 'paid')",
    "CREATE UNIQUE INDEX uq_mandate_account ON mandate (company_id, account_id) WHERE status IN ('active', 'suspended')",
    "UPDATE company SET account_id = id WHERE has_iban",
];
