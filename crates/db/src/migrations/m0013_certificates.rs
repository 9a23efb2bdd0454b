//! Seals, time stamps and certificates.

use super::tables::*;
use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, m: &SchemaManager) -> Result<(), DbErr> {
        TableDef::with_id("evidence_seal")
            .uuid(&["conference_id"])
            .int(&["seq", "leaves"])
            .text(&["head", "root"])
            .time(&["at"])
            .references("conference_id", "conference")
            .unique(&["conference_id", "seq"])
            .index(&["at"])
            .create(m)
            .await?;
        append_only(m, "evidence_seal").await?;
        TableDef::with_id("evidence_stamp")
            .int(&["size"])
            .text(&["root", "serial", "authority", "policy"])
            .blob(&["token"])
            .boolean(&["qualified"])
            .time(&["at", "created_at"])
            .create(m)
            .await?;
        append_only(m, "evidence_stamp").await?;
        TableDef::with_id("evidence_stamp_leaf")
            .uuid(&["stamp_id", "seal_id"])
            .int(&["position"])
            .references("stamp_id", "evidence_stamp")
            .references("seal_id", "evidence_seal")
            .unique(&["seal_id"])
            .unique(&["stamp_id", "position"])
            .create(m)
            .await?;
        append_only(m, "evidence_stamp_leaf").await?;
        TableDef::with_id("certificate")
            .uuid(&["conference_id", "company_id", "seal_id", "stamp_id?", "issued_by", "voided_by?"])
            .text(&["number", "code", "issuer_name", "language", "company_name", "expedient_masked", "void_reason?"])
            .int(&["seq"])
            .time(&["issued_at", "voided_at?"])
            .references("conference_id", "conference")
            .references("seal_id", "evidence_seal")
            .unique(&["number"])
            .unique(&["code"])
            .index(&["conference_id", "issued_at"])
            .create(m)
            .await?;
        TableDef::new("certificate_year").int(&["year", "last"]).primary(&["year"]).create(m).await
    }
}
