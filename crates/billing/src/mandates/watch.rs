//! What other contexts' changes do to mandates, in the transactions of those changes.

use super::model::MandateStatus;
use super::service::{ACCOUNT_CHANGED, TAX_ID_CHANGED};
use super::store;
use crate::BillingError;
use async_trait::async_trait;
use atalaya_db::Tx;
use atalaya_fiscal::{FiscalError, FiscalResult, TaxIdWatcher};
use atalaya_identity::audit::{self, Action, Entry};
use atalaya_identity::bank_accounts::AccountWatcher;
use atalaya_identity::{Identity, IdentityError, IdentityResult};
use atalaya_kernel::CompanyId;
use serde_json::json;
use std::sync::Arc;
use uuid::Uuid;

/// Ends mandates in the transaction that takes their account away.
struct EndMandates;

/// Called by identity when a company's account changes.
pub fn account_watcher() -> Arc<dyn AccountWatcher> {
    Arc::new(EndMandates)
}

/// Called when a company becomes another taxpayer.
pub fn tax_id_watcher() -> Arc<dyn TaxIdWatcher> {
    Arc::new(EndMandates)
}

#[async_trait]
impl TaxIdWatcher for EndMandates {
    async fn tax_id_changed(&self, d: &Identity, tx: &Tx, company: CompanyId) -> FiscalResult<()> {
        let wrong = |error: BillingError| FiscalError::Internal(error.to_string());
        for mandate in store::of_companies(&**tx, &[company]).await.map_err(wrong)? {
            if mandate.status.stands() && store::suspend(tx, mandate.id, TAX_ID_CHANGED).await? {
                let detail = json!({"umr": mandate.umr, "scheme": mandate.scheme.name()});
                audit::service::record(d, tx, Entry::company(Action::MandateChanged, company).detail(detail)).await?;
            }
        }
        Ok(())
    }
}

#[async_trait]
impl AccountWatcher for EndMandates {
    async fn changed(&self, d: &Identity, tx: &Tx, company: CompanyId, account: Option<Uuid>) -> IdentityResult<()> {
        let wrong = |error: BillingError| match error {
            BillingError::Db(error) => IdentityError::from(error),
            other => IdentityError::Corrupt(other.to_string()),
        };
        for mandate in store::of_companies(&**tx, &[company]).await.map_err(wrong)? {
            let ends = mandate.status.stands() && Some(mandate.account) != account;
            let now = d.sources.now();
            if ends && store::set_status(tx, mandate.id, MandateStatus::Cancelled, Some(ACCOUNT_CHANGED), now).await? {
                let detail = json!({"umr": mandate.umr, "scheme": mandate.scheme.name()});
                audit::service::record(d, tx, Entry::company(Action::MandateEnded, company).detail(detail)).await?;
            }
        }
        Ok(())
    }
}
