//! The `outbox_attachment` table.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "outbox_attachment")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub outbox_id: Uuid,
    /// Place among the message's files.
    pub position: i16,
    pub name: String,
    pub content_type: String,
    pub size: i64,
    /// Deleted once the message is sent.
    pub bytes: Option<Vec<u8>>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
