//! The `message_receipt` table: receipts that were stored and not applied yet.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "message_receipt")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub provider: String,
    /// Empty when the provider gave only our own id.
    pub provider_id: String,
    pub message_id: Option<Uuid>,
    pub state: String,
    pub reason: Option<String>,
    /// Everything that distinguishes one receipt from another.
    pub dedup: String,
    pub received_at: DateTimeUtc,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
