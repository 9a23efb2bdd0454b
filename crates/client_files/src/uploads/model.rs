//! A file on its way from the client. Pure.

use super::entity::upload;
use chrono::{DateTime, Utc};
use uuid::Uuid;

/// How far an upload has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UploadState {
    Running,
    /// It has become a media item.
    Accepted,
    Refused,
    /// Given up by the client, or its link is over.
    Cancelled,
}

impl UploadState {
    pub fn wire(self) -> &'static str {
        match self {
            UploadState::Running => "running",
            UploadState::Accepted => "accepted",
            UploadState::Refused => "refused",
            UploadState::Cancelled => "cancelled",
        }
    }

    pub fn parse(wire: &str) -> Option<Self> {
        [Self::Running, Self::Accepted, Self::Refused, Self::Cancelled].into_iter().find(|state| state.wire() == wire)
    }
}

/// A file under way or arrived. Until it is complete its bytes are in the sealed blobs that `segments` names, in order.
#[derive(Clone, Debug, PartialEq)]
pub struct Upload {
    pub id: Uuid,
    pub request_id: Uuid,
    pub conference_id: Uuid,
    pub item_id: Uuid,
    pub media_id: Option<Uuid>,
    /// The client's own name of it: the same key is the same upload.
    pub upload_key: String,
    pub name: String,
    /// As the client declares it; the bytes decide.
    pub declared_type: String,
    /// Names of the stored pieces, with a space between them.
    pub segments: String,
    pub state: UploadState,
    /// Why it was refused.
    pub code: Option<String>,
    pub size_bytes: i64,
    pub offset_bytes: i64,
    pub width: Option<i32>,
    pub height: Option<i32>,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
    pub captured_at: Option<DateTime<Utc>>,
}

impl From<upload::Model> for Upload {
    fn from(row: upload::Model) -> Self {
        Self {
            id: row.id,
            request_id: row.request_id,
            conference_id: row.conference_id,
            item_id: row.item_id,
            media_id: row.media_id,
            upload_key: row.upload_key,
            name: row.name,
            declared_type: row.declared_type,
            segments: row.segments,
            state: UploadState::parse(&row.state).unwrap_or(UploadState::Cancelled),
            code: row.code,
            size_bytes: row.size_bytes,
            offset_bytes: row.offset_bytes,
            width: row.width,
            height: row.height,
            created_at: row.created_at,
            updated_at: row.updated_at,
            captured_at: row.captured_at,
        }
    }
}

impl From<Upload> for upload::Model {
    fn from(upload: Upload) -> Self {
        Self {
            id: upload.id,
            request_id: upload.request_id,
            conference_id: upload.conference_id,
            item_id: upload.item_id,
            media_id: upload.media_id,
            upload_key: upload.upload_key,
            name: upload.name,
            declared_type: upload.declared_type,
            segments: upload.segments,
            state: upload.state.wire().to_owned(),
            code: upload.code,
            size_bytes: upload.size_bytes,
            offset_bytes: upload.offset_bytes,
            width: upload.width,
            height: upload.height,
            created_at: upload.created_at,
            updated_at: upload.updated_at,
            captured_at: upload.captured_at,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_is_stored_as_it_is_read() {
        for state in [UploadState::Running, UploadState::Accepted, UploadState::Refused, UploadState::Cancelled] {
            assert_eq!(UploadState::parse(state.wire()), Some(state));
        }
        assert_eq!(UploadState::parse("lost"), None);
    }
}
