//! Invitations and other single-use links, second factor, passkeys, API keys, audit log, insurance companies, and what
//! lists are searched and sorted by.

use super::tables::*;
use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

/// Columns added to tables of earlier migrations; SQLite takes one at a time.
const COLUMNS: &[(&str, &str, &str)] = &[
    ("company", "search", "text NOT NULL DEFAULT ''"),
    ("company", "sort_key", "text NOT NULL DEFAULT ''"),
    ("company", "iban_hash", "text"),
    ("company", "iban_country", "text"),
    ("company", "iban_bank", "text"),
    ("company", "bic", "text"),
    ("company", "registry_data", "text"),
    ("company", "creditor_suffix", "text"),
    ("app_user", "search", "text NOT NULL DEFAULT ''"),
    ("app_user", "sort_key", "text NOT NULL DEFAULT ''"),
    ("app_user", "two_factor_step", "bigint"),
    ("app_user", "password_changed_at", "timestamptz"),
];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, m: &SchemaManager) -> Result<(), DbErr> {
        let connection = m.get_connection();
        let sqlite = m.get_database_backend() == sea_orm::DbBackend::Sqlite;
        for (table, column, shape) in COLUMNS {
            // The name sea-orm gives such a column on SQLite.
            let shape = if sqlite { shape.replace("timestamptz", "timestamp_with_timezone_text") } else { (*shape).to_owned() };
            // Sort keys are ordered byte by byte, as SQLite does by itself.
            let shape = if !sqlite && *column == "sort_key" { shape.replace("text", "text COLLATE \"C\"") } else { shape };
            connection.execute_unprepared(&format!("ALTER TABLE {table} ADD COLUMN {column} {shape}")).await?;
        }
        for statement in [
            "UPDATE company SET sort_key = lower(company), search = lower(company)",
            "UPDATE app_user SET sort_key = lower(surname || ' ' || name), \
             search = lower(name || ' ' || surname || ' ' || user_name)",
            "CREATE INDEX ix_company_kind_sort_key ON company (kind, sort_key)",
            "CREATE INDEX ix_company_kind_cif ON company (kind, cif)",
            "CREATE INDEX ix_app_user_parent_sort_key ON app_user (parent, sort_key)",
        ] {
            connection.execute_unprepared(statement).await?;
        }
        links(m).await?;
        keys(m).await?;
        companies(m).await?;
        if !sqlite {
            let sort_key = "ALTER TABLE insurance_company ALTER COLUMN sort_key TYPE text COLLATE \"C\"";
            connection.execute_unprepared(sort_key).await?;
        }
        TableDef::with_id("audit_entry")
            .time(&["at"])
            .uuid(&["actor_id?", "company_id", "user_id?"])
            .small(&["actor_role?"])
            .text(&["actor_name", "action", "address?"])
            .json(&["detail"])
            .index(&["company_id", "at"])
            .index(&["user_id", "at"])
            .index(&["at"])
            .create(m)
            .await?;
        append_only(m, "audit_entry").await
    }
}

/// Invitations, activations by an administrator, resets; and what lies between password and second factor.
async fn links(m: &SchemaManager<'_>) -> Result<(), DbErr> {
    TableDef::with_id("account_token")
        .text(&["kind", "token_hash", "address", "language"])
        .small(&["role?"])
        .uuid(&["company_id?", "user_id?", "inviter_id?", "outbox_id?", "created_user_id?"])
        .time(&["created_at", "expires_at", "opened_at?", "used_at?", "replaced_at?"])
        .unique(&["token_hash"])
        .index(&["company_id", "created_at"])
        .index(&["inviter_id", "created_at"])
        .index(&["user_id", "kind"])
        .create(m)
        .await?;
    TableDef::with_id("pending_login").uuid(&["user_id"]).time(&["expires_at"]).index(&["expires_at"]).create(m).await?;
    TableDef::with_id("recovery_code")
        .uuid(&["user_id"])
        .text(&["code_hash"])
        .time(&["created_at", "used_at?"])
        .references("user_id", "app_user")
        .unique(&["user_id", "code_hash"])
        .create(m)
        .await
}

async fn keys(m: &SchemaManager<'_>) -> Result<(), DbErr> {
    TableDef::with_id("passkey")
        .uuid(&["user_id"])
        .text(&["credential_id", "name"])
        .json(&["data"])
        .time(&["created_at", "last_used_at?"])
        .references("user_id", "app_user")
        .unique(&["credential_id"])
        .index(&["user_id"])
        .create(m)
        .await?;
    TableDef::with_id("passkey_ceremony")
        .uuid(&["user_id?"])
        .text(&["kind"])
        .json(&["state"])
        .time(&["expires_at"])
        .index(&["expires_at"])
        .create(m)
        .await?;
    TableDef::with_id("api_key")
        .uuid(&["company_id", "created_by"])
        .text(&["prefix", "key_hash"])
        .time(&["created_at", "last_used_at?", "revoked_at?"])
        .references("company_id", "company")
        .unique(&["key_hash"])
        .index(&["company_id", "created_at"])
        .create(m)
        .await
}

async fn companies(m: &SchemaManager<'_>) -> Result<(), DbErr> {
    TableDef::with_id("insurance_company")
        .text(&["name", "sort_key"])
        .boolean(&["active"])
        .time(&["created_at"])
        .create(m)
        .await?;
    TableDef::new("customer_insurance")
        .uuid(&["insurance_id", "company_id"])
        .primary(&["insurance_id", "company_id"])
        .references("insurance_id", "insurance_company")
        .references("company_id", "company")
        .index(&["company_id"])
        .create(m)
        .await
}
