//! Changes of insurance companies, and whom an operator may ask.

use super::error::InsurerError;
use super::model::{Candidate, Insurer};
use super::store;
use crate::audit::{Action, Entry, service as audit};
use crate::directory::{self, Company, get_company, lock_company};
use crate::{Identity, IdentityError, IdentityResult, Origin};
use atalaya_checks::province;
use atalaya_db::Tx;
use atalaya_kernel::{CompanyId, CompanyKind, InsuranceId, Status};
use atalaya_rest::Caller;
use serde_json::json;

/// Customers of one insurance company at most in one list.
const CUSTOMERS_MAX: u64 = 5000;

/// Adds an insurance company of this tidied name.
///
/// Errors: 409 `INSURANCE_NAME_TAKEN`.
pub async fn create_insurer(d: &Identity, caller: &Caller, origin: &Origin, name: String) -> IdentityResult<Insurer> {
    let tx = d.db.write().await?;
    // Administrators take turns, so that two cannot both find a name free.
    lock_company(&tx, caller.company).await?;
    if store::name_is_taken(&tx, &name, None).await? {
        return Err(InsurerError::NameTaken.into());
    }
    let new = Insurer { id: d.sources.id(), name, active: true };
    store::insert(&tx, &new, d.sources.now()).await?;
    note(d, &tx, caller, origin, caller.company, json!({"added": new.name})).await?;
    tx.commit().await?;
    Ok(new)
}

/// Renames an insurance company, takes it out of the offer or puts it back.
///
/// Errors: 404 `INSURANCE_NOT_FOUND`, 409 `INSURANCE_NAME_TAKEN`.
pub async fn update_insurer(
    d: &Identity,
    caller: &Caller,
    origin: &Origin,
    id: InsuranceId,
    name: Option<String>,
    active: Option<bool>,
) -> IdentityResult<Insurer> {
    let tx = d.db.write().await?;
    lock_company(&tx, caller.company).await?;
    let before = store::find(&*tx, id).await?.ok_or(InsurerError::NotFound)?;
    let after = Insurer { name: name.unwrap_or_else(|| before.name.clone()), active: active.unwrap_or(before.active), id };
    if after == before {
        return Ok(after);
    }
    if store::name_is_taken(&tx, &after.name, Some(id)).await? {
        return Err(InsurerError::NameTaken.into());
    }
    store::update(&tx, &after).await?;
    note(d, &tx, caller, origin, caller.company, json!({"changed": after.name, "active": after.active})).await?;
    tx.commit().await?;
    Ok(after)
}

/// Writes which insurance companies a customer works for.
///
/// Errors: 422 `INVALID_FIELDS` about `insuranceCompanies`.
pub async fn set_insurers(
    d: &Identity,
    tx: &Tx,
    caller: &Caller,
    origin: &Origin,
    company: CompanyId,
    ids: &[InsuranceId],
) -> IdentityResult<()> {
    if store::count_known(tx, ids).await? != ids.len() {
        return Err(IdentityError::invalid("insuranceCompanies", "INSURANCE_UNKNOWN"));
    }
    let mut before = store::list_of(&**tx, company).await?;
    before.sort_unstable();
    if before == ids {
        return Ok(());
    }
    store::replace(tx, company, ids).await?;
    note(d, tx, caller, origin, company, json!({"before": before.len(), "after": ids.len()})).await
}

/// The same in a transaction of its own.
///
/// Errors: [`IdentityError::CompanyNotFound`] for none and for what is no customer, and those of [`set_insurers`].
pub async fn put_insurers(
    d: &Identity,
    caller: &Caller,
    origin: &Origin,
    company: CompanyId,
    ids: &[InsuranceId],
) -> IdentityResult<()> {
    let tx = d.db.write().await?;
    let locked = lock_company(&tx, company).await?.record()?;
    if locked.company.kind != CompanyKind::Customer {
        return Err(IdentityError::CompanyNotFound);
    }
    set_insurers(d, &tx, caller, origin, company, ids).await?;
    Ok(tx.commit().await?)
}

async fn note(
    d: &Identity,
    tx: &Tx,
    caller: &Caller,
    origin: &Origin,
    company: CompanyId,
    detail: serde_json::Value,
) -> IdentityResult<()> {
    let entry = Entry::company(Action::InsurersChanged, company).by(caller).from(origin.address).detail(detail);
    audit::record(d, tx, entry).await
}

/// An insurance company that is offered. Errors: 404 `INSURANCE_NOT_FOUND`.
pub async fn find_offered(d: &Identity, id: InsuranceId) -> IdentityResult<Insurer> {
    let found = store::find(d.db.read(), id).await?.filter(|insurer| insurer.active);
    Ok(found.ok_or(InsurerError::NotFound)?)
}

/// The first insurance company by name, of those offered, that a customer works for.
pub async fn first_of(d: &Identity, company: CompanyId) -> IdentityResult<Option<Insurer>> {
    let linked = store::list_of(d.db.read(), company).await?;
    Ok(store::list(d.db.read(), false).await?.into_iter().find(|insurer| linked.contains(&insurer.id)))
}

/// Whether a customer works for an insurance company.
pub async fn works_for(d: &Identity, company: CompanyId, insurer: InsuranceId) -> IdentityResult<bool> {
    Ok(store::list_of(d.db.read(), company).await?.contains(&insurer))
}

/// The active, unblocked customers of an insurance company; none when the asking company is not active itself (INSURER-3,
/// REQUEST-9). Administrators see what an active one would.
///
/// Errors: 404 `INSURANCE_NOT_FOUND`, also for one that is not offered.
pub async fn candidates(d: &Identity, caller: &Caller, id: InsuranceId) -> IdentityResult<Vec<Candidate>> {
    let insurer = store::find(d.db.read(), id).await?.ok_or(InsurerError::NotFound)?;
    if !insurer.active && !caller.is_admin() {
        return Err(InsurerError::NotFound.into());
    }
    let now = d.sources.now();
    let asking_active = caller.is_admin() || get_company(d, caller.company).await?.status == Status::Active;
    let customers = directory::active_customers_among(d.db.read(), store::customers_of(id), CUSTOMERS_MAX).await?;
    let open: Vec<Company> = customers.into_iter().filter(|c| !c.billing.is_blocked(asking_active, now)).collect();
    let candidate = |company: Company| Candidate {
        id: company.id,
        region: company.postal_code.as_deref().and_then(province::of_postal_code).map(str::to_owned).or(company.region),
        name: company.name,
    };
    Ok(open.into_iter().map(candidate).collect())
}
