//! Writing acceptances and reading what a company accepted.

use super::store;
use crate::audit::{self, Action, Entry};
use crate::{Identity, IdentityError, IdentityResult, Origin, directory};
use atalaya_content::ContentError;
use atalaya_content::legal::{LegalText, service as legal};
use atalaya_content::prices::{Price, service as prices};
use atalaya_db::{Tx, lock_row};
use atalaya_kernel::{CompanyId, Language, Role, UserId};
use chrono::{DateTime, Utc};
use serde_json::json;
use std::collections::HashMap;
use uuid::Uuid;

/// An acceptance of one text, with the price table that went with it (TERMS-5).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LegalHistory {
    pub legal_id: Uuid,
    pub price_id: Option<Uuid>,
    pub accepted_at: DateTime<Utc>,
    pub expires_at: Option<DateTime<Utc>>,
    pub proof: Proof,
}

/// What shows later that it was accepted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Proof {
    pub user: Option<UserId>,
    pub address: Option<String>,
    pub user_agent: Option<String>,
    /// SHA-256 of the text's HTML, lower-case hex.
    pub sha256: Option<String>,
}

/// Who accepts in the company's name, and from where.
#[derive(Clone, Debug)]
pub struct Actor {
    pub user: UserId,
    pub role: Role,
    /// Absent when the program itself accepts (examples, tests).
    pub origin: Option<Origin>,
}

impl Actor {
    pub fn new(user: UserId, role: Role) -> Self {
        Self { user, role, origin: None }
    }

    /// The same at a browser.
    pub fn at(self, origin: &Origin) -> Self {
        Self { origin: Some(origin.clone()), ..self }
    }
}

/// What somebody accepts: the two conditions in force, one of which was shown, and the price table.
#[derive(Clone, Debug)]
pub struct Accepted {
    pub texts: Vec<LegalText>,
    pub price: Price,
    pub(super) shown: Uuid,
}

/// Finds what is accepted; before the transaction, since it reads. `legal_id` is the text that was shown, the general
/// conditions in `language` without it. A company that is there may have a price table of its own.
///
/// Errors: 422 on `legalId` with `LEGAL_TEXT_CHANGED` when that text is not, or no longer, in force.
pub async fn texts(
    d: &Identity,
    company: Option<CompanyId>,
    legal_id: Option<Uuid>,
    language: Language,
) -> IdentityResult<Accepted> {
    let price = prices::in_force(&d.content, company, d.sources.now()).await?;
    let Some(shown) = legal_id else {
        let texts = legal::conditions_in_force(&d.content, language).await?;
        let shown = texts.first().map(|text| text.id).ok_or_else(|| IdentityError::Corrupt("no conditions".into()))?;
        return Ok(Accepted { texts, price, shown });
    };
    let changed = || IdentityError::invalid("legalId", "LEGAL_TEXT_CHANGED");
    let read = match legal::conditions(&d.content, shown, None).await {
        Ok(text) => text,
        Err(ContentError::LegalNotFound) => return Err(changed()),
        Err(other) => return Err(other.into()),
    };
    let texts = legal::conditions_in_force(&d.content, read.language).await?;
    if texts.iter().any(|text| text.id == shown) { Ok(Accepted { texts, price, shown }) } else { Err(changed()) }
}

/// Writes the acceptance in the caller's transaction: history with its proof, the end of what was accepted before,
/// `legal`, `legalId` and `priceId` of the company, activity log. Idempotent.
pub async fn accept(d: &Identity, tx: &Tx, company: CompanyId, accepted: &Accepted, by: &Actor) -> IdentityResult<()> {
    lock_row(tx, "company", company.0).await?;
    let now = d.sources.now();
    let before = store::list(&**tx, company).await?;
    let price = Some(accepted.price.id);
    let stands = |text: &LegalText| {
        let mut open = before.iter().filter(|entry| entry.expires_at.is_none());
        open.any(|entry| entry.legal_id == text.id && entry.price_id == price)
    };
    let same = accepted.texts.iter().all(stands);
    if !same {
        store::expire(tx, company, now).await?;
        for text in &accepted.texts {
            store::insert(tx, d.sources.uuid(), company, text, accepted.price.id, by, now).await?;
        }
    }
    directory::set_terms(tx, company, accepted.shown, accepted.price.id).await?;
    if same {
        return Ok(());
    }
    let texts: Vec<String> = accepted.texts.iter().map(|text| format!("{} v{}", text.title, text.version)).collect();
    let mut entry = Entry::company(Action::LegalAccepted, company).by_user(by.user, by.role);
    if let Some(origin) = &by.origin {
        entry = entry.from(origin.address);
    }
    audit::service::record(d, tx, entry.detail(json!({"texts": texts, "priceId": accepted.price.id}))).await
}

/// What a company accepted ends without another acceptance, in the caller's transaction: it is another taxpayer by now.
pub async fn end(d: &Identity, tx: &Tx, company: CompanyId) -> IdentityResult<()> {
    Ok(store::expire(tx, company, d.sources.now()).await?)
}

/// What companies are counted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counted {
    Text,
    Price,
}

/// How many companies stand by each text or each price table today, by its id; those without any are absent.
pub async fn count_by(d: &Identity, of: Counted) -> IdentityResult<HashMap<Uuid, i64>> {
    Ok(store::count_by(d.db.read(), of).await?)
}

/// The price table that a company accepted last.
pub async fn price_of(d: &Identity, company: CompanyId) -> IdentityResult<Option<Price>> {
    let history = store::list(d.db.read(), company).await?;
    let Some(id) = history.iter().rev().find_map(|entry| entry.price_id) else { return Ok(None) };
    Ok(prices::find(&d.content, id).await?)
}

/// The acceptances of each of these companies, oldest first; companies without any are absent.
pub async fn histories(d: &Identity, companies: &[CompanyId]) -> IdentityResult<HashMap<CompanyId, Vec<LegalHistory>>> {
    Ok(store::list_histories(d.db.read(), companies).await?)
}

/// What a company accepted, oldest first.
pub async fn history(d: &Identity, company: CompanyId) -> IdentityResult<Vec<LegalHistory>> {
    Ok(store::list(d.db.read(), company).await?)
}
