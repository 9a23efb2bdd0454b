//! The term of each class of data: blocked when it is over, deleted when an authority can ask no longer (RETAIN-25 to RETAIN-28).
//!
//! Called by the hourly job and by the privacy page. *Invariant:* blocked values are sealed under the conference's key and no
//! call of users reads them; the chain of events keeps its commitments and still verifies.

mod classes;
mod entity;
pub mod http;
mod store;

use crate::Privacy;
use crate::erasures::{PrivacyError, erasure};
use atalaya_cases::conferences::service::company_days;
use atalaya_cases::conferences::{self, Scope, vault};
use atalaya_cases::{evidence, lifetimes};
use atalaya_db::lock_row;
use atalaya_identity::audit::{Action, Entry, service as audit};
use atalaya_kernel::keeping::DataClass;
use atalaya_kernel::{CompanyId, ConferenceId};
use atalaya_rest::caller::Caller;
use chrono::{DateTime, TimeDelta, Utc};
use entity::blocked_data;
use serde_json::{Map, Value, json};
use std::str::from_utf8;

/// Conferences of one query.
const BATCH: u64 = 100;
/// Queries per class and run; the next run continues.
const BATCHES: usize = 20;

/// The result of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Kept {
    /// Classes of conferences that were blocked.
    pub blocked: usize,
    /// Blocked values that were deleted.
    pub deleted: u64,
    /// Conferences of which nothing personal is left.
    pub ended: usize,
}

/// Blocks and deletes what is due. Runs every hour; idempotent. One conference that fails keeps no other from it.
pub async fn run(deps: &Privacy) -> Result<Kept, PrivacyError> {
    let mut kept = Kept::default();
    for class in DataClass::ALL {
        kept.blocked += block_due(deps, class).await?;
    }
    kept.ended = end_due(deps).await?;
    let tx = deps.db.write().await?;
    kept.deleted = store::delete_over(&tx, deps.sources.now()).await?;
    tx.commit().await?;
    if kept != Kept::default() {
        let Kept { blocked, deleted, ended } = kept;
        tracing::info!(blocked, deleted, ended, "data whose term was over are blocked, and what was blocked is deleted");
    }
    Ok(kept)
}

/// Until when a conference must have been opened for a class of its data to be due.
fn cutoff(deps: &Privacy, class: DataClass, at: DateTime<Utc>) -> DateTime<Utc> {
    at - TimeDelta::days(deps.identity.settings.keeping.days(class))
}

async fn block_due(deps: &Privacy, class: DataClass) -> Result<usize, PrivacyError> {
    let opened = cutoff(deps, class, deps.sources.now());
    let (mut blocked, mut stay) = (0, 0);
    for _ in 0..BATCHES {
        let due = store::list_due(deps.db.read(), class, opened, (stay, BATCH)).await?;
        for id in &due {
            match block(deps, class, ConferenceId(*id)).await {
                Ok(true) => blocked += 1,
                Ok(false) => stay += 1,
                Err(error) => {
                    stay += 1;
                    tracing::error!(conference.id = %id, class = class.name(), %error, "data whose term is over stay for now");
                }
            }
        }
        if (due.len() as u64) < BATCH {
            break;
        }
    }
    Ok(blocked)
}

fn context(class: DataClass, id: ConferenceId) -> String {
    format!("blocked:{}:{id}", class.name())
}

