//! A company as its principal and administrators see it.

use super::entity::Model;
use super::legal::LegalHistory;
use super::model::Company;
use super::service::iban_context;
use super::store::{self, list};
use crate::users::model::User;
use crate::{Identity, IdentityResult};
use atalaya_checks::iban::{self, Iban};
use atalaya_checks::tax_id;
use atalaya_content::legal::{Heading, headings};
use atalaya_kernel::Role;
use std::collections::HashMap;
use uuid::Uuid;

/// A company with what belongs to it.
#[derive(Clone, Debug)]
pub struct Profile {
    pub company: Company,
    /// The tax id's last character is of an unusual kind (DOMAIN §1.2).
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

/// What only the platform company has: it issues the invoices (DESIGN §3 Tenancy).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Issuer {
    pub registry_data: Option<String>,
    pub bic: Option<String>,
    pub creditor_suffix: Option<String>,
}

/// The profile of one row.
pub(crate) async fn of_row(d: &Identity, db: &impl store::Connection, row: Model) -> IdentityResult<Profile> {
    let mut all = of_rows(d, db, vec![row]).await?;
    Ok(all.pop().expect("one row has one profile"))
}

/// The profiles of rows of one kind, in their order, with a fixed number of queries.
pub(crate) async fn of_rows(d: &Identity, db: &impl store::Connection, rows: Vec<Model>) -> IdentityResult<Vec<Profile>> {
    let Some(first) = rows.first() else { return Ok(Vec::new()) };
    let role = Role::try_from(first.kind).unwrap_or(Role::Empty);
    let ids: Vec<Uuid> = rows.iter().map(|row| row.id).collect();
    let mut histories = super::legal::store::list_of(db, &ids).await?;
    let texts = histories.values().flatten().map(|entry| entry.legal_id).collect();
    let titles = headings(db, texts).await?;
    let users = list::count_users(db, &ids).await?;
    let mut principals = list::list_principals(db, role, &ids).await?;
    rows.into_iter()
        .map(|row| {
            let id = row.id;
            let rest = Rest {
                legal_titles: titles.clone(),
                legal_history: histories.remove(&id).unwrap_or_default(),
                users: users.get(&id).copied().unwrap_or_default(),
                principal: principals.remove(&id),
            };
            assemble(d, row, rest)
        })
        .collect()
}

struct Rest {
    legal_history: Vec<LegalHistory>,
    legal_titles: HashMap<Uuid, Heading>,
    users: i64,
    principal: Option<User>,
}

fn assemble(d: &Identity, row: Model, rest: Rest) -> IdentityResult<Profile> {
    let Rest { legal_history, legal_titles, users, principal } = rest;
    let masked_iban = masked(d, &row);
    let iban_protected = super::accounts::is_protected(row.bank_account.as_deref());
    let bank_name = row.iban_bank.as_deref().and_then(iban::bank_name);
    let (legal_id, price_id) = (row.legal_id, row.price_id);
    let issuer =
        Issuer { registry_data: row.registry_data.clone(), bic: row.bic.clone(), creditor_suffix: row.creditor_suffix.clone() };
    let company = store::to_company(row)?;
    let cif_warning = company.cif.as_deref().and_then(|cif| tax_id::check(cif).ok()).is_some_and(|id| id.warning);
    Ok(Profile {
        company,
        cif_warning,
        masked_iban,
        iban_protected,
        bank_name,
        legal_id,
        price_id,
        legal_history,
        legal_titles,
        users,
        principal,
        issuer,
    })
}

/// The account as people may see it. One that cannot be opened (another field key) still shows its end.
pub(super) fn masked(d: &Identity, row: &Model) -> Option<String> {
    let sealed = row.bank_account.as_deref()?;
    let opened = d.field_key.open(&iban_context(row.id.into()), sealed).and_then(|text| Iban::parse(&text).ok());
    Some(opened.map_or_else(
        || {
            let country = row.iban_country.as_deref().unwrap_or("**");
            let length = iban::length(country).unwrap_or(24);
            iban::mask(&format!("{country}**"), row.iban_last4.as_deref().unwrap_or("****"), length)
        },
        |iban| iban.masked(),
    ))
}
