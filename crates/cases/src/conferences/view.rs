//! Shapes of conferences on the wire.

use crate::casebook::{Conference, model};
use crate::connections::{MediaRoom, Stay};
use crate::evidence::{Projection, Track};
use crate::lifetimes;
use atalaya_identity::users::User;
use atalaya_kernel::{CompanyId, Role};
use atalaya_messaging::Message;
use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;
use uuid::Uuid;

/// A conference.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConferenceView {
    #[serde(rename = "_id")]
    pub id: Uuid,
    pub expedient_number: String,
    /// 1 Autos, 2 Diversos.
    #[serde(rename = "type")]
    pub conference_type: i16,
    pub created_at: DateTime<Utc>,
    pub customer_name: String,
    pub user_name: String,
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
    /// Seconds in which ours and the client were connected together; null before the client's first connection.
    pub duration: Option<i64>,
    /// Media room of the client's first connection; null until then.
    pub sid: Option<String>,
    pub closed: bool,
    pub closed_at: Option<DateTime<Utc>>,
    pub expired_at: DateTime<Utc>,
    pub rooms: Vec<RoomView>,
    /// The caller's media token, in the details of an open conference; else null.
    pub jwt: Option<String>,
    pub hash: String,
    pub is_new_media: bool,
    pub media_request_expired: Option<DateTime<Utc>>,
    pub files_requested: bool,
    /// Whether the caller, who sees this conference, may ask its client for files now.
    pub may_request_files: bool,
    /// The files are deleted, or will be with the next run of the retention job.
    pub media_expired: bool,
    pub media_expires_at: DateTime<Utc>,
    pub language: String,
    pub customer_id: Uuid,
    pub user_id: Uuid,
    pub app_type: String,
    pub contact_id: Option<Uuid>,
    /// Observation state: pending, correct, noLink, noLegal, permissions or unknown. Not in lists, where only
    /// administrators get it, as a derived column.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false)]
    pub observation: Option<&'static str>,
    /// Its personal data were erased.
    pub erased: bool,
}

#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RoomView {
    pub sid: String,
    pub started_at: DateTime<Utc>,
    pub ended_at: Option<DateTime<Utc>>,
}

impl From<&MediaRoom> for RoomView {
    fn from(room: &MediaRoom) -> Self {
        Self { sid: room.sid.clone(), started_at: room.started_at, ended_at: room.ended_at }
    }
}

impl ConferenceView {
    /// `company_days`: the company's own retention, `None` for the default of 31 days.
    pub fn of(row: &Conference, rooms: &[MediaRoom], is_new_media: bool, company_days: Option<i32>, now: DateTime<Utc>) -> Self {
        Self::with(row, &row.projection(), rooms, is_new_media, company_days, now)
    }

    /// The same with the summary of its tracks at hand.
    pub fn with(
        row: &Conference,
        projection: &Projection,
        rooms: &[MediaRoom],
        is_new_media: bool,
        company_days: Option<i32>,
        now: DateTime<Utc>,
    ) -> Self {
        let live = !row.closed && row.expired_at > now;
        Self {
            id: row.id,
            expedient_number: row.expedient_number.clone(),
            conference_type: row.conference_type.into(),
            created_at: row.created_at,
            customer_name: row.customer_name.clone(),
            user_name: row.user_name.clone(),
            phone_number: row.phone_number.clone(),
            contact_person: row.contact_person.clone(),
            email: row.email.clone(),
            full_address: row.full_address.clone(),
            address: row.address.clone(),
            city: row.city.clone(),
            city_region: row.city_region.clone(),
            postal_code: row.postal_code.clone(),
            region: row.region.clone(),
            car_id: row.car_id.clone(),
            duration: row.duration_s,
            sid: row.sid.clone(),
            closed: row.closed,
            closed_at: row.closed_at,
            expired_at: row.expired_at,
            rooms: rooms.iter().map(RoomView::from).collect(),
            jwt: None,
            hash: row.hash.clone(),
            is_new_media,
            media_request_expired: row.media_request_expired,
            files_requested: row.files_requested,
            may_request_files: model::may_request(row, company_days, now).is_ok(),
            media_expired: lifetimes::media_expired(row.created_at, company_days, now) || row.media_expired_at.is_some(),
            media_expires_at: lifetimes::media_expires_at(row.created_at, company_days),
            language: row.language.clone(),
            customer_id: row.company_id,
            user_id: row.user_id,
            app_type: row.app_type.clone(),
            contact_id: row.contact_id,
            observation: Some(projection.observation(live, row.duration_s.unwrap_or(0))),
            erased: row.erased_at.is_some(),
        }
    }
}

