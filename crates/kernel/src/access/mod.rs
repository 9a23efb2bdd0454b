//! Who may go where: the pages of the staff app with their guards, in one table.
//!
//! The server's guards and menu read it here, the web app reads what `cargo xtask gen` prints of it
//! (`web/src/api/generated/access.ts`), together with a truth table that both evaluators are tested on.
//! *Invariant:* a page that is not built is not listed, so that no entry, button or route leads to one.

mod cases;
mod pages;

pub use cases::{case_facts, distinct_guards};
pub use pages::{CALL_LINK, Page, SIDEBAR_CONFIGURATION, home, page, pages};

use crate::{CompanyId, Role, UserId};

/// Who passes a guard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guard {
    /// Needs no session.
    Public,
    /// One of these roles: "worker or customer only", "admin only", "customer only", "worker only", "repair side" …
    Roles(&'static [Role]),
    /// "admin or the car repair shop role whose parent equals the route id".
    WorkshopOf,
    /// "admin or the repairer role whose parent equals the route id".
    RepairerOf,
    /// "admin or any even role whose parent equals the route id".
    PrincipalOf,
    /// Who manages the people of a company: the same, and its members with the support flag.
    PeopleOf,
    /// "admin or any user whose parent equals the route id".
    MemberOf,
    /// The own-id guard: one's own id or an administrator; inside the company also the support flag and the principal
    OwnId,
    /// One's own id and nobody else's: passwords, second factor, devices.
    OwnIdOnly,
    /// Worker or customer whose company may open video calls. The page explains a refusal; it does not redirect.
    VideoCall,
}

/// What a guard decides from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facts {
    pub role: Role,
    pub user: UserId,
    /// The company the user belongs to (`parent` on the wire).
    pub company: CompanyId,
    pub support: bool,
    /// `{parent}` of the route.
    pub route_company: Option<CompanyId>,
    /// The user's id of the route, `{id}`.
    pub route_user: Option<UserId>,
    /// The company's side of the video-call guard.
    pub may_call: bool,
}

impl Facts {
    /// Facts of a user about no company or user in particular.
    pub fn of(role: Role, user: UserId, company: CompanyId, support: bool) -> Self {
        Self { role, user, company, support, route_company: None, route_user: None, may_call: false }
    }

    pub fn about_company(mut self, company: CompanyId) -> Self {
        self.route_company = Some(company);
        self
    }

    pub fn about_user(mut self, user: UserId) -> Self {
        self.route_user = Some(user);
        self
    }
}

/// Whether a guard lets somebody with these facts pass. Pure; role 0 passes nothing but public pages.
pub fn admits(guard: Guard, facts: &Facts) -> bool {
    let admin = facts.role == Role::Admin;
    let own_company = facts.route_company == Some(facts.company);
    let own_id = facts.route_user == Some(facts.user);
    let known = facts.role != Role::Empty;
    match guard {
        Guard::Public => true,
        Guard::Roles(roles) => known && roles.contains(&facts.role),
        Guard::WorkshopOf => admin || (facts.role == Role::CarRepairShop && own_company),
        Guard::RepairerOf => admin || (facts.role == Role::Repairer && own_company),
        Guard::PrincipalOf => admin || (facts.role.is_principal() && own_company),
        Guard::PeopleOf => admin || (known && own_company && (facts.support || facts.role.is_principal())),
        Guard::MemberOf => admin || (known && own_company),
        Guard::OwnId => admin || (known && own_company && (own_id || facts.support || facts.role.is_principal())),
        Guard::OwnIdOnly => known && own_id,
        Guard::VideoCall => facts.role.is_worker_or_customer() && facts.may_call,
    }
}

/// Roles that a creator may invite into a new company of theirs.
pub const fn invitable_companies(creator: Role) -> &'static [Role] {
    match creator {
        Role::Admin => &[Role::Customer, Role::Repairer, Role::CarRepairShop],
        _ => &[],
    }
}

/// The member's role next to a principal's, which that principal may create in its own company.
pub const fn member_role(principal: Role) -> Option<Role> {
    match principal {
        Role::Customer => Some(Role::Worker),
        Role::Repairer => Some(Role::RepairerOperator),
        Role::CarRepairShop => Some(Role::WorkshopOperator),
        _ => None,
    }
}

