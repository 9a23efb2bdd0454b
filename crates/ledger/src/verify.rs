//! Proving the chain whole.

use crate::chain::{Break, Flaw, Walk};
use crate::store::chain;
use atalaya_db::{Db, DbResult};

/// What became of the chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chain {
    /// Entries that hold, from the first one on.
    pub entries: i64,
    /// Hash of the last of them.
    pub head: String,
    /// Where it breaks first.
    pub broken: Option<Break>,
}

/// Walks the whole log (AUDIT-9). `known` is a place and the hash that somebody noted there: without it, entries that were cut
/// off the end together with the end's own row leave no trace.
pub async fn verify(db: &Db, known: Option<(i64, &str)>) -> DbResult<Chain> {
    // What is written meanwhile is after this end.
    let (end, end_hash) = chain::head(db.read()).await?;
    let mut walk = Walk::new();
    let mut broken = None;
    'walking: while broken.is_none() && walk.seq < end {
        let entries = chain::after(db, walk.seq, end).await?;
        if entries.is_empty() {
            broken = Some(Break { seq: Some(walk.seq + 1), id: None, flaw: Flaw::Missing });
        }
        for entry in &entries {
            if let Err(found) = walk.step(entry) {
                broken = Some(found);
                break 'walking;
            }
            if known.is_some_and(|(seq, hash)| seq == walk.seq && hash != walk.hash) {
                broken = Some(Break { seq: Some(walk.seq), id: Some(entry.link.id), flaw: Flaw::Changed });
                break 'walking;
            }
        }
    }
    let cut = || (known.is_some_and(|(seq, _)| seq > end)).then_some(Break { seq: Some(end + 1), id: None, flaw: Flaw::Missing });
    let renamed = || (walk.hash != end_hash).then_some(Break { seq: Some(end), id: None, flaw: Flaw::Changed });
    broken = broken.or_else(cut).or_else(renamed);
    if broken.is_none() && end > 0 {
        let outside = chain::outside(db).await?;
        broken = outside.map(|id| Break { seq: None, id: Some(id), flaw: Flaw::Outside });
    }
    Ok(Chain { entries: walk.seq, head: walk.hash, broken })
}
