//! A device of the client. Pure.

use atalaya_kernel::ConferenceId;
use chrono::{DateTime, Utc};
use uuid::Uuid;

/// Where a device stands at the door of its call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    Waiting,
    Admitted,
    Refused,
    /// It hung up, or went away from the door.
    Left,
}

impl Standing {
    const ALL: [Self; 4] = [Self::Waiting, Self::Admitted, Self::Refused, Self::Left];

    pub(super) fn stored(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Admitted => "admitted",
            Self::Refused => "refused",
            Self::Left => "left",
        }
    }

    pub(super) fn parse(stored: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|standing| standing.stored() == stored)
    }
}

/// A device on which the client accepted the notice.
#[derive(Clone, Debug, PartialEq)]
pub struct ClientDevice {
    pub id: Uuid,
    pub conference: ConferenceId,
    /// In the media room.
    pub identity: String,
    pub created_at: DateTime<Utc>,
    /// What it calls itself, for instance `iPhone · Safari`.
    pub device: Option<String>,
    /// None before it has asked to enter, and after its admission was taken back.
    pub standing: Option<Standing>,
    pub waiting_since: Option<DateTime<Utc>>,
    /// Its last sign of life.
    pub seen_at: Option<DateTime<Utc>>,
    pub admitted_at: Option<DateTime<Utc>>,
}

#[cfg(test)]
mod tests {
    use super::*;

    // CLIENT-40
    #[test]
    fn a_standing_is_stored_as_it_is_read() {
        for standing in Standing::ALL {
            assert_eq!(Standing::parse(standing.stored()), Some(standing));
        }
        assert_eq!(Standing::parse("inside"), None);
    }
}
