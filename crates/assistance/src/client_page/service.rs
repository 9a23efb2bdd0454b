//! The client's steps: reading the link, answering the notice, reporting what happened, entering the call.

pub use super::answer::{Accepted, LegalAnswer, answer};
use super::door::{self, Entry};
use super::model::{LinkFacts, LinkState, StepRequest, link_state};
use crate::Assistance;
use crate::calls::{JoinGrant, Side, TOKEN_LIFE, recording, recording::RecordingView};
use crate::chat::ChatMessage;
use crate::client_devices::{self as devices, ClientDevice, Standing};
use crate::media::announcements;
use crate::places::service as places;
use atalaya_cases::conferences::model::{ConferenceError, Wrong, link_is_live};
use atalaya_cases::conferences::service::record_or_count;
use atalaya_cases::conferences::{self, Conference};
use atalaya_cases::evidence::{Actor, NewTrack};
use atalaya_cases::{appointments, dictated_code, lifetimes};
use atalaya_checks::browser::browser_and_system;
use atalaya_content::legal::{Notice, NoticeParams};
use atalaya_kernel::events::TrackType;
use atalaya_kernel::{ClientLanguage, CompanyId, ConferenceId, limits};
use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::json;
use std::net::IpAddr;
use utoipa::ToSchema;

/// Where a request of the client came from: personal values, which can be erased (EVID-6).
pub struct Origin {
    pub address: IpAddr,
    pub user_agent: String,
}

impl Origin {
    pub fn onto(&self, track: NewTrack) -> NewTrack {
        track.erasable("ip", self.address.to_string()).erasable("userAgent", self.user_agent.clone())
    }

    /// System and browser, as far as the user agent tells them.
    pub(super) fn device(&self) -> String {
        let (browser, system) = browser_and_system(&self.user_agent);
        [system, browser].into_iter().filter(|name| *name != "–").collect::<Vec<_>>().join(" · ")
    }
}

/// What the client's page shows before anything else.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LinkView {
    pub state: LinkState,
    pub company: String,
    pub adjuster: String,
    /// Null when the link no longer opens, as everything else about the case.
    pub expedient_number: Option<String>,
    #[serde(rename = "type")]
    pub conference_type: i16,
    pub car_id: Option<String>,
    pub contact_person: Option<String>,
    pub language: String,
    pub languages: Vec<&'static str>,
    pub expired_at: DateTime<Utc>,
    pub retention_days: i64,
    /// A phone number the client may call when nothing else works; null when the link no longer opens.
    pub contact_phone: Option<String>,
    /// Null when the link no longer opens.
    pub legal: Option<LegalView>,
    pub recording: RecordingView,
    pub appointment: Option<appointments::AppointmentView>,
}

/// The notice the client answers.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LegalView {
    pub document_id: String,
    pub version: i32,
    pub language: String,
    pub title: String,
    pub html: String,
    pub sha256: String,
}

impl From<Notice> for LegalView {
    fn from(notice: Notice) -> Self {
        Self {
            document_id: notice.document_id.to_string(),
            version: notice.version,
            language: notice.language.code().to_string(),
            title: notice.title,
            html: notice.html,
            sha256: notice.sha256,
        }
    }
}

/// The conference behind a link. Errors: `LINK_UNKNOWN`.
pub use conferences::service::by_hash as find;

fn state_of(deps: &Assistance, row: &Conference) -> LinkState {
    let p = row.projection();
    let begun = row.sid.is_some();
    // Closed because nobody came in time: the client reads that the link expired, not that a call has ended.
    let lapsed = !begun && row.closed_at.is_some_and(|at| !link_is_live(row.expired_at, at));
    link_state(LinkFacts {
        closed: row.closed && !lapsed,
        begun,
        // Once lapsed it stays so, also when the clock is set back.
        live: !lapsed && link_is_live(row.expired_at, deps.sources.now()),
        declined: p.legal_rejected_at.is_some() && p.client_connected_at.is_none(),
    })
}

/// Errors: `CONFERENCE_CLOSED`, `LINK_EXPIRED` when nothing more can be done with the link.
pub(super) fn require_usable(deps: &Assistance, row: &Conference) -> Result<(), ConferenceError> {
    match state_of(deps, row) {
        LinkState::Closed => Err(ConferenceError::Closed),
        LinkState::Expired => Err(ConferenceError::LinkExpired),
        LinkState::Open | LinkState::Declined => Ok(()),
    }
}

/// Whom the client calls when the page does not open.
#[derive(Clone, Debug)]
pub struct CallBack {
    pub company: String,
    pub phone: Option<String>,
    /// Code of the case's language.
    pub language: String,
}

