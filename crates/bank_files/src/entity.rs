//! The tables of what banks sent.

pub mod file {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "bank_file")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: Uuid,
        pub sha256: String,
        pub name: String,
        pub messages: String,
        pub size: i64,
        pub items: i32,
        pub unmatched: i32,
        pub summary: Json,
        pub created_by: Uuid,
        pub created_at: DateTimeUtc,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}
    impl ActiveModelBehavior for ActiveModel {}
}

pub mod event {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "sepa_event")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: Uuid,
        pub file_id: Uuid,
        pub attempt_id: Uuid,
        pub end_to_end: String,
        pub kind: String,
        pub reason: String,
        pub booked: String,
        pub action: String,
        pub amount: i64,
        pub charges: i64,
        pub at: DateTimeUtc,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}
    impl ActiveModelBehavior for ActiveModel {}
}

pub mod proposal {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "payment_proposal")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: Uuid,
        pub file_id: Uuid,
        pub invoice_id: Uuid,
        pub company_id: Uuid,
        pub decided_by: Option<Uuid>,
        pub number: String,
        pub reference: String,
        pub state: String,
        pub payer: Option<String>,
        pub text: Option<String>,
        pub booked: Option<String>,
        pub amount: i64,
        pub created_at: DateTimeUtc,
        pub decided_at: Option<DateTimeUtc>,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}
    impl ActiveModelBehavior for ActiveModel {}
}
