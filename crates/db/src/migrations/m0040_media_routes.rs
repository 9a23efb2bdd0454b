//! How the media of each stay came.

use super::tables::add_columns;
use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

const COLUMNS: &[(&str, &str, &str)] = &[
    // The last way: `udp`, `tcp`, `relay-udp`, `relay-tcp` or `relay-tls`; none where the engine does not say.
    ("participation", "route", "text"),
];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, m: &SchemaManager) -> Result<(), DbErr> {
        add_columns(m, COLUMNS).await
    }
}
