//! The tables of versions and requests.

pub(crate) mod version {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "fiscal_version")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: Uuid,
        pub company_id: Uuid,
        pub asked_by: Option<Uuid>,
        pub approved_by: Option<Uuid>,
        pub request_id: Option<Uuid>,
        /// From 1, in the order in which they were approved.
        pub number: i32,
        /// The first day of it, in Madrid; none: since always.
        pub valid_from: Option<String>,
        pub company: String,
        pub cif: Option<String>,
        pub address: Option<String>,
        pub city: Option<String>,
        pub region: Option<String>,
        pub postal_code: Option<String>,
        pub regime: String,
        pub reason: Option<String>,
        pub created_at: DateTimeUtc,
        /// Two letters; none: Spain.
        pub country: Option<String>,
        /// When VIES confirmed the VAT number.
        pub vies_at: Option<DateTimeUtc>,
        /// The number of that consultation.
        pub vies_reference: Option<String>,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}
    impl ActiveModelBehavior for ActiveModel {}
}

pub(crate) mod request {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "fiscal_request")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: Uuid,
        pub company_id: Uuid,
        pub asked_by: Uuid,
        pub decided_by: Option<Uuid>,
        /// Names the stored file.
        pub document_id: Option<Uuid>,
        pub status: String,
        /// From which day it is so, in Madrid.
        pub since: String,
        pub note: Option<String>,
        /// What the administrator wrote.
        pub answer: Option<String>,
        pub document_name: Option<String>,
        pub document_kind: Option<String>,
        pub document_sha256: Option<String>,
        pub document_bytes: Option<i64>,
        /// Wrapped.
        pub document_key: Option<Vec<u8>>,
        /// The fields that are to change, by their names on the wire.
        pub wanted: Json,
        pub asked_at: DateTimeUtc,
        pub decided_at: Option<DateTimeUtc>,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}
    impl ActiveModelBehavior for ActiveModel {}
}
