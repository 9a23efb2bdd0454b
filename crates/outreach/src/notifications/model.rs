//! Notifications, and which general ones are in force for whom.

use super::html;
use crate::push::PushMessage;
use atalaya_kernel::limits::{NOTICE_BODY_MAX, NOTICE_TEXT_MAX, NOTICE_URL_MAX};
use atalaya_kernel::{ConferenceId, NotificationId, Role, UserId, VideoCallRequestId};
use atalaya_rest::FieldError;
use chrono::{DateTime, Datelike, TimeDelta, Utc};
use serde::Deserialize;
use serde_json::Value;
use utoipa::ToSchema;

/// Notification types (NOTICE-1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i16)]
pub enum NoticeType {
    Message = 0,
    Conference = 1,
    Url = 2,
    Html = 3,
}

impl NoticeType {
    /// A stored number; nothing writes others.
    pub(super) fn stored(number: i16) -> Self {
        [Self::Conference, Self::Url, Self::Html].into_iter().find(|kind| *kind as i16 == number).unwrap_or(Self::Message)
    }
}

/// The action of a click on a personal notification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoticeAction {
    /// A dialog with the text.
    Message,
    /// The conference in a large modal.
    Conference(ConferenceId),
    /// A page of ours (`/…`), or an address with a dot in it, which opens in a new tab.
    Url(String),
    /// A dialog with this html; it is sanitised before it is stored.
    Html(String),
}

impl NoticeAction {
    pub(super) fn kind(&self) -> NoticeType {
        match self {
            Self::Message => NoticeType::Message,
            Self::Conference(_) => NoticeType::Conference,
            Self::Url(_) => NoticeType::Url,
            Self::Html(_) => NoticeType::Html,
        }
    }

    pub(super) fn target(&self) -> Option<String> {
        match self {
            Self::Message => None,
            Self::Conference(id) => Some(id.to_string()),
            Self::Url(url) => Some(url.clone()),
            Self::Html(html) => Some(html::sanitise(html)),
        }
    }
}

/// The text of a personal notification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoticeText {
    /// A text of ours, `notice.<id>` in the namespace `messages`, without values, shown in the reader's language. The id is
    /// stored, so it must never change.
    Known(&'static str),
    /// A text that somebody wrote, the same in every language.
    Written(String),
}

/// A personal notification to be written; see [`crate::Outreach::notify`].
#[derive(Clone, Debug, PartialEq)]
pub struct NewNotification {
    pub text: NoticeText,
    /// Shown after the text.
    pub expedient: Option<String>,
    pub action: NoticeAction,
    /// The conference it is about, when the action does not name it; its erasure deletes the notification.
    pub about: Option<ConferenceId>,
    /// The request for a video call it is about; the erasure of the conference it became deletes the notification.
    pub about_request: Option<VideoCallRequestId>,
    /// The push to their devices.
    pub push: Option<PushMessage>,
}

impl NewNotification {
    pub fn new(text: NoticeText, action: NoticeAction) -> Self {
        let about = match action {
            NoticeAction::Conference(id) => Some(id),
            _ => None,
        };
        Self { text, expedient: None, action, about, about_request: None, push: None }
    }

    pub fn expedient(mut self, expedient: impl Into<String>) -> Self {
        self.expedient = Some(expedient.into()).filter(|text: &String| !text.trim().is_empty());
        self
    }

    pub fn about(mut self, conference: ConferenceId) -> Self {
        self.about = Some(conference);
        self
    }

    pub fn about_request(mut self, request: VideoCallRequestId) -> Self {
        self.about_request = Some(request);
        self
    }

    pub fn push(mut self, message: PushMessage) -> Self {
        self.push = Some(message);
        self
    }
}

/// The audience of a general notification: on the wire 0 for everybody, else the role (NOTICE-6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoleGroup {
    Everybody,
    Role(Role),
}

impl RoleGroup {
    /// The roles that may be chosen.
    pub const ROLES: [Role; 6] =
        [Role::Customer, Role::Worker, Role::Repairer, Role::RepairerOperator, Role::CarRepairShop, Role::WorkshopOperator];

