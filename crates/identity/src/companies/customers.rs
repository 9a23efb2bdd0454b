//! Companies as those who invoice them see them: customers one after the other, and the platform that issues (DESIGN §3).

use super::model::Company;
use super::profile::{self, Issuer};
use super::service::iban_context;
use super::store::{self, customers};
use crate::{Identity, IdentityResult};
use atalaya_checks::iban::Iban;
use atalaya_kernel::CompanyId;
use chrono::{DateTime, Utc};

/// A customer with its account as people may see it.
#[derive(Clone, Debug)]
pub struct Payer {
    pub company: Company,
    pub masked_iban: Option<String>,
}

/// The customers after this one in the order in which they came, at most so many.
pub async fn list_payers(d: &Identity, after: Option<CompanyId>, limit: u64) -> IdentityResult<Vec<Payer>> {
    payers(d, customers::list_after(d.db.read(), after, limit).await?)
}

/// These customers, in the order in which they came; others than customers are left out.
pub async fn find_payers(d: &Identity, ids: &[CompanyId]) -> IdentityResult<Vec<Payer>> {
    payers(d, customers::list_of(d.db.read(), ids).await?)
}

fn payers(d: &Identity, rows: Vec<super::entity::Model>) -> IdentityResult<Vec<Payer>> {
    let payer = |row| {
        let masked_iban = profile::masked(d, &row);
        Ok(Payer { company: store::to_company(row)?, masked_iban })
    };
    rows.into_iter().map(payer).collect()
}

/// How many customers there are.
pub async fn count(d: &Identity) -> IdentityResult<u64> {
    customers::count(d.db.read()).await
}

/// When the first customer began to pay (`pay_startAt`, else its creation).
pub async fn first_payment(d: &Identity) -> IdentityResult<Option<DateTime<Utc>>> {
    customers::first_payment(d.db.read()).await
}

/// The platform company, which issues; with its account in clear, since people pay to it. `None` before there is one.
pub async fn platform(d: &Identity) -> IdentityResult<Option<(Company, Issuer, Option<Iban>)>> {
    let Some(platform) = store::find_platform(d.db.read()).await? else { return Ok(None) };
    let Some(row) = store::find_row(d.db.read(), platform.id).await? else { return Ok(None) };
    let sealed = row.bank_account.as_deref();
    let opened = sealed.and_then(|sealed| d.field_key.open(&iban_context(platform.id), sealed));
    let iban = opened.and_then(|text| Iban::parse(&text).ok());
    let issuer = Issuer { registry_data: row.registry_data, bic: row.bic, creditor_suffix: row.creditor_suffix };
    Ok(Some((platform, issuer, iban)))
}
