//! The tables `open_socket` and `server_node`.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "open_socket")]
pub struct Model {
    /// The id that the socket has in its protocol.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: String,
    pub node_id: Uuid,
    pub user_id: Uuid,
    pub company_id: Uuid,
    /// The session it was opened with; renewals have other ids, but the same family.
    pub session_id: Uuid,
    pub connected_at: DateTimeUtc,
    pub registered_at: Option<DateTimeUtc>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

pub(super) mod node {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "server_node")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: Uuid,
        pub started_at: DateTimeUtc,
        pub beat_at: DateTimeUtc,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}
