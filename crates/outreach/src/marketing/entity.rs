//! The tables of consent. Addresses are in lower case.

/// The token of a link, for one address and one answer; stored as a hash.
pub(super) mod token {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "marketing_token")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: Uuid,
        /// SHA-256 in hex.
        pub token_hash: String,
        pub email: String,
        /// `YES` or `NO`.
        pub permission: String,
        pub language: String,
        pub campaign_id: Option<Uuid>,
        pub created_at: DateTimeUtc,
        pub expires_at: DateTimeUtc,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}
    impl ActiveModelBehavior for ActiveModel {}
}

/// The proof of an answer (PROMO-1); the database refuses to change it.
pub(super) mod answer {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "marketing_answer")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: Uuid,
        pub email: String,
        /// `YES` or `NO`.
        pub allow: String,
        pub ip: String,
        pub user_agent: Option<String>,
        pub text_version: String,
        pub language: String,
        /// `page`, `one-click` or `profile`.
        pub source: String,
        pub token_id: Option<Uuid>,
        pub user_id: Option<Uuid>,
        pub at: DateTimeUtc,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}
    impl ActiveModelBehavior for ActiveModel {}
}

/// The last answer of each address.
pub(super) mod consent {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "marketing_consent")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub email: String,
        pub allow: bool,
        pub language: String,
        pub source: String,
        pub at: DateTimeUtc,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}
    impl ActiveModelBehavior for ActiveModel {}
}

/// Addresses that must not be written to.
pub(super) mod suppression {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "marketing_suppression")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub email: String,
        /// `unsubscribed` by its holder, or `blocked` by an administrator.
        pub reason: String,
        pub by_user: Option<Uuid>,
        pub at: DateTimeUtc,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}
    impl ActiveModelBehavior for ActiveModel {}
}
