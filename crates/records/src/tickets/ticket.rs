//! An incidence and its parts as they are stored.

use super::entity::{entry, image, incidence, log};
use super::model::{Kind, Reason, Status};
use chrono::{DateTime, Utc};
use serde_json::Value;
use uuid::Uuid;

/// A support ticket.
#[derive(Clone, Debug, PartialEq)]
pub struct Incidence {
    pub id: Uuid,
    pub company_id: Uuid,
    pub author_id: Uuid,
    pub last_by: Uuid,
    pub conference_id: Option<Uuid>,
    pub number: i32,
    pub image_count: i32,
    pub answer_count: i32,
    pub kind: Kind,
    pub reason: Reason,
    pub status: Status,
    pub comments: String,
    pub search: String,
    pub expedient_number: Option<String>,
    pub expedient_key: Option<String>,
    pub phone_number: Option<String>,
    /// Wrapped; without it its images cannot be opened.
    pub data_key: Option<Vec<u8>>,
    pub diagnostics: Option<Value>,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
    pub last_answer_at: Option<DateTime<Utc>>,
    pub archived_at: Option<DateTime<Utc>>,
}

/// Between a row and an incidence: fields of one name on both sides, and those that are numbers in the row.
macro_rules! same {
    ($of:ident => $to:ident { $($field:ident),+ } { $($named:ident: $value:expr),+ $(,)? }) => {
        $to { $($field: $of.$field,)+ $($named: $value),+ }
    };
}

impl From<incidence::Model> for Incidence {
    fn from(row: incidence::Model) -> Self {
        same!(row => Self {
            id, company_id, author_id, last_by, conference_id, number, image_count, answer_count, comments, search,
            expedient_number, expedient_key, phone_number, data_key, diagnostics, created_at, updated_at, last_answer_at,
            archived_at
        } {
            // Only numbers of these lists are ever written.
            kind: Kind::parse(row.incidence_type).unwrap_or(Kind::General),
            reason: Reason::parse(row.reason).unwrap_or(Reason::Others),
            status: Status::parse(row.status).unwrap_or(Status::Unattended),
        })
    }
}

impl From<Incidence> for incidence::Model {
    fn from(of: Incidence) -> Self {
        same!(of => Self {
            id, company_id, author_id, last_by, conference_id, number, image_count, answer_count, comments, search,
            expedient_number, expedient_key, phone_number, data_key, diagnostics, created_at, updated_at, last_answer_at,
            archived_at
        } { incidence_type: of.kind.into(), reason: of.reason.into(), status: of.status.into() })
    }
}

/// Whether everybody reads it, or administrators alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryKind {
    Answer,
    Note,
}

impl EntryKind {
    fn stored(self) -> &'static str {
        match self {
            Self::Answer => "answer",
            Self::Note => "note",
        }
    }
}

/// An answer, or a note of the administrators.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    pub id: Uuid,
    pub incidence_id: Uuid,
    pub author_id: Uuid,
    pub kind: EntryKind,
    pub text: String,
    pub at: DateTime<Utc>,
}

impl From<entry::Model> for Entry {
    fn from(row: entry::Model) -> Self {
        let kind = if row.kind == EntryKind::Answer.stored() { EntryKind::Answer } else { EntryKind::Note };
        same!(row => Self { id, incidence_id, author_id, text, at } { kind: kind })
    }
}

impl From<Entry> for entry::Model {
    fn from(of: Entry) -> Self {
        same!(of => Self { id, incidence_id, author_id, text, at } { kind: of.kind.stored().to_owned() })
    }
}

/// An image, of the incidence itself or of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    pub id: Uuid,
    pub incidence_id: Uuid,
    pub entry_id: Option<Uuid>,
    pub name: String,
    pub mime: String,
    pub blob_name: String,
    pub position: i32,
    pub width: i32,
    pub height: i32,
    pub size_bytes: i64,
    pub at: DateTime<Utc>,
}

impl From<image::Model> for Image {
    fn from(row: image::Model) -> Self {
        same!(row => Self { id, incidence_id, entry_id, name, mime, blob_name, position, width, height, size_bytes } { at: row.at })
    }
}

impl From<Image> for image::Model {
    fn from(of: Image) -> Self {
        same!(of => Self { id, incidence_id, entry_id, name, mime, blob_name, position, width, height, size_bytes } { at: of.at })
    }
}

/// A line of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogLine {
    pub id: Uuid,
    pub actor_id: Uuid,
    pub action: String,
    pub from: Option<i16>,
    pub to: Option<i16>,
    pub at: DateTime<Utc>,
}

impl From<log::Model> for LogLine {
    fn from(row: log::Model) -> Self {
        Self { id: row.id, actor_id: row.actor_id, action: row.action, from: row.from_value, to: row.to_value, at: row.at }
    }
}
