//! The `audit_entry` table.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "audit_entry")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub at: DateTimeUtc,
    /// Empty for the system and for links.
    pub actor_id: Option<Uuid>,
    pub actor_role: Option<i16>,
    /// As it was then.
    pub actor_name: String,
    /// Whose account it is about: its principal reads the entry.
    pub company_id: Uuid,
    pub user_id: Option<Uuid>,
    pub action: String,
    pub address: Option<String>,
    pub detail: Json,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
