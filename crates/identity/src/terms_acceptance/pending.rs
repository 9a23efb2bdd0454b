//! Pending terms: what is in force and a company has not accepted, for customers also the price table (TERMS-4).
//!
//! *Invariant:* all that is pending is accepted together, and declining changes nothing: the former acceptance stays in force.

use super::{Accepted, Actor, LegalHistory, accept, store};
use crate::audit::{self, Action, Entry};
use crate::directory::{Company, get_company};
use crate::presence::service as presence;
use crate::{Identity, IdentityError, IdentityResult, Origin};
use atalaya_content::legal::{Heading, LegalKind, LegalText, headings, service as legal};
use atalaya_content::prices::{Price, service as prices};
use atalaya_kernel::{CompanyKind, Language};
use atalaya_rest::{Caller, FieldError};
use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use std::collections::{HashMap, HashSet};
use uuid::Uuid;

/// A text in force that the company has not accepted in any language.
#[derive(Clone, Debug)]
pub struct PendingText {
    pub text: LegalText,
    /// The version it stands by, in this language where it exists.
    pub previous: Option<Uuid>,
}

/// A price table in force that the customer has not accepted.
#[derive(Clone, Debug)]
pub struct PendingPrice {
    pub price: Price,
    pub previous: Option<Uuid>,
}

#[derive(Clone, Debug)]
pub struct Pending {
    pub texts: Vec<PendingText>,
    pub price: Option<PendingPrice>,
    /// When this very set was declined.
    pub declined_at: Option<DateTime<Utc>>,
}

impl Pending {
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty() && self.price.is_none()
    }

    /// The same whatever language it was read in.
    fn set(&self) -> Value {
        let mut texts: Vec<String> = self.texts.iter().map(|of| format!("{}.{}", of.text.kind as i16, of.text.version)).collect();
        texts.sort_unstable();
        json!({"texts": texts, "priceId": self.price.as_ref().map(|of| of.price.id)})
    }
}

/// What somebody saw when he accepted or declined.
#[derive(Clone, Debug, Default)]
pub struct Decision {
    pub legal_ids: Vec<Uuid>,
    pub price_id: Option<Uuid>,
}

/// The conditions and the price table in force, read once: what is checked is what is recorded.
struct InForce {
    texts: Vec<LegalText>,
    price: Price,
}

async fn in_force(d: &Identity, company: &Company, language: Language) -> IdentityResult<InForce> {
    let texts = legal::conditions_in_force(&d.content, language).await?;
    Ok(InForce { texts, price: prices::in_force(&d.content, Some(company.id), d.sources.now()).await? })
}

/// What the company of a principal has not accepted, in a language.
pub async fn pending(d: &Identity, company: &Company, language: Language) -> IdentityResult<Pending> {
    open_of(d, company, &in_force(d, company, language).await?, language).await
}

async fn open_of(d: &Identity, company: &Company, now: &InForce, language: Language) -> IdentityResult<Pending> {
    let history = store::list(d.db.read(), company.id).await?;
    let known = headings(d.db.read(), history.iter().map(|entry| entry.legal_id).collect()).await?;
    let mut texts = Vec::new();
    for text in now.texts.clone() {
        let stands = standing(&history, &known, text.kind);
        if stands.is_some_and(|heading| heading.version == text.version) {
            continue;
        }
        let previous = match stands {
            Some(heading) => Some(legal::conditions(&d.content, heading.id, Some(language.into())).await?.id),
            None => None,
        };
        texts.push(PendingText { text, previous });
    }
    let price = pending_price(company, &now.price, &history);
    let mut found = Pending { texts, price, declined_at: None };
    if let Some((at, detail)) = audit::last(&d.db, company.id, Action::LegalDeclined.name()).await?
        && detail == found.set()
    {
        found.declined_at = Some(at);
    }
    Ok(found)
}

