//! Writing the log.

use super::model::{Action, Entry};
use crate::{Identity, IdentityResult, Origin, directory};
use atalaya_db::Tx;
use atalaya_kernel::{CompanyId, Sources, UserId};
use atalaya_ledger::{NewEntry, Seen};
use atalaya_rest::Caller;
use serde_json::{Value, json};

/// Writes an entry in the transaction of its change.
pub async fn record(d: &Identity, tx: &Tx, entry: Entry) -> IdentityResult<()> {
    let actor_name = match entry.actor {
        Some((user, _)) => directory::find_user(&**tx, user).await?.map(|user| user.display_name()).unwrap_or_default(),
        None => String::new(),
    };
    let Entry { action, company, user, actor, detail, address } = entry;
    let action = action.name();
    atalaya_ledger::append(tx, &d.sources, NewEntry { action, company, user, actor, actor_name, detail, address });
    Ok(())
}

/// Logs what a command at the server did, in the platform's own log and in the transaction of its change (AUDIT-11). Before the first
/// start there is no platform, and nobody whose log it could be.
pub async fn record_command(tx: &Tx, sources: &Sources, action: Action, detail: Value) -> IdentityResult<()> {
    if let Some(platform) = directory::find_platform(&**tx).await? {
        let (action, company) = (action.name(), platform.id);
        let entry = NewEntry { action, company, user: None, actor: None, actor_name: String::new(), detail, address: None };
        atalaya_ledger::append(tx, sources, entry);
    }
    Ok(())
}

/// Somebody of the platform saw personal data of a company's.
#[derive(Clone, Copy, Debug)]
pub struct Read<'a> {
    pub company: CompanyId,
    pub user: Option<UserId>,
    /// Key of its word, `audit.kind_<what>`.
    pub what: &'static str,
    /// Which one; empty for a list.
    pub object: &'a str,
}

/// Logs a read, once an hour per reader and object (AUDIT-10).
pub async fn note_read(d: &Identity, caller: &Caller, origin: &Origin, read: Read<'_>) -> IdentityResult<()> {
    let hour = d.sources.now().timestamp() / 3_600;
    let object = format!("{}/{}", read.company, read.object);
    let seen = Seen { actor: caller.user.0, what: read.what, object: &object, hour };
    if atalaya_ledger::is_known_read(&d.db, &seen).await? {
        return Ok(());
    }
    let tx = d.db.write().await?;
    if !atalaya_ledger::insert_read(&tx, &seen).await? {
        return Ok(());
    }
    let mut entry = Entry::company(Action::DataRead, read.company).by(caller).from(origin.address);
    entry.user = read.user;
    let detail = if read.object.is_empty() { json!({"kind": read.what}) } else { json!({"kind": read.what, "id": read.object}) };
    record(d, &tx, entry.detail(detail)).await?;
    Ok(tx.commit().await?)
}

/// Whose user it is.
pub async fn company_of(d: &Identity, user: UserId) -> IdentityResult<Option<CompanyId>> {
    Ok(directory::find_user(d.db.read(), user).await?.map(|user| user.parent))
}
