//! The tables of the records for the tax office.

/// The chain of an issuer.
pub mod chain {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "verifactu_chain")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: Uuid,
        /// NIF.
        pub issuer: String,
        /// Of the last record, with its number and date.
        pub hash: Option<String>,
        pub number: Option<String>,
        pub issue_date: Option<String>,
        pub records: i64,
        pub at: Option<DateTimeUtc>,
        /// Calls that failed in a row.
        pub failures: i32,
        /// When the next call may be made.
        pub next_at: Option<DateTimeUtc>,
        pub last_error: Option<String>,
        /// What the tax office said of the call.
        pub last_error_text: Option<String>,
        pub last_error_at: Option<DateTimeUtc>,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}
    impl ActiveModelBehavior for ActiveModel {}
}

/// A record; the database refuses to change it.
pub mod record {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "verifactu_record")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: Uuid,
        pub chain_id: Uuid,
        pub invoice_id: Uuid,
        /// 1 is the first of the chain.
        pub seq: i64,
        /// `issued` or `annulled`.
        pub kind: String,
        pub invoice_type: Option<String>,
        /// `none`, `accepted`, `refused` or `unknown`: what it puts right.
        pub correction: String,
        /// The mode in which it was made.
        pub environment: String,
        pub number: String,
        pub issue_date: String,
        pub total: Option<i64>,
        pub hash: String,
        pub xml: String,
        pub at: DateTimeUtc,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}
    impl ActiveModelBehavior for ActiveModel {}
}

/// What became of a record.
pub mod sending {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "verifactu_sending")]
    pub struct Model {
        /// The record's.
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: Uuid,
        pub chain_id: Uuid,
        pub seq: i64,
        pub state: String,
        /// Verification code of the answer.
        pub csv: Option<String>,
        pub code: Option<String>,
        pub message: Option<String>,
        pub attempts: i32,
        /// Calls with it that were refused as a whole, at most 2: alone it goes after that.
        pub faults: i32,
        pub sent_at: Option<DateTimeUtc>,
        pub answered_at: Option<DateTimeUtc>,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}
    impl ActiveModelBehavior for ActiveModel {}
}
