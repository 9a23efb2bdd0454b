//! What open screens are notified of: the menu is blocked, or open again.

use crate::directory::BillingFacts;
use chrono::{DateTime, Utc};
use serde::Serialize;

/// State of the menu entries that lead to video calls. Wire values of `unblockMenu_{userId}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum MenuState {
    Blocked,
    Unblocked,
    MobileUnblocked,
}

impl MenuState {
    /// State of a company's menu at a moment.
    pub fn of(billing: &BillingFacts, now: DateTime<Utc>) -> Self {
        if billing.is_blocked(true, now) { Self::Blocked } else { Self::Unblocked }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // MENU-3
    #[test]
    fn wire_values_are_those_of_the_design() {
        let all = [MenuState::Blocked, MenuState::Unblocked, MenuState::MobileUnblocked];
        assert_eq!(serde_json::to_value(all).unwrap(), serde_json::json!(["blocked", "unblocked", "mobile-unblocked"]));
    }
}
