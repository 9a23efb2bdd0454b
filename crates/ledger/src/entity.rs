//! The tables `audit_entry`, `audit_chain` and `audit_read`.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "audit_entry")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub at: DateTimeUtc,
    /// Empty for the system and for links.
    pub actor_id: Option<Uuid>,
    pub actor_role: Option<i16>,
    /// As it was then.
    pub actor_name: String,
    /// Whose account it is about: its principal reads the entry.
    pub company_id: Uuid,
    pub user_id: Option<Uuid>,
    pub action: String,
    pub address: Option<String>,
    pub detail: Json,
    /// Its place in the chain; none before the chain began.
    pub seq: Option<i64>,
    pub hash: Option<String>,
    pub name_salt: Option<String>,
    pub name_commitment: Option<String>,
    /// Goes with the address.
    pub address_salt: Option<String>,
    pub address_commitment: Option<String>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

/// The end of the chain: one row, which writers lock.
pub mod head {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "audit_chain")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: Uuid,
        pub seq: i64,
        pub hash: String,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

/// Which reads are in the log already.
pub mod read {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "audit_read")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub actor_id: Uuid,
        #[sea_orm(primary_key, auto_increment = false)]
        pub what: String,
        #[sea_orm(primary_key, auto_increment = false)]
        pub object: String,
        /// Hours since 1970.
        #[sea_orm(primary_key, auto_increment = false)]
        pub hour: i64,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}