/// Blocks a class of a conference's data, unless that happened, or its files stay for longer by agreement and need them.
async fn block(deps: &Privacy, class: DataClass, id: ConferenceId) -> Result<bool, PrivacyError> {
    let row = conferences::get(deps.db.read(), Scope::All, id).await?;
    let now = deps.sources.now();
    if class == DataClass::Events && !lifetimes::media_expired(row.created_at, company_days(deps, &row).await?, now) {
        return Ok(false);
    }
    // Before the transaction: a token may take its time.
    let key = vault::unwrap(deps, id, row.data_key.as_deref()).await?;
    let tx = deps.db.write().await?;
    lock_row(&tx, "conference", id.0).await?;
    let row = conferences::reload(&tx, id).await?;
    if row.erased_at.is_some() || !row.closed || store::is_blocked(&tx, class, id.0).await? {
        return Ok(false);
    }
    let values = store::values(&tx, class, id.0).await?;
    let blocked_days = deps.identity.settings.keeping.blocked_days;
    // Nobody asks an authority's questions about nothing.
    let sealed = (!values.is_empty() && blocked_days > 0)
        .then(|| key.seal(&context(class, id), Value::Object(values).to_string().as_bytes(), &deps.sources));
    let blocked = blocked_data::Model {
        id: deps.sources.uuid(),
        conference_id: id.0,
        data_class: class.name().to_owned(),
        blocked_at: now,
        delete_at: now + TimeDelta::days(blocked_days),
        sealed,
    };
    store::remove(&tx, class, id.0).await?;
    store::insert(&tx, blocked).await?;
    // Lists show a summary of the tracks, which hold less now.
    evidence::rebuild(&tx, id).await?;
    tx.commit().await?;
    Ok(true)
}

/// Erases conferences whose events were blocked long enough, as a person's request would.
async fn end_due(deps: &Privacy) -> Result<usize, PrivacyError> {
    let (mut ended, mut stay) = (0, 0);
    for _ in 0..BATCHES {
        let due = store::list_ended(deps.db.read(), deps.sources.now(), stay, BATCH).await?;
        for id in &due {
            match erasure::end(deps, ConferenceId(*id)).await {
                Ok(()) => ended += 1,
                Err(error) => {
                    stay += 1;
                    tracing::error!(conference.id = %id, %error, "a conference whose term is over stays for now");
                }
            }
        }
        if (due.len() as u64) < BATCH {
            break;
        }
    }
    Ok(ended)
}

/// What a run at some time would do to a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Due {
    pub class: DataClass,
    /// Conferences whose data would be blocked.
    pub to_block: i64,
    /// Conferences whose blocked data would be deleted.
    pub to_delete: u64,
}

/// What a run at `at` would do, without doing it (RETAIN-27).
pub async fn preview(deps: &Privacy, at: DateTime<Utc>) -> Result<Vec<Due>, PrivacyError> {
    let db = deps.db.read();
    let mut all = Vec::new();
    for class in DataClass::ALL {
        let to_block = store::count_due(db, class, cutoff(deps, class, at)).await?;
        all.push(Due { class, to_block, to_delete: store::count_over(db, class, at).await? });
    }
    Ok(all)
}

/// Blocked values of one class.
#[derive(Clone, Debug, PartialEq)]
pub struct Blocked {
    pub class: String,
    pub blocked_at: DateTime<Utc>,
    pub delete_at: DateTime<Utc>,
    pub values: Map<String, Value>,
}

/// Opens what is blocked of a conference, for an authority that asks (LOPDGDD art. 32). Written into the activity log.
///
/// Errors: `CONFERENCE_NOT_FOUND` (404), `MEDIA_ERASED` (410).
pub async fn open(deps: &Privacy, caller: &Caller, id: ConferenceId, reason: &str) -> Result<Vec<Blocked>, PrivacyError> {
    let row = conferences::get(deps.db.read(), Scope::All, id).await?;
    let key = vault::unwrap(deps, id, row.data_key.as_deref()).await?;
    let mut all = Vec::new();
    for blocked in store::list_of(deps.db.read(), id.0).await? {
        let class = DataClass::parse(&blocked.data_class).unwrap_or(DataClass::Events);
        let plain = key.open(&context(class, id), blocked.sealed.as_deref().unwrap_or_default())?;
        let values = from_utf8(&plain).ok().and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default();
        let blocked_data::Model { blocked_at, delete_at, data_class, .. } = blocked;
        all.push(Blocked { class: data_class, blocked_at, delete_at, values });
    }
    let tx = deps.db.write().await?;
    let entry = Entry::company(Action::BlockedDataRead, CompanyId(row.company_id)).by(caller);
    let detail = json!({"conferenceId": id.to_string(), "reason": reason});
    audit::record(&deps.identity, &tx, Entry { detail, ..entry }).await?;
    tx.commit().await?;
    Ok(all)
}
