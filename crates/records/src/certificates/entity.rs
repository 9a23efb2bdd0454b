//! Tables of certificates.

atalaya_db::table!(
    /// An issued certificate. Its text follows from the chain up to `seq`.
    certificate, "certificate", {
        conference_id: Uuid, company_id: Uuid, seal_id: Uuid, stamp_id: Option<Uuid>, issued_by: Uuid,
        fingerprint: Option<String>, signature: Option<String>, issuing_company: Option<String>, issuing_tax_id: Option<String>,
        voided_by: Option<Uuid>, number: String, code: String, issuer_name: String, language: String, company_name: String,
        expedient_masked: String, void_reason: Option<String>, seq: i32, issued_at: DateTimeUtc,
        voided_at: Option<DateTimeUtc>,
    }
);

/// How many certificates a year has.
pub mod year {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "certificate_year")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub year: i32,
        pub last: i32,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}
    impl ActiveModelBehavior for ActiveModel {}
}
