//! Guards that need more than the role: whose company, whose id (ACCESS-2, ACCESS-3). What each admits is decided by
//! [`atalaya_kernel::access`], the table that the web app's route guards are generated from.

use crate::directory::{Company, User, get_company};
use crate::sessions::LiveSession;
use crate::{Identity, IdentityError, IdentityResult};
use atalaya_kernel::CompanyId;
use atalaya_kernel::access::{Facts, Guard, admits};
use atalaya_rest::{Caller, Problem};
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use std::sync::Arc;

/// The caller's own account and company, as they were read with the session.
///
/// Errors: 401 without a session.
#[derive(Clone)]
pub struct CallerAccount(pub(crate) Arc<LiveSession>);

impl CallerAccount {
    pub fn user(&self) -> &User {
        &self.0.user
    }

    pub fn company(&self) -> &Company {
        &self.0.company
    }
}

impl<S: Send + Sync> FromRequestParts<S> for CallerAccount {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        // The reason of a refusal is the caller's.
        <Caller as FromRequestParts<S>>::from_request_parts(parts, state).await?;
        parts.extensions.get::<CallerAccount>().cloned().ok_or_else(|| Problem::unauthenticated("SESSION_REQUIRED"))
    }
}

/// Proof that the caller may act on a company: an administrator on any that exists, everybody else on his own.
#[derive(Clone, Debug)]
pub struct MemberOf {
    pub caller: Caller,
    pub company: Company,
}

/// The facts that the guards need of a request that names no company or user.
pub fn facts(caller: &Caller) -> Facts {
    Facts::of(caller.role, caller.user, caller.company, caller.support)
}

/// Passes those whom a guard admits to a company.
///
/// Errors: [`IdentityError::CompanyNotFound`] for another tenant's company as for none, so that ids do not leak;
/// [`IdentityError::RoleNotAllowed`] for those of its members whose role may not.
pub fn pass(caller: &Caller, guard: Guard, company: CompanyId) -> IdentityResult<()> {
    match admits(guard, &facts(caller).about_company(company)) {
        true => Ok(()),
        false if caller.company == company => Err(IdentityError::RoleNotAllowed),
        false => Err(IdentityError::CompanyNotFound),
    }
}

/// "Admin or any user whose parent equals the route id". Errors: those of [`pass`].
pub async fn member_of(identity: &Identity, caller: Caller, id: CompanyId) -> IdentityResult<MemberOf> {
    pass(&caller, Guard::MemberOf, id)?;
    Ok(MemberOf { caller, company: get_company(identity, id).await? })
}

/// "Admin or any even role whose parent equals the route id". Errors: those of [`pass`].
pub async fn principal_of(identity: &Identity, caller: Caller, id: CompanyId) -> IdentityResult<MemberOf> {
    pass(&caller, Guard::PrincipalOf, id)?;
    Ok(MemberOf { caller, company: get_company(identity, id).await? })
}

/// Those who manage a company's people: administrators, the principal and the support flag.
///
/// Errors: those of [`pass`].
pub async fn people_of(identity: &Identity, caller: Caller, id: CompanyId) -> IdentityResult<MemberOf> {
    pass(&caller, Guard::PeopleOf, id)?;
    Ok(MemberOf { caller, company: get_company(identity, id).await? })
}
