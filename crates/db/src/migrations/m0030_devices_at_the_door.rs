//! Devices of the client that wait at the door of a call, and the device of each stay.

use super::tables::add_columns;
use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

const COLUMNS: &[(&str, &str, &str)] = &[
    ("client_device", "device", "text"),
    // `waiting`, `admitted`, `refused` or `left`; absent: it has not asked.
    ("client_device", "standing", "text"),
    ("client_device", "waiting_since", "timestamptz"),
    ("client_device", "seen_at", "timestamptz"),
    ("participation", "device", "text"),
];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, m: &SchemaManager) -> Result<(), DbErr> {
        add_columns(m, COLUMNS).await?;
        // Whoever is in a call while this runs stays in it.
        m.get_connection().execute_unprepared("UPDATE client_device SET standing = 'admitted'").await?;
        Ok(())
    }
}
