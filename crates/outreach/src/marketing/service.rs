//! Creating and reading tokens, and writing answers with their proof.

use super::MarketingError;
use super::model::{
    AGENT_MAX, CONFIRM_AGAIN, CONFIRM_WAIT, Permission, Proof, Reason, Source, TOKEN_BYTES, TOKEN_LIFE, Token, is_plausible,
    normal,
};
use super::store;
use crate::Outreach;
use atalaya_db::{DbResult, Tx};
use atalaya_identity::auth::service::Origin;
use atalaya_identity::companies::service as companies;
use atalaya_identity::users::service as users;
use atalaya_kernel::{CampaignId, Language, UserId};
use atalaya_messaging::NewMessage;
use atalaya_rest::Caller;
use aws_lc_rs::digest::{SHA256, digest};
use chrono::{DateTime, Utc};
use serde_json::{Value, json};

/// What was answered about advertising by a user or for his address, for the file of his own data.
pub(crate) async fn records_of(d: &Outreach, user: UserId, email: Option<&str>) -> DbResult<Vec<Value>> {
    store::records_of(d.db.read(), user, email.map(normal)).await
}

/// A token to be created.
pub(crate) struct NewToken {
    pub email: String,
    pub permission: Permission,
    pub language: Language,
    pub campaign: Option<CampaignId>,
}

fn hash_of(token: &str) -> String {
    hex::encode(digest(&SHA256, token.as_bytes()))
}

/// Creates tokens in the caller's transaction; answers their texts, which are stored nowhere, in the same order.
pub(crate) async fn make_tokens(d: &Outreach, tx: &Tx, new: Vec<NewToken>) -> DbResult<Vec<String>> {
    let now = d.sources.now();
    let mut texts = Vec::with_capacity(new.len());
    let mut rows = Vec::with_capacity(new.len());
    for NewToken { email, permission, language, campaign } in new {
        let text = d.sources.hex::<TOKEN_BYTES>();
        let (id, expires_at) = (d.sources.uuid(), now + TOKEN_LIFE);
        rows.push((
            Token { id, email: normal(&email), permission, language, campaign, created_at: now, expires_at },
            hash_of(&text),
        ));
        texts.push(text);
    }
    store::insert_tokens(tx, rows).await?;
    Ok(texts)
}

/// Creates one token.
pub(crate) async fn make_token(d: &Outreach, tx: &Tx, new: NewToken) -> DbResult<String> {
    Ok(make_tokens(d, tx, vec![new]).await?.remove(0))
}

/// Creates a token for an address in a transaction of its own, for a letter that is not sent by us.
pub async fn issue_token(
    d: &Outreach,
    email: &str,
    permission: Permission,
    language: Language,
) -> Result<String, MarketingError> {
    let tx = d.db.write().await?;
    let token = make_token(d, &tx, NewToken { email: email.to_owned(), permission, language, campaign: None }).await?;
    tx.commit().await?;
    Ok(token)
}

/// Looks a token up. Changes nothing, because robots follow links (PROMO-2).
///
/// Errors: [`MarketingError::TokenInvalid`], [`MarketingError::TokenExpired`].
pub(super) async fn read(d: &Outreach, text: &str) -> Result<Token, MarketingError> {
    if !is_plausible(text) {
        return Err(MarketingError::TokenInvalid);
    }
    let found = store::find_token(d.db.read(), &hash_of(&text.to_ascii_lowercase())).await?;
    let token = found.ok_or(MarketingError::TokenInvalid)?;
    if token.expires_at <= d.sources.now() {
        return Err(MarketingError::TokenExpired);
    }
    Ok(token)
}

/// Writes the answer of a token's address. Answering again adds another proof, and the last one holds. A refusal enters
/// the suppression list; an acceptance, which proves access to the mailbox, lifts the holder's own refusal, but no entry
/// of an administrator (PROMO-6, PROMO-7).
///
/// Errors: [`MarketingError::OtherPurpose`] for a yes by a link that unsubscribes.
pub(super) async fn answer(
    d: &Outreach,
    token: &Token,
    allow: Permission,
    source: Source,
    language: Language,
    origin: &Origin,
) -> Result<DateTime<Utc>, MarketingError> {
    if allow.is_yes() && !token.permission.is_yes() {
        return Err(MarketingError::OtherPurpose);
    }
    let now = d.sources.now();
    let proof = Proof { token: Some(token.id), ..proof(&token.email, allow, source, language, origin, now) };
    let tx = d.db.write().await?;
    store::insert_answer(&tx, d.sources.uuid(), &proof).await?;
    match allow {
        Permission::No => store::suppress(&tx, &token.email, Reason::Unsubscribed, None, now).await?,
        Permission::Yes => drop(store::unsuppress(&tx, &token.email, Some(Reason::Unsubscribed)).await?),
    }
    tx.commit().await?;
    tracing::info!(token.id = %token.id, allow = allow.name(), source = source.name(), "an answer about advertising");
    Ok(now)
}

fn proof(email: &str, allow: Permission, source: Source, language: Language, origin: &Origin, at: DateTime<Utc>) -> Proof {
    let cut = |agent: &String| agent.chars().filter(|c| !c.is_control()).take(AGENT_MAX).collect();
    Proof {
        email: email.to_owned(),
        allow,
        source,
        language,
        token: None,
        user: None,
        ip: origin.address.to_string(),
        user_agent: origin.user_agent.as_ref().map(cut),
        at,
    }
}

