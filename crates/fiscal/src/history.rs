//! What a company is called, was called, and asked for.

use crate::model::{Block, Request, Version};
use crate::service::today_s_regime;
use crate::store::current;
use crate::{Fiscal, FiscalError, FiscalResult, store};
use atalaya_identity::IdentityError;
use atalaya_identity::companies::model::Company;
use atalaya_identity::companies::service as companies;
use atalaya_kernel::CompanyId;
use atalaya_tariff::VatRegime;

/// What a company is called and was called, and what it asked for.
pub(crate) struct History {
    pub company: Company,
    /// In force.
    pub block: Block,
    pub regime: VatRegime,
    /// The newest first; none while nothing ever changed.
    pub versions: Vec<Version>,
    pub requests: Vec<Request>,
}

/// What is in force of a company, and what it is.
///
/// Errors: `COMPANY_NOT_FOUND`.
pub(crate) async fn present(d: &Fiscal, id: CompanyId) -> FiscalResult<(Block, Company)> {
    let company = companies::list_companies(&d.identity, &[id]).await?.pop();
    let company = company.ok_or(FiscalError::Identity(IdentityError::CompanyNotFound))?;
    Ok((current(d.db.read(), &company).await?, company))
}

/// Errors: `COMPANY_NOT_FOUND`.
pub(crate) async fn history(d: &Fiscal, id: CompanyId) -> FiscalResult<History> {
    let (block, company) = present(d, id).await?;
    let regime = today_s_regime(d, &company).await?;
    let versions = store::history(d.db.read(), id).await?;
    let requests = store::of_company(d.db.read(), id).await?;
    Ok(History { company, block, regime, versions, requests })
}
