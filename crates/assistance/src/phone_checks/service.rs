//! Keeping results for a month, under a code.

use super::entity::phone_check::Model;
use super::model::{self, PhoneCheckOutcome};
use super::store;
use crate::Assistance;
use atalaya_cases::conferences::ConferenceError;
use atalaya_cases::conferences::model::Wrong;
use atalaya_checks::browser::browser_and_system;
use chrono::{DateTime, TimeDelta, Utc};

const KEPT_DAYS: i64 = 31;
const CODE_DIGITS: usize = 8;
/// Codes tried until one is free.
const TRIES: usize = 5;
const LISTED: u64 = 100;

/// A kept result: its code, and when it is deleted.
pub struct Kept {
    pub code: String,
    pub until: DateTime<Utc>,
}

fn until(at: DateTime<Utc>) -> DateTime<Utc> {
    at + TimeDelta::days(KEPT_DAYS)
}

/// Keeps a result. Errors: `INVALID_FIELDS`; `TOO_MANY_TRIES` when no code was free.
pub async fn keep(deps: &Assistance, outcomes: &[PhoneCheckOutcome], user_agent: &str) -> Result<Kept, ConferenceError> {
    model::check(outcomes).map_err(|field| ConferenceError::Invalid(vec![Wrong { field, code: "INVALID", max: None }]))?;
    let (browser, os) = browser_and_system(user_agent);
    let tx = deps.db.write().await?;
    for _ in 0..TRIES {
        let code = deps.sources.digits(CODE_DIGITS);
        if !store::list(&*tx, Some(&code), 1).await?.is_empty() {
            continue;
        }
        let at = deps.sources.now();
        let row = Model {
            id: deps.sources.uuid(),
            code: code.clone(),
            browser: browser.to_owned(),
            os: os.to_owned(),
            outcomes: serde_json::to_value(outcomes).expect("outcomes are plain data"),
            at,
        };
        store::insert(&tx, row).await?;
        tx.commit().await?;
        return Ok(Kept { code, until: until(at) });
    }
    Err(ConferenceError::TooManyTries { retry_after_s: 60 })
}

/// The newest results, or the one of a code as it was typed. What is over is not answered, also before it is deleted.
pub async fn list(deps: &Assistance, typed: Option<&str>) -> Result<Vec<(Model, DateTime<Utc>)>, ConferenceError> {
    let code = typed.map(model::digits_of).filter(|digits| !digits.is_empty());
    let now = deps.sources.now();
    let rows = store::list(deps.db.read(), code.as_deref(), LISTED).await?;
    let rows = rows.into_iter().map(|row| (until(row.at), row)).filter(|(until, _)| now < *until);
    Ok(rows.map(|(until, row)| (row, until)).collect())
}

/// Deletes results that are over (CLIENT-61).
pub async fn forget_old(deps: &Assistance) -> Result<u64, ConferenceError> {
    let before = deps.sources.now() - TimeDelta::days(KEPT_DAYS);
    // Asked often; nothing is written for nothing.
    if !store::any_before(deps.db.read(), before).await? {
        return Ok(0);
    }
    let tx = deps.db.write().await?;
    let gone = store::delete_before(&tx, before).await?;
    tx.commit().await?;
    Ok(gone)
}
