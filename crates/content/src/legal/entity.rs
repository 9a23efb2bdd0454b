//! The `legal_text` table.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "legal_text")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub kind: i16,
    pub version: i32,
    pub language: String,
    pub title: String,
    /// With `{placeholders}`.
    pub html: String,
    /// Of `html` as stored.
    pub sha256: String,
    pub in_force_from: DateTimeUtc,
    pub created_at: DateTimeUtc,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
