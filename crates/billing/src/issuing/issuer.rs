//! Who issues: the platform company with what RD 1619/2012 art. 6 wants of it.

use super::IssuingError;
use super::compose::{IssuerFacts, missing, party};
use crate::invoices::model::Party;
use crate::{Billing, BillingResult};
use atalaya_checks::iban::Iban;
use atalaya_identity::companies::customers;
use atalaya_identity::companies::model::Company;
use atalaya_identity::companies::profile::Issuer;
use atalaya_sepa::CreditorId;

/// The issuer as he is today.
///
/// Errors: [`IssuingError::IssuerIncomplete`].
pub async fn find(d: &Billing) -> BillingResult<IssuerFacts> {
    let found = customers::platform(&d.identity).await?;
    let (company, issuer, iban) = found.ok_or_else(|| IssuingError::IssuerIncomplete(Vec::new()))?;
    let lacking = missing(&company);
    if !lacking.is_empty() {
        return Err(IssuingError::IssuerIncomplete(lacking).into());
    }
    Ok(facts(&company, issuer, iban.as_ref()))
}

/// The same with whatever he lacks, for what is no invoice yet.
pub(crate) async fn present(d: &Billing) -> BillingResult<IssuerFacts> {
    let nobody = || IssuerFacts { party: Party::default(), iban: None, creditor_id: None };
    let found = customers::platform(&d.identity).await?;
    Ok(found.map_or_else(nobody, |(company, issuer, iban)| facts(&company, issuer, iban.as_ref())))
}

fn facts(company: &Company, issuer: Issuer, iban: Option<&Iban>) -> IssuerFacts {
    let party = Party { registry_data: issuer.registry_data, ..party(company) };
    let suffix = issuer.creditor_suffix.as_deref().unwrap_or("000");
    let creditor_id = creditor_id(&party.nif, suffix);
    IssuerFacts { party, iban: iban.map(|iban| iban.as_str().to_owned()), creditor_id }
}

/// A firm without its entry in the commercial registry. A person's tax id begins with a digit, or with a letter of its own.
pub(crate) fn lacks_registry(party: &Party) -> bool {
    let firm = party.nif.starts_with(|first: char| first.is_ascii_alphabetic() && !"KLMXYZ".contains(first));
    firm && party.registry_data.as_deref().is_none_or(|text| text.trim().is_empty())
}

/// The SEPA creditor identifier, if the tax id allows one.
fn creditor_id(nif: &str, suffix: &str) -> Option<String> {
    CreditorId::spanish(nif, suffix).ok().map(|id| id.as_str().to_owned())
}
