//! Companies as parties of invoices and debits, and the seals of their accounts.
//!
//! An account lies under the server's key, or under the secret that administrators type when they make a remittance
//! (`encrypt-iban`, MAND-10): then the server alone cannot read it. This module knows only which of both; the secret
//! itself is `billing`'s.

use crate::directory::{self, Company, CompanyRecord, SealedIban};
use crate::{Identity, IdentityError, IdentityResult};
use atalaya_checks::iban::{self, Iban};
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
    /// Differs for every account.
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
    let company = directory::find_platform(d.db.read()).await?.ok_or(IdentityError::CompanyNotFound)?;
    let id = company.id;
    list(d, &[id]).await?.remove(&id).ok_or(IdentityError::CompanyNotFound)
}

/// These companies, whoever asks; the caller has checked the tenant.
pub async fn list(d: &Identity, ids: &[CompanyId]) -> IdentityResult<HashMap<CompanyId, Party>> {
    let records = directory::list_records(d.db.read(), ids).await?;
    Ok(records.into_iter().map(|record| (record.company.id, party(d, record))).collect())
}

/// One company. Errors: [`IdentityError::CompanyNotFound`].
pub async fn find(d: &Identity, id: CompanyId) -> IdentityResult<Party> {
    list(d, &[id]).await?.remove(&id).ok_or(IdentityError::CompanyNotFound)
}

fn party(d: &Identity, record: CompanyRecord) -> Party {
    let masked = masked(d, &record).unwrap_or_default();
    let CompanyRecord { company, account, issuer, .. } = record;
    let account = account.filter(|_| company.billing.has_iban).map(|account| Account {
        id: account.id.unwrap_or(company.id.0),
        masked,
        protected: is_protected(&account.sealed),
        stored: account.sealed,
    });
    let (bic, creditor_suffix, registry_data) = (issuer.bic, issuer.creditor_suffix, issuer.registry_data);
    Party { company, bic, creditor_suffix, registry_data, account }
}

/// The account's number where the server's key opens it; `None` also for one under the secret.
pub fn iban(d: &Identity, party: &Party) -> Option<Iban> {
    let account = party.account.as_ref()?;
    let text = d.field_key.open(&context(party.company.id), &account.stored)?;
    Iban::parse(&text).ok()
}

/// Puts a company's account under the secret: `sealed` is what the secret's key made of it. Answers false when the account
/// is another one by now.
pub async fn protect(_: &Identity, tx: &Tx, company: CompanyId, account: Uuid, sealed: &str) -> IdentityResult<bool> {
    directory::reseal(tx, company, account, &format!("{PROTECTED}{sealed}")).await
}

/// Deletes a company's BIC, which a bank rejected: within the euro area none is needed.
pub async fn forget_bic(_: &Identity, tx: &Tx, company: CompanyId) -> IdentityResult<()> {
    directory::forget_bic(tx, company).await
}

/// Customers with an account: under the secret, and not.
pub async fn count_protected(d: &Identity) -> IdentityResult<(u64, u64)> {
    let (all, protected) = directory::count_accounts(d.db.read(), PROTECTED).await?;
    Ok((protected, all.saturating_sub(protected)))
}

/// Whether a stored account is under the secret.
pub(crate) fn is_protected(sealed: &str) -> bool {
    sealed.starts_with(PROTECTED)
}

/// The account as people may see it. One that cannot be opened (another field key) still shows its end.
pub(crate) fn masked(d: &Identity, record: &CompanyRecord) -> Option<String> {
    let account = record.account.as_ref()?;
    Some(clear_iban(d, record).map_or_else(
        || {
            let country = account.country.as_deref().unwrap_or("**");
            let length = iban::length(country).unwrap_or(24);
            iban::mask(&format!("{country}**"), account.last4.as_deref().unwrap_or("****"), length)
        },
        |iban| iban.masked(),
    ))
}

/// The number of a company's account where the server's key opens it.
pub(crate) fn clear_iban(d: &Identity, record: &CompanyRecord) -> Option<Iban> {
    let sealed = &record.account.as_ref()?.sealed;
    d.field_key.open(&context(record.company.id), sealed).and_then(|text| Iban::parse(&text).ok())
}

/// What is to be written of the account a company is given; `None` when it has that account already.
pub(crate) fn account_change(d: &Identity, before: &CompanyRecord, new: Option<&Iban>) -> Option<Option<SealedIban>> {
    let Some(iban) = new else { return before.company.billing.has_iban.then_some(None) };
    let sealed = seal(d, before.company.id, iban);
    let stored = before.account.as_ref().and_then(|account| account.hash.as_ref());
    (stored != Some(&sealed.hash)).then_some(Some(sealed))
}

/// Seals an account for a company.
pub(crate) fn seal(d: &Identity, id: CompanyId, iban: &Iban) -> SealedIban {
    SealedIban {
        sealed: d.field_key.seal(&d.sources, &context(id), iban.as_str()),
        last4: iban.last4().to_owned(),
        country: iban.country().to_owned(),
        bank: iban.entity().map(str::to_owned),
        hash: d.field_key.digest("company.iban", iban.as_str()),
        id: d.sources.uuid(),
    }
}

/// Where a company's IBAN is sealed for.
fn context(id: CompanyId) -> String {
    format!("company.iban:{id}")
}
