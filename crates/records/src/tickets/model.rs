//! The fields of an incidence, the moves between statuses, and the checks of what is sent. Pure.

use atalaya_cases::conferences::ConferenceError;
use atalaya_cases::conferences::model::{Findings, Wrong, number_or_text};
use atalaya_checks::phone;
use atalaya_kernel::{ConferenceId, IncidenceId, calendar, limits};
use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

/// Why an incidence is not accepted, changed or shown.
#[derive(Debug, thiserror::Error)]
pub enum IncidenceError {
    /// `INCIDENCE_NOT_FOUND` (404), also another tenant's
    #[error("no such incidence for this caller")]
    NotFound,
    /// `INCIDENCE_IMAGE_NOT_FOUND` (404)
    #[error("no such image for this caller")]
    ImageNotFound,
    /// `ROLE_NOT_ALLOWED` (403)
    #[error("only administrators write notes")]
    NotesForbidden,
    /// `INCIDENCE_STATUS` (409)
    #[error("this status does not follow the present one, or not by this caller")]
    Move,
    /// `INCIDENCE_FIELDS_MISSING` (422) with the fields
    #[error("fields are missing")]
    Missing(Vec<&'static str>),
    /// `INVALID_FIELDS` (422)
    #[error("fields are wrong")]
    Invalid(Vec<Wrong>),
    /// `INCIDENCE_CONFERENCE_OLD` (422)
    #[error("the conference is older than an incidence may be about")]
    ConferenceOld,
    /// `INCIDENCE_FILES_TOO_MANY` (422)
    #[error("too many images")]
    FilesTooMany,
    /// `INCIDENCE_FILE_TOO_LARGE` (422), the image's place from 0
    #[error("image {0} is too large")]
    FileTooLarge(usize),
    /// `INCIDENCE_FILE_NOT_IMAGE` (422), the image's place from 0
    #[error("file {0} is no image that can be opened")]
    FileNotImage(usize),
    #[error(transparent)]
    Conference(#[from] ConferenceError),
}

macro_rules! below {
    ($($error:ty),+ $(,)?) => {$(
        impl From<$error> for IncidenceError {
            fn from(error: $error) -> Self {
                Self::Conference(error.into())
            }
        }
    )+};
}
below!(
    atalaya_db::DbError,
    atalaya_blobs::BlobError,
    atalaya_identity::IdentityError,
    atalaya_messaging::MessageError,
    atalaya_messaging::TemplateError,
);

macro_rules! numbered {
    ($(#[$doc:meta])* $name:ident { $($(#[$of:meta])* $variant:ident = $number:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
        #[serde(into = "i16")]
        pub enum $name { $($(#[$of])* $variant = $number),+ }

        impl $name {
            pub const ALL: &[$name] = &[$($name::$variant),+];

            pub fn parse(number: i16) -> Option<Self> {
                Self::ALL.iter().copied().find(|one| i16::from(*one) == number)
            }
        }

        impl From<$name> for i16 {
            fn from(value: $name) -> i16 {
                value as i16
            }
        }
    };
}

numbered!(
    /// Types (INCID-1); 0 is none.
    Kind { Conference = 1, General = 2 }
);
numbered!(
    /// Reasons (INCID-1).
    Reason { Audio = 1, Video = 2, Sms = 3, Geo = 4, Others = 5 }
);
numbered!(
    /// Statuses (INCID-1).
    Status {
        /// SIN_ATENDER
        Unattended = 1,
        /// REVISION
        Review = 2,
        /// REABIERTA
        Reopened = 3,
        /// ARCHIVADA
        Archived = 4,
    }
);

/// The caller's relation to an incidence within their scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    pub admin: bool,
    pub author: bool,
}

/// The statuses that the caller may set next (INCID-10).
pub fn moves(status: Status, standing: Standing) -> &'static [Status] {
    match (status, standing) {
        (Status::Unattended | Status::Reopened, Standing { admin: true, .. }) => &[Status::Review],
        (Status::Review, Standing { admin: true, .. }) => &[Status::Archived],
        (Status::Archived, Standing { admin, author }) if admin || author => &[Status::Reopened],
        _ => &[],
    }
}

/// The number as it is shown and searched.
pub fn shown_number(number: i32) -> String {
    format!("INC-{number:06}")
}

/// Whether a conference is recent enough for an incidence about it (INCID-4): by days of Madrid, as the list that offers it.
pub fn is_recent(created_at: DateTime<Utc>, now: DateTime<Utc>) -> bool {
    calendar::day(created_at) >= calendar::day(now) - TimeDelta::days(limits::INCIDENCE_CONFERENCE_DAYS)
}

/// An image as forms send it.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
#[schema(as = NewIncidenceImage)]
pub struct NewImage {
    /// `data:image/png;base64,…`; PNG, JPEG or WebP, 5 MB at most.
    pub src: String,
    pub name: String,
}

/// Body of `send-incidence`. `user` is ignored: the author is the session's user.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct SendIncidence {
    pub incidence: IncidenceForm,
    /// 5 at most.
    pub files: Vec<NewImage>,
}

/// What the modal knows. With `incidenceId` an existing incidence is answered: its text in `comments`, or images, or both.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct IncidenceForm {
    /// 1 conference, 2 general; a number or its text.
    #[serde(rename = "type", deserialize_with = "number_or_text")]
    #[schema(value_type = Option<i16>)]
    pub kind: Option<i16>,
    /// 1 audio, 2 video, 3 sms, 4 geo, 5 others; a number or its text.
    #[serde(deserialize_with = "number_or_text")]
    #[schema(value_type = Option<i16>)]
    pub reason: Option<i16>,
    /// 1 to 2000 characters.
    pub comments: Option<String>,
    /// Of type 1: a conference of the caller's, seven days old at most.
    pub conference_id: Option<String>,
    /// A case number, of type 2.
    pub expedient_id: Option<String>,
    pub phone_number: Option<String>,
    /// The incidence that is answered.
    pub incidence_id: Option<String>,
    /// What the sender's page knows of its browser: user agent, language, screen …
    #[schema(value_type = Option<Object>)]
    pub browser: Option<Map<String, Value>>,
    /// What it knows of its connection.
    #[schema(value_type = Option<Object>)]
    pub network: Option<Map<String, Value>>,
}

/// The parsed form.
#[derive(Clone, Debug, PartialEq)]
pub enum Sent {
    New(NewIncidence),
    /// An answer to an existing one.
    Answer(IncidenceId, Option<String>),
}

#[derive(Clone, Debug, PartialEq)]
pub struct NewIncidence {
    pub kind: Kind,
    pub reason: Reason,
    pub comments: String,
    /// Of type 1.
    pub conference: Option<ConferenceId>,
    pub expedient: Option<String>,
    /// E.164.
    pub phone: Option<String>,
    pub browser: Map<String, Value>,
    pub network: Map<String, Value>,
}

impl SendIncidence {
    /// Parses the form; answers all that is missing, else all that is wrong.
    ///
    /// Errors: [`IncidenceError::Missing`], [`IncidenceError::Invalid`], [`IncidenceError::FilesTooMany`],
    /// [`IncidenceError::NotFound`] for an invalid id (INCID-2, INCID-3, INCID-5).
    pub fn check(&self) -> Result<Sent, IncidenceError> {
        if self.files.len() > limits::INCIDENCE_FILES_MAX {
            return Err(IncidenceError::FilesTooMany);
        }
        match trimmed(&self.incidence.incidence_id) {
            Some(id) => self.answer(id),
            None => self.incidence.check(),
        }
    }

    fn answer(&self, id: &str) -> Result<Sent, IncidenceError> {
        let id = id.parse().map_err(|_| IncidenceError::NotFound)?;
        let text = read_text("comments", &self.incidence.comments)?;
        if text.is_none() && self.files.is_empty() {
            return Err(IncidenceError::Missing(vec!["comments"]));
        }
        Ok(Sent::Answer(id, text))
    }
}

impl IncidenceForm {
    fn check(&self) -> Result<Sent, IncidenceError> {
        let (kind, reason) = (self.kind.filter(|n| *n != 0), self.reason.filter(|n| *n != 0));
        let wants_conference = kind == Some(Kind::Conference.into());
        let missing: Vec<&'static str> = [
            ("type", kind.is_none()),
            ("reason", reason.is_none()),
            ("comments", trimmed(&self.comments).is_none()),
            ("conferenceId", wants_conference && trimmed(&self.conference_id).is_none()),
        ]
        .into_iter()
        .filter_map(|(field, lacks)| lacks.then_some(field))
        .collect();
        if !missing.is_empty() {
            return Err(IncidenceError::Missing(missing));
        }
        let mut findings = Findings::default();
        let kind = kind.and_then(Kind::parse).or_else(|| findings.none("type", "INVALID"));
        let reason = reason.and_then(Reason::parse).or_else(|| findings.none("reason", "INVALID"));
        let comments = text(&mut findings, "comments", &self.comments).unwrap_or_default();
        let expedient = findings.line("expedientId", &self.expedient_id, limits::EXPEDIENT_MAX);
        let phone = trimmed(&self.phone_number)
            .and_then(|raw| phone::to_e164(raw).map_err(|error| findings.add("phoneNumber", error.code())).ok());
        let conference = match trimmed(&self.conference_id).filter(|_| wants_conference).map(str::parse) {
            // A malformed id names nothing.
            Some(Err(_)) => return Err(ConferenceError::NotFound.into()),
            Some(Ok(id)) => Some(id),
            None => None,
        };
        match (kind, reason) {
            (Some(kind), Some(reason)) if findings.0.is_empty() => Ok(Sent::New(NewIncidence {
                kind,
                reason,
                comments,
                conference,
                expedient,
                phone,
                browser: bounded(&self.browser),
                network: bounded(&self.network),
            })),
            _ => Err(IncidenceError::Invalid(findings.0)),
        }
    }
}

fn trimmed(text: &Option<String>) -> Option<&str> {
    text.as_deref().map(str::trim).filter(|text| !text.is_empty())
}

/// Several lines of text, at most 2000 characters; `None` for an empty one.
fn text(findings: &mut Findings, field: &'static str, raw: &Option<String>) -> Option<String> {
    let text = trimmed(raw)?.replace("\r\n", "\n");
    if text.chars().count() > limits::INCIDENCE_TEXT_MAX {
        findings.0.push(Wrong { field, code: "TOO_LONG", max: Some(limits::INCIDENCE_TEXT_MAX) });
    } else if text.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\t')) {
        findings.add(field, "CHARACTERS_NOT_ALLOWED");
    }
    Some(text)
}

