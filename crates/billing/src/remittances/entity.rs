//! The tables of remittances, of their debits and of what customers were notified of.

pub mod remittance {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "remittance")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: Uuid,
        pub msg_id: String,
        pub version: String,
        pub state: String,
        pub sha256: String,
        pub first_collection: String,
        pub cancel_reason: Option<String>,
        pub debits: i32,
        pub total: i64,
        pub excluded: Json,
        /// As the file told banks.
        pub creditor_name: Option<String>,
        pub creditor_id: Option<String>,
        pub blocks: Json,
        pub created_by: Uuid,
        pub created_at: DateTimeUtc,
        pub ended_at: Option<DateTimeUtc>,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}
    impl ActiveModelBehavior for ActiveModel {}
}

pub mod attempt {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "debit_attempt")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: Uuid,
        pub remittance_id: Uuid,
        pub invoice_id: Uuid,
        pub company_id: Uuid,
        pub mandate_id: Uuid,
        pub end_to_end: String,
        /// Of the invoice.
        pub number: String,
        pub block: String,
        pub umr: String,
        pub scheme: String,
        pub sequence: String,
        pub collection: String,
        pub state: String,
        pub reason: Option<String>,
        pub booked: Option<String>,
        pub settled: Option<String>,
        /// `auto`, `correct` or nothing: what may follow a return.
        pub retry: Option<String>,
        pub attempt: i16,
        pub amount: i64,
        pub charges: i64,
        pub created_at: DateTimeUtc,
        pub changed_at: DateTimeUtc,
        pub retry_at: Option<DateTimeUtc>,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}
    impl ActiveModelBehavior for ActiveModel {}
}

/// The notices of future debits to customers.
pub mod notice {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "debit_notice")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: Uuid,
        pub invoice_id: Uuid,
        pub company_id: Uuid,
        /// The e-mail that was the notice.
        pub message_id: Uuid,
        pub umr: String,
        pub collection: String,
        pub amount: i64,
        pub at: DateTimeUtc,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}
    impl ActiveModelBehavior for ActiveModel {}
}
