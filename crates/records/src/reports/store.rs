//! Queries of reports. Administrators read all companies; the funnel takes a company.

use super::usable::Share;
use atalaya_assistance::media_items;
use atalaya_cases::conferences::{self, StageGroup};
use atalaya_cases::connections;
use atalaya_cases::lists::model::Range;
use atalaya_db::DbResult;
use atalaya_kernel::CompanyId;
use sea_orm::ConnectionTrait;
use sea_orm::sea_query::SelectStatement;

/// How many conferences opened within the range are at each stage.
pub async fn stages(db: &impl ConnectionTrait, company: Option<CompanyId>, range: Range) -> DbResult<Vec<(i16, i64)>> {
    conferences::count_by_stage(db, company, (range.from, range.until)).await
}

/// The conferences with a picture; with `sharp` only those with one that is sharp, or that was never measured.
fn pictured(sharp: bool) -> SelectStatement {
    media_items::pictured(sharp.then_some(atalaya_checks::sharpness::SHARP))
}

/// The conferences opened within the range, in groups.
pub async fn groups(db: &impl ConnectionTrait, company: Option<CompanyId>, range: Range) -> DbResult<Vec<StageGroup>> {
    conferences::group_by_stage(db, company, (range.from, range.until), (pictured(false), pictured(true))).await
}

/// How many of these conferences were opened within the range, and how many are usable.
pub(super) async fn share_of(
    db: &impl ConnectionTrait,
    company: Option<CompanyId>,
    range: Range,
    conferences: SelectStatement,
) -> DbResult<Share> {
    let days = (range.from, range.until);
    let (cases, usable) = conferences::share_among(db, company, days, (conferences, pictured(true))).await?;
    Ok(Share { cases, usable })
}

/// The clients' stays within the range, by the way of their media.
pub async fn routes(db: &impl ConnectionTrait, company: Option<CompanyId>, range: Range) -> DbResult<Vec<(String, i64)>> {
    let theirs = company.map(conferences::ids_of_company);
    connections::count_routes(db, theirs, (range.from, range.until)).await
}
