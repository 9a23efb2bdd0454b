//! The `price` table; amounts in cents.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "price")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub connection: i64,
    pub other_connections: i64,
    pub minute_limit: Option<i64>,
    pub exceeded_minute: i64,
    pub guest_minute: i64,
    pub min_payment: i64,
    /// `[{to, percent}]`.
    pub discounts: Json,
    /// The company it is offered to; everybody when absent.
    pub company_id: Option<Uuid>,
    pub created_by: Option<Uuid>,
    pub valid_from: DateTimeUtc,
    pub created_at: DateTimeUtc,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
