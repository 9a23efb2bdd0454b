//! States of a request, what a new one must contain, and its times. Pure.

use atalaya_cases::conferences::model::{ConferenceError, ConferenceType, Findings, Wrong, number_or_text};
use atalaya_checks::{phone, vehicle};
use atalaya_db::DbError;
use atalaya_identity::IdentityError;
use atalaya_kernel::{CompanyId, InsuranceId, limits};
use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};

/// What can go wrong with a request.
#[derive(Debug, thiserror::Error)]
pub enum RequestError {
    /// `REQUEST_NOT_FOUND` (404)
    #[error("no such request for this caller")]
    NotFound,
    /// `INVALID_FIELDS` (422)
    #[error("fields are wrong")]
    Invalid(Vec<Wrong>),
    /// `VIDEO_CALL_BLOCKED` (409), with the side that is
    #[error("video-call requests are blocked")]
    Blocked(Party),
    /// `REQUEST_OPEN` (409)
    #[error("the starter has an open request already")]
    AlreadyOpen,
    /// `CALLBACKS_FULL` (409)
    #[error("the starter has agreed on as many call-backs as one person may")]
    CallbacksFull,
    #[error(transparent)]
    Push(#[from] atalaya_outreach::push::PushError),
    /// `ALREADY_TAKEN` (409), with the name of who took it
    #[error("somebody else has answered it")]
    AlreadyTaken(String),
    /// `REQUEST_CLOSED` (409)
    #[error("the request is not open any more")]
    Closed,
    #[error(transparent)]
    Conference(#[from] ConferenceError),
    #[error(transparent)]
    Identity(#[from] IdentityError),
    #[error(transparent)]
    Db(#[from] DbError),
}

/// The two sides of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Party {
    Customer,
    Starter,
}

/// The state of a request. Names are wire and stored values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = VideoCallRequestState)]
pub enum State {
    /// Rings at the customer's people.
    Waiting,
    /// A call-back is agreed; it rings at its time.
    Scheduled,
    Accepted,
    Refused,
    Withdrawn,
    Expired,
}

/// What happens to a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    Accept,
    /// Everybody of the customer has refused it.
    Refuse,
    Withdraw,
    /// Its time ran out.
    Expire,
    /// A call-back is agreed, instead of waiting or once nobody answered.
    CallBack,
}

impl State {
    pub const ALL: [State; 6] =
        [State::Waiting, State::Scheduled, State::Accepted, State::Refused, State::Withdrawn, State::Expired];
    /// States of open requests.
    pub const OPEN: [State; 2] = [State::Waiting, State::Scheduled];

    pub fn name(self) -> &'static str {
        match self {
            State::Waiting => "waiting",
            State::Scheduled => "scheduled",
            State::Accepted => "accepted",
            State::Refused => "refused",
            State::Withdrawn => "withdrawn",
            State::Expired => "expired",
        }
    }

    /// The state of a stored name; an unknown name counts as expired.
    pub fn parse(name: &str) -> Self {
        Self::ALL.into_iter().find(|state| state.name() == name).unwrap_or(State::Expired)
    }

    pub fn is_open(self) -> bool {
        Self::OPEN.contains(&self)
    }

    /// The state after a step; `None` when the step is not possible (REQUEST-18).
    pub fn after(self, step: Step) -> Option<State> {
        match (self, step) {
            (State::Waiting | State::Scheduled, Step::Accept) => Some(State::Accepted),
            (State::Waiting | State::Scheduled, Step::Refuse) => Some(State::Refused),
            (State::Waiting | State::Scheduled, Step::Withdraw) => Some(State::Withdrawn),
            (State::Waiting | State::Scheduled, Step::Expire) => Some(State::Expired),
            (State::Waiting | State::Scheduled | State::Refused | State::Expired, Step::CallBack) => Some(State::Scheduled),
            (State::Accepted | State::Refused | State::Withdrawn | State::Expired, _) => None,
        }
    }
}

/// When a request begins to ring and when it stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Times {
    pub state: State,
    pub queued_at: DateTime<Utc>,
    pub expires_at: DateTime<Utc>,
}

impl Times {
    /// Rings from now on, for ten minutes (REQUEST-3).
    pub fn waiting(now: DateTime<Utc>) -> Self {
        let expires_at = now + TimeDelta::minutes(limits::REQUEST_WAIT_MINUTES);
        Self { state: State::Waiting, queued_at: now, expires_at }
    }

    /// Rings from the agreed time on, for half an hour (REQUEST-13).
    pub fn scheduled(at: DateTime<Utc>) -> Self {
        let expires_at = at + TimeDelta::minutes(limits::REQUEST_RING_MINUTES);
        Self { state: State::Scheduled, queued_at: at, expires_at }
    }

    /// Whether it is open; at `expires_at` itself it no longer is.
    pub fn is_open(self, now: DateTime<Utc>) -> bool {
        self.state.is_open() && now < self.expires_at
    }

    /// Rings and counts at the customer.
    pub fn rings(self, now: DateTime<Utc>) -> bool {
        self.is_open(now) && self.queued_at <= now
    }
}

/// Checks the time of a call-back: five minutes to fourteen days ahead, both included (REQUEST-12).
///
/// Errors: `CALLBACK_TOO_SOON`, `CALLBACK_TOO_LATE`.
pub fn check_callback(at: DateTime<Utc>, now: DateTime<Utc>) -> Result<(), Wrong> {
    let wrong = |code| Err(Wrong { field: "callbackAt", code, max: None });
    match at - now {
        ahead if ahead < TimeDelta::minutes(limits::REQUEST_CALLBACK_MIN_MINUTES) => wrong("CALLBACK_TOO_SOON"),
        ahead if ahead > TimeDelta::days(limits::REQUEST_CALLBACK_MAX_DAYS) => wrong("CALLBACK_TOO_LATE"),
        _ => Ok(()),
    }
}

