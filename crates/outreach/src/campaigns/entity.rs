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
        /// Numbers of roles, separated by commas.
        pub roles: String,
        /// Accounts of this language only, when it is set.
        pub language: Option<String>,
        pub status: String,
        pub idempotency_key: Option<String>,
        /// SHA-256 of the request.
        pub fingerprint: String,
        /// Its progress: the last address that was written to, in their order.
        pub last_email: Option<String>,
        /// Recipients when it was created.
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

/// The recipients.
pub mod recipient {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "campaign_recipient")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub campaign_id: Uuid,
        #[sea_orm(primary_key, auto_increment = false)]
        pub email: String,
        /// The message in the outbox; none when it was refused there because of an invalid address.
        pub message_id: Option<Uuid>,
        pub at: DateTimeUtc,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}
    impl ActiveModelBehavior for ActiveModel {}
}
