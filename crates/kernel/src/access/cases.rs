//! Inputs of the truth table that the generated TypeScript carries.

use super::{Facts, Guard, pages};
use crate::Role;
use uuid::Uuid;

/// The id that stands for the caller, and one that does not; for users and companies alike.
const OWN: u128 = 1;
const OTHER: u128 = 2;

/// Every combination of facts in one fixed order: role, then the route's company (own, other, none), the route's user (own,
/// other), the support flag, may call.
pub fn case_facts() -> Vec<Facts> {
    let mut all = Vec::new();
    let id = Uuid::from_u128;
    for role in Role::ALL {
        for company in [Some(OWN), Some(OTHER), None] {
            for user in [OWN, OTHER] {
                for (support, may_call) in [(false, false), (false, true), (true, false), (true, true)] {
                    let facts = Facts::of(role, id(OWN).into(), id(OWN).into(), support).about_user(id(user).into());
                    all.push(Facts { route_company: company.map(|n| id(n).into()), may_call, ..facts });
                }
            }
        }
    }
    all
}

/// Each guard once, whether a page uses it yet or not.
pub fn distinct_guards() -> Vec<Guard> {
    let without_page = [Guard::WorkshopOf, Guard::RepairerOf, Guard::MemberOf, Guard::VideoCall];
    let mut all: Vec<Guard> = Vec::new();
    for guard in pages().iter().map(|page| page.guard).chain(without_page) {
        if !all.contains(&guard) {
            all.push(guard);
        }
    }
    all
}
