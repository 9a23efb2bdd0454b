//! The tables `insurance_company` and `customer_insurance`.

pub(super) mod insurer {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "insurance_company")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: Uuid,
        pub name: String,
        /// The name as lists are ordered.
        pub sort_key: String,
        pub active: bool,
        pub created_at: DateTimeUtc,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

/// Which customers work for which insurance companies.
pub(super) mod link {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "customer_insurance")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub insurance_id: Uuid,
        #[sea_orm(primary_key, auto_increment = false)]
        pub company_id: Uuid,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}
