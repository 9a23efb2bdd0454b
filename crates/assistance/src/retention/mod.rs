//! How long media stay, erasure with proof, and export of a person's data (SPEC §4 Media requests; DOMAIN §6.3, §6.4).
//!
//! Called by the hourly job, by the privacy page, by the media room (is a file's time over?) and by `atalaya restore`.
//! *Invariant:* what is erased stays erased: the register outside the database is carried out again before a backup that
//! was put back is served.

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

/// Whether the time of a conference's files is over. They answer `MEDIA_EXPIRED` from that second on, whenever the hourly
/// job comes to delete them.
pub async fn is_expired(deps: &Assistance, row: &Model) -> Result<bool, ConferenceError> {
    let now = deps.sources.now();
    if !model::media_expired(row.created_at, None, now) {
        return Ok(false);
    }
    let company = companies::service::get_company(&deps.identity, CompanyId(row.company_id)).await?;
    Ok(model::media_expired(row.created_at, company.retention_days, now))
}

/// Tracks as they are shown of an erased conference. The chain only grows, so the case number and the names of files are in
/// it still; nobody is shown them.
pub fn without_names(tracks: &mut [Track]) {
    for track in tracks {
        for field in ["expedientNumber", "name"] {
            track.data.remove(field);
        }
    }
}
