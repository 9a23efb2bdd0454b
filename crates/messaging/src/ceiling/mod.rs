//! How many SMS and WhatsApp messages a company may send in an hour and in a day, against toll fraud (SMS-10).
//!
//! *Invariants:* every one of a company is counted where it is written, whoever writes it; concurrent ones take turns, so
//! that a ceiling is exact (SMS-11); administrators are notified once a day, by the job that the last SMS below a ceiling
//! queues (SMS-12).
//!
//! An SMS. In the transaction that writes it to the outbox, the company's row is locked and what it wrote in the last hour and
//! since midnight in Madrid is counted. Above the ceiling the whole call is undone (429); a message for somebody outside the
//! company, such as a recovery link, is left out silently. The last SMS below a ceiling queues the job that notifies the
//! administrators.

mod entity;
mod store;

use crate::model::{Channel, MessageError};
use atalaya_db::{DbResult, Tx};
use atalaya_jobs::{Jobs, NewJob};
use atalaya_kernel::{CompanyId, Sources, calendar};
use chrono::{DateTime, Days, TimeDelta, Utc};
use serde_json::json;

/// The job that notifies the administrators; its payload is `{"company": id}`.
pub const SMS_CEILING_JOB: &str = "sms_ceiling_reached";

/// What reaches a phone number, and costs.
pub(crate) const COUNTED: [Channel; 2] = [Channel::Sms, Channel::Whatsapp];

/// Maximum numbers of SMS, and of WhatsApp messages among them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SmsCeiling {
    /// In sixty minutes.
    pub per_hour: u32,
    /// In a day of Madrid.
    pub per_day: u32,
}

/// A company's own ceilings; `None` means the configured one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OwnCeiling {
    pub per_hour: Option<u32>,
    pub per_day: Option<u32>,
}

/// A company's ceilings and what it has used of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CeilingStatus {
    pub own: OwnCeiling,
    pub configured: SmsCeiling,
    pub last_hour: u32,
    pub today: u32,
}

/// Which ceiling is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CeilingOf {
    Hour,
    Day,
}

/// The hour that ends now, and the current day.
struct Windows {
    hour: DateTime<Utc>,
    day: DateTime<Utc>,
    tomorrow: DateTime<Utc>,
}

impl Windows {
    fn at(now: DateTime<Utc>) -> Self {
        let today = calendar::day(now);
        let tomorrow = calendar::start_of(today + Days::new(1));
        Self { hour: now - TimeDelta::hours(1), day: calendar::start_of(today), tomorrow }
    }
}

/// Counts one more SMS or WhatsApp message of a company, in the transaction that writes it.
///
/// Errors: [`MessageError::Ceiling`].
pub(crate) async fn pass(tx: &Tx, sources: &Sources, configured: SmsCeiling, company: CompanyId) -> Result<(), MessageError> {
    let now = sources.now();
    let windows = Windows::at(now);
    let row = store::lock(tx, company).await?;
    let own = store::own(&row);
    let (per_hour, per_day) = (own.per_hour.unwrap_or(configured.per_hour), own.per_day.unwrap_or(configured.per_day));
    let today = store::count(&**tx, company, windows.day, now).await?;
    if today >= per_day {
        return Err(refused(CeilingOf::Day, per_day, windows.tomorrow - now));
    }
    let hour = store::count(&**tx, company, windows.hour + TimeDelta::milliseconds(1), now).await?;
    if hour >= per_hour {
        let first = store::first_since(&**tx, company, windows.hour + TimeDelta::milliseconds(1)).await?;
        return Err(refused(CeilingOf::Hour, per_hour, first.unwrap_or(now) - windows.hour));
    }
    if today + 1 == per_day || hour + 1 == per_hour {
        tell_once(tx, sources, company, row, now).await?;
    }
    Ok(())
}

fn refused(of: CeilingOf, max: u32, wait: TimeDelta) -> MessageError {
    let retry_after_s = u64::try_from(wait.num_seconds()).unwrap_or(0).max(1);
    MessageError::Ceiling { of, max, retry_after_s }
}

async fn tell_once(tx: &Tx, sources: &Sources, company: CompanyId, row: entity::Model, now: DateTime<Utc>) -> DbResult<()> {
    let day = calendar::day(now).to_string();
    if row.told_on.as_deref() == Some(&day) {
        return Ok(());
    }
    store::told(tx, company, &day).await?;
    Jobs::new(sources.clone()).enqueue(tx, NewJob::new(SMS_CEILING_JOB, json!({"company": company}))).await?;
    Ok(())
}