/// The text of a kind that the company accepted last.
fn standing<'a>(history: &[LegalHistory], known: &'a HashMap<Uuid, Heading>, kind: LegalKind) -> Option<&'a Heading> {
    let open = history.iter().rev().filter(|entry| entry.expires_at.is_none());
    open.filter_map(|entry| known.get(&entry.legal_id)).find(|heading| heading.kind == kind as i16)
}

fn pending_price(company: &Company, price: &Price, history: &[LegalHistory]) -> Option<PendingPrice> {
    if company.kind != CompanyKind::Customer {
        return None;
    }
    let previous = history.iter().rev().filter(|entry| entry.expires_at.is_none()).find_map(|entry| entry.price_id);
    (Some(price.id) != previous).then(|| PendingPrice { price: price.clone(), previous })
}

/// Accepts all that is pending. Accepting again what is accepted changes nothing.
///
/// Errors: 422 at `legalIds` and `priceId` with `LEGAL_TEXT_CHANGED` when what was seen is not what is in force, or not
/// all of it, or a kind of text twice.
pub async fn accept_pending(d: &Identity, caller: &Caller, origin: &Origin, seen: &Decision) -> IdentityResult<()> {
    let company = get_company(d, caller.company).await?;
    let mut shown = Vec::new();
    for id in &seen.legal_ids {
        shown.extend(legal::find(&d.content, *id).await?.filter(|text| text.kind.is_condition()));
    }
    let language = shown.first().and_then(|text| text.language.platform()).unwrap_or(company.language);
    let now = in_force(d, &company, language).await?;
    let open = open_of(d, &company, &now, language).await?;
    check(&open, &now, seen, &shown)?;
    if open.is_empty() {
        return Ok(());
    }
    let InForce { mut texts, price } = now;
    for text in &mut texts {
        // What was read, in the language in which it was read.
        if let Some(read) = shown.iter().find(|read| read.kind == text.kind) {
            *text = read.clone();
        }
    }
    let first = shown.first().map(|text| text.id).or(texts.first().map(|text| text.id)).unwrap_or_default();
    let accepted = Accepted { texts, price, shown: first };
    let tx = d.db.write().await?;
    accept(d, &tx, company.id, &accepted, &Actor::new(caller.user, caller.role).at(origin)).await?;
    tx.commit().await?;
    let after = get_company(d, company.id).await?;
    presence::tell_billing(d, company.id, &company.billing, &after.billing).await;
    Ok(())
}

fn check(open: &Pending, now: &InForce, seen: &Decision, shown: &[LegalText]) -> IdentityResult<()> {
    let read = |of: &PendingText| shown.iter().any(|text| text.kind == of.text.kind && text.version == of.text.version);
    let mut wrong = Vec::new();
    let stands = |text: &LegalText| now.texts.iter().any(|of| (of.kind, of.version) == (text.kind, text.version));
    let kinds: HashSet<i16> = shown.iter().map(|text| text.kind as i16).collect();
    let known = shown.len() == seen.legal_ids.len() && kinds.len() == shown.len();
    if !known || !shown.iter().all(stands) || !open.texts.iter().all(read) {
        wrong.push(FieldError::new("legalIds", "LEGAL_TEXT_CHANGED"));
    }
    let other_price = match seen.price_id {
        Some(id) => id != now.price.id,
        None => open.price.is_some(),
    };
    if other_price {
        wrong.push(FieldError::new("priceId", "LEGAL_TEXT_CHANGED"));
    }
    if wrong.is_empty() { Ok(()) } else { Err(IdentityError::Invalid(wrong)) }
}

/// Records that the company's principal declined what is pending; with nothing pending it does nothing.
pub async fn decline(d: &Identity, caller: &Caller, origin: &Origin) -> IdentityResult<()> {
    let company = get_company(d, caller.company).await?;
    let open = pending(d, &company, company.language).await?;
    if open.is_empty() || open.declined_at.is_some() {
        return Ok(());
    }
    let tx = d.db.write().await?;
    let entry = Entry::company(Action::LegalDeclined, company.id).by(caller).from(origin.address);
    audit::service::record(d, &tx, entry.detail(open.set())).await?;
    Ok(tx.commit().await?)
}