/// The consent of one's own account.
pub(super) struct Own {
    /// As the account has it.
    pub email: Option<String>,
    pub allow: Permission,
    /// A yes was given here and waits for its confirmation from the mailbox.
    pub pending: bool,
    pub suppressed: bool,
    pub at: Option<DateTime<Utc>>,
    pub source: Option<String>,
}

/// The consent of the caller's address.
pub(super) async fn own(d: &Outreach, caller: &Caller) -> Result<Own, MarketingError> {
    let user = users::find_user(&d.identity, caller.user).await?;
    let email = user.and_then(|user| user.email).filter(|email| !email.trim().is_empty());
    let Some(email) = email else {
        return Ok(Own { email: None, allow: Permission::No, pending: false, suppressed: false, at: None, source: None });
    };
    let address = normal(&email);
    let consent = store::find_consent(d.db.read(), &address).await?;
    let reason = store::find_suppression(d.db.read(), &address).await?;
    let said = consent.as_ref().is_some_and(|consent| consent.allow);
    let since = d.sources.now() - CONFIRM_WAIT;
    let asked = match reason {
        Some(Reason::Unsubscribed) if said => store::newest_confirmation(d.db.read(), &address).await?,
        _ => None,
    };
    Ok(Own {
        email: Some(email),
        allow: Permission::of(said && reason.is_none()),
        pending: asked.is_some_and(|token| token.created_at > since),
        suppressed: reason.is_some(),
        at: consent.as_ref().map(|consent| consent.at),
        source: consent.map(|consent| consent.source),
    })
}

/// Whether an address, as typed, is suppressed.
pub(crate) async fn is_suppressed(d: &Outreach, email: &str) -> DbResult<bool> {
    Ok(store::find_suppression(d.db.read(), &normal(email)).await?.is_some())
}

/// The switch of the caller's own profile, with proof. After unsubscribing by a link, a yes must be confirmed from the
/// mailbox, because an account alone does not prove access to it (PROMO-6).
///
/// Errors: [`MarketingError::NoAddress`]; [`MarketingError::Suppressed`] when an administrator entered the address.
pub(super) async fn set_own(
    d: &Outreach,
    caller: &Caller,
    allow: Permission,
    language: Language,
    origin: &Origin,
) -> Result<Own, MarketingError> {
    let email = own(d, caller).await?.email.ok_or(MarketingError::NoAddress)?;
    let (address, now) = (normal(&email), d.sources.now());
    let tx = d.db.write().await?;
    let reason = store::find_suppression(&*tx, &address).await?;
    if allow.is_yes() && reason == Some(Reason::Blocked) {
        return Err(MarketingError::Suppressed);
    }
    let proof = Proof { user: Some(caller.user), ..proof(&address, allow, Source::Profile, language, origin, now) };
    store::insert_answer(&tx, d.sources.uuid(), &proof).await?;
    let mut asked = false;
    if allow.is_yes() && reason == Some(Reason::Unsubscribed) {
        asked = ask_to_confirm(d, &tx, &address, language).await?;
    }
    tx.commit().await?;
    if asked {
        d.identity.outbox.wake();
    }
    own(d, caller).await
}

/// The same, for an answer given in somebody's name, such as in the example data.
pub async fn set_consent(d: &Outreach, caller: &Caller, allow: Permission, origin: &Origin) -> Result<(), MarketingError> {
    set_own(d, caller, allow, Language::default(), origin).await.map(drop)
}

/// Writes the letter whose link subscribes, unless one was just written. Answers whether it was written.
async fn ask_to_confirm(d: &Outreach, tx: &Tx, address: &str, language: Language) -> Result<bool, MarketingError> {
    let last = store::newest_confirmation(&**tx, address).await?;
    if last.is_some_and(|token| token.created_at > d.sources.now() - CONFIRM_AGAIN) {
        return Ok(false);
    }
    let new = NewToken { email: address.to_owned(), permission: Permission::Yes, language, campaign: None };
    let token = make_token(d, tx, new).await?;
    let link = page_url(d, &token);
    let company = sender_name(d).await?;
    let email = d.identity.templates.email(language, "marketing-confirm", &json!({"company": company, "link": link}))?;
    d.identity.outbox.enqueue(tx, NewMessage::email("marketing-confirm", address, email).secret_link(link)).await?;
    Ok(true)
}

/// The address of a token's page.
pub(super) fn page_url(d: &Outreach, token: &str) -> String {
    format!("{}/marketing/{token}", d.identity.settings.public_url)
}

/// The advertiser's name: the platform company.
pub(super) async fn sender_name(d: &Outreach) -> Result<String, MarketingError> {
    let platform = companies::platform(&d.identity).await?;
    Ok(platform.map(|company| company.name).filter(|name| !name.is_empty()).unwrap_or_else(|| "Atalaya".to_owned()))
}

/// An administrator adds an address to the suppression list, or removes it.
pub(super) async fn set_suppressed(d: &Outreach, caller: &Caller, email: &str, suppressed: bool) -> Result<(), MarketingError> {
    let (address, tx) = (normal(email), d.db.write().await?);
    if suppressed {
        store::suppress(&tx, &address, Reason::Blocked, Some(caller.user), d.sources.now()).await?;
    } else {
        store::unsuppress(&tx, &address, None).await?;
    }
    Ok(tx.commit().await?)
}
