//! Companies and their users as they are stored: who exists, what they are called, who may log in.
//!
//! Every other room of this crate reads companies and users here and writes them through here; what may be changed by whom is
//! decided by `companies`, `users` and the rooms of the log-in. *Invariants:* a password hash leaves only as [`PasswordHash`]
//! and an account number only sealed; joins of other rooms get conditions, never rows.

mod company;
mod entity;
mod sms;
mod store;
mod user;

pub use atalaya_checks::user_name::normalise as normalise_user_name;
pub use company::{
    BILLING_NOTICE_DAYS, Banner, BannerKind, BillingFacts, CallRefusal, Company, CompanyField, Issuer, Missing, NewCompany,
};
pub(crate) use company::{CompanyChanges, CompanyRecord, SealedIban};
pub use sms::{CompanySender, Sender, SenderStatus, SmsProfile};
pub use store::addresses::AddressesOf;
pub(crate) use store::companies::{
    Connection, activate_company, active_customers_among, company_names, company_with_email, count_accounts, find_company,
    find_platform, find_record, forget_bic, insert_company, list_companies, list_records, list_retention, lock_company, reseal,
    retention_days, set_terms,
};
pub(crate) use store::company_lists::{
    CompanyFilter, CompanySort, count_users, list_active_companies, list_principals, page_of_companies,
};
pub(crate) use store::conditions::{users_admitted_by_company, users_of, users_that_may_log_in};
pub(crate) use store::customers;
pub(crate) use store::sms::{find_sms_profile, list_senders, lock_sms_profile, write_sms_profile};
pub(crate) use store::two_factor::{TwoFactor, find_two_factor, set_two_factor, spend_two_factor_step};
pub(crate) use store::user_lists::{ListedUser, USER_SORT_FIELDS, UserFilter, list_users};
pub(crate) use store::users::{
    activate_user, exists_named, exists_with_role, find_account, find_user, first_of_role, first_with_email, insert_user,
    list_accounts_named, list_active_users, list_users_by_ids, set_last_login, set_password, set_user_name, update_user,
    user_with_email,
};
pub(crate) use user::Account;
pub use user::{NewUser, User};

use crate::{Identity, IdentityError, IdentityResult};
use atalaya_kernel::CompanyId;

/// A company, without a check of the caller; the tenant has been checked. Read with somebody's session or now.
///
/// Errors: [`IdentityError::CompanyNotFound`].
pub async fn get_company(d: &Identity, id: CompanyId) -> IdentityResult<Company> {
    if let Some(kept) = d.kept.company(id) {
        return Ok(kept);
    }
    find_company(d.db.read(), id).await?.ok_or(IdentityError::CompanyNotFound)
}