/// Whether `creator` may create an account of `role`. An administrator creates principals with their company,
/// and members within an existing company of the fitting kind (`member_role` of its principal), which the caller checks.
pub fn may_create(creator: Role, role: Role) -> bool {
    match creator {
        Role::Admin => {
            invitable_companies(creator).contains(&role)
                || matches!(role, Role::Worker | Role::RepairerOperator | Role::WorkshopOperator)
        }
        other => member_role(other) == Some(role),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    fn facts(role: Role) -> Facts {
        Facts::of(role, Uuid::from_u128(1).into(), Uuid::from_u128(10).into(), false)
    }

    fn admitted(guard: Guard, with: impl Fn(Facts) -> Facts) -> Vec<i16> {
        Role::ALL.into_iter().filter(|role| admits(guard, &with(facts(*role)))).map(i16::from).collect()
    }

    fn own(facts: Facts) -> Facts {
        facts.about_company(facts.company)
    }

    fn other(facts: Facts) -> Facts {
        facts.about_company(Uuid::from_u128(11).into())
    }

    // Written by hand from the specified guards; the generated truth table only carries these answers over to TypeScript.
    // ACCESS-3
    #[test]
    fn company_guards_admit_administrators_and_the_right_role_of_that_company() {
        for (guard, in_own) in [
            (Guard::WorkshopOf, &[1, 6][..]),
            (Guard::RepairerOf, &[1, 4]),
            (Guard::PrincipalOf, &[1, 2, 4, 6]),
            (Guard::PeopleOf, &[1, 2, 4, 6]),
            (Guard::MemberOf, &[1, 2, 3, 4, 5, 6, 7, 8]),
        ] {
            assert_eq!(admitted(guard, own), in_own, "{guard:?}");
            assert_eq!(admitted(guard, other), [1], "{guard:?} of another company");
            assert_eq!(admitted(guard, |facts| facts), [1], "{guard:?} without an id");
        }
    }

    // ACCESS-2
    #[test]
    fn people_with_the_support_flag_reach_the_users_of_their_company() {
        let support = |facts: Facts| Facts { support: true, ..facts };
        assert_eq!(admitted(Guard::PeopleOf, |facts| support(own(facts))), [1, 2, 3, 4, 5, 6, 7, 8]);
        assert_eq!(admitted(Guard::PeopleOf, |facts| support(other(facts))), [1]);
    }

    // ACCESS-2
    #[test]
    fn the_own_id_guard_opens_profiles_and_never_passwords() {
        let me = |facts: Facts| own(facts).about_user(facts.user);
        let colleague = |facts: Facts| own(facts).about_user(Uuid::from_u128(2).into());
        let support = |facts: Facts| Facts { support: true, ..colleague(facts) };
        let stranger = |facts: Facts| Facts { support: true, ..other(facts).about_user(Uuid::from_u128(2).into()) };
        assert_eq!(admitted(Guard::OwnId, me), [1, 2, 3, 4, 5, 6, 7, 8]);
        assert_eq!(admitted(Guard::OwnId, colleague), [1, 2, 4, 6]);
        assert_eq!(admitted(Guard::OwnId, support), [1, 2, 3, 4, 5, 6, 7, 8]);
        assert_eq!(admitted(Guard::OwnId, stranger), [1]);
        assert_eq!(admitted(Guard::OwnIdOnly, me), [1, 2, 3, 4, 5, 6, 7, 8]);
        assert!(admitted(Guard::OwnIdOnly, support).is_empty());
    }

    #[test]
    fn video_calls_need_role_and_company() {
        assert_eq!(admitted(Guard::VideoCall, |facts| Facts { may_call: true, ..facts }), [2, 3]);
        assert!(admitted(Guard::VideoCall, |facts| facts).is_empty());
        assert_eq!(admitted(Guard::Public, |facts| facts).len(), 9);
        assert_eq!(admitted(Guard::Roles(&[Role::Empty, Role::Admin]), |facts| facts), [1], "role 0 passes nothing");
    }

    // INVITE-1
    #[test]
    fn creators_are_the_specification_s() {
        let made = |creator| Role::ALL.into_iter().filter(|role| may_create(creator, *role)).map(i16::from).collect::<Vec<_>>();
        assert_eq!(made(Role::Admin), [2, 3, 4, 5, 6, 7]);
        assert_eq!(made(Role::Customer), [3]);
        assert_eq!(made(Role::Repairer), [5]);
        assert_eq!(made(Role::CarRepairShop), [7]);
        for role in [Role::Empty, Role::Worker, Role::RepairerOperator, Role::WorkshopOperator, Role::PasswordOperator] {
            assert!(made(role).is_empty(), "{role:?}");
        }
    }
}
