//! A conference as it is stored.

use super::entity::Model;
use super::model::ConferenceType;
use crate::evidence::Projection;
use chrono::{DateTime, Utc};
use serde_json::Value;
use uuid::Uuid;

/// A conference with an end client.
#[derive(Clone, Debug, PartialEq)]
pub struct Conference {
    pub id: Uuid,
    pub company_id: Uuid,
    pub user_id: Uuid,
    /// The request that it answers.
    pub contact_id: Option<Uuid>,
    pub conference_type: ConferenceType,
    pub expedient_number: String,
    /// Equal keys are one case (CASE-18).
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
    /// Media room of the client's first connection.
    pub sid: Option<String>,
    /// Secret of the client's link.
    pub hash: String,
    pub short_code: String,
    pub duration_s: Option<i64>,
    pub closed: bool,
    pub files_requested: bool,
    pub created_at: DateTime<Utc>,
    pub closed_at: Option<DateTime<Utc>>,
    pub expired_at: DateTime<Utc>,
    pub media_request_expired: Option<DateTime<Utc>>,
    pub media_seen_at: Option<DateTime<Utc>>,
    pub idle_since: Option<DateTime<Utc>>,
    /// Wrapped; without it its media cannot be opened (STORE-1).
    pub data_key: Option<Vec<u8>>,
    /// Its last track.
    pub last_seq: i32,
    /// That track's hash; empty in lists.
    pub chain_head: String,
    projection: Value,
    /// How far the client came: 0 invited, 1 opened, 2 accepted, 3 connected, 4 usable media.
    pub stage: i16,
    /// When its files were deleted because their retention ended (RETAIN-5).
    pub media_expired_at: Option<DateTime<Utc>>,
    /// When its personal data were erased (RETAIN-9).
    pub erased_at: Option<DateTime<Utc>>,
    /// Channels that its link may fall back to, as they are stored; without a value the company decides.
    pub link_fallback: Option<String>,
    /// Nothing but a person closes it before then (VISIT-6).
    pub held_until: Option<DateTime<Utc>>,
}

impl Conference {
    /// The summary of its tracks.
    pub fn projection(&self) -> Projection {
        Projection::stored(&self.projection)
    }
}

impl From<Model> for Conference {
    fn from(row: Model) -> Self {
        Self {
            id: row.id,
            company_id: row.company_id,
            user_id: row.user_id,
            contact_id: row.contact_id,
            // Only the two types are ever written.
            conference_type: ConferenceType::try_from(row.conference_type).unwrap_or(ConferenceType::Diversos),
            expedient_number: row.expedient_number,
            expedient_key: row.expedient_key,
            phone_number: row.phone_number,
            contact_person: row.contact_person,
            email: row.email,
            full_address: row.full_address,
            address: row.address,
            city: row.city,
            city_region: row.city_region,
            postal_code: row.postal_code,
            region: row.region,
            car_id: row.car_id,
            app_type: row.app_type,
            language: row.language,
            customer_name: row.customer_name,
            user_name: row.user_name,
            sid: row.sid,
            hash: row.hash,
            short_code: row.short_code,
            duration_s: row.duration_s,
            closed: row.closed,
            files_requested: row.files_requested,
            created_at: row.created_at,
            closed_at: row.closed_at,
            expired_at: row.expired_at,
            media_request_expired: row.media_request_expired,
            media_seen_at: row.media_seen_at,
            idle_since: row.idle_since,
            data_key: row.data_key,
            last_seq: row.last_seq,
            chain_head: row.chain_head,
            projection: row.projection,
            stage: row.stage,
            media_expired_at: row.media_expired_at,
            erased_at: row.erased_at,
            link_fallback: row.link_fallback,
            held_until: row.held_until,
        }
    }
}