    pub fn parse(number: i64) -> Option<Self> {
        match number {
            0 => Some(Self::Everybody),
            n => Self::ROLES.into_iter().find(|role| i64::from(i16::from(*role)) == n).map(Self::Role),
        }
    }

    pub fn number(self) -> i16 {
        match self {
            Self::Everybody => 0,
            Self::Role(role) => role.into(),
        }
    }
}

/// Where a general notification stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum GeneralState {
    Scheduled,
    Active,
    Expired,
    Withdrawn,
}

impl GeneralState {
    /// In force from its start on, until just before its end (NOTICE-7).
    pub fn at(now: DateTime<Utc>, start: DateTime<Utc>, end: DateTime<Utc>, withdrawn: bool) -> Self {
        match () {
            () if withdrawn => Self::Withdrawn,
            () if now < start => Self::Scheduled,
            () if now < end => Self::Active,
            () => Self::Expired,
        }
    }
}

/// A stored general notification.
#[derive(Clone, Debug)]
pub(super) struct General {
    pub id: NotificationId,
    pub text: String,
    pub url: Option<String>,
    /// Sanitised.
    pub body: Option<String>,
    pub group: RoleGroup,
    pub start_at: DateTime<Utc>,
    pub expires_at: DateTime<Utc>,
    pub withdrawn: bool,
}

impl General {
    pub fn state(&self, now: DateTime<Utc>) -> GeneralState {
        GeneralState::at(now, self.start_at, self.expires_at, self.withdrawn)
    }
}

/// A stored personal notification.
#[derive(Clone, Debug)]
pub(super) struct Personal {
    pub id: NotificationId,
    pub user: UserId,
    /// The conference it is about, whose erasure deletes the notification (NOTICE-14).
    pub conference: Option<ConferenceId>,
    /// The request for a video call it is about; deleted with it likewise.
    pub request: Option<VideoCallRequestId>,
    /// Key of the text per language.
    pub text_id: Option<String>,
    /// In Spanish.
    pub text: String,
    pub expedient: Option<String>,
    /// Conference, address or sanitised html, by the type.
    pub target: Option<String>,
    pub kind: NoticeType,
    pub created_at: DateTime<Utc>,
    pub is_read: bool,
}

/// How long a general notification may be in force, and how far ahead it may begin (NOTICE-10).
const FORCE_MAX: TimeDelta = TimeDelta::days(366);

/// Body of `new-general-from-admin`. Forms send empty texts for what is missing.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct NewGeneralBody {
    /// 1 to 250 characters.
    #[schema(value_type = String)]
    text: Value,
    /// `https://…`, `http://…` or a page of ours, `/…`.
    #[schema(value_type = Option<String>)]
    url: Value,
    /// RFC 3339; now when missing or past.
    #[schema(value_type = Option<String>)]
    start_at: Value,
    /// RFC 3339, after the start and at most 366 days later.
    #[schema(value_type = String)]
    expires_at: Value,
    /// 0 everybody, or one role: 2, 3, 4, 5, 6, 7.
    #[schema(value_type = i16)]
    role_group: Value,
    /// Html of at most 20000 characters; what is not allowed in it is taken out.
    #[schema(value_type = Option<String>)]
    body: Value,
}

/// The parsed body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewGeneral {
    pub text: String,
    pub url: Option<String>,
    pub start_at: DateTime<Utc>,
    pub expires_at: DateTime<Utc>,
    pub group: RoleGroup,
    /// Sanitised.
    pub body: Option<String>,
}

