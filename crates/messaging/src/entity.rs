//! The `outbox` table.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "outbox")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub channel: String,
    pub purpose: String,
    pub to_address: String,
    pub sender: Option<String>,
    pub subject: Option<String>,
    pub text: String,
    pub html: Option<String>,
    pub link: Option<String>,
    pub unsubscribe: Option<String>,
    pub state: String,
    pub provider_id: Option<String>,
    pub error: Option<String>,
    pub conference_id: Option<Uuid>,
    pub company_id: Option<Uuid>,
    pub attempts: i32,
    pub created_at: DateTimeUtc,
    pub next_attempt_at: Option<DateTimeUtc>,
    pub locked_until: Option<DateTimeUtc>,
    pub sent_at: Option<DateTimeUtc>,
    /// Name of the provider of the last attempt.
    pub provider: Option<String>,
    /// The reason that its failure counts under.
    pub reason: Option<String>,
    pub delivered_at: Option<DateTimeUtc>,
    pub failed_at: Option<DateTimeUtc>,
    /// The failed message that this one replaces.
    pub fallback_of: Option<Uuid>,
    /// What texts and link leave out, sealed.
    pub secret: Option<String>,
    /// SHA-256 of the text with its secret, in hex; none for messages from before it was kept.
    pub text_sha256: Option<String>,
    /// The administrator who was last shown the secret.
    pub shown_to: Option<Uuid>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
