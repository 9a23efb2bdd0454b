//! Companies as those who invoice them see them: customers one after the other, and the platform that issues (COMPANY-5).

use crate::directory::{self, Company, CompanyRecord, Issuer, customers};
use crate::{Identity, IdentityResult, bank_accounts};
use atalaya_checks::iban::Iban;
use atalaya_db::Tx;
use atalaya_kernel::CompanyId;
use chrono::{DateTime, Utc};
use uuid::Uuid;

/// A customer with its account as people may see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Payer {
    pub company: Company,
    pub masked_iban: Option<String>,
    /// Id of its account; differs for every account.
    pub account: Option<Uuid>,
}

/// The customers after this one in the order in which they came, at most so many.
pub async fn list_payers(d: &Identity, after: Option<CompanyId>, limit: u64) -> IdentityResult<Vec<Payer>> {
    Ok(payers(d, customers::list_after(d.db.read(), after, limit).await?))
}

/// These customers, in the order in which they came; others than customers are left out.
pub async fn find_payers(d: &Identity, ids: &[CompanyId]) -> IdentityResult<Vec<Payer>> {
    Ok(payers(d, customers::list_of(d.db.read(), ids, false).await?))
}

/// The same as they are now, and unchanged until the end of the transaction.
pub async fn hold_payers(d: &Identity, tx: &Tx, ids: &[CompanyId]) -> IdentityResult<Vec<Payer>> {
    Ok(payers(d, customers::list_of(&**tx, ids, true).await?))
}

fn payers(d: &Identity, records: Vec<CompanyRecord>) -> Vec<Payer> {
    let payer = |record: CompanyRecord| Payer {
        masked_iban: bank_accounts::masked(d, &record),
        account: record
            .account
            .as_ref()
            .filter(|_| record.company.billing.has_iban)
            .map(|own| own.id.unwrap_or(record.company.id.0)),
        company: record.company,
    };
    records.into_iter().map(payer).collect()
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
    let Some(platform) = directory::find_platform(d.db.read()).await? else { return Ok(None) };
    let Some(record) = directory::find_record(d.db.read(), platform.id).await? else { return Ok(None) };
    let iban = bank_accounts::clear_iban(d, &record);
    Ok(Some((record.company, record.issuer, iban)))
}

/// The postal code of the platform company: where it is decides which tax it charges.
pub async fn issuer_postal_code(d: &Identity) -> IdentityResult<Option<String>> {
    Ok(directory::find_platform(d.db.read()).await?.and_then(|company| company.postal_code))
}

/// The platform company's tax id.
pub async fn issuer_tax_id(d: &Identity) -> IdentityResult<Option<String>> {
    Ok(directory::find_platform(d.db.read()).await?.and_then(|company| company.cif))
}
