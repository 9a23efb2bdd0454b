//! Roles of users.

use serde::{Deserialize, Serialize};

/// Role numbers are wire values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "i16", try_from = "i16")]
#[repr(i16)]
pub enum Role {
    /// Cannot log in.
    Empty = 0,
    Admin = 1,
    Customer = 2,
    Worker = 3,
    Repairer = 4,
    RepairerOperator = 5,
    CarRepairShop = 6,
    WorkshopOperator = 7,
    PasswordOperator = 8,
}

impl Role {
    pub const ALL: [Role; 9] = [
        Role::Empty,
        Role::Admin,
        Role::Customer,
        Role::Worker,
        Role::Repairer,
        Role::RepairerOperator,
        Role::CarRepairShop,
        Role::WorkshopOperator,
        Role::PasswordOperator,
    ];

    /// "Even roles" of the specification: principals of a company, that is 2, 4 and 6.
    pub fn is_principal(self) -> bool {
        matches!(self, Role::Customer | Role::Repairer | Role::CarRepairShop)
    }

    /// The repair side: workshop, repairer and their operators.
    pub fn is_repair_side(self) -> bool {
        matches!(self, Role::Repairer | Role::RepairerOperator | Role::CarRepairShop | Role::WorkshopOperator)
    }

    /// May hold video calls with end clients.
    pub fn is_worker_or_customer(self) -> bool {
        matches!(self, Role::Customer | Role::Worker)
    }
}

impl From<Role> for i16 {
    fn from(role: Role) -> i16 {
        role as i16
    }
}

impl TryFrom<i16> for Role {
    type Error = UnknownValue;
    fn try_from(value: i16) -> Result<Self, UnknownValue> {
        Role::ALL.into_iter().find(|r| *r as i16 == value).ok_or(UnknownValue { what: "role", value })
    }
}

/// A stored or received number that no variant has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{value} is not a known {what}")]
pub struct UnknownValue {
    pub what: &'static str,
    pub value: i16,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_the_specification_s() {
        for (n, role) in Role::ALL.into_iter().enumerate() {
            assert_eq!(i16::from(role), n as i16);
            assert_eq!(Role::try_from(n as i16), Ok(role));
        }
        assert!(Role::try_from(9).is_err());
    }

    #[test]
    fn even_roles_are_the_principals() {
        let even: Vec<i16> = Role::ALL.into_iter().filter(|r| r.is_principal()).map(i16::from).collect();
        assert_eq!(even, [2, 4, 6]);
    }
}
