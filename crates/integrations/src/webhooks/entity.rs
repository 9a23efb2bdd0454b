//! The tables of webhooks.

/// An endpoint of a customer.
pub mod webhook {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "webhook")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: Uuid,
        pub company_id: Uuid,
        pub url: String,
        /// Sealed.
        pub secret: String,
        /// Names separated by commas.
        pub events: String,
        /// Failed tries in a row.
        pub failures: i32,
        pub created_at: DateTimeUtc,
        /// Since when nothing was accepted.
        pub failing_since: Option<DateTimeUtc>,
        /// After a failure: nothing is sent before.
        pub next_at: Option<DateTimeUtc>,
        pub last_delivered_at: Option<DateTimeUtc>,
        pub disabled_at: Option<DateTimeUtc>,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}
    impl ActiveModelBehavior for ActiveModel {}
}

/// One event on its way to one endpoint.
pub mod delivery {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "webhook_delivery")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: Uuid,
        pub webhook_id: Uuid,
        pub conference_id: Option<Uuid>,
        pub event: String,
        /// The bytes that are sent and signed, the same at every try.
        pub body: String,
        /// `queued`, `delivered` or `failed`.
        pub state: String,
        pub error: Option<String>,
        pub attempts: i32,
        /// HTTP status of the last try.
        pub status: Option<i32>,
        pub created_at: DateTimeUtc,
        pub due_at: DateTimeUtc,
        pub last_attempt_at: Option<DateTimeUtc>,
        pub delivered_at: Option<DateTimeUtc>,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}
    impl ActiveModelBehavior for ActiveModel {}
}
