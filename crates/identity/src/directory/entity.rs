//! The tables `company` and `app_user`.

pub(super) mod company {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "company")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: Uuid,
        pub kind: i16,
        pub status: i16,
        pub company_type: i16,
        pub cif: Option<String>,
        /// The contact person.
        pub name: String,
        pub company: String,
        pub address: Option<String>,
        pub city: Option<String>,
        pub region: Option<String>,
        pub postal_code: Option<String>,
        pub email: Option<String>,
        pub phone: Option<String>,
        pub mobile: Option<String>,
        /// Sealed.
        pub bank_account: Option<String>,
        pub iban_last4: Option<String>,
        pub language: String,
        pub sms_text: Option<String>,
        pub sms_sender: Option<String>,
        pub legal: bool,
        pub has_iban: bool,
        pub legal_id: Option<Uuid>,
        pub price_id: Option<Uuid>,
        pub retention_days: Option<i32>,
        pub pay_start_at: Option<DateTimeUtc>,
        pub created_at: DateTimeUtc,
        /// What lists are searched in, folded.
        pub search: String,
        /// The firm's name as lists are ordered.
        pub sort_key: String,
        /// Keyed hash: finds equal accounts without opening them.
        pub iban_hash: Option<String>,
        pub iban_country: Option<String>,
        /// The four digits of a Spanish bank.
        pub iban_bank: Option<String>,
        pub bic: Option<String>,
        pub registry_data: Option<String>,
        pub creditor_suffix: Option<String>,
        /// New with every account: a mandate is for one of them.
        pub account_id: Option<Uuid>,
        /// `Quitar tildes en los SMS`.
        pub sms_fold: bool,
        /// A link whose SMS did not arrive may go by WhatsApp.
        pub sms_whatsapp: bool,
        /// A link goes by WhatsApp first, and by SMS where that does not arrive.
        pub sms_whatsapp_first: bool,
        /// Of `sms_sender`, at the Registry of aliases.
        pub sms_sender_status: Option<String>,
        pub sms_sender_nif: Option<String>,
        pub sms_sender_provider: Option<String>,
        pub sms_sender_at: Option<DateTimeUtc>,
        /// When it reached its state.
        pub sms_sender_since: Option<DateTimeUtc>,
        /// The last version of its fiscal data; 0 while they are those of the beginning.
        pub fiscal_version: i32,
        /// The open request for other ones.
        pub fiscal_request_id: Option<Uuid>,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

pub(super) mod user {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "app_user")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: Uuid,
        pub role: i16,
        pub status: i16,
        /// The company.
        pub parent: Uuid,
        pub support: bool,
        pub legal: bool,
        pub two_factor_enabled: bool,
        pub name: String,
        pub surname: String,
        pub user_name: String,
        pub email: Option<String>,
        pub phone: Option<String>,
        pub password_hash: Option<String>,
        /// Sealed; for one session only while it is not verified (see `second_factor`).
        pub two_factor_secret: Option<String>,
        /// The last step whose code was accepted: a code serves once.
        pub two_factor_step: Option<i64>,
        pub password_changed_at: Option<DateTimeUtc>,
        pub language: String,
        pub created_at: DateTimeUtc,
        pub last_login_at: Option<DateTimeUtc>,
        /// What lists are searched in; see `kernel::collate`.
        pub search: String,
        /// Surname and name, as lists are ordered.
        pub sort_key: String,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {
        #[sea_orm(belongs_to = "super::company::Entity", from = "Column::Parent", to = "super::company::Column::Id")]
        Company,
    }

    impl Related<super::company::Entity> for Entity {
        fn to() -> RelationDef {
            Relation::Company.def()
        }
    }

    impl ActiveModelBehavior for ActiveModel {}
}
