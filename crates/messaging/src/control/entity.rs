//! The `message_control` table: one row, written when somebody first stops the dispatcher.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "message_control")]
pub struct Model {
    /// `dispatcher`.
    #[sea_orm(primary_key, auto_increment = false)]
    pub name: String,
    /// Name of the person.
    pub changed_by: String,
    pub running: bool,
    pub changed_at: DateTimeUtc,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
