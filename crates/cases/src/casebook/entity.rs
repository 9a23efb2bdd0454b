//! The conference table.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "conference")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub company_id: Uuid,
    pub user_id: Uuid,
    pub contact_id: Option<Uuid>,
    pub conference_type: i16,
    pub expedient_number: String,
    /// The case number without white space and upper-cased; equal keys are one case (CASE-18).
    pub expedient_key: String,
    pub phone_number: String,
    pub contact_person: Option<String>,
    pub email: Option<String>,
    pub full_address: Option<String>,
    pub address: Option<String>,
    pub city: Option<String>,
    pub city_region: Option<String>,
    pub postal_code: Option<String>,
    pub region: Option<String>,
    pub car_id: Option<String>,
    pub app_type: String,
    pub language: String,
    pub customer_name: String,
    pub user_name: String,
    pub sid: Option<String>,
    pub hash: String,
    pub short_code: String,
    pub duration_s: Option<i64>,
    pub closed: bool,
    pub files_requested: bool,
    pub created_at: DateTimeUtc,
    pub closed_at: Option<DateTimeUtc>,
    pub expired_at: DateTimeUtc,
    pub media_request_expired: Option<DateTimeUtc>,
    pub media_seen_at: Option<DateTimeUtc>,
    pub idle_since: Option<DateTimeUtc>,
    /// Key of this conference's media, wrapped by the master key; destroying it erases the media (STORE-1).
    pub data_key: Option<Vec<u8>>,
    pub last_seq: i32,
    pub chain_head: String,
    pub projection: Json,
    /// Words that lists are searched by, without accents and in lower case.
    pub search: String,
    /// How far the client came: 0 invited, 1 opened, 2 accepted, 3 connected, 4 usable media.
    pub stage: i16,
    /// When its files were deleted because their retention ended; their hashes stay (RETAIN-5).
    pub media_expired_at: Option<DateTimeUtc>,
    /// When its personal data were erased (RETAIN-9).
    pub erased_at: Option<DateTimeUtc>,
    /// The company of the repair side that asked for it, when it began as a request (REQUEST-19).
    pub starter_company_id: Option<Uuid>,
    pub starter_id: Option<Uuid>,
    /// Words that the lists of that side are searched by: only what those lists show.
    pub starter_search: Option<String>,
    /// Digest of company and case, written when it is erased: which case it was billed as (CALL-14).
    pub billing_case: Option<String>,
    /// Comma-separated channels that its link may fall back to; without a value the company decides.
    pub link_fallback: Option<String>,
    /// Nothing but a person closes it before then: an appointment was agreed (VISIT-6).
    pub held_until: Option<DateTimeUtc>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}
impl ActiveModelBehavior for ActiveModel {}