impl ConferenceView {
    /// As the caller may see it. The repair side only reads the conferences that its requests became (REQUEST-20), so it gets
    /// neither the client's secret, nor the right to ask for files, nor where and how the client is reached.
    pub fn shown_to(self, role: Role) -> Self {
        if !role.is_repair_side() {
            return self;
        }
        Self {
            hash: String::new(),
            jwt: None,
            may_request_files: false,
            is_new_media: false,
            phone_number: String::new(),
            contact_person: None,
            contact_id: None,
            email: None,
            full_address: None,
            address: None,
            city: None,
            city_region: None,
            postal_code: None,
            region: None,
            ..self
        }
    }
}

/// A track on the wire.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TrackView {
    #[serde(rename = "_id")]
    pub id: String,
    pub seq: i32,
    #[serde(rename = "type")]
    #[schema(value_type = String)]
    pub track_type: &'static str,
    /// `user:{id}`, `client` or `system`.
    pub actor: String,
    pub at: DateTime<Utc>,
    #[schema(value_type = Object)]
    pub data: Map<String, Value>,
    pub hash: String,
}

impl From<&Track> for TrackView {
    fn from(track: &Track) -> Self {
        Self {
            id: track.seq.to_string(),
            seq: track.seq,
            track_type: track.track_type.wire(),
            actor: track.actor.clone(),
            at: track.at,
            data: track.data.clone(),
            hash: track.hash.clone(),
        }
    }
}

impl TrackView {
    /// As the caller may see it: the repair side reads what happened, when and by whom, but not what was said, sent or measured.
    pub fn shown_to(self, role: Role) -> Self {
        if role.is_repair_side() { Self { data: Map::new(), hash: String::new(), ..self } } else { self }
    }
}

/// How a user who did something in a conference of this company is named; somebody of another company is not. Of somebody of
/// the platform it is the platform's name.
pub fn shown_name(user: &User, company: CompanyId) -> Option<String> {
    match user.role {
        Role::Admin => Some("Atalaya".to_owned()),
        _ if user.parent == company => Some(user.display_name()),
        _ => None,
    }
}

/// A message that was sent to the client, its recipient masked.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MessageView {
    #[serde(rename = "_id")]
    pub id: Uuid,
    pub channel: String,
    pub to: String,
    pub subject: Option<String>,
    pub text: String,
    pub state: String,
    pub created_at: DateTime<Utc>,
    pub sent_at: Option<DateTime<Utc>>,
    /// When its provider reported the delivery.
    pub delivered_at: Option<DateTime<Utc>>,
    pub error: Option<String>,
    /// The failed message that this one replaces.
    pub fallback_of: Option<Uuid>,
    pub link: Option<String>,
}

impl From<&Message> for MessageView {
    fn from(message: &Message) -> Self {
        let to = match message.channel {
            atalaya_messaging::Channel::Email => atalaya_checks::contact::mask_email(&message.to),
            _ => atalaya_checks::phone::mask(&message.to),
        };
        Self {
            id: message.id.0,
            channel: message.channel.name().to_string(),
            to,
            subject: message.subject.clone(),
            text: message.text.clone(),
            state: message.state.name().to_string(),
            created_at: message.created_at,
            sent_at: message.sent_at,
            delivered_at: message.delivered_at,
            error: message.error.clone(),
            fallback_of: message.fallback_of.map(Into::into),
            link: message.link.clone(),
        }
    }
}

/// A person who is or was in the call.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ParticipantView {
    pub identity: String,
    pub name: String,
    /// `staff` or `client`.
    pub kind: String,
    /// Of the client: what they hold in their hand, for instance `iPhone · Safari`.
    pub device: Option<String>,
    pub connected: bool,
    pub joined_at: DateTime<Utc>,
    pub left_at: Option<DateTime<Utc>>,
}

impl ParticipantView {
    /// As the caller may see it: the client's name is hidden from the repair side.
    pub fn shown_to(self, role: Role) -> Self {
        if role.is_repair_side() && self.kind == "client" { Self { name: String::new(), device: None, ..self } } else { self }
    }
}

/// One row per identity: connected if any stay is open, first join, last leave.
pub fn participants(rows: &[Stay]) -> Vec<ParticipantView> {
    let mut views: Vec<ParticipantView> = Vec::new();
    for row in rows {
        let connected = row.left_at.is_none();
        match views.iter_mut().find(|v| v.identity == row.identity) {
            Some(view) => {
                view.connected |= connected;
                view.left_at = if view.connected { None } else { view.left_at.max(row.left_at) };
            }
            None => views.push(ParticipantView {
                identity: row.identity.clone(),
                name: row.name.clone(),
                kind: row.kind.name().to_owned(),
                device: row.device.clone(),
                connected,
                joined_at: row.joined_at,
                left_at: row.left_at,
            }),
        }
    }
    views
}