impl NewGeneralBody {
    /// Parses the body; names every wrong field.
    pub(crate) fn check(&self, now: DateTime<Utc>) -> Result<NewGeneral, Vec<FieldError>> {
        let mut wrong = Vec::new();
        let text = keep(&mut wrong, required("text", text_of("text", &self.text, NOTICE_TEXT_MAX)));
        let url = keep(&mut wrong, text_of("url", &self.url, NOTICE_URL_MAX).and_then(|url| url.map(checked_url).transpose()));
        let start = keep(&mut wrong, time_of("startAt", &self.start_at)).map(|at| at.unwrap_or(now).max(now));
        let end = keep(&mut wrong, required("expiresAt", time_of("expiresAt", &self.expires_at)));
        let group = keep(&mut wrong, group_of(&self.role_group));
        let body = keep(&mut wrong, text_of("body", &self.body, NOTICE_BODY_MAX).and_then(|html| html.map(clean).transpose()));
        if start.is_some_and(|start| start > now + FORCE_MAX) {
            wrong.push(FieldError::new("startAt", "DATE_TOO_FAR"));
        }
        if let (Some(start), Some(end)) = (start, end) {
            match () {
                () if end <= start => wrong.push(FieldError::new("expiresAt", "DATE_ORDER")),
                () if end > start + FORCE_MAX => wrong.push(FieldError::new("expiresAt", "DATE_TOO_FAR")),
                () => {}
            }
        }
        match (text, url, start, end, group, body) {
            (Some(text), Some(url), Some(start_at), Some(expires_at), Some(group), Some(body)) if wrong.is_empty() => {
                Ok(NewGeneral { text, url, start_at, expires_at, group, body })
            }
            _ => Err(wrong),
        }
    }
}

fn keep<T>(wrong: &mut Vec<FieldError>, checked: Result<T, FieldError>) -> Option<T> {
    checked.map_err(|error| wrong.push(error)).ok()
}

fn required<T>(field: &'static str, checked: Result<Option<T>, FieldError>) -> Result<T, FieldError> {
    checked?.ok_or_else(|| FieldError::new(field, "REQUIRED"))
}

/// A trimmed text of at most `max` characters; `None` for an empty one.
pub(super) fn text_of(field: &'static str, value: &Value, max: usize) -> Result<Option<String>, FieldError> {
    let text = match value {
        Value::Null => return Ok(None),
        Value::String(text) => text.trim(),
        _ => return Err(FieldError::new(field, "INVALID")),
    };
    match text.chars().count() {
        0 => Ok(None),
        n if n > max => Err(FieldError::new(field, "TOO_LONG").param("max", max)),
        _ if text.contains('\0') => Err(FieldError::new(field, "INVALID")),
        _ => Ok(Some(text.to_owned())),
    }
}

fn time_of(field: &'static str, value: &Value) -> Result<Option<DateTime<Utc>>, FieldError> {
    let Some(text) = text_of(field, value, 64)? else { return Ok(None) };
    let parsed = DateTime::parse_from_rfc3339(&text).ok().map(|at| at.to_utc());
    let known = |at: &DateTime<Utc>| (1900..=9999).contains(&at.year());
    parsed.filter(known).map(Some).ok_or_else(|| FieldError::new(field, "INVALID"))
}

fn group_of(value: &Value) -> Result<RoleGroup, FieldError> {
    let number = match value {
        Value::Null => return Err(FieldError::new("roleGroup", "REQUIRED")),
        Value::String(text) => text.trim().parse().ok(),
        other => other.as_i64(),
    };
    number.and_then(RoleGroup::parse).ok_or_else(|| FieldError::new("roleGroup", "INVALID"))
}

/// An address that a click may open: http(s) with a dotted host, or a page of ours (NOTICE-11). The bell distinguishes other
/// sites from pages of ours by the dot.
fn checked_url(url: String) -> Result<String, FieldError> {
    let plain = url.chars().all(|c| c.is_ascii_graphic() && !matches!(c, '\\' | '"' | '<' | '>' | '`'));
    let ours = url.starts_with('/') && !url.starts_with("//");
    let host = |rest: &str| rest.split(['/', '?', '#']).next().unwrap_or_default().to_owned();
    let lower = url.to_ascii_lowercase();
    let outside = ["https://", "http://"].iter().filter_map(|scheme| lower.strip_prefix(scheme)).map(host).any(|host| {
        let dotted = host.split('.').filter(|part| !part.is_empty()).count() > 1;
        dotted && !host.contains('@')
    });
    if plain && (ours || outside) { Ok(url) } else { Err(FieldError::new("url", "URL_INVALID")) }
}

/// Sanitised HTML that still has text.
fn clean(html: String) -> Result<String, FieldError> {
    let clean = html::sanitise(&html);
    if html::is_blank(&clean) { Err(FieldError::new("body", "INVALID")) } else { Ok(clean) }
}
