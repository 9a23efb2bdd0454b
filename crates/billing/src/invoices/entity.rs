//! The tables of invoices.

pub mod invoice {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "invoice")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: Uuid,
        pub number: String,
        pub series: String,
        pub series_year: i32,
        pub series_number: i64,
        pub kind: String,
        pub invoice_type: String,
        pub customer_id: Uuid,
        pub company: String,
        /// Number, firm and tax id, folded.
        pub search: String,
        pub period: Option<String>,
        pub period_from: String,
        pub period_to: String,
        pub issue_date: String,
        pub operation_date: String,
        pub due_date: String,
        pub issued_at: DateTimeUtc,
        pub connections: i64,
        pub subtotal: i64,
        /// Hundredths.
        pub discount_percent: i32,
        pub base: i64,
        /// Hundredths.
        pub vat_rate: i32,
        pub vat: i64,
        pub total: i64,
        pub rectifies: Option<Uuid>,
        pub reason: Option<String>,
        pub header: Json,
        pub lines: Json,
        pub status: String,
        /// Its month may be invoiced anew.
        pub superseded: bool,
        pub sent_at: Option<DateTimeUtc>,
        pub paid_at: Option<DateTimeUtc>,
        pub paid_by: Option<String>,
        pub charge_date: Option<String>,
        pub revocable_until: Option<String>,
        pub return_code: Option<String>,
        pub returned_at: Option<DateTimeUtc>,
        pub cancelled_at: Option<DateTimeUtc>,
        pub rectified_by: Option<Uuid>,
        /// The e-mail that took it to the customer.
        pub message_id: Option<Uuid>,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}
    impl ActiveModelBehavior for ActiveModel {}
}

/// The connections behind an invoice, a thousand to a part.
pub mod detail {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "invoice_detail")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub invoice_id: Uuid,
        #[sea_orm(primary_key, auto_increment = false)]
        pub part: i32,
        pub rows: Json,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}
    impl ActiveModelBehavior for ActiveModel {}
}
