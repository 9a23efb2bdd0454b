//! A stored file of a case. Pure.

use super::kinds::MediaType;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

/// Where a file came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// Taken in the call: it arrived, or was announced by its hash, before the end.
    Call,
    Request,
    Upload,
    /// Sent by the client's page after the end without having been announced.
    Late,
}

impl Origin {
    pub fn wire(self) -> &'static str {
        match self {
            Origin::Call => "call",
            Origin::Request => "request",
            Origin::Upload => "upload",
            Origin::Late => "late",
        }
    }

    pub fn parse(wire: &str) -> Option<Self> {
        [Self::Call, Self::Request, Self::Upload, Self::Late].into_iter().find(|origin| origin.wire() == wire)
    }
}

/// What the requester says about a file that was requested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Review {
    Approved,
    Rejected,
}

impl Review {
    pub fn wire(self) -> &'static str {
        match self {
            Review::Approved => "approved",
            Review::Rejected => "rejected",
        }
    }

    pub fn parse(wire: &str) -> Option<Self> {
        [Self::Approved, Self::Rejected].into_iter().find(|review| review.wire() == wire)
    }
}

/// What came of the signature that a client's device makes over a picture it takes (EVID-60).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeviceCheck {
    /// Unchanged since its capture on that device.
    Valid,
    /// There was one, and it did not fit.
    Invalid,
    /// There was none: an old browser, or one without cryptography.
    Unsigned,
}

impl DeviceCheck {
    pub fn wire(self) -> &'static str {
        match self {
            Self::Valid => "valid",
            Self::Invalid => "invalid",
            Self::Unsigned => "unsigned",
        }
    }

    pub fn parse(wire: &str) -> Option<Self> {
        [Self::Valid, Self::Invalid, Self::Unsigned].into_iter().find(|check| check.wire() == wire)
    }
}

/// A stored picture, video or document.
#[derive(Clone, Debug, PartialEq)]
pub struct MediaItem {
    pub id: Uuid,
    pub conference_id: Uuid,
    pub company_id: Uuid,
    /// The recording that it was made of.
    pub recording_id: Option<Uuid>,
    /// The name in its address.
    pub filename: String,
    /// The name that it is shown and saved under.
    pub original_file_name: String,
    pub media_type: MediaType,
    /// SHA-256 of the original, in hex.
    pub hash: String,
    pub mime: String,
    pub origin: Origin,
    /// The position that the file itself claims, which anybody can write; six decimals.
    pub claimed_latitude: Option<String>,
    pub claimed_longitude: Option<String>,
    /// How the device says that it captured it.
    pub method: Option<String>,
    /// Names the capture: a repeated upload with the same name is the same file.
    pub capture_id: Option<String>,
    /// Identity of who sent it.
    pub participant: Option<String>,
    /// Where it was taken; six decimals.
    pub latitude: Option<String>,
    pub longitude: Option<String>,
    pub lens: Option<String>,
    /// Where the original lies, sealed.
    pub blob_name: String,
    /// Where its small copy lies.
    pub thumbnail_blob: Option<String>,
    pub thumbnail_hash: Option<String>,
    pub size_bytes: i64,
    pub duration_ms: Option<i64>,
    pub width: Option<i32>,
    pub height: Option<i32>,
    pub accuracy_m: Option<i32>,
    /// Of the small copy (REPORT-9).
    pub sharpness: Option<i32>,
    /// What staff call it.
    pub label: Option<String>,
    /// What staff write about it.
    pub note: Option<String>,
    /// Key of the shot of the list that it is.
    pub shot: Option<String>,
    /// The request for files that it answers, and the item of that request.
    pub request_id: Option<Uuid>,
    pub item_id: Option<Uuid>,
    /// The requester's verdict, with the note that the client sees.
    pub review: Option<Review>,
    pub review_note: Option<String>,
    pub reviewed_by: Option<Uuid>,
    pub reviewed_at: Option<DateTime<Utc>>,
    /// Where the JPEG of a picture lies that browsers may not open.
    pub preview_blob: Option<String>,
    pub preview_hash: Option<String>,
    /// Its term is over and its bytes are deleted.
    pub expired_at: Option<DateTime<Utc>>,
    pub captured_at: DateTime<Utc>,
    pub created_at: DateTime<Utc>,
    /// The device's own clock at the capture.
    pub device_at: Option<DateTime<Utc>>,
    /// None for what no device of a client took in a call.
    pub device_check: Option<DeviceCheck>,
    /// Fingerprint and signature as the device sent them.
    pub device_key: Option<String>,
    pub device_signature: Option<String>,
}

/// A file or folder to delete from the storage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deletion {
    pub id: Uuid,
    pub name: String,
    pub folder: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_stored_is_read_again() {
        for origin in [Origin::Call, Origin::Request, Origin::Upload, Origin::Late] {
            assert_eq!(Origin::parse(origin.wire()), Some(origin));
            assert_eq!(serde_json::to_value(origin).expect("plain data"), origin.wire());
        }
        for review in [Review::Approved, Review::Rejected] {
            assert_eq!(Review::parse(review.wire()), Some(review));
        }
        for check in [DeviceCheck::Valid, DeviceCheck::Invalid, DeviceCheck::Unsigned] {
            assert_eq!(DeviceCheck::parse(check.wire()), Some(check));
        }
        assert_eq!((Origin::parse("elsewhere"), Review::parse("")), (None, None));
    }
}