/// Whom the client of this link calls, as [`call_back_of`] says. Errors: `LINK_UNKNOWN`.
pub async fn call_back(deps: &Assistance, hash: &str) -> Result<CallBack, ConferenceError> {
    let row = find(deps, hash).await?;
    call_back_of(deps, &row, require_usable(deps, &row).is_ok()).await
}

/// Whom the client calls; without a number when the link no longer `opens` (CLIENT-45).
pub async fn call_back_of(deps: &Assistance, row: &Conference, opens: bool) -> Result<CallBack, ConferenceError> {
    let company = atalaya_identity::companies::service::get_company(&deps.identity, CompanyId(row.company_id)).await?;
    let phone = company.phone.or(company.mobile).filter(|_| opens);
    Ok(CallBack { company: row.customer_name.clone(), phone, language: row.language.clone() })
}

/// Reads a link; changes nothing.
pub async fn view(deps: &Assistance, hash: &str, language: Option<ClientLanguage>) -> Result<LinkView, ConferenceError> {
    let row = find(deps, hash).await?;
    let state = state_of(deps, &row);
    let company = atalaya_identity::companies::service::get_company(&deps.identity, CompanyId(row.company_id)).await?;
    let retention_days = lifetimes::retention_days(company.retention_days);
    let language = language.or_else(|| ClientLanguage::parse(&row.language)).unwrap_or_default();
    let legal = match state {
        LinkState::Open | LinkState::Declined => Some(notice(deps, &row, language, retention_days, &company).await?.into()),
        LinkState::Closed | LinkState::Expired => None,
    };
    let gone = legal.is_none();
    Ok(LinkView {
        state,
        company: row.customer_name.clone(),
        adjuster: row.user_name.clone(),
        expedient_number: Some(row.expedient_number.clone()).filter(|_| !gone),
        conference_type: row.conference_type.into(),
        car_id: row.car_id.clone().filter(|_| !gone),
        contact_person: row.contact_person.clone().filter(|_| !gone),
        language: row.language.clone(),
        languages: ClientLanguage::ALL.iter().map(|l| l.code()).collect(),
        expired_at: row.expired_at,
        retention_days,
        contact_phone: company.phone.or(company.mobile).filter(|_| !gone),
        legal,
        recording: recording::current(deps, ConferenceId(row.id)).await?,
        appointment: appointments::of(deps, ConferenceId(row.id)).await?,
    })
}

pub(super) async fn notice(
    deps: &Assistance,
    row: &Conference,
    language: ClientLanguage,
    retention_days: i64,
    company: &atalaya_identity::companies::Company,
) -> Result<Notice, ConferenceError> {
    let values = NoticeParams {
        company: row.customer_name.clone(),
        expedient: row.expedient_number.clone(),
        retention_days,
        contact: company.email.clone().or_else(|| company.phone.clone()).unwrap_or_else(|| row.customer_name.clone()),
        terms: deps.identity.settings.keeping.clone(),
    };
    Ok(atalaya_content::legal::service::notice_in_force(&deps.content, language, &values).await?)
}

/// Records a step of the client, or that it has taken a picture.
///
/// Errors: `LINK_UNKNOWN`, `CONFERENCE_CLOSED`, `LINK_EXPIRED`, `CLIENT_KEY_INVALID`, `INVALID_FIELDS`.
pub async fn tell(
    deps: &Assistance,
    hash: &str,
    key: Option<&str>,
    request: &StepRequest,
    origin: &Origin,
) -> Result<(), ConferenceError> {
    let row = find(deps, hash).await?;
    require_usable(deps, &row)?;
    let wrong = |field| ConferenceError::Invalid(vec![Wrong { field, code: "INVALID", max: None }]);
    let id = ConferenceId(row.id);
    if let Some(announced) = request.announcement() {
        let announced = announced.map_err(wrong)?;
        require_inside(deps, id, key).await?;
        return announcements::announce(deps, id, announced).await;
    }
    let step = request.check().map_err(wrong)?;
    let mut data = step.data;
    if step.needs_key {
        // Of two devices of the client, each has its own permissions and its own place.
        data["identity"] = require_device(deps, id, key).await?.identity.into();
    }
    if step.track_type == TrackType::LinkOpened {
        let (browser, system) = browser_and_system(&origin.user_agent);
        data = json!({"browser": browser, "os": system});
    }
    let mut track = origin.onto(NewTrack::new(step.track_type, Actor::Client, data));
    if let Some(position) = step.position {
        track = track.erasable("position", position);
    }
    let track = record_or_count(deps, id, track).await?;
    if track.is_some_and(|track| track.track_type == TrackType::GeoFix) {
        places::publish(deps, id).await?;
        places::later(deps, id);
    }
    Ok(())
}

