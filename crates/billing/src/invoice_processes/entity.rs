//! The tables of monthly runs.

/// What a customer's month would come to, until it is issued.
pub mod draft {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "invoice_draft")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub period: String,
        #[sea_orm(primary_key, auto_increment = false)]
        pub customer_id: Uuid,
        pub company: String,
        /// Why it cannot be issued.
        pub code: Option<String>,
        pub connections: i64,
        pub base: i64,
        pub vat: i64,
        pub total: i64,
        /// Names of the fields that are missing.
        pub fields: Json,
        pub calculated_at: DateTimeUtc,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}
    impl ActiveModelBehavior for ActiveModel {}
}

/// A month and the job that works on it.
pub mod run {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "invoice_run")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: Uuid,
        pub period: String,
        /// `calculate`, `issue` or `send`; the last one when none runs.
        pub job: Option<String>,
        pub error: Option<String>,
        pub calculated_at: Option<DateTimeUtc>,
        pub issued_at: Option<DateTimeUtc>,
        pub started_at: Option<DateTimeUtc>,
        /// It was issued after the day that art. 13 sets.
        pub late: bool,
        /// 1 while the job works: unique.
        pub running: Option<i16>,
        pub done: i64,
        pub total: i64,
        pub after: Option<Uuid>,
        /// Months that are to be done after this one, with commas in between.
        pub rest: Option<String>,
        pub step: i32,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}
    impl ActiveModelBehavior for ActiveModel {}
}
