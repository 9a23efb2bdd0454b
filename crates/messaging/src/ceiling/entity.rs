//! The `sms_ceiling` table: one row per company that has sent an SMS.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "sms_ceiling")]
pub struct Model {
    /// The company's.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub per_hour: Option<i32>,
    pub per_day: Option<i32>,
    /// The day in Madrid on which administrators were last notified.
    pub told_on: Option<String>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