/// Events of a conference after which its client's side may add none (EVID-33). A long call with a lively chat has hundreds.
const EVENTS_MAX: i32 = 3000;
/// `Retry-After` then, in seconds: nothing will change soon.
const FULL_RETRY_S: u64 = 3600;

/// Errors: `TOO_MANY_TRIES` when the client's side has filled the conference.
pub(crate) fn require_room(row: &Conference) -> Result<(), ConferenceError> {
    match row.last_seq < EVENTS_MAX {
        true => Ok(()),
        false => Err(ConferenceError::TooManyTries { retry_after_s: FULL_RETRY_S }),
    }
}

/// The device of this key. Errors: `CLIENT_KEY_INVALID`.
pub async fn require_device(deps: &Assistance, id: ConferenceId, key: Option<&str>) -> Result<ClientDevice, ConferenceError> {
    let key = key.filter(|k| k.len() == 64).ok_or(ConferenceError::ClientKeyInvalid)?;
    devices::find_device(deps.db.read(), id, &dictated_code::digest(key)).await?.ok_or(ConferenceError::ClientKeyInvalid)
}

/// The same of a device that may write and send: not one that waits at the door or was refused (CLIENT-41).
///
/// Errors: `CLIENT_KEY_INVALID`, `DEVICE_AT_DOOR`.
pub async fn require_inside(deps: &Assistance, id: ConferenceId, key: Option<&str>) -> Result<ClientDevice, ConferenceError> {
    let device = require_device(deps, id, key).await?;
    match device.standing {
        Some(Standing::Waiting | Standing::Refused) => Err(ConferenceError::DeviceAtDoor),
        _ => Ok(device),
    }
}

/// What the client's page needs to enter the call.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct JoinView {
    pub url: String,
    pub token: String,
    pub identity: String,
    pub conference: JoinedConference,
    pub recording: RecordingView,
    pub chat: Vec<ChatMessage>,
}

#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct JoinedConference {
    #[serde(rename = "_id")]
    pub id: ConferenceId,
}

/// Mints the device's media token, with the same identity each time, so that a reload takes the same seat (CLIENT-10).
/// `None`: another device is in the call, and this one waits.
///
/// Errors: `LINK_UNKNOWN`, `CONFERENCE_CLOSED`, `LINK_EXPIRED`, `CLIENT_KEY_INVALID`, `DEVICE_REFUSED`.
pub async fn join(
    deps: &Assistance,
    hash: &str,
    key: Option<&str>,
    device_name: &str,
    asks_again: bool,
) -> Result<Option<JoinView>, ConferenceError> {
    let row = find(deps, hash).await?;
    let id = ConferenceId(row.id);
    let device = require_device(deps, id, key).await?;
    require_usable(deps, &row)?;
    let (device, entry) = door::ask(deps, id, device, device_name, asks_again).await?;
    match entry {
        Entry::Enters => {}
        Entry::Waits => return Ok(None),
        Entry::Refused => return Err(ConferenceError::DeviceRefused),
    }
    let now = deps.sources.now();
    let token = deps.engine.mint(&JoinGrant {
        conference: id,
        identity: device.identity.clone(),
        name: row.contact_person.clone().unwrap_or_default(),
        side: Side::Client,
        device: device.device,
        session: None,
        now,
        expires_at: now + TOKEN_LIFE,
    });
    Ok(Some(JoinView {
        url: deps.media_url(),
        token,
        identity: device.identity,
        conference: JoinedConference { id },
        recording: recording::current(deps, id).await?,
        chat: crate::chat::list(deps, id).await?,
    }))
}

/// Turns a dictated code into its link, once (CLIENT-11). Errors: `CODE_INVALID`.
pub async fn redeem(deps: &Assistance, code: &str) -> Result<String, ConferenceError> {
    let digits: String = code.chars().filter(|c| !c.is_whitespace() && *c != '-').collect();
    if digits.len() != limits::DICTATED_CODE_DIGITS || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err(ConferenceError::CodeInvalid);
    }
    let now = deps.sources.now();
    let mut living = dictated_code::list(deps.db.read(), &dictated_code::digest(&digits)).await?;
    living.retain(|c| now < c.expires_at);
    // When two conferences have the same digits, a stranger could get the wrong one: neither is opened.
    let [code] = living.as_slice() else { return Err(ConferenceError::CodeInvalid) };
    let row = conferences::get(deps.db.read(), conferences::Scope::All, code.conference).await?;
    require_usable(deps, &row)?;
    let tx = deps.db.write().await?;
    if !dictated_code::delete(&tx, code).await? {
        return Err(ConferenceError::CodeInvalid);
    }
    tx.commit().await?;
    Ok(row.hash)
}
