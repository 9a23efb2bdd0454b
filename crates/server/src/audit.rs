//! `atalaya audit verify`, and the line of `doctor` about the log (AUDIT-9).

use crate::config::Config;
use crate::start;
use anyhow::{Context, Result};
use atalaya_db::Db;
use atalaya_ledger::{Break, Chain};

/// Walks the log of a database and says in a line or two how it is, and whether it is whole.
///
/// Errors: the database cannot be opened or read.
pub async fn verify(config: &Config, known: Option<(i64, &str)>) -> Result<(String, bool)> {
    let db = start::connect(config).await?;
    let chain = examine(&db, known).await?;
    db.close().await.context("closing the database")?;
    let whole = chain.broken.is_none();
    let known = if whole { format!("last entry {}:{}\n", chain.entries, chain.head) } else { String::new() };
    Ok((format!("{}\n{known}", told(&chain)), whole))
}

/// Walks the log. Errors: those of the database, with a migration that waits among them.
pub async fn examine(db: &Db, known: Option<(i64, &str)>) -> Result<Chain> {
    atalaya_ledger::verify(db, known).await.context("reading the log (is the database up to date? see atalaya migrate)")
}

/// The result in words.
pub fn told(chain: &Chain) -> String {
    let entry = |id: Option<uuid::Uuid>| id.map(|id| format!(" ({id})")).unwrap_or_default();
    match &chain.broken {
        None => format!("{} entries, each in its place and as it was written", chain.entries),
        Some(Break { seq: Some(seq), id, flaw }) => {
            format!("the chain breaks at entry {seq}{}: {}; {} entries before it hold", entry(*id), flaw.name(), chain.entries)
        }
        Some(Break { seq: None, id, .. }) => format!("an entry{} was put in past the chain", entry(*id)),
    }
}
