//! The columns of a company about its SMS.

use atalaya_kernel::CompanyId;
use chrono::{DateTime, Utc};

/// Where the registration of a sender name stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SenderStatus {
    /// Entered, not applied for yet.
    Draft,
    /// Applied for at the Registry.
    Requested,
    /// The Registry has it: used.
    Registered,
    Rejected,
}

impl SenderStatus {
    pub const ALL: [SenderStatus; 4] = [Self::Draft, Self::Requested, Self::Registered, Self::Rejected];

    pub fn name(self) -> &'static str {
        match self {
            Self::Draft => "draft",
            Self::Requested => "requested",
            Self::Registered => "registered",
            Self::Rejected => "rejected",
        }
    }

    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.name() == name)
    }
}

/// A sender name of a company.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sender {
    /// 3 to 11 characters; the case counts.
    pub name: String,
    pub status: SenderStatus,
    /// Tax id of the holder as it was when the registration was asked for.
    pub holder_nif: Option<String>,
    /// Date of the Registry's answer.
    pub evidence_at: Option<DateTime<Utc>>,
    /// The messaging provider named there.
    pub provider: Option<String>,
    /// When it reached its state.
    pub since: Option<DateTime<Utc>>,
}

/// What a company's SMS say, and in whose name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SmsProfile {
    /// The company's own text; the default text when `None`.
    pub text: Option<String>,
    /// `Quitar tildes en los SMS`.
    pub fold: bool,
    /// A link whose SMS did not arrive may go by WhatsApp.
    pub whatsapp: bool,
    /// The link goes by WhatsApp first, and by SMS where that does not arrive.
    pub whatsapp_first: bool,
    pub sender: Option<Sender>,
}

/// A sender name with its company, for administrators.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompanySender {
    pub company: CompanyId,
    pub name: String,
    pub sender: Sender,
}
