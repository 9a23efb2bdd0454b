//! Fiscal data are no text fields (FISCAL-2): `fiscal`, above, rules in the transaction of a change what of it is written at once.

use super::service::StatusChanged;
use crate::directory::{BillingFacts, Company, CompanyChanges, CompanyField, lock_company};
use crate::{Identity, IdentityResult, Origin, terms_acceptance as terms};
use async_trait::async_trait;
use atalaya_db::Tx;
use atalaya_kernel::CompanyId;
use atalaya_rest::Caller;
use uuid::Uuid;

/// Tidied texts of a form.
pub type Texts = Vec<(CompanyField, Option<String>)>;

/// Who changes the form of which company, locked as it was.
#[derive(Clone, Copy)]
pub struct Edit<'a> {
    pub caller: &'a Caller,
    pub origin: &'a Origin,
    pub before: &'a Company,
}

/// What is written at once.
#[derive(Default)]
pub struct Ruling {
    pub texts: Texts,
    /// The company's open request from now on.
    pub request: Option<Option<Uuid>>,
    pub version: Option<i32>,
    /// It is another taxpayer: terms are accepted anew (FISCAL-8).
    pub anew: bool,
    /// To be called after the commit.
    pub after: Option<Box<dyn FnOnce() + Send>>,
}

/// Rules on changes of forms.
#[async_trait]
pub trait FiscalDesk: Send + Sync {
    /// An error leaves the company as it was.
    async fn rule(&self, tx: &Tx, edit: Edit<'_>, texts: Texts) -> IdentityResult<Ruling>;
}

pub(super) async fn changes(d: &Identity, tx: &Tx, id: CompanyId, ruling: Ruling) -> IdentityResult<CompanyChanges> {
    if ruling.anew {
        terms::end(d, tx, id).await?;
    }
    let Ruling { texts, request: fiscal_request, version: fiscal_version, anew: accepts_anew, .. } = ruling;
    Ok(CompanyChanges { texts, fiscal_request, fiscal_version, accepts_anew, ..CompanyChanges::default() })
}

/// Writes what was ruled about a company's fiscal data in the caller's transaction.
///
/// Errors: [`crate::IdentityError`] `CompanyNotFound`, `CompanyExists`.
pub async fn write(d: &Identity, tx: &Tx, id: CompanyId, ruling: Ruling) -> IdentityResult<StatusChanged> {
    let locked = lock_company(tx, id).await?;
    let before = locked.record()?.company.billing;
    let after = BillingFacts { legal: before.legal && !ruling.anew, ..before };
    locked.change(tx, changes(d, tx, id, ruling).await?).await?;
    Ok(StatusChanged { company: id, before, after })
}
