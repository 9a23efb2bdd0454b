//! What a company accepted and when (SPEC §3 `legalHistory`): the one way to write it.
//!
//! Called by `invitations` (registration) and by the company's profile. *Invariant:* a company that accepted has a row
//! per text it read, and rows are added, never changed.

pub(crate) mod entity;
pub(crate) mod store;

use crate::audit::{self, Action, Entry};
use crate::{Identity, IdentityError, IdentityResult};
use atalaya_content::ContentError;
use atalaya_content::legal::{LegalText, service as legal};
use atalaya_db::Tx;
use atalaya_kernel::{CompanyId, Language, Role, UserId};
use atalaya_rest::Problem;
use chrono::{DateTime, Utc};
use serde_json::json;
use uuid::Uuid;

/// An acceptance (SPEC §3 Customer: id, priceId, accepted_at, expires_at).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LegalHistory {
    pub legal_id: Uuid,
    pub price_id: Option<Uuid>,
    pub accepted_at: DateTime<Utc>,
    pub expires_at: Option<DateTime<Utc>>,
}

/// Who accepts in the company's name.
#[derive(Clone, Copy, Debug)]
pub struct Actor {
    pub user: UserId,
    pub role: Role,
}

/// The texts somebody accepts: the one shown, and the other of the two conditions in force.
#[derive(Clone, Debug)]
pub struct Accepted {
    texts: Vec<LegalText>,
    shown: Uuid,
}

/// Finds what is accepted; before the transaction, since it reads. `legal_id` is the text that was shown, the general
/// conditions in `language` without it.
///
/// Errors: 422 on `legalId` with `LEGAL_TEXT_CHANGED` when that text is not, or no longer, in force.
pub async fn texts(d: &Identity, legal_id: Option<Uuid>, language: Language) -> IdentityResult<Accepted> {
    let Some(shown) = legal_id else {
        let texts = legal::conditions_in_force(&d.content, language).await?;
        let shown = texts.first().map(|text| text.id).ok_or_else(|| IdentityError::Corrupt("no conditions".into()))?;
        return Ok(Accepted { texts, shown });
    };
    let changed = || IdentityError::from(Problem::invalid([]).field("legalId", "LEGAL_TEXT_CHANGED"));
    let read = match legal::conditions(&d.content, shown, None).await {
        Ok(text) => text,
        Err(ContentError::LegalNotFound) => return Err(changed()),
        Err(other) => return Err(other.into()),
    };
    let texts = legal::conditions_in_force(&d.content, read.language).await?;
    if texts.iter().any(|text| text.id == shown) { Ok(Accepted { texts, shown }) } else { Err(changed()) }
}

/// Writes the acceptance in the caller's transaction: history, `legal` and `legalId` of the company, audit log. What
/// the company had accepted already is left as it is.
pub async fn accept(d: &Identity, tx: &Tx, company: CompanyId, accepted: &Accepted, by: &Actor) -> IdentityResult<()> {
    let before = store::list(&**tx, company).await?;
    let mut versions = Vec::new();
    for text in &accepted.texts {
        if before.iter().all(|entry| entry.legal_id != text.id) {
            store::insert(tx, d.sources.uuid(), company, text.id, by, d.sources.now()).await?;
            versions.push(format!("{} v{}", text.title, text.version));
        }
    }
    store::set_accepted(tx, company, accepted.shown).await?;
    if versions.is_empty() {
        return Ok(());
    }
    let entry = Entry::company(Action::LegalAccepted, company).by_user(by.user, by.role).detail(json!({"texts": versions}));
    audit::service::record(d, tx, entry).await
}

/// What a company accepted, oldest first.
pub async fn history(d: &Identity, company: CompanyId) -> IdentityResult<Vec<LegalHistory>> {
    Ok(store::list(d.db.read(), company).await?)
}
