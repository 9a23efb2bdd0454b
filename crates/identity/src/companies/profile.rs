//! A company as its principal and administrators see it.

pub use crate::directory::Issuer;
use crate::directory::{self, Company, CompanyRecord, Connection, User};
use crate::terms_acceptance::{self as terms, LegalHistory};
use crate::{Identity, IdentityResult, bank_accounts};
use atalaya_checks::{iban, tax_id};
use atalaya_content::legal::{Heading, headings};
use atalaya_kernel::{CompanyId, Role};
use std::collections::HashMap;
use uuid::Uuid;

/// A company with what belongs to it.
#[derive(Clone, Debug)]
pub struct Profile {
    pub company: Company,
    /// The tax id's last character is of an unusual kind (COMPANY-9).
    pub cif_warning: bool,
    /// `ES91 **** **** **** **** 1332`.
    pub masked_iban: Option<String>,
    /// The account opens with the SEPA secret only.
    pub iban_protected: bool,
    pub bank_name: Option<&'static str>,
    /// The terms it accepted last.
    pub legal_id: Option<Uuid>,
    pub price_id: Option<Uuid>,
    pub legal_history: Vec<LegalHistory>,
    /// What those texts are called.
    pub legal_titles: HashMap<Uuid, Heading>,
    /// How many accounts it has.
    pub users: i64,
    /// The account with its even role, the oldest if there are several.
    pub principal: Option<User>,
    pub issuer: Issuer,
}

/// The profile of one company.
pub(crate) async fn of_record(d: &Identity, db: &impl Connection, record: CompanyRecord) -> IdentityResult<Profile> {
    let mut all = of_records(d, db, vec![record]).await?;
    Ok(all.pop().expect("one record has one profile"))
}

/// The profiles of companies of one kind, in their order, with a fixed number of queries.
pub(crate) async fn of_records(d: &Identity, db: &impl Connection, records: Vec<CompanyRecord>) -> IdentityResult<Vec<Profile>> {
    let Some(first) = records.first() else { return Ok(Vec::new()) };
    let role = Role::try_from(i16::from(first.company.kind)).unwrap_or(Role::Empty);
    let ids: Vec<CompanyId> = records.iter().map(|record| record.company.id).collect();
    let mut histories = terms::list_histories(db, &ids).await?;
    let texts = histories.values().flatten().map(|entry| entry.legal_id).collect();
    let titles = headings(db, texts).await?;
    let users = directory::count_users(db, &ids).await?;
    let mut principals = directory::list_principals(db, role, &ids).await?;
    let profiles = records.into_iter().map(|record| {
        let id = record.company.id;
        let rest = Rest {
            legal_titles: titles.clone(),
            legal_history: histories.remove(&id).unwrap_or_default(),
            users: users.get(&id).copied().unwrap_or_default(),
            principal: principals.remove(&id),
        };
        assemble(d, record, rest)
    });
    Ok(profiles.collect())
}

struct Rest {
    legal_history: Vec<LegalHistory>,
    legal_titles: HashMap<Uuid, Heading>,
    users: i64,
    principal: Option<User>,
}

fn assemble(d: &Identity, record: CompanyRecord, rest: Rest) -> Profile {
    let Rest { legal_history, legal_titles, users, principal } = rest;
    let masked_iban = bank_accounts::masked(d, &record);
    let CompanyRecord { company, account, issuer, legal_id, price_id } = record;
    let cif_warning = company.cif.as_deref().and_then(|cif| tax_id::check(cif).ok()).is_some_and(|id| id.warning);
    Profile {
        company,
        cif_warning,
        masked_iban,
        iban_protected: account.as_ref().is_some_and(|account| bank_accounts::is_protected(&account.sealed)),
        bank_name: account.and_then(|account| iban::bank_name(&account.bank?)),
        legal_id,
        price_id,
        legal_history,
        legal_titles,
        users,
        principal,
        issuer,
    }
}
