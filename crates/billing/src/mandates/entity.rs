//! The tables of mandates, of their numbers and of the secret.

pub mod mandate {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "mandate")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: Uuid,
        pub company_id: Uuid,
        /// The company's account that it is for.
        pub account_id: Uuid,
        pub created_by: Option<Uuid>,
        pub umr: String,
        pub scheme: String,
        pub sequence: String,
        pub status: String,
        pub iban_masked: String,
        pub debtor_name: String,
        pub debtor_nif: Option<String>,
        /// What ended or suspended it.
        pub reason: Option<String>,
        pub document_name: Option<String>,
        /// Reference of the one before, of another account.
        pub follows: Option<String>,
        /// How it was signed.
        pub signature: Option<Json>,
        /// Of the signed paper, wrapped.
        pub document_key: Option<Vec<u8>>,
        pub created_at: DateTimeUtc,
        pub signed_at: Option<DateTimeUtc>,
        pub last_used_at: Option<DateTimeUtc>,
        pub ended_at: Option<DateTimeUtc>,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}
    impl ActiveModelBehavior for ActiveModel {}
}

pub mod counter {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "sepa_counter")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub name: String,
        pub value: i64,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}
    impl ActiveModelBehavior for ActiveModel {}
}

pub mod customer {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "sepa_customer")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub company_id: Uuid,
        pub number: i64,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}
    impl ActiveModelBehavior for ActiveModel {}
}

pub mod secret {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "sepa_secret")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: Uuid,
        pub salt: Vec<u8>,
        pub verifier: Vec<u8>,
        pub created_at: DateTimeUtc,
        /// Always 1: there is one secret.
        pub only: i16,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}
    impl ActiveModelBehavior for ActiveModel {}
}
