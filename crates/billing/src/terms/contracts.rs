//! What a company accepted, as a document it can keep (LSSI art. 27.4). Also what an activation accepted, which identity
//! writes without us, is kept here.
//!
//! *Invariant:* the same acceptance gives the same bytes; nothing in it depends on when it is asked for. What was accepted is
//! kept as it was then, whatever becomes of the company's name.

use crate::{Billing, BillingResult, documents};
use atalaya_content::legal::{LegalText, service as legal};
use atalaya_content::prices::service as prices;
use atalaya_documents::{Acceptance, ContractCompany, ContractFacts};
use atalaya_identity::companies::{Company, customers, service as companies};
use atalaya_identity::terms_acceptance::{self as acceptance, LegalHistory};
use atalaya_identity::users::service as users;
use atalaya_kernel::{CompanyId, Language};
use chrono::TimeDelta;
use uuid::Uuid;

/// The kind of kept contracts.
const CONTRACT: &str = "contract";
/// Customers looked at together.
const AT_ONCE: u64 = 200;
/// Acceptances of these days are looked at: a server may have been off meanwhile.
const DAYS: i64 = 15;

/// Keeps the contracts that were accepted lately and are not kept yet; what fails for one is logged.
pub async fn keep_recent(d: &Billing) -> BillingResult<()> {
    let since = d.sources.now() - TimeDelta::days(DAYS);
    let mut after: Option<CompanyId> = None;
    loop {
        let payers = customers::list_payers(&d.identity, after, AT_ONCE).await?;
        let ids: Vec<CompanyId> = payers.iter().map(|payer| payer.company.id).collect();
        let Some(last) = ids.last() else { return Ok(()) };
        after = Some(*last);
        let histories = acceptance::histories(&d.identity, &ids).await?;
        for (company, history) in histories {
            let is_recent = history.iter().any(|entry| entry.expires_at.is_none() && entry.accepted_at >= since);
            if is_recent && let Err(error) = keep(d, company).await {
                tracing::error!(%company, %error, "a contract is not kept");
            }
        }
    }
}

/// The content of this company's contract, or of one that names no company.
pub(super) async fn gather(d: &Billing, company: Option<Company>, language: Language) -> BillingResult<ContractFacts> {
    let now = d.sources.now();
    let id = company.as_ref().map(|company| company.id);
    let accepted = match id {
        Some(id) => accepted(d, id).await?,
        None => None,
    };
    let public_url = d.public_url.clone();
    let (keeping, processors) = (d.identity.settings.keeping.clone(), d.identity.settings.processors.clone());
    let company = company.map(|company| ContractCompany { id: company.id, name: company.name, cif: company.cif });
    if let Some((texts, price_id, acceptance)) = accepted
        && let Some(language) = texts.first().and_then(|text| text.language.platform())
    {
        let price = match price_id {
            Some(id) => prices::find(&d.content, id).await?,
            None => None,
        };
        let price = match price {
            Some(price) => price,
            // Accepted before there were tables.
            None => prices::in_force(&d.content, id, now).await?,
        };
        return Ok(ContractFacts {
            language,
            texts,
            price,
            company,
            accepted: Some(acceptance),
            public_url,
            keeping,
            processors,
        });
    }
    let texts = legal::conditions_in_force(&d.content, language).await?;
    let price = prices::in_force(&d.content, id, now).await?;
    Ok(ContractFacts { language, texts, price, company, accepted: None, public_url, keeping, processors })
}

/// The texts and the price table that a company accepted last, and how it accepted them; `None` before its first acceptance.
async fn accepted(d: &Billing, company: CompanyId) -> BillingResult<Option<(Vec<LegalText>, Option<Uuid>, Acceptance)>> {
    let history = acceptance::history(&d.identity, company).await?;
    let open: Vec<&LegalHistory> = history.iter().filter(|entry| entry.expires_at.is_none()).collect();
    let Some(first) = open.first() else { return Ok(None) };
    let mut texts = Vec::new();
    for entry in &open {
        texts.extend(legal::find(&d.content, entry.legal_id).await?);
    }
    texts.sort_by_key(|text| text.kind as i16);
    let user = users::list_by_ids(&d.identity, first.proof.user).await?.pop();
    let by = user.map(|user| user.display_name()).unwrap_or_default();
    let acceptance = Acceptance { at: first.accepted_at, by, address: first.proof.address.clone() };
    Ok(Some((texts, open.iter().find_map(|entry| entry.price_id), acceptance)))
}

/// Stores what a company accepted; does nothing if it is stored, or nothing is accepted.
pub(crate) async fn keep(d: &Billing, company: CompanyId) -> BillingResult<()> {
    let company = companies::get_company(&d.identity, company).await?;
    let language = company.language;
    let contract = gather(d, Some(company), language).await?;
    if contract.accepted.is_some() {
        pdf(d, contract).await?;
    }
    Ok(())
}

/// The document: rendered once and stored for an acceptance, else rendered for each request.
pub(super) async fn pdf(d: &Billing, contract: ContractFacts) -> BillingResult<Vec<u8>> {
    let subject = contract.accepted.is_some().then(|| contract.subject());
    if let Some(subject) = subject
        && let Some(kept) = documents::kept(d, CONTRACT, subject).await?
    {
        return Ok(kept.bytes);
    }
    let bytes = documents::set(move || contract.pdf()).await?;
    match subject {
        Some(subject) => Ok(documents::keep(d, CONTRACT, subject, "contrato.pdf".to_owned(), bytes).await?.bytes),
        None => Ok(bytes),
    }
}
