//! The tables `push_subscription` and `push_delivery`.

pub(crate) mod subscription {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "push_subscription")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: Uuid,
        pub user_id: Uuid,
        /// Keyed hash of the endpoint, by which it is found.
        pub endpoint_digest: String,
        /// Endpoint and keys, sealed: whoever has them can send to that device.
        pub sealed: String,
        /// The log-in that registered it last; when that ends, the device is deleted.
        pub session_key: String,
        pub browser: String,
        pub os: String,
        pub expires_at: Option<DateTimeUtc>,
        pub created_at: DateTimeUtc,
        /// When its page last registered it.
        pub seen_at: DateTimeUtc,
        pub last_ok_at: Option<DateTimeUtc>,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

pub(crate) mod delivery {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "push_delivery")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: Uuid,
        /// Deliveries queued together are sent together, by one job.
        pub batch_id: Uuid,
        pub subscription_id: Uuid,
        /// JSON for the service worker, in the language of the device's owner.
        pub payload: String,
        pub kind: String,
        pub tag: String,
        pub attempts: i32,
        pub due_at: DateTimeUtc,
        /// Afterwards it is useless.
        pub expires_at: DateTimeUtc,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}
