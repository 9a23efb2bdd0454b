//! Companies as parties of invoices and debits, and the seals of their accounts.
//!
//! An account lies under the server's key, or under the secret that administrators type when they make a remittance
//! (`encrypt-iban`, DOMAIN §4.8): then the server alone cannot read it. This module knows only which of both; the secret
//! itself is `billing`'s.

use super::entity::Model;
use super::model::Company;
use super::service::iban_context;
use super::{profile, store};
use crate::{Identity, IdentityError, IdentityResult};
use atalaya_checks::iban::Iban;
use atalaya_db::Tx;
use atalaya_kernel::CompanyId;
use std::collections::HashMap;
use uuid::Uuid;

/// Begins the stored text of an account under the secret.
const PROTECTED: &str = "secret:";

/// A company that issues or receives.
#[derive(Clone, Debug)]
pub struct Party {
    pub company: Company,
    pub bic: Option<String>,
    /// Of the platform company, as the next.
    pub creditor_suffix: Option<String>,
    pub registry_data: Option<String>,
    pub account: Option<Account>,
}

/// A company's account, without its number.
#[derive(Clone)]
pub struct Account {
    /// Another one for every other account.
    pub id: Uuid,
    pub masked: String,
    /// It opens with the secret only.
    pub protected: bool,
    stored: String,
}

impl std::fmt::Debug for Account {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Account({})", self.masked)
    }
}

impl Account {
    /// What lies under the secret; `None` when it is under the server's key.
    pub fn under_secret(&self) -> Option<&str> {
        self.stored.strip_prefix(PROTECTED)
    }
}

/// The platform company, which issues and collects. Errors: [`IdentityError::CompanyNotFound`] before there is one.
pub async fn platform(d: &Identity) -> IdentityResult<Party> {
    let company = store::find_platform(d.db.read()).await?.ok_or(IdentityError::CompanyNotFound)?;
    let id = company.id;
    list(d, &[id]).await?.remove(&id).ok_or(IdentityError::CompanyNotFound)
}

/// These companies, whoever asks; the caller has checked the tenant.
pub async fn list(d: &Identity, ids: &[CompanyId]) -> IdentityResult<HashMap<CompanyId, Party>> {
    let rows = store::rows(d.db.read(), ids).await?;
    rows.into_iter().map(|row| Ok((row.id.into(), party(d, row)?))).collect()
}

/// One company. Errors: [`IdentityError::CompanyNotFound`].
pub async fn find(d: &Identity, id: CompanyId) -> IdentityResult<Party> {
    list(d, &[id]).await?.remove(&id).ok_or(IdentityError::CompanyNotFound)
}

fn party(d: &Identity, row: Model) -> IdentityResult<Party> {
    let account = match (&row.bank_account, row.has_iban) {
        (Some(stored), true) => Some(Account {
            id: row.account_id.unwrap_or(row.id),
            masked: profile::masked(d, &row).unwrap_or_default(),
            protected: stored.starts_with(PROTECTED),
            stored: stored.clone(),
        }),
        _ => None,
    };
    let (bic, creditor_suffix, registry_data) = (row.bic.clone(), row.creditor_suffix.clone(), row.registry_data.clone());
    Ok(Party { company: store::to_company(row)?, bic, creditor_suffix, registry_data, account })
}

/// The account's number where the server's key opens it; `None` also for one under the secret.
pub fn iban(d: &Identity, party: &Party) -> Option<Iban> {
    let account = party.account.as_ref()?;
    let text = d.field_key.open(&iban_context(party.company.id), &account.stored)?;
    Iban::parse(&text).ok()
}

/// Puts a company's account under the secret: `sealed` is what the secret's key made of it. Answers false when the account
/// is another one by now.
pub async fn protect(_: &Identity, tx: &Tx, company: CompanyId, account: Uuid, sealed: &str) -> IdentityResult<bool> {
    store::reseal(tx, company, account, &format!("{PROTECTED}{sealed}")).await
}

/// Forgets a company's BIC, which a bank called wrong: within the euro area none is needed.
pub async fn forget_bic(_: &Identity, tx: &Tx, company: CompanyId) -> IdentityResult<()> {
    store::forget_bic(tx, company).await
}

/// Customers with an account: under the secret, and not.
pub async fn count_protected(d: &Identity) -> IdentityResult<(u64, u64)> {
    let (all, protected) = store::count_accounts(d.db.read(), PROTECTED).await?;
    Ok((protected, all.saturating_sub(protected)))
}

/// Whether a stored account is under the secret.
pub(super) fn is_protected(stored: Option<&str>) -> bool {
    stored.is_some_and(|stored| stored.starts_with(PROTECTED))
}