fn read_text(field: &'static str, raw: &Option<String>) -> Result<Option<String>, IncidenceError> {
    let mut findings = Findings::default();
    let text = text(&mut findings, field, raw);
    if findings.0.is_empty() { Ok(text) } else { Err(IncidenceError::Invalid(findings.0)) }
}

/// Maximum number of facts in a map, and of characters in one.
const FACTS: usize = 40;
const FACT_MAX: usize = 300;

/// The plain facts that a page reports about itself; the rest is left out.
fn bounded(facts: &Option<Map<String, Value>>) -> Map<String, Value> {
    let clean = |text: &str| -> String { text.chars().filter(|c| !c.is_control()).take(FACT_MAX).collect() };
    let keep = |(name, value): (&String, &Value)| {
        let value = match value {
            Value::String(text) => clean(text).into(),
            Value::Number(_) | Value::Bool(_) => value.clone(),
            _ => return None,
        };
        Some((clean(name), value))
    };
    facts.iter().flatten().filter_map(keep).take(FACTS).collect()
}

/// Body of `PUT incidence`: what is there is done, all of it or nothing.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ChangeIncidence {
    pub incidence: IncidenceChange,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct IncidenceChange {
    #[serde(rename = "_id")]
    pub id: String,
    /// One of `moves`.
    #[serde(deserialize_with = "number_or_text")]
    #[schema(value_type = Option<i16>)]
    pub status: Option<i16>,
    /// 1 to 2000 characters, read by its author and his principal.
    pub answer: Option<String>,
    /// The same for administrators only.
    pub note: Option<String>,
    /// Images of the answer, 5 at most.
    pub files: Vec<NewImage>,
}

