//! Keys that clients' devices make for themselves, and the signatures of their pictures (EVID-60).

use super::tables::*;
use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

const COLUMNS: &[(&str, &str, &str)] = &[
    // Base64 of its DER; none where the browser has no such keys.
    ("client_device", "public_key", "text"),
    // `valid`, `invalid` or `unsigned`; none for what no device of a client took in a call, and before this migration.
    ("media_item", "device_check", "text"),
    // What was sent: the key's fingerprint and the signature.
    ("media_item", "device_key", "text"),
    ("media_item", "device_signature", "text"),
];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, m: &SchemaManager) -> Result<(), DbErr> {
        add_columns(m, COLUMNS).await
    }
}
