//! A media room, and a stay in it. Pure.

use atalaya_kernel::ConferenceId;
use chrono::{DateTime, Utc};

/// One media room of a conference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MediaRoom {
    pub sid: String,
    pub started_at: DateTime<Utc>,
    pub ended_at: Option<DateTime<Utc>>,
}

/// On which side of the call a participant is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Staff,
    Client,
}

impl Side {
    /// As it is stored and on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Self::Staff => "staff",
            Self::Client => "client",
        }
    }

    pub(super) fn parse(stored: &str) -> Self {
        if stored == "staff" { Self::Staff } else { Self::Client }
    }
}

/// One stay of one participant in the media room.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stay {
    pub conference: ConferenceId,
    pub identity: String,
    pub name: String,
    pub kind: Side,
    pub participant_sid: String,
    pub joined_at: DateTime<Utc>,
    pub left_at: Option<DateTime<Utc>>,
    /// Of the client: what they hold in their hand.
    pub device: Option<String>,
    /// How their media come.
    pub route: Option<String>,
}

impl Stay {
    pub fn is_staff(&self) -> bool {
        self.kind == Side::Staff
    }

    pub fn is_client(&self) -> bool {
        self.kind == Side::Client
    }
}