/// The parsed change.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Change {
    pub status: Option<Status>,
    pub answer: Option<String>,
    pub note: Option<String>,
}

impl IncidenceChange {
    /// Errors: [`IncidenceError::NotFound`], [`IncidenceError::Invalid`], [`IncidenceError::FilesTooMany`],
    /// [`IncidenceError::Missing`] when nothing is asked for.
    pub fn check(&self) -> Result<(IncidenceId, Change), IncidenceError> {
        let id = self.id.trim().parse().map_err(|_| IncidenceError::NotFound)?;
        if self.files.len() > limits::INCIDENCE_FILES_MAX {
            return Err(IncidenceError::FilesTooMany);
        }
        let mut findings = Findings::default();
        let status = self.status.and_then(|n| Status::parse(n).or_else(|| findings.none("status", "INVALID")));
        let answer = text(&mut findings, "answer", &self.answer);
        let note = text(&mut findings, "note", &self.note);
        if !findings.0.is_empty() {
            return Err(IncidenceError::Invalid(findings.0));
        }
        if status.is_none() && answer.is_none() && note.is_none() && self.files.is_empty() {
            return Err(IncidenceError::Missing(vec!["answer"]));
        }
        Ok((id, Change { status, answer, note }))
    }
}

#[cfg(test)]
mod tests;
