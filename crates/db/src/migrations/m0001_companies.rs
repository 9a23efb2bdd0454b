//! Companies (tenants), users, and what a company accepted.

use super::tables::*;
use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, m: &SchemaManager) -> Result<(), DbErr> {
        TableDef::with_id("company")
            .small(&["kind", "status", "company_type"])
            .text(&["cif?", "name", "company", "address?", "city?", "region?", "postal_code?", "email?", "phone?", "mobile?"])
            .text(&["bank_account?", "iban_last4?", "language", "sms_text?", "sms_sender?"])
            .boolean(&["legal", "has_iban"])
            .uuid(&["legal_id?", "price_id?"])
            .int(&["retention_days?"])
            .time(&["pay_start_at?", "created_at"])
            .index(&["kind", "company"])
            .create(m)
            .await?;
        TableDef::with_id("app_user")
            .small(&["role", "status"])
            .uuid(&["parent"])
            .boolean(&["support", "legal", "two_factor_enabled"])
            .text(&["name", "surname", "user_name", "email?", "phone?", "password_hash?", "two_factor_secret?", "language"])
            .time(&["created_at", "last_login_at?"])
            .references("parent", "company")
            .unique(&["parent", "user_name"])
            .index(&["user_name"])
            .create(m)
            .await?;
        TableDef::with_id("legal_history")
            .uuid(&["company_id", "legal_id", "price_id?", "user_id?"])
            .time(&["accepted_at", "expires_at?"])
            .references("company_id", "company")
            .index(&["company_id", "accepted_at"])
            .create(m)
            .await?;
        Ok(())
    }
}
