//! Rules about who may read which profile.

pub use crate::directory::{NewUser, User, normalise_user_name};
use crate::guards::facts;
use atalaya_kernel::access::{Guard, admits};
use atalaya_kernel::{CompanyId, UserId};
use atalaya_rest::Caller;

/// What a caller may do with a user's profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    Allowed,
    /// Same company, but not theirs to read: 403.
    Forbidden,
    /// Another tenant's: 404, so that ids do not leak.
    Hidden,
}

/// The own-id guard: oneself, an administrator, and inside the same company the support flag
/// and the principal.
pub fn profile_reach(caller: &Caller, user: UserId, company: CompanyId) -> Reach {
    match admits(Guard::OwnId, &facts(caller).about_company(company).about_user(user)) {
        true => Reach::Allowed,
        false if caller.company == company => Reach::Forbidden,
        false => Reach::Hidden,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use atalaya_kernel::Role;
    use atalaya_rest::caller::Via;
    use uuid::Uuid;

    // USER-2
    #[test]
    fn profiles_are_read_by_the_right_people() {
        let id = |n: u128| Uuid::from_u128(n);
        let caller = |user, role, company, support| Caller {
            user: id(user).into(),
            role,
            company: id(company).into(),
            session: id(0).into(),
            support,
            language: None,
            via: Via::Bearer,
        };
        let reach = |caller: Caller| profile_reach(&caller, id(1).into(), id(10).into());
        assert_eq!(reach(caller(1, Role::Worker, 10, false)), Reach::Allowed);
        assert_eq!(reach(caller(2, Role::Worker, 10, false)), Reach::Forbidden);
        assert_eq!(reach(caller(2, Role::Worker, 10, true)), Reach::Allowed);
        assert_eq!(reach(caller(2, Role::Customer, 10, false)), Reach::Allowed);
        assert_eq!(reach(caller(2, Role::Customer, 11, false)), Reach::Hidden);
        assert_eq!(reach(caller(2, Role::Worker, 11, true)), Reach::Hidden, "support ends at its own company");
        assert_eq!(reach(caller(2, Role::Admin, 11, false)), Reach::Allowed);
        assert_eq!(reach(caller(2, Role::PasswordOperator, 11, false)), Reach::Hidden);
    }
}
