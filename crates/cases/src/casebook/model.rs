//! What a conference is opened with, and the rules about its dates. Pure.

use super::conference::Conference;
use crate::lifetimes::{Unrequestable, Window};
use atalaya_checks::{contact, phone, vehicle};
use atalaya_db::DbError;
use atalaya_kernel::{ClientLanguage, limits};
use atalaya_messaging::{MessageError, TemplateError};
use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Deserializer, Serialize};

/// What can go wrong with a conference.
#[derive(Debug, thiserror::Error)]
pub enum ConferenceError {
    #[error("no such conference for this caller")]
    NotFound,
    #[error("fields are wrong")]
    Invalid(Vec<Wrong>),
    /// 403 with this code
    #[error("the company may not call: {0}")]
    NotAllowed(&'static str),
    #[error("the conference is closed")]
    Closed,
    #[error("the link has expired")]
    LinkExpired,
    #[error("too many tries")]
    TooManyTries { retry_after_s: u64 },
    #[error("the dictated code is wrong")]
    CodeInvalid,
    #[error("no link of this address")]
    LinkUnknown,
    #[error("the device has no right to this conference")]
    ClientKeyInvalid,
    #[error("the device waits at the door of the call")]
    DeviceAtDoor,
    #[error("the adjuster did not let this device in")]
    DeviceRefused,
    #[error("no device of that name waits at the door")]
    DeviceNotWaiting,
    #[error("the recording is not in a state that allows this")]
    RecordingState,
    #[error("this engine cannot record")]
    RecordingUnavailable,
    #[error("the media engine cannot be reached")]
    EngineUnavailable(String),
    #[error("nobody of that name is in the call")]
    ParticipantNotFound,
    #[error("the media of this conference were erased")]
    MediaErased,
    #[error(transparent)]
    Content(#[from] atalaya_content::ContentError),
    #[error(transparent)]
    Blob(#[from] atalaya_blobs::BlobError),
    #[error(transparent)]
    Db(#[from] DbError),
    #[error(transparent)]
    Identity(#[from] atalaya_identity::IdentityError),
    #[error(transparent)]
    Messaging(#[from] MessageError),
    #[error(transparent)]
    Template(#[from] TemplateError),
}

/// A refused field and its code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wrong {
    pub field: &'static str,
    pub code: &'static str,
    pub max: Option<usize>,
}

/// Types of conference (CASE-1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "i16", try_from = "i16")]
pub enum ConferenceType {
    Autos = 1,
    Diversos = 2,
}

impl From<ConferenceType> for i16 {
    fn from(value: ConferenceType) -> i16 {
        value as i16
    }
}

impl TryFrom<i16> for ConferenceType {
    type Error = String;
    fn try_from(value: i16) -> Result<Self, String> {
        match value {
            1 => Ok(Self::Autos),
            2 => Ok(Self::Diversos),
            other => Err(format!("{other} is no type of conference")),
        }
    }
}

/// How the client gets the link.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum LinkChannel {
    #[default]
    Sms,
    Email,
    /// Nothing is sent; the adjuster shows a QR or dictates a code.
    None,
}

/// A channel that a link is sent by after its SMS failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum LinkFallback {
    Whatsapp,
    Email,
}

impl LinkFallback {
    fn name(self) -> &'static str {
        match self {
            Self::Whatsapp => "whatsapp",
            Self::Email => "email",
        }
    }

    /// As it is stored.
    pub fn joined(all: &[Self]) -> String {
        all.iter().map(|one| one.name()).collect::<Vec<_>>().join(",")
    }

    /// Whether a stored choice allows this channel; without a choice every channel is.
    pub fn is_allowed(self, stored: Option<&str>) -> bool {
        stored.is_none_or(|stored| stored.split(',').any(|name| name == self.name()))
    }
}

/// The body of `getToken`, unchecked.
#[derive(Clone, Debug, Default, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct OpenConference {
    /// The answered request's id, or null.
    pub contact_id: Option<String>,
    pub contact_person: Option<String>,
    /// Any spelling; stored as E.164.
    pub phone_number: Option<String>,
    pub expedient_number: Option<String>,
    pub full_address: Option<String>,
    pub address: Option<String>,
    pub city: Option<String>,
    pub city_region: Option<String>,
    pub postal_code: Option<String>,
    pub car_id: Option<String>,
    pub region: Option<String>,
    /// `web`, `api` or `link`.
    pub app_type: Option<String>,
    /// 1 Autos, 2 Diversos; a number or its text.
    #[serde(rename = "type", deserialize_with = "number_or_text")]
    #[schema(value_type = i16)]
    pub conference_type: Option<i16>,
    pub channel: LinkChannel,
    /// Where the link goes when the channel is e-mail.
    pub email: Option<String>,
    /// The client's language; the company's when absent.
    pub language: Option<ClientLanguage>,
    /// Replaces the company's SMS text for this conference.
    pub sms_text: Option<String>,
    /// Where a link goes whose message did not arrive: first by `whatsapp` (only where the company allows it), then by
    /// `email` (when there is an address). Empty: nowhere. Absent: as the company has it.
    pub fallback: Option<Vec<LinkFallback>>,
}

pub fn number_or_text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<i16>, D::Error> {
    let value = serde_json::Value::deserialize(deserializer)?;
    Ok(match value {
        serde_json::Value::Number(n) => n.as_i64().and_then(|n| i16::try_from(n).ok()).or(Some(-1)),
        serde_json::Value::String(s) if s.trim().is_empty() => None,
        serde_json::Value::String(s) => Some(s.trim().parse().unwrap_or(-1)),
        serde_json::Value::Null => None,
        _ => Some(-1),
    })
}

/// A checked conference.
#[derive(Clone, Debug, PartialEq)]
pub struct Opening {
    pub contact_id: Option<uuid::Uuid>,
    pub contact_person: Option<String>,
    pub phone_number: String,
    pub expedient_number: String,
    pub full_address: Option<String>,
    pub address: Option<String>,
    pub city: Option<String>,
    pub city_region: Option<String>,
    pub postal_code: Option<String>,
    pub car_id: Option<String>,
    pub region: Option<String>,
    pub app_type: String,
    pub conference_type: ConferenceType,
    pub channel: LinkChannel,
    pub email: Option<String>,
    pub language: Option<ClientLanguage>,
    pub sms_text: Option<String>,
    pub fallback: Option<Vec<LinkFallback>>,
}

/// Collects what is wrong with each field.
#[derive(Default)]
pub struct Findings(pub Vec<Wrong>);

impl Findings {
    pub fn add(&mut self, field: &'static str, code: &'static str) {
        self.0.push(Wrong { field, code, max: None });
    }

    /// The same for a field that then has no value.
    pub fn none<T>(&mut self, field: &'static str, code: &'static str) -> Option<T> {
        self.add(field, code);
        None
    }

    /// Trims; empty is absent; refuses what is too long or could be markup or a header.
    pub fn line(&mut self, field: &'static str, raw: &Option<String>, max: usize) -> Option<String> {
        let text = raw.as_deref().map(str::trim).filter(|t| !t.is_empty())?;
        if text.chars().count() > max {
            self.0.push(Wrong { field, code: "TOO_LONG", max: Some(max) });
        } else if text.chars().any(|c| c.is_control() || c == '<' || c == '>') {
            self.add(field, "CHARACTERS_NOT_ALLOWED");
        }
        Some(text.to_string())
    }
}

impl OpenConference {
    /// Checks every field and answers everything that is wrong at once (CASE-2).
    pub fn check(&self) -> Result<Opening, Vec<Wrong>> {
        let mut findings = Findings::default();
        let expedient_number = findings.line("expedientNumber", &self.expedient_number, limits::EXPEDIENT_MAX);
        if expedient_number.is_none() {
            findings.add("expedientNumber", "REQUIRED");
        }
        let phone_number = match self.phone_number.as_deref().map(str::trim).filter(|p| !p.is_empty()) {
            None => {
                findings.add("phoneNumber", "REQUIRED");
                None
            }
            Some(raw) => {
                // A landline may ring all the same: only an SMS cannot reach it (CASE-50).
                let check = if self.channel == LinkChannel::Sms { phone::to_mobile } else { phone::to_e164 };
                check(raw).map_err(|e| findings.add("phoneNumber", e.code())).ok()
            }
        };
        let conference_type = match self.conference_type {
            None => {
                findings.add("type", "REQUIRED");
                None
            }
            Some(n) => ConferenceType::try_from(n).map_err(|_| findings.add("type", "TYPE_UNKNOWN")).ok(),
        };
        let car_id = self.car(&mut findings);
        let postal_code = findings.line("postalCode", &self.postal_code, 10);
        if postal_code.as_deref().is_some_and(|p| !contact::is_postal_code(p)) {
            findings.add("postalCode", "POSTAL_CODE_INVALID");
        }
        let email = findings.line("email", &self.email, limits::EMAIL_MAX);
        match &email {
            Some(address) if !contact::is_email(address) => findings.add("email", "EMAIL_INVALID"),
            None if self.channel == LinkChannel::Email => findings.add("email", "REQUIRED"),
            _ => {}
        }
        let contact_id = match self.contact_id.as_deref().filter(|c| !c.is_empty()) {
            Some(id) => uuid::Uuid::parse_str(id).map_err(|_| findings.add("contactId", "INVALID")).ok(),
            None => None,
        };
        let app_type = self.app_type.clone().filter(|a| !a.is_empty()).unwrap_or_else(|| "web".into());
        if !["web", "api", "link"].contains(&app_type.as_str()) {
            findings.add("appType", "INVALID");
        }
        let opening = Opening {
            contact_id,
            contact_person: findings.line("contactPerson", &self.contact_person, limits::LINE_MAX),
            full_address: findings.line("fullAddress", &self.full_address, limits::LINE_MAX),
            address: findings.line("address", &self.address, limits::LINE_MAX),
            city: findings.line("city", &self.city, limits::LINE_MAX),
            city_region: findings.line("cityRegion", &self.city_region, limits::LINE_MAX),
            region: findings.line("region", &self.region, limits::LINE_MAX),
            sms_text: findings.line("smsText", &self.sms_text, limits::SMS_TEXT_MAX),
            phone_number: phone_number.unwrap_or_default(),
            expedient_number: expedient_number.unwrap_or_default(),
            conference_type: conference_type.unwrap_or(ConferenceType::Autos),
            channel: self.channel,
            language: self.language,
            fallback: self.fallback.clone(),
            postal_code,
            car_id,
            app_type,
            email,
        };
        if findings.0.is_empty() { Ok(opening) } else { Err(findings.0) }
    }

    fn car(&self, findings: &mut Findings) -> Option<String> {
        let raw = self.car_id.as_deref().map(str::trim).filter(|c| !c.is_empty())?;
        if raw.chars().count() > 20 {
            findings.0.push(Wrong { field: "carId", code: "TOO_LONG", max: Some(20) });
            return None;
        }
        let tidy = vehicle::car_id(raw);
        if tidy.is_none() {
            findings.add("carId", "CAR_ID_INVALID");
        }
        tidy
    }
}

/// The case number as cases are compared: without white space, in upper case (CASE-18).
pub fn expedient_key(expedient_number: &str) -> String {
    expedient_number.chars().filter(|c| !c.is_whitespace()).collect::<String>().to_uppercase()
}

/// When the client's link stops working (CASE-10).
pub fn link_expiry(created_at: DateTime<Utc>) -> DateTime<Utc> {
    created_at + TimeDelta::hours(limits::LINK_HOURS)
}

/// Whether a link still opens; at `expiredAt` itself it no longer does.
pub fn link_is_live(expired_at: DateTime<Utc>, now: DateTime<Utc>) -> bool {
    now < expired_at
}

/// Whether nobody has been connected for long enough after the client's first connection (CASE-14).
pub fn is_idle(idle_since: Option<DateTime<Utc>>, now: DateTime<Utc>) -> bool {
    idle_since.is_some_and(|since| now - since >= TimeDelta::minutes(limits::IDLE_CLOSE_MINUTES))
}

/// Whether nobody uses the conference any more: idle for long enough, or never begun within its link's hours; and no
/// appointment holds it open (CASE-14, VISIT-6).
pub fn may_close(row: &Conference, now: DateTime<Utc>) -> bool {
    let held = row.held_until.is_some_and(|until| now < until);
    !held && (is_idle(row.idle_since, now) || (row.sid.is_none() && !link_is_live(row.expired_at, now)))
}

/// Whether a caller who sees this conference may request files now (FILES-1, FILES-2).
pub fn may_request(row: &Conference, company_days: Option<i32>, now: DateTime<Utc>) -> Result<(), Unrequestable> {
    let window = Window {
        created_at: row.created_at,
        request_expires: row.media_request_expired,
        company_days,
        duration_s: row.duration_s,
        erased: row.data_key.is_none(),
        deleted: row.media_expired_at.is_some(),
        kept_out: row.sid.is_none() && row.projection().is_kept_out(),
    };
    window.check(now)
}

/// A stretch of time in which somebody was connected; without an end while they still are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    pub staff: bool,
    pub from: DateTime<Utc>,
    pub to: Option<DateTime<Utc>>,
}

/// Seconds in which at least one of ours and the client were connected together (CASE-13).
pub fn together_s(spans: &[Span], now: DateTime<Utc>) -> i64 {
    let mut edges: Vec<(DateTime<Utc>, i32, bool)> = Vec::with_capacity(spans.len() * 2);
    for span in spans {
        let to = span.to.unwrap_or(now);
        if to > span.from {
            edges.push((span.from, 1, span.staff));
            edges.push((to, -1, span.staff));
        }
    }
    edges.sort_by_key(|(at, step, _)| (*at, *step));
    let (mut staff, mut clients, mut total, mut since) = (0, 0, TimeDelta::zero(), None);
    for (at, step, is_staff) in edges {
        *(if is_staff { &mut staff } else { &mut clients }) += step;
        match (staff > 0 && clients > 0, since) {
            (true, None) => since = Some(at),
            (false, Some(from)) => {
                total += at - from;
                since = None;
            }
            _ => {}
        }
    }
    total.num_seconds()
}

#[cfg(test)]
mod tests;
