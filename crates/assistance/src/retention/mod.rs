//! How long media stay, erasure with proof, and export of a person's data (`docs/rules/retention.md`).
//!
//! Called by the hourly job, by the privacy page, by the media room (has a file expired?) and by `atalaya restore`.
//! *Invariant:* what is erased stays erased: the register outside the database is replayed before a restored backup is
//! served.

mod entity;
pub mod erasure;
mod error;
pub mod expiry;
mod export;
pub mod http;
pub mod model;
mod persons;
pub mod register;
pub(crate) mod store;
pub mod wipe;

pub use error::RetentionError;

use crate::Assistance;
use crate::conferences::entity::Model;
use crate::conferences::model::ConferenceError;
use crate::evidence::Track;
use atalaya_identity::companies;
use atalaya_kernel::CompanyId;

/// Whether a conference's files have expired. They answer `MEDIA_EXPIRED` from that second on, no matter when the hourly
/// job deletes them (RETAIN-4).
pub async fn is_expired(deps: &Assistance, row: &Model) -> Result<bool, ConferenceError> {
    let now = deps.sources.now();
    if !model::media_expired(row.created_at, None, now) {
        return Ok(false);
    }
    let company = companies::service::get_company(&deps.identity, CompanyId(row.company_id)).await?;
    Ok(model::media_expired(row.created_at, company.retention_days, now))
}

/// Removes the case number and the names of files from the tracks of an erased conference before they are shown. The chain
/// still holds them, because events are never deleted.
pub fn without_names(tracks: &mut [Track]) {
    for track in tracks {
        for field in ["expedientNumber", "name"] {
            track.data.remove(field);
        }
    }
}
