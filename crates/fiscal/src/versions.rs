//! Writing versions, and what held on a day.

use crate::model::{self, Block, Consultation, Version};
use crate::{Fiscal, FiscalResult, store};
use atalaya_db::Tx;
use atalaya_identity::companies::customers::issuer_postal_code;
use atalaya_identity::companies::model::Company;
use atalaya_kernel::{CompanyId, UserId};
use atalaya_tariff::{Place, VatRegime};
use chrono::NaiveDate;
use std::collections::HashMap;
use uuid::Uuid;

/// What an invoice asks of its recipient besides the words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// On the day of the operation.
    pub regime: VatRegime,
    /// As of now, two letters; none: Spain.
    pub country: Option<String>,
}

/// Where the platform, which issues, has its seat; on the peninsula before anybody said.
pub(crate) async fn issuer_place(d: &Fiscal) -> FiscalResult<Place> {
    let postal_code = issuer_postal_code(&d.identity).await?;
    Ok(Place::of_postal_code(postal_code.as_deref().unwrap_or_default()))
}

/// How these companies stand on a day of Madrid (FISCAL-5, ABROAD-1). Only those that ever changed cost a query.
pub async fn standings_on(d: &Fiscal, companies: &[&Company], day: NaiveDate) -> FiscalResult<HashMap<CompanyId, Standing>> {
    let changed: Vec<CompanyId> = companies.iter().filter(|of| of.fiscal_version > 0).map(|of| of.id).collect();
    let mut versions: HashMap<CompanyId, Vec<Version>> = HashMap::new();
    for version in store::versions(d.db.read(), &changed).await? {
        versions.entry(version.company).or_default().push(version);
    }
    let issuer = issuer_place(d).await?;
    let standing = |company: &&Company| {
        let all = versions.get(&company.id).map_or(&[][..], Vec::as_slice);
        let regime = model::on(all, day).map_or_else(|| Block::of(company).regime(issuer), |version| version.regime);
        let country = all.iter().max_by_key(|version| version.number).and_then(|last| last.block.country.clone());
        (company.id, Standing { regime, country })
    };
    Ok(companies.iter().map(standing).collect())
}

/// How one company stands on a day.
pub async fn standing_on(d: &Fiscal, company: &Company, day: NaiveDate) -> FiscalResult<Standing> {
    Ok(standings_on(d, &[company], day).await?.remove(&company.id).unwrap_or_default())
}

/// A version to be written.
pub(crate) struct NewVersion {
    pub since: NaiveDate,
    pub block: Block,
    pub regime: VatRegime,
    pub reason: Option<String>,
    pub vies: Option<Consultation>,
    pub asked_by: UserId,
    pub approved_by: UserId,
    pub request: Option<Uuid>,
}

/// Writes a version of a locked company, which was `before`; before its first one also what held until then. Answers its number.
pub(crate) async fn add(d: &Fiscal, tx: &Tx, before: &Company, new: NewVersion) -> FiscalResult<i32> {
    let now = d.sources.now();
    let mut number = before.fiscal_version;
    if number == 0 {
        number = 1;
        let block = Block::of(before);
        let beginning = Version {
            company: before.id,
            number,
            valid_from: None,
            regime: block.regime(issuer_place(d).await?),
            block,
            reason: None,
            vies: None,
            asked_by: None,
            approved_by: None,
            request: None,
            created_at: before.billing.created_at,
        };
        store::insert_version(tx, d.sources.uuid(), &beginning).await?;
    }
    number += 1;
    let NewVersion { since, block, regime, reason, vies, asked_by, approved_by, request } = new;
    let version = Version {
        company: before.id,
        number,
        valid_from: Some(since),
        block,
        regime,
        reason,
        vies,
        asked_by: Some(asked_by),
        approved_by: Some(approved_by),
        request,
        created_at: now,
    };
    store::insert_version(tx, d.sources.uuid(), &version).await?;
    Ok(number)
}
