//! The tables of campaigns.

/// A message to many.
pub mod campaign {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "campaign")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: Uuid,
        pub author_id: Uuid,
        pub subject: String,
        pub text: String,
        /// Numbers of roles with commas in between.
        pub roles: String,
        /// Accounts of this language only, when it is set.
        pub language: Option<String>,
        pub status: String,
        pub idempotency_key: Option<String>,
        /// SHA-256 of what was asked for.
        pub fingerprint: String,
        /// How far it is: the last address that was written to, in their order.
        pub last_email: Option<String>,
        /// Recipients when it was made.
        pub total: i64,
        pub send_at: DateTimeUtc,
        /// When the next messages are due.
        pub next_at: DateTimeUtc,
        pub created_at: DateTimeUtc,
        pub started_at: Option<DateTimeUtc>,
        pub ended_at: Option<DateTimeUtc>,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}
    impl ActiveModelBehavior for ActiveModel {}
}

/// Who was written to.
pub mod recipient {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "campaign_recipient")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub campaign_id: Uuid,
        #[sea_orm(primary_key, auto_increment = false)]
        pub email: String,
        /// The message in the outbox; none when it was refused there, as an address that cannot be one.
        pub message_id: Option<Uuid>,
        pub at: DateTimeUtc,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}
    impl ActiveModelBehavior for ActiveModel {}
}