/// The body of `video-call-request`, unchecked. The starter is the session's user.
#[derive(Clone, Debug, Default, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", default)]
#[schema(as = NewVideoCallRequest)]
pub struct NewRequest {
    /// A province, or whatever the customer calls its region.
    pub region: Option<String>,
    pub customer_id: Option<String>,
    /// The first by name that the customer works for, when absent (REQUEST-2).
    pub insurance_company_id: Option<String>,
    /// Any spelling, stored as E.164; the starter's own when absent.
    pub starter_phone: Option<String>,
    pub expedient: Option<String>,
    /// 1 Autos, 2 Diversos; a number or its text.
    #[serde(rename = "type", deserialize_with = "number_or_text")]
    #[schema(value_type = i16)]
    pub request_type: Option<i16>,
    pub plate: Option<String>,
    /// RFC 3339; a call-back at this time instead of waiting.
    pub callback_at: Option<String>,
}

/// A checked request.
#[derive(Clone, Debug, PartialEq)]
pub struct Asked {
    pub region: String,
    pub customer: CompanyId,
    pub insurer: Option<InsuranceId>,
    pub starter_phone: Option<String>,
    pub expedient: String,
    pub request_type: ConferenceType,
    pub plate: Option<String>,
    pub callback_at: Option<DateTime<Utc>>,
}

impl NewRequest {
    /// Checks every field and answers everything that is wrong at once (REQUEST-1).
    pub fn check(&self, now: DateTime<Utc>) -> Result<Asked, Vec<Wrong>> {
        let mut findings = Findings::default();
        let region = required(&mut findings, "region", &self.region, limits::REQUEST_REGION_MAX);
        let expedient = required(&mut findings, "expedient", &self.expedient, limits::EXPEDIENT_MAX);
        let request_type = match self.request_type.map(ConferenceType::try_from) {
            Some(Ok(request_type)) => Some(request_type),
            Some(Err(_)) => findings.none("type", "INVALID"),
            None => findings.none("type", "REQUIRED"),
        };
        let customer = id(&mut findings, "customerId", &self.customer_id);
        let insurer = given(&self.insurance_company_id).and_then(|raw| match uuid::Uuid::parse_str(raw) {
            Ok(id) => Some(InsuranceId(id)),
            Err(_) => findings.none("insuranceCompanyId", "INVALID"),
        });
        let starter_phone = given(&self.starter_phone).and_then(|raw| match phone::to_e164(raw) {
            Ok(phone) => Some(phone),
            Err(error) => findings.none("starterPhone", error.code()),
        });
        let plate = findings.line("plate", &self.plate, 20).and_then(|raw| match vehicle::car_id(&raw) {
            Some(plate) => Some(plate),
            None => findings.none("plate", "CAR_ID_INVALID"),
        });
        let callback_at = callback(&mut findings, &self.callback_at, now);
        match (region, expedient, request_type, customer) {
            (Some(region), Some(expedient), Some(request_type), Some(customer)) if findings.0.is_empty() => {
                let customer = CompanyId(customer);
                Ok(Asked { region, customer, insurer, starter_phone, expedient, request_type, plate, callback_at })
            }
            _ => Err(findings.0),
        }
    }
}

fn given(text: &Option<String>) -> Option<&str> {
    text.as_deref().map(str::trim).filter(|text| !text.is_empty())
}

fn required(findings: &mut Findings, field: &'static str, raw: &Option<String>, max: usize) -> Option<String> {
    let line = findings.line(field, raw, max);
    if line.is_none() {
        findings.add(field, "REQUIRED");
    }
    line
}

fn id(findings: &mut Findings, field: &'static str, raw: &Option<String>) -> Option<uuid::Uuid> {
    match given(raw).map(uuid::Uuid::parse_str) {
        Some(Ok(id)) => Some(id),
        Some(Err(_)) => findings.none(field, "INVALID"),
        None => findings.none(field, "REQUIRED"),
    }
}

fn callback(findings: &mut Findings, raw: &Option<String>, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
    let raw = given(raw)?;
    let Ok(at) = DateTime::parse_from_rfc3339(raw) else { return findings.none("callbackAt", "INVALID") };
    match check_callback(at.to_utc(), now) {
        Ok(()) => Some(at.to_utc()),
        Err(wrong) => {
            findings.0.push(wrong);
            None
        }
    }
}

/// The time of a call-back, read and checked.
pub fn read_callback(raw: &Option<String>, now: DateTime<Utc>) -> Result<DateTime<Utc>, Vec<Wrong>> {
    let mut findings = Findings::default();
    let at = callback(&mut findings, raw, now);
    if at.is_none() && findings.0.is_empty() {
        findings.add("callbackAt", "REQUIRED");
    }
    at.ok_or(findings.0)
}

/// A reason, optional, of at most [`limits::REQUEST_REASON_MAX`] characters.
pub fn read_reason(raw: &Option<String>) -> Result<Option<String>, Vec<Wrong>> {
    let mut findings = Findings::default();
    let reason = findings.line("reason", raw, limits::REQUEST_REASON_MAX);
    if findings.0.is_empty() { Ok(reason) } else { Err(findings.0) }
}

#[cfg(test)]
mod tests;
