//! Reading and changing buyer codes.

use super::model::BuyerCodes;
use super::store;
use crate::{Fiscal, FiscalResult};
use atalaya_db::DbResult;
use atalaya_identity::Origin;
use atalaya_identity::audit::{self, Action, Entry};
use atalaya_kernel::CompanyId;
use atalaya_rest::Caller;
use serde_json::json;

/// Those of a company; empty without any.
pub async fn find(d: &Fiscal, company: CompanyId) -> DbResult<BuyerCodes> {
    store::find(d.db.read(), company).await
}

/// Writes them, with an entry in the activity log if they are others.
pub(super) async fn change(
    d: &Fiscal,
    (caller, origin): (&Caller, &Origin),
    company: CompanyId,
    codes: BuyerCodes,
) -> FiscalResult<()> {
    let tx = d.db.write().await?;
    if store::find(&*tx, company).await? != codes {
        store::put(&tx, company, codes, d.sources.now()).await?;
        let entry = Entry::company(Action::CompanyChanged, company).by(caller).from(origin.address);
        audit::service::record(&d.identity, &tx, entry.detail(json!({"fields": ["buyerCodes"]}))).await?;
    }
    tx.commit().await?;
    Ok(())
}
