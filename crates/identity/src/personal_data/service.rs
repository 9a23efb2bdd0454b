//! Gathering it.

use super::model::{AcceptanceFacts, AccountData, AccountFacts, ActivityFacts, PasskeyFacts, SessionFacts};
use crate::audit::{self, Action, Entry};
use crate::directory::{self, Account, User};
use crate::{Identity, IdentityError, IdentityResult, Origin, passkeys, sessions, terms_acceptance};
use async_trait::async_trait;
use atalaya_ledger::Filter;
use atalaya_rest::Caller;
use serde_json::{Value, json};

/// Entries of the activity log in one file; an account has some hundred a year.
const MOST_ENTRIES: u64 = 10_000;

/// What other contexts keep of an account.
#[async_trait]
pub trait MoreRecords: Send + Sync {
    /// An object with a list for each kind of record.
    async fn of(&self, user: &User) -> IdentityResult<Value>;
}

/// The caller's own data; the activity log says that they were taken.
///
/// Errors: [`IdentityError::FreshProofRequired`].
pub(super) async fn gather(d: &Identity, caller: &Caller, origin: &Origin) -> IdentityResult<AccountData> {
    sessions::require_fresh_proof(d, caller).await?;
    let account = directory::find_account(d.db.read(), caller.user).await?.ok_or(IdentityError::UserNotFound)?;
    let tokens = sessions::list_tokens(d.db.read(), caller.user).await?;
    let keys = passkeys::list(d, caller).await?;
    let accepted = terms_acceptance::history(d, account.user.parent).await?;
    let filter = Filter { user: Some(caller.user), ..Filter::default() };
    let (entries, _) = atalaya_ledger::list(&d.db, &filter, 0, MOST_ENTRIES).await?;
    let more = match d.more_records.get() {
        Some(records) => records.of(&account.user).await?,
        None => json!({}),
    };
    note(d, caller, origin).await?;
    Ok(AccountData {
        made_at: d.sources.now(),
        account: facts(&account),
        sessions: tokens.into_iter().map(session).collect(),
        passkeys: keys
            .into_iter()
            .map(|key| PasskeyFacts { name: key.name, created_at: key.created_at, last_used_at: key.last_used_at })
            .collect(),
        acceptances: accepted.into_iter().filter(|one| one.proof.user == Some(caller.user)).map(acceptance).collect(),
        activity: entries.into_iter().map(|entry| activity(entry, caller)).collect(),
        more,
    })
}

async fn note(d: &Identity, caller: &Caller, origin: &Origin) -> IdentityResult<()> {
    let tx = d.db.write().await?;
    let entry = Entry::user(Action::PersonExported, caller.company, caller.user).by(caller).from(origin.address);
    audit::service::record(d, &tx, entry).await?;
    Ok(tx.commit().await?)
}

fn facts(account: &Account) -> AccountFacts {
    let user = &account.user;
    AccountFacts {
        id: user.id.to_string(),
        company: account.company.name.clone(),
        role: user.role.into(),
        status: user.status.into(),
        support: user.support,
        name: user.name.clone(),
        surname: user.surname.clone(),
        user_name: user.user_name.clone(),
        email: user.email.clone(),
        phone: user.phone.clone(),
        language: user.language.code().to_owned(),
        second_factor: user.has2fa,
        last_login_at: account.last_login,
    }
}

fn session(token: sessions::Token) -> SessionFacts {
    SessionFacts { created_at: token.created_at, expires_at: token.expires_at, browser: token.user_agent, address: token.address }
}

fn acceptance(one: terms_acceptance::LegalHistory) -> AcceptanceFacts {
    let proof = one.proof;
    AcceptanceFacts { accepted_at: one.accepted_at, address: proof.address, browser: proof.user_agent, sha256: proof.sha256 }
}

fn activity(entry: atalaya_ledger::Logged, caller: &Caller) -> ActivityFacts {
    let own = entry.actor.is_some_and(|(actor, _)| actor == caller.user);
    let address = entry.address.filter(|_| own);
    ActivityFacts { at: entry.at, action: entry.action, own, address, detail: entry.detail }
}
