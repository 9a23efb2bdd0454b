//! The tables of notifications.

/// General notifications, written by an administrator.
pub(super) mod general {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "general_notification")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: Uuid,
        pub author_id: Uuid,
        pub text: String,
        pub url: Option<String>,
        /// Sanitised.
        pub body: Option<String>,
        /// 0 for everybody, else the role.
        pub role_group: i16,
        pub created_at: DateTimeUtc,
        pub start_at: DateTimeUtc,
        pub expires_at: DateTimeUtc,
        /// When open screens were notified.
        pub announced_at: Option<DateTimeUtc>,
        pub withdrawn_at: Option<DateTimeUtc>,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}
    impl ActiveModelBehavior for ActiveModel {}
}

/// Which users have read which general notification.
pub(super) mod read {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "general_notification_read")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub user_id: Uuid,
        #[sea_orm(primary_key, auto_increment = false)]
        pub notification_id: Uuid,
        pub at: DateTimeUtc,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}
    impl ActiveModelBehavior for ActiveModel {}
}

/// Personal notifications.
pub(super) mod personal {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "personal_notification")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: Uuid,
        pub user_id: Uuid,
        /// The conference it is about, whose erasure deletes the notification (NOTICE-14).
        pub conference_id: Option<Uuid>,
        /// The request for a video call it is about; deleted with it likewise.
        pub request_id: Option<Uuid>,
        /// Key of the text per language.
        pub text_id: Option<String>,
        /// In Spanish.
        pub text: String,
        pub expedient: Option<String>,
        /// Conference, address or sanitised html, by the action.
        pub target: Option<String>,
        /// `type` on the wire (NOTICE-1).
        pub action: i16,
        pub created_at: DateTimeUtc,
        pub read_at: Option<DateTimeUtc>,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}
    impl ActiveModelBehavior for ActiveModel {}
}
