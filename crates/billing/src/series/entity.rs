//! The table of series.

/// The last number of each series and year.
pub mod invoice_series {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "invoice_series")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub series: String,
        #[sea_orm(primary_key, auto_increment = false)]
        pub year: i32,
        pub last_number: i64,
        pub last_date: Option<String>,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}
    impl ActiveModelBehavior for ActiveModel {}
}
