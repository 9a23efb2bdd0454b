//! One root a day over all seals of that day, and its time stamp.

use super::tables::*;
use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, m: &SchemaManager) -> Result<(), DbErr> {
        TableDef::with_id("evidence_day")
            .int(&["size"])
            .text(&["day", "previous", "root", "fingerprint", "signature"])
            .time(&["at"])
            .unique(&["day"])
            .create(m)
            .await?;
        append_only(m, "evidence_day").await?;
        TableDef::with_id("evidence_day_leaf")
            .uuid(&["day_id", "seal_id"])
            .int(&["position"])
            .references("day_id", "evidence_day")
            .references("seal_id", "evidence_seal")
            .unique(&["seal_id"])
            .unique(&["day_id", "position"])
            .create(m)
            .await?;
        append_only(m, "evidence_day_leaf").await?;
        TableDef::with_id("evidence_day_stamp")
            .uuid(&["day_id"])
            .text(&["serial", "authority", "policy"])
            .blob(&["token"])
            .boolean(&["qualified"])
            .time(&["at", "created_at"])
            .references("day_id", "evidence_day")
            .unique(&["day_id"])
            .create(m)
            .await?;
        append_only(m, "evidence_day_stamp").await
    }
}
