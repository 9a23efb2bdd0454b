//! Guards that need more than the role: whose company, whose id, may they call (SPEC §6). What each admits is decided by
//! [`atalaya_kernel::access`], the table that the web app's route guards are generated from.

use crate::companies::model::Company;
use crate::companies::service::get_company;
use crate::{Identity, IdentityError, IdentityResult};
use atalaya_kernel::CompanyId;
use atalaya_kernel::access::{Facts, Guard, admits};
use atalaya_rest::{Caller, Problem};

/// Proof that the caller may act on a company: an administrator on any that exists, everybody else on his own.
#[derive(Clone, Debug)]
pub struct MemberOf {
    pub caller: Caller,
    pub company: Company,
}

/// What the guards decide from, about nobody in particular.
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

/// The video-call guard of `/vp-form` and `getToken` (DESIGN §4); answers the caller's company.
///
/// Errors: 403 `VIDEO_CALL_NOT_ALLOWED_CUSTOMER` for those who can mend it, `…_WORKER` for those who must ask.
pub async fn video_call_guard(identity: &Identity, caller: &Caller) -> Result<Company, Problem> {
    let company = get_company(identity, caller.company).await?;
    let may_call = company.billing.may_call(identity.sources.now());
    if admits(Guard::VideoCall, &Facts { may_call, ..facts(caller) }) {
        return Ok(company);
    }
    let code = if caller.role.is_principal() { "VIDEO_CALL_NOT_ALLOWED_CUSTOMER" } else { "VIDEO_CALL_NOT_ALLOWED_WORKER" };
    Err(Problem::forbidden(code))
}
