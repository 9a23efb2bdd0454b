//! Guards that need more than the role: whose company, whose id, may they call (SPEC §6).

use crate::companies::model::Company;
use crate::companies::service::get_company;
use crate::{Identity, IdentityError, IdentityResult};
use atalaya_kernel::CompanyId;
use atalaya_rest::{Caller, Problem};

/// Proof that the caller may act on a company: an administrator on any that exists, everybody else on his own.
#[derive(Clone, Debug)]
pub struct MemberOf {
    pub caller: Caller,
    pub company: Company,
}

/// Errors: [`IdentityError::CompanyNotFound`] for another tenant's company as for none, so that ids do not leak.
pub async fn member_of(identity: &Identity, caller: Caller, id: CompanyId) -> IdentityResult<MemberOf> {
    if caller.company != id && !caller.is_admin() {
        return Err(IdentityError::CompanyNotFound);
    }
    Ok(MemberOf { caller, company: get_company(identity, id).await? })
}

/// The video-call guard of `/vp-form` and `getToken` (DESIGN §4); answers the caller's company.
///
/// Errors: 403 `VIDEO_CALL_NOT_ALLOWED_CUSTOMER` for those who can mend it, `…_WORKER` for those who must ask.
pub async fn video_call_guard(identity: &Identity, caller: &Caller) -> Result<Company, Problem> {
    let company = get_company(identity, caller.company).await?;
    if company.billing.may_call(identity.sources.now()) {
        return Ok(company);
    }
    let code = if caller.role.is_principal() { "VIDEO_CALL_NOT_ALLOWED_CUSTOMER" } else { "VIDEO_CALL_NOT_ALLOWED_WORKER" };
    Err(Problem::forbidden(code))
}
