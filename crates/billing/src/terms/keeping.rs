//! Contracts are kept as they were accepted: also those of an activation, which identity takes without us.

use super::http::contract;
use crate::{Billing, BillingResult};
use atalaya_identity::companies::{customers, legal};
use atalaya_kernel::CompanyId;
use chrono::TimeDelta;

/// Customers looked at together.
const AT_ONCE: u64 = 200;
/// Acceptances of these days are looked at: a server may have been off meanwhile.
const DAYS: i64 = 15;

/// Keeps the contracts that were accepted lately and are not kept yet; what fails for one is logged.
pub(crate) async fn keep_lately(d: &Billing) -> BillingResult<()> {
    let since = d.sources.now() - TimeDelta::days(DAYS);
    let mut after: Option<CompanyId> = None;
    loop {
        let payers = customers::list_payers(&d.identity, after, AT_ONCE).await?;
        let ids: Vec<CompanyId> = payers.iter().map(|payer| payer.company.id).collect();
        let Some(last) = ids.last() else { return Ok(()) };
        after = Some(*last);
        let histories = legal::histories(&d.identity, &ids).await?;
        for (company, history) in histories {
            let lately = history.iter().any(|entry| entry.expires_at.is_none() && entry.accepted_at >= since);
            if lately && let Err(error) = contract::keep(d, company).await {
                tracing::error!(%company, %error, "a contract is not kept");
            }
        }
    }
}
