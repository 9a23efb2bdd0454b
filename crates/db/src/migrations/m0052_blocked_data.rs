//! Data whose term is over, out of reach until an authority's time to ask for them is over as well; and breaches of security.

use super::tables::*;
use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, m: &SchemaManager) -> Result<(), DbErr> {
        // `sealed`: the values under the conference's key; null once they are deleted, when the row only says that it is done.
        TableDef::with_id("blocked_data")
            .uuid(&["conference_id"])
            .text(&["data_class"])
            .time(&["blocked_at", "delete_at"])
            .blob(&["sealed?"])
            .references("conference_id", "conference")
            .unique(&["conference_id", "data_class"])
            .index(&["delete_at"])
            .create(m)
            .await?;
        // What happened is written once; what becomes known later is another entry that names the first.
        TableDef::with_id("security_breach")
            .uuid(&["by_id", "follows?"])
            .text(&["by_name", "title", "nature", "effects", "measures"])
            .int(&["people?"])
            .time(&["happened_at?", "known_at", "authority_at?", "people_at?", "at"])
            .index(&["known_at"])
            .create(m)
            .await?;
        append_only(m, "security_breach").await
    }
}
