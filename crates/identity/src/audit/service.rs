//! Writing the log.

use super::model::Entry;
use super::store;
use crate::{Identity, IdentityResult, directory};
use atalaya_db::Tx;

/// Writes an entry in the transaction of its change.
pub async fn record(d: &Identity, tx: &Tx, entry: Entry) -> IdentityResult<()> {
    let name = match entry.actor {
        Some((user, _)) => directory::find_user(&**tx, user).await?.map(|user| user.display_name()).unwrap_or_default(),
        None => String::new(),
    };
    Ok(store::insert(tx, d.sources.uuid(), entry, name, d.sources.now()).await?)
}
