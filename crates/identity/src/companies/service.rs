//! Companies for the other rooms.

use super::model::{Company, NewCompany};
use super::store;
use crate::{Identity, IdentityError, IdentityResult};
use atalaya_db::Tx;
use atalaya_kernel::{CompanyId, CompanyKind, Status};

/// A company, whoever asks; the caller has checked the tenant.
///
/// Errors: [`IdentityError::CompanyNotFound`].
pub async fn get_company(identity: &Identity, id: CompanyId) -> IdentityResult<Company> {
    store::find_company(identity.db.read(), id).await?.ok_or(IdentityError::CompanyNotFound)
}

/// Creates a company in the caller's transaction and answers its id.
pub async fn create_company(identity: &Identity, tx: &Tx, new: NewCompany) -> IdentityResult<CompanyId> {
    let id: CompanyId = identity.sources.id();
    let seal = |iban: &String| identity.field_key.seal(&identity.sources, &iban_context(id), iban);
    let sealed = new.iban.as_ref().map(seal);
    store::insert_company(&**tx, id, &new, sealed, identity.sources.now()).await?;
    Ok(id)
}

/// The platform company, created when there is none yet.
pub async fn platform_company(identity: &Identity, tx: &Tx) -> IdentityResult<CompanyId> {
    if let Some(platform) = store::find_platform(&**tx).await? {
        return Ok(platform.id);
    }
    let mut new = NewCompany::named(CompanyKind::Platform, "Atalaya");
    new.status = Status::Active;
    create_company(identity, tx, new).await
}

/// Where a company's IBAN is sealed for.
fn iban_context(id: CompanyId) -> String {
    format!("company.iban:{id}")
}
