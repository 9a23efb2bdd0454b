//! Account statuses and kinds of company.

use crate::role::UnknownValue;
use serde::{Deserialize, Serialize};

/// Status of a user or a company; numbers are wire values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "i16", try_from = "i16")]
#[repr(i16)]
pub enum Status {
    PendingValidation = 0,
    Inactive = 1,
    Active = 2,
    Trial = 3,
    NotContracted = 4,
    Unpaid = 5,
}

impl Status {
    pub const ALL: [Status; 6] =
        [Status::PendingValidation, Status::Inactive, Status::Active, Status::Trial, Status::NotContracted, Status::Unpaid];

    /// Whether a user of this status may log in: active or pending.
    pub fn user_may_log_in(self) -> bool {
        matches!(self, Status::Active | Status::PendingValidation)
    }

    /// Whether the users of a company of this status may log in: not when inactive or not contracted.
    pub fn company_admits_log_in(self) -> bool {
        !matches!(self, Status::Inactive | Status::NotContracted)
    }
}

impl From<Status> for i16 {
    fn from(status: Status) -> i16 {
        status as i16
    }
}

impl TryFrom<i16> for Status {
    type Error = UnknownValue;
    fn try_from(value: i16) -> Result<Self, UnknownValue> {
        Status::ALL.into_iter().find(|s| *s as i16 == value).ok_or(UnknownValue { what: "status", value })
    }
}

/// Kind of a company: the role number of its principal, or 1 for the platform company.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "i16", try_from = "i16")]
#[repr(i16)]
pub enum CompanyKind {
    Platform = 1,
    Customer = 2,
    Repairer = 4,
    CarRepairShop = 6,
}

impl From<CompanyKind> for i16 {
    fn from(kind: CompanyKind) -> i16 {
        kind as i16
    }
}

impl TryFrom<i16> for CompanyKind {
    type Error = UnknownValue;
    fn try_from(value: i16) -> Result<Self, UnknownValue> {
        match value {
            1 => Ok(Self::Platform),
            2 => Ok(Self::Customer),
            4 => Ok(Self::Repairer),
            6 => Ok(Self::CarRepairShop),
            _ => Err(UnknownValue { what: "company kind", value }),
        }
    }
}
