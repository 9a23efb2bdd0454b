//! The `session` table.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "session")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub user_id: Uuid,
    pub renewed_from: Option<Uuid>,
    pub created_at: DateTimeUtc,
    pub expires_at: DateTimeUtc,
    pub ended_at: Option<DateTimeUtc>,
    /// The `sk` claim: the same over renewals, so it names the whole family of tokens of one log-in.
    pub session_key: String,
    pub user_agent: Option<String>,
    pub address: Option<String>,
    /// When its holder last proved who he is; the same for the tokens of a log-in.
    pub proved_at: Option<DateTimeUtc>,
    /// When the log-in began that this token goes back to.
    pub opened_at: Option<DateTimeUtc>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
