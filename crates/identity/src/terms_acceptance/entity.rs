//! The `legal_history` table.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "legal_history")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub company_id: Uuid,
    /// The text in the language it was read in.
    pub legal_id: Uuid,
    pub price_id: Option<Uuid>,
    /// Who accepted.
    pub user_id: Option<Uuid>,
    pub accepted_at: DateTimeUtc,
    pub expires_at: Option<DateTimeUtc>,
    /// Proof: from where and with what it was accepted, and the digest of the text that was read.
    pub address: Option<String>,
    pub user_agent: Option<String>,
    pub sha256: Option<String>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
