//! The `account_token` table.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "account_token")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub kind: String,
    /// SHA-256 of the token, in hex.
    pub token_hash: String,
    /// E-mail, or phone in E.164.
    pub address: String,
    pub language: String,
    pub role: Option<i16>,
    pub company_id: Option<Uuid>,
    pub user_id: Option<Uuid>,
    pub inviter_id: Option<Uuid>,
    pub outbox_id: Option<Uuid>,
    pub created_user_id: Option<Uuid>,
    pub created_at: DateTimeUtc,
    pub expires_at: DateTimeUtc,
    pub opened_at: Option<DateTimeUtc>,
    pub used_at: Option<DateTimeUtc>,
    pub replaced_at: Option<DateTimeUtc>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
