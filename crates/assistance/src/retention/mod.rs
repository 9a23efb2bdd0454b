//! How long media stay, erasure with proof, and export of a person's data (SPEC §4 Media requests; DOMAIN §6.3, §6.4).

pub mod http;
pub mod model;

use crate::Assistance;
use crate::conferences::entity::Model;
use crate::conferences::model::ConferenceError;
use atalaya_identity::companies;
use atalaya_kernel::CompanyId;

/// Whether the time of a conference's files is over. They answer `MEDIA_EXPIRED` from that second on, whenever the hourly
/// job comes to delete them.
pub async fn is_expired(deps: &Assistance, row: &Model) -> Result<bool, ConferenceError> {
    let now = deps.sources.now();
    if row.media_expired_at.is_some() {
        return Ok(true);
    }
    if !model::media_expired(row.created_at, None, now) {
        return Ok(false);
    }
    let company = companies::service::get_company(&deps.identity, CompanyId(row.company_id)).await?;
    Ok(model::media_expired(row.created_at, company.retention_days, now))
}
