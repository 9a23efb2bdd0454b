//! Calculated months, of one company or of many.

use super::model::{CompanyMonth, calculate};
use crate::{Billing, BillingError, BillingResult};
use atalaya_cases::usage::{self, Period, Usage};
use atalaya_content::prices::service as prices;
use atalaya_identity::IdentityError;
use atalaya_identity::companies::model::Company;
use atalaya_identity::{companies::service as companies, terms_acceptance as legal};
use atalaya_kernel::CompanyId;
use atalaya_tariff::Month;
use chrono::{DateTime, Utc};
use std::collections::HashMap;
use uuid::Uuid;

/// One company's month. People who are still connected are counted up to `until`: now, also for a past month, because a
/// connection belongs entirely to the month it began in.
///
/// Errors: `COMPANY_NOT_FOUND`.
pub async fn month_of(d: &Billing, company: CompanyId, month: Month, until: DateTime<Utc>) -> BillingResult<CompanyMonth> {
    let mut found = months_of(d, &[company], month, until).await?;
    found.pop().ok_or_else(|| IdentityError::CompanyNotFound.into())
}

/// The same month of many companies, in the order of `ids`; those that do not exist are absent.
pub async fn months_of(d: &Billing, ids: &[CompanyId], month: Month, until: DateTime<Utc>) -> BillingResult<Vec<CompanyMonth>> {
    let found = companies::list_companies(&d.identity, ids).await?;
    let by_id: HashMap<CompanyId, &Company> = found.iter().map(|company| (company.id, company)).collect();
    let companies: Vec<&Company> = ids.iter().filter_map(|id| by_id.get(id).copied()).collect();
    calculate_months(d, &companies, month, until).await
}

/// The same month of companies that were read already, in their order. It takes a few queries per 200 companies; callers with
/// many ask in batches, so that memory stays flat.
pub(crate) async fn calculate_months(
    d: &Billing,
    companies: &[&Company],
    month: Month,
    until: DateTime<Utc>,
) -> BillingResult<Vec<CompanyMonth>> {
    let ids: Vec<CompanyId> = companies.iter().map(|company| company.id).collect();
    let histories = legal::histories(&d.identity, &ids).await?;
    let mut tables: Vec<Uuid> = histories.values().flatten().filter_map(|entry| entry.price_id).collect();
    tables.sort_unstable();
    tables.dedup();
    let prices = prices::find_many(&d.content, &tables).await?;
    let period = Period { start: month.start(), end: month.end(), until };
    let usage = usage::list(&d.cases, &ids, period).await?;
    let mut used: HashMap<CompanyId, Vec<&Usage>> = HashMap::new();
    for one in &usage {
        used.entry(one.company).or_default().push(one);
    }
    let mut standings =
        atalaya_fiscal::standings_on(&d.fiscal, companies, month.last_day()).await.map_err(IdentityError::from)?;
    let calculated = companies.iter().map(|company| {
        let standing = standings.remove(&company.id).unwrap_or_default();
        let history = histories.get(&company.id).map_or(&[][..], Vec::as_slice);
        let usage = used.get(&company.id).map_or(&[][..], Vec::as_slice);
        calculate((company, standing), month, history, &prices, usage, until).map_err(BillingError::from)
    });
    calculated.collect()
}
