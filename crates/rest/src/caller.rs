//! The caller, and the guards that need only the role.
//!
//! A middleware of `identity` verifies the token once per request and leaves a [`Caller`] or a [`NoCaller`] in the
//! request's extensions; the extractors here only read them.

use crate::problem::Problem;
use atalaya_kernel::{CompanyId, Language, Role, SessionId, UserId};
use axum::extract::{FromRequestParts, OptionalFromRequestParts};
use axum::http::request::Parts;
use std::ops::Deref;

/// The verified session of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Caller {
    pub user: UserId,
    pub role: Role,
    /// The tenant: the company the user belongs to (`parent` on the wire).
    pub company: CompanyId,
    pub session: SessionId,
    /// Passes the own-id guard inside its own company.
    pub support: bool,
    /// The user's own language, used when the request names none.
    pub language: Option<Language>,
    /// How the request proved itself.
    pub via: Via,
}

impl Caller {
    pub fn is_admin(&self) -> bool {
        self.role == Role::Admin
    }
}

/// What carried the session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Via {
    /// `Authorization: Bearer`, which no cross-site page can send.
    Bearer,
    /// The media cookie, valid for reading files only.
    Cookie,
}

/// Why a token that was sent gives no caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoCaller(pub &'static str);

impl<S: Send + Sync> FromRequestParts<S> for Caller {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        match parts.extensions.get::<Caller>() {
            Some(caller) => Ok(*caller),
            None => Err(Problem::unauthenticated(parts.extensions.get::<NoCaller>().map_or("SESSION_REQUIRED", |no| no.0))),
        }
    }
}

/// For calls that answer with and without a session.
impl<S: Send + Sync> OptionalFromRequestParts<S> for Caller {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Option<Self>, Problem> {
        Ok(parts.extensions.get::<Caller>().copied())
    }
}

macro_rules! role_guards {
    ($($(#[$doc:meta])* $name:ident($role:ident) = $allowed:expr;)+) => {$(
        $(#[$doc])*
        ///
        /// Errors: 401 without a session, 403 `ROLE_NOT_ALLOWED`.
        #[derive(Clone, Copy, Debug)]
        pub struct $name(pub Caller);

        impl $name {
            pub fn allows($role: Role) -> bool {
                $allowed
            }
        }

        impl Deref for $name {
            type Target = Caller;
            fn deref(&self) -> &Caller {
                &self.0
            }
        }

        impl<S: Send + Sync> FromRequestParts<S> for $name {
            type Rejection = Problem;

            async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
                let caller = <Caller as FromRequestParts<S>>::from_request_parts(parts, state).await?;
                if Self::allows(caller.role) { Ok(Self(caller)) } else { Err(Problem::forbidden("ROLE_NOT_ALLOWED")) }
            }
        }
    )+};
}

role_guards! {
    /// Administrators.
    AdminOnly(role) = role == Role::Admin;
    /// The principal of a customer.
    CustomerOnly(role) = role == Role::Customer;
    /// Users of a customer.
    WorkerOnly(role) = role == Role::Worker;
    /// Those who hold video calls with end clients.
    WorkerOrCustomer(role) = role.is_worker_or_customer();
    /// Workshop, workshop operator, repairer, repairer operator.
    RepairSide(role) = role.is_repair_side();
    /// Those who ask for video calls, and administrators.
    AdminOrRepairSide(role) = role == Role::Admin || role.is_repair_side();
    /// Administrators, principals of customers and their users: those who may see conferences.
    ConferenceSide(role) = role == Role::Admin || role.is_worker_or_customer();
    /// The conference side, and the repair side, which reads the conferences that its requests became.
    ConferenceReader(role) = ConferenceSide::allows(role) || role.is_repair_side();
    /// Everybody who works with the product, and so may need support: all but password operators.
    SupportSide(role) = ConferenceReader::allows(role);
    /// Administrators and principals of customers.
    AdminOrCustomer(role) = matches!(role, Role::Admin | Role::Customer);
    /// Those who start password resets for others.
    PasswordDesk(role) = matches!(role, Role::Admin | Role::PasswordOperator);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allowed(guard: fn(Role) -> bool) -> Vec<i16> {
        Role::ALL.into_iter().filter(|role| guard(*role)).map(i16::from).collect()
    }

    #[test]
    fn guards_admit_the_roles_of_the_specification() {
        assert_eq!(allowed(AdminOnly::allows), [1]);
        assert_eq!(allowed(CustomerOnly::allows), [2]);
        assert_eq!(allowed(WorkerOnly::allows), [3]);
        assert_eq!(allowed(WorkerOrCustomer::allows), [2, 3]);
        assert_eq!(allowed(RepairSide::allows), [4, 5, 6, 7]);
        assert_eq!(allowed(AdminOrRepairSide::allows), [1, 4, 5, 6, 7]);
        assert_eq!(allowed(AdminOrCustomer::allows), [1, 2]);
        assert_eq!(allowed(ConferenceSide::allows), [1, 2, 3]);
        assert_eq!(allowed(ConferenceReader::allows), [1, 2, 3, 4, 5, 6, 7]);
        assert_eq!(allowed(SupportSide::allows), [1, 2, 3, 4, 5, 6, 7]);
        assert_eq!(allowed(PasswordDesk::allows), [1, 8]);
    }
}
