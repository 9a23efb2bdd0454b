//! What the geocoder answered about places of a case, and the position that a sent picture claims.

use super::tables::{TableDef, add_columns};
use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

const COLUMNS: &[(&str, &str, &str)] = &[("media_item", "claimed_latitude", "text"), ("media_item", "claimed_longitude", "text")];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, m: &SchemaManager) -> Result<(), DbErr> {
        add_columns(m, COLUMNS).await?;
        // `asked` is an address, or a position to be described; without an answer nothing was found.
        TableDef::with_id("geocoding")
            .uuid(&["conference_id"])
            .text(&["asked", "latitude?", "longitude?", "address?"])
            .time(&["at"])
            .references("conference_id", "conference")
            .unique(&["conference_id", "asked"])
            .create(m)
            .await
    }
}
