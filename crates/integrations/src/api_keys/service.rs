//! Generating, revoking and recognising keys.

use super::error::ApiKeyError;
use super::model::{self, ApiKey, LIVE_MAX};
use super::store;
use atalaya_cases::evidence::chain::sha256_hex;
use atalaya_identity::audit::{self, Action, Entry};
use atalaya_identity::directory::{Company, get_company};
use atalaya_identity::{Identity, IdentityError, IdentityResult, Origin, sessions};
use atalaya_kernel::{ApiKeyId, CompanyId, CompanyKind};
use atalaya_rest::Caller;
use serde_json::json;

/// The customer whose keys a caller administers: his own, or the one an administrator names.
///
/// Errors: 422 `customerId` when an administrator names none, [`IdentityError::CompanyNotFound`] for another tenant's and
/// for companies that are no customers.
pub async fn customer_of(d: &Identity, caller: &Caller, wished: Option<CompanyId>) -> IdentityResult<CompanyId> {
    let id = match wished {
        Some(id) if caller.is_admin() || id == caller.company => id,
        None if !caller.is_admin() => caller.company,
        None => return Err(IdentityError::invalid("customerId", "REQUIRED")),
        Some(_) => return Err(IdentityError::CompanyNotFound),
    };
    let company = get_company(d, id).await?;
    if company.kind == CompanyKind::Customer { Ok(id) } else { Err(IdentityError::CompanyNotFound) }
}

/// The living keys of a customer, newest first.
pub async fn list(d: &Identity, company: CompanyId) -> IdentityResult<Vec<ApiKey>> {
    Ok(store::list_live(d.db.read(), company).await?)
}

/// Generates a key and answers it in clear: it is known nowhere else.
///
/// Errors: 409 `API_KEY_LIMIT` when the company has [`LIVE_MAX`] already, [`IdentityError::FreshProofRequired`].
/// Source: KEY-1, KEY-2.
pub async fn generate(d: &Identity, caller: &Caller, origin: &Origin, company: CompanyId) -> IdentityResult<(String, ApiKey)> {
    sessions::require_fresh_proof(d, caller).await?;
    let clear = model::generate(&d.sources);
    let key = ApiKey {
        id: d.sources.id(),
        company,
        created_by: caller.user,
        prefix: model::shown(&clear),
        created_at: d.sources.now(),
        last_used_at: None,
        revoked_at: None,
    };
    let tx = d.db.write().await?;
    atalaya_db::lock_row(&tx, "company", company.0).await?;
    if store::count_live(&tx, company).await? >= LIVE_MAX {
        return Err(ApiKeyError::Limit.into());
    }
    store::insert(&tx, &key, sha256_hex(clear.as_bytes())).await?;
    let entry = Entry::company(Action::ApiKeyCreated, company).by(caller).from(origin.address);
    audit::service::record(d, &tx, entry.detail(json!({"prefix": key.prefix}))).await?;
    tx.commit().await?;
    Ok((clear, key))
}

/// Ends a key at once. Doing it twice is fine.
///
/// Errors: 404 `API_KEY_NOT_FOUND`, also for another tenant's, [`IdentityError::FreshProofRequired`].
pub async fn revoke(d: &Identity, caller: &Caller, origin: &Origin, id: ApiKeyId) -> IdentityResult<()> {
    sessions::require_fresh_proof(d, caller).await?;
    let tx = d.db.write().await?;
    let found = store::find(&tx, id).await?.filter(|key| caller.is_admin() || key.company == caller.company);
    let Some(key) = found else { return Err(ApiKeyError::NotFound.into()) };
    if store::revoke(&tx, id, d.sources.now()).await? {
        let entry = Entry::company(Action::ApiKeyRevoked, key.company).by(caller).from(origin.address);
        audit::service::record(d, &tx, entry.detail(json!({"prefix": key.prefix}))).await?;
    }
    tx.commit().await?;
    Ok(())
}

/// The key and its customer; notes the use.
///
/// Errors: 401 `API_KEY_INVALID` when there is no such living key, [`IdentityError::AccountInactive`] when the customer may
/// not log in either.
pub async fn recognise(d: &Identity, clear: &str) -> IdentityResult<(ApiKey, Company)> {
    if !model::is_key(clear) {
        return Err(ApiKeyError::Unknown.into());
    }
    let key = store::find_live_by_hash(d.db.read(), &sha256_hex(clear.as_bytes())).await?.ok_or(ApiKeyError::Unknown)?;
    let company = get_company(d, key.company).await?;
    if !company.status.company_admits_log_in() {
        return Err(IdentityError::AccountInactive);
    }
    let now = d.sources.now();
    if key.writes_use(now) {
        let tx = d.db.write().await?;
        store::set_used(&tx, key.id, now).await?;
        tx.commit().await?;
    }
    Ok((key, company))
}
