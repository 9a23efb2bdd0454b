//! The table of stored documents.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "stored_document")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub kind: String,
    /// The invoice, for one.
    pub subject_id: Uuid,
    /// File name.
    pub name: String,
    pub sha256: String,
    pub size_bytes: i64,
    pub blob: String,
    /// Wrapped.
    pub data_key: Vec<u8>,
    pub created_at: DateTimeUtc,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}
impl ActiveModelBehavior for ActiveModel {}
