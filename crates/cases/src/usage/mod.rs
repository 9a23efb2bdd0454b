//! The billable usage of companies: when the operator and the end client were connected together, and who else was there.
//!
//! Called by `billing`. *Invariant:* what is billed outlives an erasure: stays keep their times, and a digest says which
//! conferences were about one case (CALL-14).

pub mod model;
mod store;

use crate::Cases;
use crate::casebook::{self, Billed};
use atalaya_db::DbResult;
use atalaya_kernel::{CompanyId, ConferenceId, UserId};
use aws_lc_rs::digest::{Context, SHA256};
use chrono::{DateTime, Utc};
use model::{Together, sessions};
use uuid::Uuid;

/// The sessions of one conference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Usage {
    pub conference: ConferenceId,
    pub company: CompanyId,
    /// As typed; a placeholder once the conference is erased.
    pub expedient: String,
    /// Equal for conferences of one case of one company, also for erased ones.
    pub case: String,
    /// Who opened or answered it.
    pub user_name: String,
    pub sessions: Vec<Together>,
}

/// The time in question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    pub start: DateTime<Utc>,
    /// The first instant after it.
    pub end: DateTime<Utc>,
    /// Open stays count up to this moment; it may lie after the end, for connections that began before it.
    pub until: DateTime<Utc>,
}

/// The usage of these companies in conferences that were open in the period: all sessions of each, also those outside it.
///
/// Two queries per 200 companies. Conferences created more than 35 days before the period are not read: links live for a
/// day, and a conference that nobody is in closes after minutes.
pub async fn list(d: &Cases, companies: &[CompanyId], period: Period) -> DbResult<Vec<Usage>> {
    let mut all = Vec::new();
    for batch in companies.chunks(200) {
        let conferences = casebook::billed(d.db.read(), batch, (period.start, period.end)).await?;
        let mut stays = store::stays(d.db.read(), batch, period).await?;
        for row in conferences {
            let Some(stays) = stays.remove(&row.id) else { continue };
            let sessions = sessions(&stays, &format!("user:{}", UserId(row.user_id)), period.until);
            if !sessions.is_empty() {
                all.push(used(row, sessions));
            }
        }
    }
    Ok(all)
}

/// What was used of a conference in these sessions.
fn used(of: Billed, sessions: Vec<Together>) -> Usage {
    let case = of.billing_case.or_else(|| case(of.company_id, &of.expedient_key));
    Usage {
        conference: ConferenceId(of.id),
        company: CompanyId(of.company_id),
        // The case of a conference erased before digests were kept is unknown: it counts as a case of its own.
        case: case.unwrap_or_else(|| of.id.to_string()),
        expedient: of.expedient_number,
        user_name: of.user_name,
        sessions,
    }
}

/// The digest of a company's case; `None` without a case. `key` as [`crate::conferences::model::expedient_key`] makes it.
pub fn case(company: Uuid, key: &str) -> Option<String> {
    if key.is_empty() {
        return None;
    }
    let mut digest = Context::new(&SHA256);
    digest.update(company.as_bytes());
    digest.update(key.as_bytes());
    Some(hex::encode(digest.finish()))
}
