//! Keeping what the pages tell, within bounds, and reading it.

use super::entity::path_report::Model;
use super::model::{PathEntry, PathReport, value, word};
use super::store;
use crate::Assistance;
use atalaya_cases::conferences::model::Wrong;
use atalaya_cases::conferences::{self, ConferenceError};
use atalaya_kernel::ConferenceId;

/// Entries of one participant in one conference, and of all together. A call that changes more often than that is
/// described well enough by the first.
const PER_PARTICIPANT: usize = 60;
const PER_CONFERENCE: usize = 400;
/// `Retry-After` when they are used up, in seconds: nothing will change soon.
const FULL_RETRY_S: u64 = 3600;

/// Keeps a report of a participant; the same again is no change and leaves nothing.
///
/// Errors: `CONFERENCE_CLOSED`, `MEDIA_ERASED`, `INVALID_FIELDS`, `TOO_MANY_TRIES` when the conference has enough of them.
pub async fn keep(deps: &Assistance, id: ConferenceId, identity: &str, report: PathReport) -> Result<(), ConferenceError> {
    let wrong = |field| ConferenceError::Invalid(vec![Wrong { field, code: "INVALID", max: None }]);
    let report = report.checked().map_err(wrong)?;
    let tx = deps.db.write().await?;
    // Locked, so that a burst cannot pass the bounds and a conference that is being closed gets nothing more.
    if conferences::lock_living(&tx, id).await?.closed {
        return Err(ConferenceError::Closed);
    }
    let kept = store::list(&*tx, id).await?;
    let own: Vec<&Model> = kept.iter().filter(|row| row.identity == identity).collect();
    let same = |row: &&Model| row.way == report.way.map(word) && row.failed == store::words(&report);
    if own.last().is_some_and(same) {
        return Ok(());
    }
    if own.len() >= PER_PARTICIPANT || kept.len() >= PER_CONFERENCE {
        return Err(ConferenceError::TooManyTries { retry_after_s: FULL_RETRY_S });
    }
    store::insert(&tx, &deps.sources, id, identity, &report).await?;
    tx.commit().await?;
    Ok(())
}

/// What was told about a conference, without naming anybody.
pub(super) fn entries(rows: Vec<Model>) -> Vec<PathEntry> {
    let mut seen: Vec<String> = Vec::new();
    rows.into_iter().map(|row| entry(row, &mut seen)).collect()
}

fn entry(row: Model, seen: &mut Vec<String>) -> PathEntry {
    let kind = kind_of(&row.identity);
    if !seen.contains(&row.identity) {
        seen.push(row.identity.clone());
    }
    let of_side = seen.iter().filter(|identity| kind_of(identity) == kind);
    let before = of_side.take_while(|identity| **identity != row.identity).count();
    PathEntry {
        kind: kind.to_owned(),
        nth: u32::try_from(before).unwrap_or(u32::MAX).saturating_add(1),
        way: row.way.as_deref().and_then(value),
        failed: row.failed.split_whitespace().filter_map(value).collect(),
        rtt_ms: row.rtt_ms,
        kbps: row.kbps,
        loss_percent: row.loss_percent,
        at: row.at,
    }
}

fn kind_of(identity: &str) -> &'static str {
    if identity.starts_with("client:") { "client" } else { "staff" }
}
